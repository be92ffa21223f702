import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { knownSum } from '../../../answers/metric.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { orders } from '../../../model-table/table-names.ts';
import { join, parameter, sql } from '../../../sql/sql.ts';
import { addKnownMoney, addMoney, percentOfKnown } from '../../../statistics/rounded.ts';
import { RFM_SEGMENTS } from '../../../store/rfm-segments.ts';
import { plural } from '../../../text/plural.ts';
import { type DistributionQuestion, listedOrders } from '../../orders/queries/order-distribution.ts';
import type { AsOf } from './as-of.ts';
import { chosenProfile } from './profiles.ts';
import { membersAt } from './scoring.ts';

/** What `top_customers` counts. */
export const TOP_UNITS = ['percent', 'number'] as const;
type TopUnit = (typeof TOP_UNITS)[number];

/** How many customers there are to rank. */
export function rankedCustomers(question: DistributionQuestion) {
  return query(
    [column('customers_count', 'integer')],
    sql`select count(distinct customer_key) as customers_count from (${listedOrders(byCustomer(question))}) as listed`,
  );
}

/** Statuses that are not valid are in no rank. */
function byCustomer(question: DistributionQuestion): DistributionQuestion {
  return { ...question, dimension: 'customer_value_decile' };
}

/**
 * How many of the customers each part has. Two answers about the same orders never differ by few of them:
 * parts end at whole fives, and beside the end of a tenth, which another row may tell, with the tenth. Null:
 * few customers, or all but few.
 *
 * @param asked percents or numbers of customers
 */
export function sizesOfParts(
  customers: number,
  asked: readonly number[],
  unit: TopUnit,
): readonly (number | null)[] {
  const tenth = Math.floor(customers / 10);
  const tenths = Array.from({ length: 10 }, (_, index) => {
    const place = index + 1;
    return place * tenth + Math.min(place, customers % 10);
  });
  const ends = tenth < LEAST_SHARING ? [customers] : tenths;
  return asked.map((top) => {
    const wanted = wantedSize(customers, top, unit);
    const whole = Math.min(customers, LEAST_SHARING * Math.ceil(wanted / LEAST_SHARING));
    const size = ends.find((end) => Math.abs(end - whole) < LEAST_SHARING) ?? whole;
    return size < LEAST_SHARING ? null : size;
  });
}

function wantedSize(customers: number, top: number, unit: TopUnit): number {
  // Floating point adds digits, which are taken off here.
  return unit === 'number' ? top : Number(((customers * top) / 100).toPrecision(12));
}

/** Names the parts with another number of customers than was asked for. */
export function sizeNotes(
  customers: number,
  asked: readonly number[],
  sizes: readonly (number | null)[],
  unit: TopUnit,
): string[] {
  const others = asked.flatMap((top, index) => {
    const size = sizes[index] ?? null;
    const wanted = Math.min(customers, wantedSize(customers, top, unit));
    // A share in percent is mostly no whole number of customers.
    return size === null || Math.abs(size - wanted) < 1
      ? []
      : [`top ${top}${unit === 'percent' ? ' %' : ''} is of ${plural(size, 'customer', 'customers')}`];
  });
  return others.length === 0
    ? []
    : [
        `top_customers are counted up to a multiple of five, or to the end of a tenth of the customers, so that no two answers tell of a few people: ${others.join(', ')}.`,
      ];
}

const PART = [
  column('size', 'integer'),
  nullableColumn('segment', 'text'),
  column('customers_count', 'integer'),
  column('orders_count', 'integer'),
  nullableColumn('revenue', 'number'),
  column('refunded', 'number'),
];
export type TopPart = ObjectOf<typeof PART>;

/**
 * One row for each part and segment. Customers are ranked as for `customer_value_decile`.
 *
 * @param sizes of the parts, at least one
 */
export function topParts(question: DistributionQuestion, sizes: readonly number[], moment: AsOf) {
  const parts = join(
    [...new Set(sizes)].map((size) => sql`select ${parameter.integer(size)} as size`),
    sql` union all `,
  );
  return query(
    PART,
    sql`
    with ${membersAt([moment], chosenProfile(null))},
    listed as (${listedOrders(byCustomer(question))}),
    spent as (
      select customer_key, count(*) as own_orders, ${knownSum(sql`revenue`)} as own_revenue,
        coalesce(sum(refunded), 0) as own_refunded
      from listed where customer_key is not null group by customer_key
    ),
    ranked as (
      select customer_key, own_orders, own_revenue, own_refunded,
        row_number() over (order by own_revenue desc nulls last, first_ordered_at, first_order_id) as value_rank
      from spent join (
        select customer_key, ordered_at as first_ordered_at, order_id as first_order_id
        from ${orders} where order_number = 1 and customer_key is not null
      ) as first_orders using (customer_key)
    )
    select size, segment, count(*) as customers_count, sum(own_orders) as orders_count, ${knownSum(sql`own_revenue`)} as revenue,
      sum(own_refunded) as refunded
    from ranked
    left join (select customer_key, segment from members) as segments using (customer_key)
    cross join (${parts}) as parts
    where value_rank <= size
    group by size, segment
    order by size, segment nulls last`,
  );
}

/**
 * The rows of `topParts` as those of the answer.
 *
 * @param all the revenue of all orders, and whether refunds are loaded
 */
export function topRows(
  asked: readonly number[],
  sizes: readonly (number | null)[],
  parts: readonly TopPart[],
  all: { readonly revenue: number | null; readonly hasRefunds: boolean },
  people: FollowedPeople,
) {
  return asked.map((top, index) => {
    const size = sizes[index] ?? null;
    if (size === null) return { top, ...NOTHING, customers_count: people.hidden() };
    const own = parts.filter((part) => part.size === size);
    const earned = own.map((part) => part.revenue).reduce<number | null>(addKnownMoney, 0);
    return {
      top,
      customers_count: size,
      orders_count: own.reduce((sum, part) => sum + part.orders_count, 0),
      revenue: earned,
      revenue_share: percentOfKnown(earned, all.revenue),
      revenue_after_refunds:
        earned === null || !all.hasRefunds ? null : addMoney(earned, ...own.map((part) => -part.refunded)),
    };
  });
}

const NOTHING = { orders_count: null, revenue: null, revenue_share: null, revenue_after_refunds: null };

/** The segments of the customers of each part that is shown. */
export function topSegmentRows(
  asked: readonly number[],
  sizes: readonly (number | null)[],
  parts: readonly TopPart[],
  people: FollowedPeople,
) {
  const unsafe = sizesWithNeighbours(sizes, parts, people);
  return asked.flatMap((top, index) => {
    const own = parts.filter(({ size }) => size === sizes[index]);
    const hidden = people.hiddenParts(
      own,
      ({ customers_count }) => customers_count,
      () => 'customers',
    );
    return RFM_SEGMENTS.flatMap(({ key }) => {
      const part = own.find(({ segment }) => segment === key);
      if (part === undefined) return [];
      const isHidden = hidden.has(part) || unsafe.has(part.size);
      return [{ top, segment: key, customers_count: isHidden ? people.hidden() : part.customers_count }];
    });
  });
}

/** Parts of which a larger one beside them would tell that few more customers are in some segment. */
function sizesWithNeighbours(
  sizes: readonly (number | null)[],
  parts: readonly TopPart[],
  people: FollowedPeople,
): ReadonlySet<number> {
  const countIn = (size: number, segment: string | null) =>
    parts.find((part) => part.size === size && part.segment === segment)?.customers_count ?? 0;
  const shown = new Set<number>();
  const unsafe = new Set<number>();
  const largestFirst = [...new Set(sizes.filter((size) => size !== null))].sort((one, other) => other - one);
  for (const size of largestFirst) {
    const isSafe = [...shown].every((larger) =>
      parts
        .filter((part) => part.size === larger)
        .every(({ segment, customers_count }) => {
          const own = countIn(size, segment);
          // Nothing is shown where they are few.
          return own < LEAST_SHARING || !people.isFew(customers_count - own);
        }),
    );
    (isSafe ? shown : unsafe).add(size);
  }
  return unsafe;
}

/**
 * Says by which of the two amounts the best customers are chosen: if much was paid back, the other amount
 * would choose others.
 */
export function rankedByNotes(
  rows: readonly { readonly revenue: number | null; readonly revenue_after_refunds: number | null }[],
): string[] {
  if (!rows.some(({ revenue, revenue_after_refunds: kept }) => kept !== null && kept !== revenue)) return [];
  return [
    'top_customers are chosen by revenue, before refunds; revenue_after_refunds is what the shop kept of that, and ranks nobody.',
  ];
}
