import { field, fieldNamed, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { percent } from '../../../answers/metric.ts';
import { messageEvents, sends } from '../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { emailActivity } from './email-activity.ts';

const ofActivity = <const Key extends (typeof emailActivity)[number]['key']>(key: Key) =>
  fieldNamed(emailActivity, key);

export const pressureFields = [
  field({ key: 'messages', type: 'text', definition: '1, 2-3, 4-6, 7-12, 13+.' }),
  field({
    key: 'recipients_count',
    type: 'integer',
    unit: 'profiles',
    definition: 'Recipients of so many messages.',
  }),
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
    ...{ messages, recipients_count: 0, open_rate: null, unsubscribe_rate: null },
    ...byMessages.get(messages),
  }));
}

export const clientFields = [
  field({
    key: 'client',
    type: 'text',
    definition: 'apple_mail, gmail, outlook, yahoo, seznam, other, unknown.',
  }),
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
