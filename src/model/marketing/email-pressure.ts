import type { Row } from '../../sql/row.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { percent } from '../metrics/metric.ts';
import { messageEvents, sends } from '../tables.ts';

/**
 * Recipients by how many messages they got, with the rates of those messages.
 *
 * @param sent a condition over `sends`
 */
export function pressure(sent: Sql): Sql {
  return sql`
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
    group by messages`;
}

/** Every bucket of `pressure`, also one that nobody is in. */
export function pressureRows(rows: readonly Row[]): object[] {
  const byMessages = new Map(rows.map((row) => [row.messages, row]));
  return ['1', '2-3', '4-6', '7-12', '13+'].map((messages) => ({
    ...{ messages, recipients_count: 0, open_rate: null, unsubscribe_rate: null },
    ...byMessages.get(messages),
  }));
}

/** Opens by the program that they happened in, the most used first. */
export function openingClients(sent: Sql): Sql {
  return sql`
    select client, count(*) filter (where not is_machine) as opens_count,
      count(*) filter (where is_machine) as machine_opens_count
    from ${messageEvents}
    where kind = 'open' and send_key in (select send_key from ${sends} where ${sent})
    group by client
    order by count(*) desc, client`;
}
