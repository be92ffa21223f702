import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { shownNames } from '../../../answers/named.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { campaigns, sends } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { shortText } from '../../../text/business-text.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import { type CampaignFilters, isByCampaign } from './sent.ts';

/** An automation that sent fewer messages before is one that seldom sends anything. */
const LEAST_SENT = 10;
const MOST_NAMED = 5;
const LONGEST_NAME = 60;

const COLUMNS = [
  column('name', 'text'),
  column('sent_before', 'integer'),
  column('last_date', 'date'),
  column('automations_count', 'integer'),
];
type Quiet = ObjectOf<typeof COLUMNS>;

/**
 * Automations that sent nothing in the range, and did in as many days before it: no row of a range tells of them.
 *
 * @param channels of their messages
 * @returns null where nothing is known of messages of the range
 */
export function quietAutomations(
  range: Range,
  channels: readonly string[],
  filters: CampaignFilters,
  { messages_until }: SnapshotFacts,
  timezone: string,
): Query<Quiet> | null {
  const { firstDate, lastDate } = range;
  if (messages_until === null || localDate(messages_until, timezone).toString() < firstDate.toString())
    return null;
  const days = firstDate.until(lastDate, { largestUnit: 'day' }).days + 1;
  const day = (date: { toString(): string }) => parameter.date(date.toString());
  const quiet = query(
    COLUMNS,
    sql`
    select name, sent_before, last_date, count(*) over () as automations_count
    from (
      select campaign_key, count(*) as sent_before, max(sent_date) as last_date
      from ${sends}
      where sent_date between ${day(firstDate.subtract({ days }))} and ${day(lastDate)} and channel in (${parameter.texts(channels)}) and ${isByCampaign(filters)}
      group by campaign_key
      having count(*) >= ${parameter.integer(LEAST_SENT)} and max(sent_date) < ${day(firstDate)}
    ) as sent
    join (select campaign_key, name, campaign_id from ${campaigns} where is_automation) as named using (campaign_key)
    order by sent_before desc, campaign_id
    limit ${parameter.integer(MOST_NAMED)}`,
  );
  return { ...quiet, isAside: true };
}

export function quietAutomationNotes(rows: readonly Quiet[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const named = rows.map(
    ({ name, sent_before, last_date }) =>
      `${shownNames([shortText(name, LONGEST_NAME)]).slice(1, -1)} (${sent_before} messages, the last on ${last_date})`,
  );
  const more = first.automations_count - rows.length;
  return [
    `Automations that sent nothing in the range, and did in as many days before: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. What they would have brought is missing.`,
  ];
}
