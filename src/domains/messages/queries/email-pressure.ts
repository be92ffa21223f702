import { Temporal } from 'temporal-polyfill';
import { field, fieldNamed, fieldsNamed, type ObjectOf } from '../../../answers/fields/field.ts';
import { count, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { emptyRow, percent, selectMetrics } from '../../../answers/metric.ts';
import { messageEvents, sends } from '../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type Range, utc } from '../../../time/range.ts';
import { emailActivity, emailMeasures } from './email-activity.ts';

const ofActivity = <const Key extends (typeof emailActivity)[number]['key']>(key: Key) =>
  fieldNamed(emailActivity, key);

export const pressureFields = [
  text('messages', '1, 2-3, 4-6, 7-12, 13+.'),
  count('profiles', 'recipients_count', 'Recipients of so many messages.'),
  ofActivity('open_rate'),
  ofActivity('unsubscribe_rate'),
];
type Pressure = ObjectOf<typeof pressureFields>;

/**
 * Recipients by how many messages they got, with the rates of those messages.
 *
 * @param sent a condition over `sends`
 */
export function pressure(sent: Sql) {
  return query(
    pressureFields,
    sql`
    select messages, count(*) as recipients_count,
      ${percent(sql`sum(opened)`, sql`sum(delivered)`)} as open_rate,
      ${percent(sql`sum(unsubscribed)`, sql`sum(delivered)`)} as unsubscribe_rate
    from (
      select
        case when sent = 1 then '1' when sent <= 3 then '2-3' when sent <= 6 then '4-6' when sent <= 12 then '7-12'
          else '13+' end as messages,
        delivered, opened, unsubscribed
      from (
        select customer_key, count(*) as sent, count(*) filter (where outcome = 'delivered') as delivered,
          count(*) filter (where is_opened) as opened, count(*) filter (where is_unsubscribed) as unsubscribed
        from ${sends} where ${sent} group by customer_key
      ) as recipients
    ) as grouped
    group by messages`,
  );
}

/** Every bucket of `pressure`, also one that nobody is in. */
export function pressureRows(rows: readonly Pressure[]): Pressure[] {
  const byMessages = new Map(rows.map((row) => [row.messages, row]));
  return ['1', '2-3', '4-6', '7-12', '13+'].map((messages) => ({
    messages,
    recipients_count: 0,
    open_rate: null,
    unsubscribe_rate: null,
    ...byMessages.get(messages),
  }));
}

/** People who unsubscribe get no more messages, so those with many messages are those who stayed. */
export function pressureNotes(rows: readonly Pressure[]): string[] {
  const told = rows.filter(({ unsubscribe_rate }) => unsubscribe_rate !== null);
  const hasLeft = told.some(({ unsubscribe_rate }) => Number(unsubscribe_rate) > 0);
  return told.length > 1 && hasLeft
    ? [
        'Who unsubscribes gets no more messages, so frequency makes many messages look harmless: how many to send is judged by frequency_before.',
      ]
    : [];
}

export const clientFields = [
  text('client', 'apple_mail, gmail, outlook, yahoo, seznam, other, unknown.'),
  ofActivity('opens_count'),
  ofActivity('machine_opens_count'),
];

/** Opens by the program that they happened in, the most used first. */
export function openingClients(sent: Sql) {
  return query(
    clientFields,
    sql`
    select client, count(*) filter (where not is_machine) as opens_count,
      count(*) filter (where is_machine) as machine_opens_count
    from ${messageEvents}
    where kind = 'open' and send_key in (select send_key from ${sends} where ${sent})
    group by client
    order by count(*) desc, client`,
  );
}

/**
 * The days before a message in which other e-mails to its recipient count, and how many seconds they have.
 */
const PRESSURE_DAYS = [
  { days: 7, seconds: sql`604800` },
  { days: 30, seconds: sql`2592000` },
] as const;

const BEFORE = ['0', '1', '2-3', '4-6', '7-12', '13+'] as const;

const beforeMetrics = fieldsNamed(emailActivity, [
  'sent_count',
  'delivered_count',
  'unsubscribes_count',
  'unsubscribe_rate',
]);

export const beforeFields = [
  count('days', 'days', 'Days before each message: 7 or 30.'),
  field({
    key: 'messages_before',
    type: 'text',
    definition: 'E-mails of any campaign that its recipient got in them: 0, 1, 2-3, 4-6, 7-12, 13+.',
  }),
  ...beforeMetrics,
];
type Before = ObjectOf<typeof beforeFields>;

/**
 * The messages of the range by how many e-mails their recipient had got in the days before. Unlike `pressure`
 * this does not sort out who left: somebody who unsubscribes by the first message gets no second one.
 *
 * @param sent a condition over `sends`
 * @param range of the condition
 */
export function pressureBefore(sent: Sql, { start, end }: Range) {
  const first = Temporal.Instant.from(`${start}Z`).subtract({ hours: 30 * 24 });
  // The distance is in seconds, since ClickHouse counts rows within a distance by whole numbers alone.
  const got = PRESSURE_DAYS.map(
    ({ days, seconds }) => sql`
    select *, ${parameter.integer(days)} as days, coalesce(sum(case when outcome = 'delivered' then 1 else 0 end) over (
        partition by customer_key order by sent_s range between ${seconds} preceding and 1 preceding
      ), 0) as messages_got
    from near`,
  );
  return query(
    beforeFields,
    sql`
    with near as (
      select *, date_diff('second', ${parameter.timestamp('1970-01-01T00:00:00')}, sent_at) as sent_s
      from ${sends}
      where channel = 'email' and sent_at >= ${parameter.timestamp(utc(first))} and sent_at < ${parameter.timestamp(end)}
    )
    select days, messages_before, ${selectMetrics(beforeMetrics)}
    from (
      select days, messages_before, ${emailMeasures}
      from (
        select *, case when messages_got = 0 then '0' when messages_got = 1 then '1' when messages_got <= 3 then '2-3'
            when messages_got <= 6 then '4-6' when messages_got <= 12 then '7-12' else '13+' end as messages_before
        from (${join(got, sql` union all `)}) as counted
        where ${sent}
      ) as chosen
      group by days, messages_before
    ) as measures`,
  );
}

/** Every number of messages for each of the days, also one that no message has. */
export function beforeRows(rows: readonly Before[]): Before[] {
  return PRESSURE_DAYS.flatMap(({ days }) =>
    BEFORE.map((messages_before) => ({
      days,
      messages_before,
      ...emptyRow(beforeMetrics),
      ...rows.find((row) => row.days === days && row.messages_before === messages_before),
    })),
  );
}
