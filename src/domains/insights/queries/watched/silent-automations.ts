import { Temporal } from 'temporal-polyfill';
import { column, type ObjectOf } from '../../../../answers/fields/field.ts';
import { type Query, query } from '../../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { campaigns, sends } from '../../../../model-table/table-names.ts';
import { parameter, sql } from '../../../../sql/sql.ts';
import { quoted, shortText } from '../../../../text/business-text.ts';
import { counted } from '../../../../text/counted.ts';
import type { TrustRow } from './trust-row.ts';
import { earliest, lengthOf, rangeOf, type WatchedDays, wholeUntil } from './watched-days.ts';

const COLUMNS = [
  column('campaign_id', 'text'),
  column('name', 'text'),
  column('sent_date', 'date'),
  column('sent_count', 'integer'),
];
type Sent = ObjectOf<typeof COLUMNS>;

/** What an automation usually sends is looked at over so many days before those that are judged. */
const BEFORE_DAYS = 56;
/** Fewer messages a week are too few to miss some. */
const LEAST_A_WEEK = 5;
/** So many messages must be expected where there are none. */
const LEAST_EXPECTED = 10;
/** By chance alone nothing is sent more seldom than this. */
const MOST_CHANCE = 0.001;
const MOST_NAMED = 5;

/**
 * The messages by day of the active automations that sent nothing after the judged days, nor on the last of them.
 *
 * @returns null where no message is loaded of these days
 */
export function quietAutomationDays(
  { from, to }: WatchedDays,
  timezone: string,
  facts: SnapshotFacts,
): Query<Sent> | null {
  const last = lastKnown(to, timezone, facts);
  if (last === null) return null;
  const first = from.subtract({ days: BEFORE_DAYS });
  return query(
    COLUMNS,
    sql`
    select campaign_id, name, sent_date, count(*) as sent_count
    from ${sends}
    join (
      select campaign_key, campaign_id, name from ${campaigns}
      where is_automation and state = 'active' and last_sent_at < ${parameter.timestamp(rangeOf(last, last, timezone).start)}
    ) as named using (campaign_key)
    where sent_date between ${parameter.date(first.toString())} and ${parameter.date(last.toString())}
    group by campaign_id, name, sent_date
    order by campaign_id, sent_date`,
  );
}

/** The last judged day of which messages are loaded. */
function lastKnown(
  to: Temporal.PlainDate,
  timezone: string,
  facts: SnapshotFacts,
): Temporal.PlainDate | null {
  const whole = wholeUntil('messages', timezone, facts);
  return whole === null ? null : earliest(whole, to);
}

export function silentAutomations(
  rows: readonly Sent[],
  days: WatchedDays,
  timezone: string,
  facts: SnapshotFacts,
): TrustRow[] {
  const last = lastKnown(days.to, timezone, facts);
  if (last === null) return [];
  const silent = Object.values(Object.groupBy(rows, ({ campaign_id }) => campaign_id))
    .flatMap((sent = []) => silenceOf(sent, days.from, last) ?? [])
    .toSorted((one, other) => other.expected - one.expected || one.name.localeCompare(other.name));
  if (silent.length === 0) return [];
  const named = silent
    .slice(0, MOST_NAMED)
    .map(
      ({ name, lastDate, expected }) =>
        `${quoted(shortText(name, 60))} (the last message on ${lastDate}, since then usually about ${Math.round(expected)})`,
    );
  const more = silent.length - named.length;
  return [
    {
      kind: 'silent_automations',
      text: `${counted(silent.length, 'active automation sends', 'active automations send')} nothing any more: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
      touches: 'what automations sent and brought: it is too low',
      affected_share: null,
    },
  ];
}

/** Since when an automation is silent, and how much it would have sent since; null where chance alone or a usual pause explains it. */
function silenceOf(sent: readonly Sent[], from: Temporal.PlainDate, last: Temporal.PlainDate) {
  const dates = sent.map(({ sent_date }) => Temporal.PlainDate.from(sent_date));
  const [latest, name] = [dates.at(-1), sent[0]?.name];
  if (latest === undefined || name === undefined) return null;
  const before = sent
    .filter((_, place) => Temporal.PlainDate.compare(dates[place] as Temporal.PlainDate, from) < 0)
    .map(({ sent_count }) => sent_count);
  const mean = before.reduce((sum, count) => sum + count, 0) / BEFORE_DAYS;
  const silentDays = lengthOf(latest, last) - 1;
  const longestPause = Math.max(
    0,
    ...dates.slice(1).map((date, place) => lengthOf(dates[place] as Temporal.PlainDate, date) - 2),
  );
  const expected = mean * silentDays;
  if (7 * mean < LEAST_A_WEEK || expected < LEAST_EXPECTED || silentDays <= longestPause) return null;
  // Messages that come in heaps are missing for longer by chance.
  const squares = before.reduce((sum, count) => sum + count ** 2, 0) / BEFORE_DAYS;
  const heap = Math.max(1, (squares - mean ** 2) / mean);
  return Math.exp(-expected / heap) < MOST_CHANCE ? { name, lastDate: latest.toString(), expected } : null;
}
