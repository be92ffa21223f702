import { column, field, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { timeOfDay } from '../../../answers/fields/shared-fields.ts';
import { counted, emptyRow, selectMetrics } from '../../../answers/metric.ts';
import { messageEvents, sends } from '../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import type { ActivityBy, MessageChannel } from './message-channels.ts';

/** By what messages, opens and clicks are told apart, in business time. */
export const TIMES = ['weekday', 'hour', 'weekday_hour'] as const;
export type Times = (typeof TIMES)[number];

const opensThen = counted(
  'opens',
  'opens_then_count',
  'Human opens at that time, of all messages sent in the range.',
  sql`opens_then`,
);
const clicksThen = counted(
  'clicks',
  'clicks_then_count',
  'Human clicks at that time, of all messages sent in the range.',
  sql`clicks_then`,
);

const labelFields = [
  field({ key: 'key', type: 'text', definition: '1, 09, or 1-09: ISO weekday, hour, both.' }),
  ...timeOfDay,
];

export const emailThen = [opensThen, clicksThen];
export const smsThen = [clicksThen];

/** The fields of a row: what was sent at that time, and what people did at that time. */
export function timeFields<Channel extends MessageChannel, Then extends typeof emailThen | typeof smsThen>(
  channel: Channel,
  then: Then,
) {
  return [...labelFields, ...(channel.activity as Channel['activity']), ...then] as const;
}

const KEY = column('key', 'text');

/** @param sent the condition over `sends` */
export function timesOfDay<Channel extends MessageChannel>(channel: Channel, sent: Sql, times: Times | null) {
  return {
    sentThen:
      times &&
      (query(
        [KEY, ...(channel.activity as Channel['activity'])],
        sql`
      select key, ${selectMetrics(channel.activity)}
      from (
        select ${SENT[times]} as key, ${channel.measures} from ${sends} where ${sent} group by key
      ) as measures`,
      ) as Query<ActivityBy<'key', Channel>>),
    happenedThen:
      times &&
      query(
        [KEY, opensThen, clicksThen],
        sql`
      select key, opens_then as opens_then_count, clicks_then as clicks_then_count
      from (
        select ${HAPPENED[times]} as key,
          count(*) filter (where kind = 'open') as opens_then,
          count(*) filter (where kind = 'click' and is_content) as clicks_then
        from ${messageEvents}
        where not is_machine and send_key in (select send_key from ${sends} where ${sent})
        group by key
      ) as measures`,
      ),
  };
}

const SENT = {
  weekday: sql`sent_weekday`,
  hour: sql`sent_hour`,
  weekday_hour: sql`concat(sent_weekday, '-', sent_hour)`,
} satisfies Record<Times, Sql>;

const HAPPENED = {
  weekday: sql`happened_weekday`,
  hour: sql`happened_hour`,
  weekday_hour: sql`concat(happened_weekday, '-', happened_hour)`,
} satisfies Record<Times, Sql>;

type Then = ObjectOf<readonly [typeof KEY, typeof opensThen, typeof clicksThen]>;

/** Every weekday, hour or hour of the week, also without anything. */
export function timeRows<Channel extends MessageChannel>(
  channel: Channel,
  times: Times,
  sentThen: readonly ActivityBy<'key', Channel>[],
  happenedThen: readonly Then[],
) {
  const sentByKey = new Map(sentThen.map((row) => [row.key, row]));
  const happenedByKey = new Map(happenedThen.map((row) => [row.key, row]));
  return labels(times).map((label) => ({
    ...emptyRow(channel.activity as Channel['activity']),
    ...sentByKey.get(label.key),
    ...label,
    opens_then_count: happenedByKey.get(label.key)?.opens_then_count ?? 0,
    clicks_then_count: happenedByKey.get(label.key)?.clicks_then_count ?? 0,
  }));
}

function labels(times: Times) {
  const weekdays = times === 'hour' ? [null] : [1, 2, 3, 4, 5, 6, 7];
  const hours = times === 'weekday' ? [null] : Array.from({ length: 24 }, (_, hour) => hour);
  return weekdays.flatMap((weekday) =>
    hours.map((hour) => ({
      key: [weekday, hour === null ? null : String(hour).padStart(2, '0')]
        .filter((part) => part !== null)
        .join('-'),
      weekday,
      hour,
    })),
  );
}
