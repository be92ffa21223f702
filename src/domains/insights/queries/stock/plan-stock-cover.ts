import type { KnownName } from '../../../../answers/existing-names.ts';
import { type Answer, type Plan, plan } from '../../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { all, sql } from '../../../../sql/sql.ts';
import { gammaRange } from '../../../../statistics/predicted-count.ts';
import { roundedRatio } from '../../../../statistics/rounded.ts';
import { localDate } from '../../../../time/moment.ts';
import { knownNames, productCondition, unknownNameNotes } from '../../../products/queries/product-filters.ts';
import { askAll, type Found, type Need, readRowsOf } from '../explained/asked-changes.ts';
import { believedShare, daysOfProducts, type ProductDays } from './lost-sales.ts';
import { emptyTimesNotes, type PacedProduct, paceNotes } from './pace-notes.ts';
import { type KnownDays, knownDays, lengthOf, rangeOf, readStockDays, type StockDays } from './stock-days.ts';
import { coverNotes, noStockNotes } from './stock-notes.ts';
import {
  type LeftOut,
  leftOut,
  type ReadDay,
  type Reduced,
  readDays,
  reducedTimes,
  type Spell,
  type Stocked,
  stockNow,
  stockSpells,
} from './stock-spells.ts';
import { stockTimes } from './stock-times.ts';

export const STOCK_SORTS = ['lost_revenue', 'cover_days'] as const;

interface Asked {
  readonly business_id: string;
  readonly from_date: string;
  readonly to_date: string;
  readonly filter_external_product_ids: readonly string[] | null;
  readonly filter_brands: readonly string[] | null;
  readonly filter_categories: readonly string[] | null;
  readonly sort_by: (typeof STOCK_SORTS)[number];
  readonly limit: number;
}

type Cover = ReturnType<typeof resultOf>;

interface Context {
  readonly args: Asked;
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

/** First what the store sold by day, and on which days stock was read; then the products. */
export function planStockCover(context: Context): Plan<Cover> {
  const { args, timezone, facts } = context;
  const days = readStockDays(args, timezone, facts);
  const hasReadings = facts.loaded_tables.includes('stock_readings');
  const known = knownNames(args);
  if (days === null || !hasReadings)
    return plan({
      queries: { known },
      answer: ({ known }) => ({
        result: resultOf(context, days, TOTAL_OF_NOTHING, []),
        notes: [...noStockNotes(days, hasReadings, facts, timezone), ...unknownNameNotes(args, known)],
      }),
    });
  return plan({
    queries: {
      ...askAll([soldNeed(days, timezone)], facts),
      read: readDays(days),
      known,
      left: leftOut(productCondition(args), days),
    },
    answer: (found) => askSpells({ ...context, days }, found),
  });
}

type Known = Context & { readonly days: StockDays };

function soldNeed(days: StockDays, timezone: string): Need {
  return {
    id: 'sold',
    metrics: ['quantity', 'product_orders_count'],
    dimensions: ['day'],
    ranges: [rangeOf(days, timezone)],
  };
}

/** What the store sold by day, beside these. */
interface FoundDays extends Found {
  readonly read: readonly ReadDay[];
  readonly known: readonly KnownName[];
  readonly left: readonly LeftOut[];
}

function* askSpells(context: Known, found: FoundDays): Pieces<Plan<Cover>> {
  const { args, timezone, facts, days } = context;
  const rows = yield* readRowsOf(found, 'sold', 0);
  const sold = new Map([...rows].map(([day, { quantity }]) => [day, quantity ?? 0]));
  const read = new Set(found.read.map(({ read_date }) => read_date));
  const known = knownDays(days, sold, read);
  const orders = known.dates.reduce(
    (sum, date, place) => sum + (known.isKnown[place] ? (rows.get(date)?.product_orders_count ?? 0) : 0),
    0,
  );
  const condition = all([sql`is_in_catalogue and not discontinued`, productCondition(args)]);
  return plan({
    queries: {
      spells: stockSpells(
        days,
        condition,
        known.dates.filter((_, place) => !known.isKnown[place]),
      ),
      stocked: stockNow(condition, timezone, facts),
    },
    answer: ({ spells, stocked }) =>
      answerOf(context, { known, found, spells, stocked, believed: believedShare(known, orders) }),
  });
}

interface Rows {
  readonly known: KnownDays;
  readonly found: FoundDays;
  readonly spells: readonly Spell[];
  readonly stocked: readonly Stocked[];
  readonly believed: number;
}

type CoveredProduct = ReturnType<typeof productOf>;

interface CoveredRow {
  readonly stock: Stocked;
  readonly own: ProductDays;
  readonly shown: CoveredProduct;
}

/** The products of the answer are known now; last comes at which prices these were sold. */
function* answerOf(context: Known, { known, found, spells, stocked, believed }: Rows): Pieces<Plan<Cover>> {
  const { args, timezone, facts, days } = context;
  const byKey = yield* daysOfProducts(spells, known, believed);
  const readKeys = new Set(spells.flatMap((spell) => (spell.from_date === null ? [] : [spell.product_key])));
  const isRecent = hasRecentEnd(context);
  const rows: CoveredRow[] = [];
  for (const [index, stock] of stocked.entries()) {
    if (index % ROWS_OF_PIECE === 0) yield;
    const own = byKey.get(stock.product_key);
    if (own === undefined || !readKeys.has(stock.product_key)) continue;
    rows.push({ stock, own, shown: productOf(stock, own, lengthOf(days.from, days.to), isRecent) });
  }
  const [left] = found.left;
  const listed = sorted(rows, args.sort_by).slice(0, args.limit);
  const result = resultOf(
    context,
    days,
    totalOf(rows.map(({ own }) => own)),
    listed.map(({ shown }) => shown),
  );
  const notes = [
    ...coverNotes({ rows, known, left, days, isRecent, facts, timezone, shown: args.limit }),
    ...unknownNameNotes(args, found.known),
  ];
  const ids = listed.map(({ stock }) => stock.external_product_id);
  return plan({
    queries: { reduced: ids.length === 0 ? null : reducedTimes(days, ids) },
    *answer({ reduced }): Pieces<Answer<Cover>> {
      const paced = yield* pacedProducts(listed, { spells, known, reduced });
      return {
        result,
        notes: [...paceNotes(paced, days.to.toString()), ...notes, ...emptyTimesNotes(paced)],
      };
    },
  });
}

function* pacedProducts(
  listed: readonly CoveredRow[],
  { spells, known, reduced }: Pick<Rows, 'spells' | 'known'> & { readonly reduced: readonly Reduced[] },
): Pieces<readonly PacedProduct[]> {
  const keys = new Set(listed.map(({ stock }) => stock.product_key));
  const spellsByKey = Map.groupBy(
    spells.filter(({ product_key }) => keys.has(product_key)),
    ({ product_key }) => product_key,
  );
  const reducedById = Map.groupBy(reduced, ({ external_product_id }) => external_product_id);
  const paced: PacedProduct[] = [];
  for (const { stock, shown } of listed) {
    yield;
    paced.push({
      ...shown,
      days_of_cover: stock.days_of_cover,
      times: stockTimes(spellsByKey.get(stock.product_key) ?? [], known),
      reduced: reducedById.get(stock.external_product_id) ?? [],
    });
  }
  return paced;
}

const ROWS_OF_PIECE = 500;

function resultOf(
  { args, facts }: Context,
  days: StockDays | null,
  total: ReturnType<typeof totalOf>,
  products: readonly CoveredProduct[],
) {
  return {
    business_id: args.business_id,
    data_until: facts.orders_until,
    from_date: days === null ? null : days.from.toString(),
    to_date: days === null ? null : days.to.toString(),
    total,
    products,
  };
}

/** Sales are those of the range, so they say nothing about stock that was read long after it. */
const RECENT_DAYS = 28;

function hasRecentEnd({ days, facts, timezone }: Known): boolean {
  return (
    facts.orders_until !== null && lengthOf(days.to, localDate(facts.orders_until, timezone)) <= RECENT_DAYS
  );
}

function productOf(stock: Stocked, own: ProductDays, days: number, isRecent: boolean) {
  const { rate, lost, price } = own;
  const money = (pieces: number | undefined) =>
    pieces === 0 ? 0 : pieces === undefined || price === null ? null : rounded(pieces * price);
  return {
    external_product_id: stock.external_product_id,
    name: stock.name,
    in_stock: stock.in_stock,
    stock_quantity: stock.stock_quantity,
    stock_as_of: stock.stock_as_of,
    sold_since_stock_as_of: stock.sold_since_stock_as_of,
    pieces_per_day: rounded(rate?.value),
    ...coverOf(stock, own, isRecent),
    days_with_stock: own.withStock,
    days_without_stock: own.withoutStock,
    days_not_known: days - own.withStock - own.withoutStock,
    lost_pieces: rounded(lost?.value),
    lost_pieces_low: lost?.low ?? null,
    lost_pieces_high: lost?.high ?? null,
    lost_revenue: money(lost?.value),
    lost_revenue_low: money(lost?.low),
    lost_revenue_high: money(lost?.high),
  };
}

/** How long what is left lasts; null where either is not known, or nothing is sold. */
function coverOf(stock: Stocked, { rate }: ProductDays, isRecent: boolean) {
  const left =
    stock.in_stock === null || stock.stock_quantity === null
      ? null
      : stock.stock_quantity - (stock.sold_since_stock_as_of ?? 0);
  if (!isRecent || left === null || left < 0 || rate === null || rate.value <= 0)
    return { cover_days: null, cover_days_low: null };
  return { cover_days: roundedRatio(left, rate.value), cover_days_low: roundedRatio(left, rate.high) };
}

function rounded(value: number | undefined): number | null {
  return value === undefined ? null : roundedRatio(value, 1);
}

function sorted(rows: readonly CoveredRow[], by: Asked['sort_by']): readonly CoveredRow[] {
  // Unknown values stand last.
  const key = ({ shown: { cover_days, lost_revenue } }: CoveredRow) =>
    by === 'cover_days'
      ? (cover_days ?? Number.POSITIVE_INFINITY)
      : -(lost_revenue ?? Number.NEGATIVE_INFINITY);
  const distance = (one: number, other: number) => (one === other ? 0 : one - other);
  return rows.toSorted(
    (one, other) =>
      distance(key(one), key(other)) ||
      other.shown.days_without_stock - one.shown.days_without_stock ||
      one.shown.external_product_id.localeCompare(other.shown.external_product_id),
  );
}

const TOTAL_OF_NOTHING = {
  products_count: 0,
  without_stock_count: null,
  days_without_stock: null,
  lost_pieces: null,
  lost_revenue: null,
  lost_revenue_low: null,
  lost_revenue_high: null,
};

/** All products together: what each lost is known by itself, so that their variances add up. */
function totalOf(own: readonly ProductDays[]) {
  const known = own.filter(
    ({ withStock, withoutStock, soldWithout }) => withStock + withoutStock + soldWithout.days > 0,
  );
  if (known.length === 0) return { ...TOTAL_OF_NOTHING, products_count: own.length };
  const without = known.filter(({ withoutStock }) => withoutStock > 0);
  const told = without.flatMap(({ lost, price }) =>
    lost === null || price === null ? [] : [{ lost, price }],
  );
  const [low, high] = gammaRange(
    told.reduce((sum, { lost, price }) => sum + lost.value * price, 0),
    told.reduce((sum, { lost, price }) => sum + lost.variance * price ** 2, 0),
  );
  const isKnown = without.length === 0 || told.length > 0;
  return {
    products_count: own.length,
    without_stock_count: without.length,
    days_without_stock: without.reduce((sum, { withoutStock }) => sum + withoutStock, 0),
    lost_pieces: isKnown ? rounded(told.reduce((sum, { lost }) => sum + lost.value, 0)) : null,
    lost_revenue: isKnown
      ? rounded(told.reduce((sum, { lost, price }) => sum + lost.value * price, 0))
      : null,
    lost_revenue_low: isKnown ? rounded(low) : null,
    lost_revenue_high: isKnown ? rounded(high) : null,
  };
}
