import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import { consentChanges } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';

const COMPLAINTS = [column('complaints_count', 'integer'), column('without_message_count', 'integer')];

/**
 * Subscribers who complained in the range, and those of them of whose complaint no message is known: tools
 * about messages do not have these.
 */
export function complaints(channel: 'email' | 'sms', { start, end }: Range) {
  return query(
    COMPLAINTS,
    sql`
    select count(*) as complaints_count, count(*) filter (where next_campaign_key is null) as without_message_count
    from ${consentChanges}
    where channel = ${parameter.text(channel)} and state = 'subscribed' and next_state = 'complained'
      and ends_at >= ${parameter.timestamp(start)} and ends_at < ${parameter.timestamp(end)}`,
  );
}

/** The note wherever complaints are counted by messages or by people. */
export function complaintNotes([found]: readonly ObjectOf<typeof COMPLAINTS>[]): string[] {
  if (found === undefined) return [];
  const { complaints_count: all, without_message_count: without } = found;
  if (!isTelling({ part: without, whole: all })) return [];
  const said =
    all < LEAST_SHARING
      ? `Fewer than ${LEAST_SHARING} subscribers complained in the range, and at least one of them of no known message`
      : `${all} subscribers complained in the range, ${without < LEAST_SHARING ? `fewer than ${LEAST_SHARING}` : without} of them of no known message`;
  return [
    `${said}. complained_count of subscriber_statistics counts these, spam_complaints_count of email_channel_statistics does not.`,
  ];
}
