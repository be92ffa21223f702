import { LEAST_SHARING } from '../../../../answers/shared-values.ts';
import { orderCoupons, orders } from '../../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';
import type { Period } from '../../definitions/conditions.ts';
import { type EvaluatedAt, inPeriod } from '../condition-periods.ts';
import { boundsOf, byNumber, isWithin, money, whole } from './by-number.ts';
import { type MatchingOf, those } from './matching.ts';

/** Valid orders of the period that have a customer, grouped by customer. */
function validOrders(period: Period | undefined, at: EvaluatedAt, condition: Sql = sql`true`): Sql {
  return sql`
    select customer_key from ${orders}
    where is_valid and customer_key is not null and ${inPeriod(sql`ordered_at`, period, at)} and ${condition}
    group by customer_key`;
}

export const orderCount: MatchingOf<'order_count'> = ({ operator, value, period }, at) =>
  byNumber(validOrders(period, at), sql`count(*)`, boundsOf(operator, value), whole);

export const orderValueTotal: MatchingOf<'order_value_total'> = ({ operator, value, period }, at) =>
  byNumber(validOrders(period, at), sql`sum(revenue)`, boundsOf(operator, value), money);

/**
 * Matches profiles by their average order value; without orders there is no average. Sums are compared with a
 * multiple of the bound, since a quotient is rounded.
 */
export const averageOrderValue: MatchingOf<'average_order_value'> = ({ operator, value, period }, at) => {
  const timesOrders = (bound: number) => sql`${money(bound)} * count(*)`;
  const condition = isWithin(sql`sum(revenue)`, boundsOf(operator, value), timesOrders);
  return those(sql`${validOrders(period, at)} having ${condition}`);
};

export const firstOrderAt: MatchingOf<'first_order_at'> = ({ period }, at) =>
  those(validOrders(period, at, sql`order_number = 1`));

export const lastOrderAt: MatchingOf<'last_order_at'> = ({ period }, at) =>
  those(
    at.isPast
      ? sql`
        select customer_key
        from (
          select customer_key, max(ordered_at) as last_ordered_at from ${orders}
          where is_valid and customer_key is not null and ${inPeriod(sql`ordered_at`, undefined, at)}
          group by customer_key
        ) as last_orders
        where ${inPeriod(sql`last_ordered_at`, period, at)}`
      : validOrders(period, at, sql`next_order_key is null`),
  );

/** Coupons that enough people have used at any time; a coupon made for one person matches nobody. */
export const couponUsed: MatchingOf<'coupon_used'> = ({ value, period }, at) => {
  const named = sql`select order_key, coupon from ${orderCoupons} where coupon in (${parameter.texts(value)})`;
  const withCoupon = sql`order_key in (
    select order_key from (${named}) as named
    where coupon in (
      select coupon
      from (${named}) as used
      join (select order_key, customer_key from ${orders} where is_valid) as valid using (order_key)
      group by coupon
      having count(distinct customer_key) >= ${parameter.integer(LEAST_SHARING)}))`;
  return those(validOrders(period, at, withCoupon));
};
