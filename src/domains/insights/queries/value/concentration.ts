import { column, nullableColumn, type ObjectOf } from '../../../../answers/fields/field.ts';
import { query } from '../../../../answers/fields/query.ts';
import { knownSum } from '../../../../answers/metric.ts';
import type { FollowedPeople } from '../../../../answers/small-groups.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { orders } from '../../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { aliveProbability } from '../../../../statistics/bg-nbd.ts';
import { addMoney, percentOfKnown, roundedPercent } from '../../../../statistics/rounded.ts';
import { LOST } from '../../../../store/rfm-segments.ts';
import type { Range } from '../../../../time/range.ts';
import type { DistributionQuestion } from '../../../orders/queries/order-distribution.ts';
import { sizesOfParts, type TopPart } from '../../../rfm/queries/top-customers.ts';
import { BIN, binsOf, type CustomerBin, knownUntil, MEANS, type Observed } from './customer-bins.ts';
import { type CustomerModel, historyOf } from './customer-model.ts';

/** The parts of the best customers that are always told, in percent. */
const PERCENTS = [1, 5, 10, 20] as const;

/** RFM segments of those who have not come for long: with them goes what they brought. */
const AT_RISK: readonly string[] = ['cant_lose', 'at_risk', 'hibernating', LOST];

/** The customers of the range as `top_customers` of order_distribution_statistics ranks them. */
export function rankedIn(range: Range): DistributionQuestion {
  return { range, dimension: 'customer_value_decile', bin_size: null, filter_customer_type: null, limit: 10 };
}

/** A part of the best customers: their number, or null where they are few or all but few. */
interface Top {
  readonly top: string;
  readonly size: number | null;
}

/**
 * @param customers who ordered in the range @param number a part that was asked for beside the others; null:
 *   none
 */
export function partsOf(customers: number, number: number | null): readonly Top[] {
  const sizes = sizesOfParts(customers, PERCENTS, 'percent');
  const asked =
    number === null
      ? []
      : [{ top: String(number), size: sizesOfParts(customers, [number], 'number')[0] ?? null }];
  return [
    ...PERCENTS.map((percent, place) => ({ top: `${percent} %`, size: sizes[place] ?? null })),
    ...asked,
  ];
}

const EARNED = [nullableColumn('revenue', 'number')];

/** What all orders of the range brought, also those without a known customer. */
export function revenueOf({ start, end }: Range) {
  return query(
    EARNED,
    sql`select ${knownSum(sql`revenue`)} as revenue from ${orders} where is_valid and ${placedBetween(start, end)}`,
  );
}

const TOP_BIN = [column('size', 'integer'), ...BIN, nullableColumn('revenue', 'number')];
type TopBin = ObjectOf<typeof TOP_BIN>;

/**
 * The customers of each part in bins of those alike for the model, with what they brought in the range.
 *
 * @param sizes of the parts, at least one
 */
export function topBins({ start, end }: Range, sizes: readonly number[], observed: Observed) {
  const parts = join(
    [...new Set(sizes)].map((size) => sql`select ${parameter.integer(size)} as size`),
    sql` union all `,
  );
  return query(
    TOP_BIN,
    sql`
    with ${knownUntil(observed.until)},
    spent as (
      select customer_key, ${knownSum(sql`revenue`)} as own_revenue
      from ${orders} where is_valid and customer_key is not null and ${placedBetween(start, end)}
      group by customer_key
    ),
    ranked as (
      select customer_key, own_revenue,
        row_number() over (order by own_revenue desc nulls last, first_ordered_at, first_order_id) as value_rank
      from spent join (
        select customer_key, ordered_at as first_ordered_at, order_id as first_order_id
        from ${orders} where order_number = 1 and customer_key is not null
      ) as first_orders using (customer_key)
    ),
    binned as (
      select *, ${binsOf(observed)} from known join ranked using (customer_key) cross join (${parts}) as parts
      where value_rank <= size
    )
    select size, repeats_bin, recency_bin, age_bin, ${MEANS}, ${knownSum(sql`own_revenue`)} as revenue
    from binned
    group by size, repeats_bin, recency_bin, age_bin
    order by size, repeats_bin, recency_bin, age_bin`,
  );
}

function placedBetween(start: string, end: string): Sql {
  return sql`ordered_at >= ${parameter.timestamp(start)} and ordered_at < ${parameter.timestamp(end)}`;
}

interface Known {
  readonly all: number | null;
  readonly parts: readonly TopPart[];
  readonly bins: readonly TopBin[];
  /** Null where nothing is expected. */
  readonly model: CustomerModel | null;
}

/**
 * A row for each part of the best customers: what they brought, and how much of that is of customers who may
 * not come again.
 */
export function* concentrationRows(
  tops: readonly Top[],
  { all, parts, bins, model }: Known,
  people: FollowedPeople,
) {
  const safe = safeSizes(tops, parts, people);
  const rows = [];
  for (const { top, size } of tops) {
    yield;
    const own = parts.filter((part) => part.size === size);
    const revenue = sumOf(own);
    const risky = own.filter(isAtRisk);
    const active = yield* activeOf(
      bins.filter((bin) => bin.size === size),
      model,
    );
    rows.push({
      top,
      customers_count: size === null ? people.hidden() : size,
      revenue,
      revenue_share: percentOfKnown(revenue, all),
      at_risk_revenue_share:
        size === null || revenue === null
          ? null
          : safe.has(size)
            ? percentOfKnown(sumOf(risky) ?? 0, revenue)
            : people.hidden(),
      expected_active_share: active === null ? null : roundedPercent(active.customers, size ?? 0),
      inactive_revenue_share:
        active === null || revenue === null ? null : roundedPercent(revenue - active.revenue, revenue),
    });
  }
  return rows;
}

const isAtRisk = ({ segment }: TopPart) => segment !== null && AT_RISK.includes(segment);

/** Null where nothing is known. */
function sumOf(parts: readonly TopPart[]): number | null {
  const known = parts.flatMap(({ revenue }) => (revenue === null ? [] : [revenue]));
  return known.length === 0 ? null : addMoney(...known);
}

function countOf(parts: readonly TopPart[]): number {
  return parts.reduce((sum, { customers_count }) => sum + customers_count, 0);
}

/**
 * Sizes of the parts whose people at risk can be counted: neither those at risk nor those safe are few, nor
 * those by whom a larger part differs. The largest are decided first.
 */
function safeSizes(
  tops: readonly Top[],
  parts: readonly TopPart[],
  people: FollowedPeople,
): ReadonlySet<number> {
  const safe = new Map<number, readonly [risky: number, others: number]>();
  const sizes = [...new Set(tops.flatMap(({ size }) => size ?? []))].toSorted((one, other) => other - one);
  for (const size of sizes) {
    const own = parts.filter((part) => part.size === size);
    const counts = [countOf(own.filter(isAtRisk)), countOf(own.filter((part) => !isAtRisk(part)))] as const;
    const differences = [...safe.values()].flatMap((larger) =>
      larger.map((count, place) => count - (counts[place] ?? 0)),
    );
    if (![...counts, ...differences].some((count) => people.isFew(count))) safe.set(size, counts);
  }
  return new Set(safe.keys());
}

/** The bins that are looked at before others have their turn. */
const BINS_OF_PIECE = 100;

/**
 * How many of these customers still come, by the model, and what they brought; null where it does not tell
 * who leaves.
 */
function* activeOf(
  bins: readonly TopBin[],
  model: CustomerModel | null,
): Pieces<{ customers: number; revenue: number } | null> {
  if (model === null || !model.tellsLeaving || bins.length === 0) return null;
  const active = { customers: 0, revenue: 0 };
  for (const [index, bin] of bins.entries()) {
    if (index % BINS_OF_PIECE === 0) yield;
    const alive = aliveProbability(model.often, historyOf(bin satisfies CustomerBin));
    active.customers += alive * bin.customers_count;
    active.revenue += alive * (bin.revenue ?? 0);
  }
  return active;
}

/**
 * What a reader of the parts could miss: they are of everybody who ordered in the range, not of those who
 * came in it.
 */
export function concentrationNotes(rows: readonly { readonly customers_count: number | null }[]): string[] {
  return rows.some(({ customers_count }) => customers_count !== null)
    ? [
        'concentration is of all customers who ordered in the range, also of those who first came before it, by their revenue in it; each part includes the smaller ones.',
      ]
    : [];
}
