import { plural } from '../../text/plural.ts';
import { storedId } from '../stored-id.ts';

/**
 * Statements that make `ga4_refunds`: those of purchases in the files and of earlier imports, for example of
 * an order of last month. One without a value is of the whole order. Together they are at most its total: of
 * 100, refunds of 60 and without a value are 60 and 40.
 */
export const REFUNDS = [
  `create temp table ga4_refunds as
    with orders as (
      select stored_id, coalesce(amount, 0) as total from ga4_purchases where is_first and transaction is not null
      union all
      select order_id, total from before_orders
      where order_id not in (select stored_id from ga4_purchases where is_first and transaction is not null)
    ),
    others as (
      select order_id as stored_id, sum(amount) as refunded from before_refunds
      where refund_id not in (select ${storedId('recordId', 'refund_id')} from ga4_refund_events where refund_id is not null)
      group by order_id
    ),
    asked as (
      select e._row, e.order_id, e.refund_id, e.at_us, total, greatest(coalesce(e.amount, total), 0) as asked,
        coalesce(refunded, 0) as refunded
      from ga4_refund_events as e left join orders using (stored_id) left join others using (stored_id)
    ),
    summed as (
      select *, refunded + sum(asked) over (partition by order_id order by at_us, _row) as until_here from asked
    )
    select * exclude (refunded, until_here), least(total, until_here) - least(total, until_here - asked) as amount from summed`,
];

/** The findings on refunds of a store whose orders are the purchases. */
export const REFUND_FINDINGS = [
  {
    count: 'select count(*) from ga4_refunds where total is null',
    says: (count: number) =>
      `${plural(count, 'refund is', 'refunds are')} of no purchase in these files or in earlier imports: not read. Import the days in their order`,
  },
  {
    count: 'select count(*) from ga4_refunds where total is not null and amount < asked',
    says: (count: number) =>
      `${plural(count, 'refund is', 'refunds are')} more than what is left of the total of the order: only that counts`,
  },
];
