import { withNotes, withQueries } from '../../../answers/answer-in-pieces.ts';
import { column, type Field, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import type { BusinessTool } from '../../../answers/tool.ts';
import { sends, sessions } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { type Range, type RangeArguments, readRange } from '../../../time/range.ts';

const TRACKED = [
  column('channel', 'text'),
  column('clicks', 'integer'),
  column('clicking_sends', 'integer'),
  column('visits', 'integer'),
];

/** The visits of fewer clicked messages than this vary by chance. */
export const LEAST_CLICKED = 100;
/**
 * The least share of clicked messages with a recorded visit: each click brings a visit, but some visitors
 * refuse to be recorded.
 */
export const LEAST_RECORDED = 0.7;

/** Names of the channels that visits have, beside those of messages. */
const CHANNELS = [
  { channel: 'email', visits: 'Email', name: 'E-mail' },
  { channel: 'sms', visits: 'SMS', name: 'SMS' },
] as const;

/** Whether an answer has a number of clicks in messages, or of visits. */
export function countsClicksOrVisits({
  scope,
  input,
  fields,
}: Pick<BusinessTool, 'scope' | 'input' | 'fields'>) {
  return scope === 'business' && 'from_date' in input.shape && hasCount(fields);
}

/** Orders by last click are orders by visits. */
const COUNTS = [
  ...['clicks_count', 'unique_clicks_count'],
  ...['sessions_count', 'journeys_count', 'last_click_orders_count'],
];

function hasCount(fields: readonly Field[]): boolean {
  return fields.some(
    ({ key, fields: inner }) => COUNTS.includes(key) || (inner !== undefined && hasCount(inner)),
  );
}

/**
 * The tool, with a note where far fewer visits are recorded than messages were clicked: then visits, last
 * clicks and their revenue are too low by a hole in tracking, and nobody sees that by either number alone.
 */
export function withTracking(tool: BusinessTool): BusinessTool {
  const channels = CHANNELS.filter(
    ({ channel }) =>
      tool.name.startsWith(`${channel}_`) || !CHANNELS.some((one) => tool.name.startsWith(`${one.channel}_`)),
  );
  return {
    ...tool,
    plan(context) {
      const { timezone, facts } = context;
      const asked = tool.plan(context);
      if (facts.sessions_until === null || facts.messages_until === null) return asked;
      const { from_date, to_date } = context.args as Partial<RangeArguments>;
      if (from_date == null || to_date == null) return asked;
      const range = readRange({ from_date, to_date }, timezone);
      const queries = { tracked: { ...clickedAndVisited(range), isAside: true } };
      return withQueries(asked, queries, (made, { tracked }) =>
        withNotes(
          made,
          channels.flatMap((one) => trackingNotes(one, tracked)),
        ),
      );
    },
  };
}

/** Counts only the time for which visits are known. */
export function clickedAndVisited({ start, end }: Range) {
  const [from, to] = [parameter.timestamp(start), parameter.timestamp(end)];
  return query(
    TRACKED,
    sql`
    select channel, sum(clicks) as clicks, sum(clicking_sends) as clicking_sends, sum(visits) as visits
    from (
      select channel, sum(clicks) as clicks, count(*) filter (where clicks > 0) as clicking_sends, 0 as visits
      from ${sends}
      where sent_at >= ${from} and sent_at < ${to}
        and sent_at >= (select min(started_at) from ${sessions}) and sent_at <= (select max(started_at) from ${sessions})
      group by channel
      union all
      select case channel when 'Email' then 'email' else 'sms' end, 0, 0, count(*)
      from ${sessions}
      where started_at >= ${from} and started_at < ${to} and channel in ('Email', 'SMS')
      group by 1
    ) as counted
    group by channel`,
  );
}

function trackingNotes(
  { channel, visits: source, name }: (typeof CHANNELS)[number],
  rows: readonly ObjectOf<typeof TRACKED>[],
): string[] {
  const found = rows.find((row) => row.channel === channel);
  if (found === undefined) return [];
  const { clicks, clicking_sends, visits } = found;
  if (clicking_sends < LEAST_CLICKED || visits >= LEAST_RECORDED * clicking_sends) return [];
  return [
    `${name}: people clicked ${clicks} times in ${clicking_sends} messages sent in the range, but only ${visits} visits of channel ${source} are recorded. Tracking has a hole (links without utm_source and utm_medium, redirects that drop them, visits that refuse cookies): visits and last clicks of ${source} are too low, and other channels get its orders.`,
  ];
}
