import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { sends } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { plural } from '../../../text/plural.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import type { MessageChannel } from './message-channels.ts';
import { type CampaignFilters, sentIn } from './sent-campaigns.ts';

/** Opens and clicks of a message take so many days to come. */
export const FOLLOWED_DAYS = 3;

const COLUMNS = [
  column('since', 'date'),
  column('sent_count', 'integer'),
  column('late_count', 'integer'),
  column('delivered', 'integer'),
  column('opened', 'integer'),
  column('clicked', 'integer'),
];
/** Messages of the range, how many were sent in the last loaded days, and what became of those before. */
export type LateFollowed = ObjectOf<typeof COLUMNS>;

/** @returns null where the range ends before the last loaded days */
export function lateFollowed(
  channel: MessageChannel,
  range: Range,
  filters: CampaignFilters,
  timezone: string,
  { messages_until }: SnapshotFacts,
): Query<LateFollowed> | null {
  if (messages_until === null) return null;
  const since = localDate(messages_until, timezone)
    .subtract({ days: FOLLOWED_DAYS - 1 })
    .toString();
  if (range.lastDate.toString() < since) return null;
  const isLate = sql`sent_date >= ${parameter.date(since)}`;
  const rows = query(
    COLUMNS,
    sql`
    select ${parameter.date(since)} as since, coalesce(sum(sent), 0) as sent_count,
      coalesce(sum(case when is_late then sent end), 0) as late_count,
      coalesce(sum(case when not is_late then ${channel.delivered} end), 0) as delivered,
      coalesce(sum(case when not is_late then ${channel.name === 'email' ? sql`opened` : sql`0`} end), 0) as opened,
      coalesce(sum(case when not is_late then clicked end), 0) as clicked
    from (
      select is_late, ${channel.measures}
      from (select *, ${isLate} as is_late from ${sends} where ${sentIn(channel, range, filters)}) as dated
      group by is_late
    ) as measures`,
  );
  return { ...rows, isAside: true };
}

/** Rates of a range that ends with the data are too low by what is still to come. */
export function lateFollowedNotes(channel: MessageChannel, [row]: readonly LateFollowed[]): string[] {
  if (row === undefined || !isTelling({ part: row.late_count, whole: row.sent_count })) return [];
  const { since, sent_count, late_count, delivered, opened, clicked } = row;
  const rate = (count: number) => `${((100 * count) / delivered).toFixed(2)} %`;
  const [opening, openRate] =
    channel.name === 'email' ? ['opened and clicked', `open_rate is ${rate(opened)} and `] : ['clicked', ''];
  const before =
    delivered === 0
      ? ', so all rates of what follows are too low'
      : `: of those before, ${openRate}click_rate is ${rate(clicked)}`;
  return [
    `${plural(late_count, 'message', 'messages')} of ${sent_count} went out since ${since}, in the last ${FOLLOWED_DAYS} loaded days, and can still be ${opening}${before}.`,
  ];
}
