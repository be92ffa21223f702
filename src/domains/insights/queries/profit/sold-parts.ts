import { column, type ObjectOf } from '../../../../answers/fields/field.ts';
import { query } from '../../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { orderRefunds, orders } from '../../../../model-table/table-names.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { tenThousandths } from '../../../../sql/ten-thousandths.ts';
import { orderedIn, type Range } from '../../../../time/range.ts';
import type { DimensionName } from '../dimensions.ts';
import { readOf } from '../fact.ts';
import { ordersFact, refundsFact } from '../order-facts.ts';
import { type InForce, placeInForce } from './in-force.ts';
import { orderParts, shareOf, vatByStore } from './order-parts.ts';

/** More rows than this are put together for no answer: a coupon of each customer would fill the memory. */
export const MOST_ROWS = 20_000;
/** One more is asked for, so that it is seen that there are others. */
export const atMost = sql`limit ${parameter.integer(MOST_ROWS + 1)}`;

/** What is assumed of each order, in the order in which it is asked. */
export interface OrderRates {
  readonly payment_fees: readonly InForce[];
  readonly shipping_paid: readonly InForce[];
  readonly packaging: readonly InForce[];
}

/** The part of a question that its SQL depends on. */
export interface Cut {
  readonly range: Range;
  readonly facts: SnapshotFacts;
  readonly dimensions: readonly DimensionName[];
}

/** All sums are whole ten-thousandths. */
const SUMS = {
  paid: sql`paid`,
  goods: sql`goods`,
  discount: sql`discount`,
  sold: sql`sold`,
  added: sql`added`,
  net: sql`net`,
  sold_with_known_vat: sql`case when net is not null then sold end`,
  cost: sql`known_net - profit`,
  goods_with_known_cost: sql`known_goods`,
  net_with_known_cost: sql`known_net`,
  shipping: sql`shipping_net`,
  beside: sql`beside_net`,
  recorded_shipping: tenThousandths(sql`shipping_cost`),
  recorded_payment: tenThousandths(sql`payment_cost`),
} as const;
const COUNTS = {
  priced: sql`paid is not null`,
  without_lines: sql`not has_lines`,
  without_vat: sql`paid is not null and net is null`,
  discount_told: sql`told_discount is not null`,
  discounted: sql`told_discount > 0`,
  shipping_told: sql`shipping is not null`,
  beside_unknown: sql`paid is not null and beside_net is null`,
} as const;
/** The columns that say which rate holds for the orders of a row, by its place in the list. */
export const RATE_PLACES = ['payment_fees', 'shipping_paid', 'packaging'] as const;

/** The place of orders whose cost a file tells: nothing is assumed of them. */
export const RECORDED = -2;

/** SQL: what a file tells of such a cost of an order. */
const RECORDED_COST: Readonly<Record<(typeof RATE_PLACES)[number], Sql | null>> = {
  payment_fees: sql`payment_cost`,
  shipping_paid: sql`shipping_cost`,
  packaging: null,
};

function placeOf(one: (typeof RATE_PLACES)[number], rates: OrderRates): Sql {
  const assumed = placeInForce(rates[one], sql`ordered_date`);
  const cost = RECORDED_COST[one];
  return cost === null
    ? assumed
    : sql`case when ${cost} is not null then ${parameter.integer(RECORDED)} else ${assumed} end`;
}

/** The columns that can be added up over rows without a common order. */
export const ADDED = [
  'orders',
  ...(Object.keys(SUMS) as (keyof typeof SUMS)[]),
  ...(Object.keys(COUNTS) as (keyof typeof COUNTS)[]),
] as const;

export const SOLD = [
  column('row_key', 'text'),
  ...RATE_PLACES.map((key) => column(key, 'integer')),
  ...ADDED.map((key) => column(key, 'integer')),
];
export type SoldRow = ObjectOf<typeof SOLD>;

/**
 * What the orders of the range are made of, and how many of them have each of the rates: a row for each value
 * and choice of rates.
 */
export function soldParts({ range, facts, dimensions }: Cut, rates: OrderRates) {
  const question = { range, facts, dimensions, conditions: [], rest: null, metrics: [] };
  const { key, joins, repeats } = readOf(ordersFact, question);
  const inRange = sql`is_valid and ${orderedIn(range)}`;
  const places = join(RATE_PLACES.map((one) => sql`${placeOf(one, rates)} as ${identifier(one)}`));
  const names = join(RATE_PLACES.map(identifier));
  const sums = Object.entries(SUMS).map(
    ([name, value]) => sql`cast(coalesce(sum(${value}), 0) as bigint) as ${identifier(`all_${name}`)}`,
  );
  const counts = Object.entries(COUNTS).map(
    ([name, condition]) => sql`count(*) filter (where ${condition}) as ${identifier(`all_${name}`)}`,
  );
  const renamed = [...Object.keys(SUMS), ...Object.keys(COUNTS)].map(
    (name) => sql`${identifier(`all_${name}`)} as ${identifier(name)}`,
  );
  return query(
    SOLD,
    sql`
    with ${orderParts({ orders: inRange, lines: orderedIn(range) }, facts.vat_rate)},
    cut as (
      select ${repeats ? sql`distinct ` : sql``}${key} as row_key, order_key, shipping_cost, payment_cost, ${places}
      from ${orders} ${joins}
      where ${inRange}
    ),
    summed as (
      select row_key, ${names}, count(*) as all_orders, ${join([...sums, ...counts])}
      from cut left join parts using (order_key)
      group by row_key, ${names}
    )
    select row_key, ${names}, all_orders as orders, ${join(renamed)} from summed
    ${atMost}`,
  );
}

export const REFUNDED = [
  column('row_key', 'text'),
  column('refunds', 'integer'),
  column('amount', 'integer'),
  column('vat', 'integer'),
  column('without_vat', 'integer'),
];
export type RefundedRow = ObjectOf<typeof REFUNDED>;

/**
 * Refunds of the range on orders that are not cancelled, by when they were made, as
 * `revenue_after_refunds_by_refund_date` takes them off. The VAT in one is as high as in its order; of a
 * credit note, by the rate of the store.
 */
export function refundedParts({ range, facts, dimensions }: Cut) {
  const question = { range, facts, dimensions, conditions: [], rest: null, metrics: [] };
  const { key, joins, repeats } = readOf(refundsFact, question);
  const inRange: Sql = sql`refunded_at >= ${parameter.timestamp(range.start)} and refunded_at < ${parameter.timestamp(range.end)}
    and not is_of_cancelled`;
  const paidBack = sql`order_key in (select order_key from ${orderRefunds} where ${inRange})`;
  return query(
    REFUNDED,
    sql`
    with ${orderParts({ orders: paidBack, lines: paidBack }, facts.vat_rate)},
    refunds as (
      select order_key, refunded_date, ${tenThousandths(sql`revenue`)} as paid_back,
        row_number() over (order by refunded_at, order_key, revenue) as refund_number
      from ${orderRefunds} where ${inRange}
    ),
    cut as (
      select ${repeats ? sql`distinct ` : sql``}${key} as row_key, order_key, refund_number, paid_back
      from refunds ${joins}
    ),
    ${refundSums(facts.vat_rate)}`,
  );
}

/** The end of a query for refunds: sums over the CTE `cut`, with the VAT that the orders in `parts` have. */
export function refundSums(vatRate: number | null): Sql {
  return sql`
    taxed as (
      select row_key, paid_back,
        case when paid <> 0 and vat is not null then ${shareOf(sql`paid_back`, sql`vat`, sql`paid`)}
          else ${vatByStore(sql`paid_back`, vatRate)} end as vat_back
      from cut left join (select order_key, paid, vat from parts) as of_order using (order_key)
    )
    select row_key, count(*) as refunds, cast(coalesce(sum(paid_back), 0) as bigint) as amount,
      cast(coalesce(sum(vat_back), 0) as bigint) as vat,
      count(*) filter (where paid_back is not null and vat_back is null) as without_vat
    from taxed
    group by row_key
    ${atMost}`;
}
