import { worded } from '../../../../answers/sentences.ts';
import { isSmall } from '../../../../answers/small-groups.ts';
import type { Pieces } from '../../../../main-thread/pieces.ts';
import { addMoney } from '../../../../statistics/rounded.ts';
import { MOST_GROUPS } from '../asked-rows.ts';
import type { DimensionName } from '../dimensions.ts';
import type { Values } from './asked-changes.ts';
import { type Bridge, bridgeOf, type Part, partsOfRows, type Row } from './bridge.ts';
import type { ExplainedMetric, Step } from './explained-metrics.ts';
import { chainFactors, factorEffects, isChain } from './lmdi.ts';
import { priceVolumeMix, type SoldItem } from './price-volume-mix.ts';

/** Something in the compared range, and in the range. */
export type Both<Value> = readonly [from: Value, to: Value];

/** Rows of a dimension by its values. */
export type RowsByKey = ReadonlyMap<string, Values>;

/** All that bridges are made of. */
export interface Compared {
  readonly metric: ExplainedMetric;
  readonly totals: Both<Values>;
  /** How many days each range has: where they differ, the days are a factor. */
  readonly days: Both<number>;
  /** Whether visits are known in all of both ranges. */
  readonly hasVisits: boolean;
  rows(dimension: DimensionName): Both<RowsByKey>;
  /** The keys of these rows, of both ranges, sorted. */
  keys(dimension: DimensionName): readonly string[];
  /** Whether a dimension has more values than are looked at: it has no rows then. */
  hasTooMany(dimension: DimensionName): boolean;
  /** The name of a dimension's value, for people. */
  nameOf(dimension: DimensionName, key: string): string;
}

export interface Bridges {
  readonly bridges: readonly Bridge[];
  readonly notes: readonly string[];
}

/** Every way to tell the difference apart that the data have. */
export function* allBridges(compared: Compared): Pieces<Bridges> {
  const ends = endsOf(compared);
  if (ends === null) return { bridges: [], notes: [] };
  const notes: string[] = [];
  const bridges: Bridge[] = [];
  for (const chain of compared.metric.chains) {
    if (needsVisits(chain.steps) && !compared.hasVisits) {
      if (chain.name === 'visits')
        notes.push(
          worded(
            'Visits are not known of all of both ranges: no bridge goes by visits.',
            'note.no-visits-bridge',
          ),
        );
      continue;
    }
    const parts = chainParts(chain.steps, compared.totals, compared.days);
    if (parts !== null) bridges.push(bridgeOf(chain.name, definitionOf(chain.steps, compared), ends, parts));
  }
  const customers = customersBridge(compared, ends);
  if (customers !== null) bridges.push(customers);
  const { items, rows, cuts } = compared.metric;
  const itemDimensions = items === null ? [] : (['product', 'brand', 'category'] as const);
  const all = new Set([...itemDimensions, ...rows, ...cuts.flatMap((cut) => cut.dimensions)]);
  notes.push(...tooManyNotes([...all].filter((one) => compared.hasTooMany(one))));
  for (const dimension of itemDimensions) {
    if (compared.hasTooMany(dimension)) continue;
    const bridge = yield* itemsBridge(compared, ends, dimension);
    if (bridge !== null) bridges.push(bridge);
    else notes.push(noBridge(dimension));
  }
  for (const dimension of rows)
    if (!compared.hasTooMany(dimension)) bridges.push(yield* rowsBridge(compared, ends, dimension));
  return { bridges, notes };
}

function noBridge(dimension: 'product' | 'brand' | 'category'): string {
  const kind = { say: dimension === 'brand' ? 'note.brands' : 'note.categories' } as const;
  return worded(
    `Products are in several values of ${dimension}: there is no bridge by it.`,
    'note.no-bridge',
    {
      kind,
    },
  );
}

function tooManyNotes(dimensions: readonly DimensionName[]): string[] {
  return dimensions.map(
    (dimension) =>
      `A range has more than ${MOST_GROUPS} values of ${dimension}: there is no bridge by it, and none of them is looked at. Ask for a shorter range.`,
  );
}

/** The totals; null where one of them is not known. */
export function endsOf({ metric, totals }: Pick<Compared, 'metric' | 'totals'>): Both<number> | null {
  const [from, to] = totals.map((values) => values[metric.name] ?? null);
  return from == null || to == null ? null : [from, to];
}

function needsVisits(steps: readonly Step[]): boolean {
  return steps.some(({ metric }) => metric === 'sessions_count');
}

/**
 * Whether the ranges have different numbers of days. Where they have equally many, the number of days
 * explains nothing.
 */
function isPerDay([from, to]: Both<number>): boolean {
  return from !== to;
}

function definitionOf(steps: readonly Step[], { days }: Pick<Compared, 'days'>): string {
  const names = [...(isPerDay(days) ? ['days'] : []), ...steps.map(({ metric }) => metric)];
  return names.map((name, place) => (place === 0 ? name : `(${name} / ${names[place - 1]})`)).join(' x ');
}

/** Null where the sums explain nothing: one is unknown, or nothing stands before something. */
function chainParts(
  steps: readonly Step[],
  totals: Both<Values>,
  days: Both<number> | null,
  prefix = '',
): Part[] | null {
  const perDay = days !== null && isPerDay(days);
  const sums = totals.map((values, side) => [
    ...(perDay ? [days[side] as number] : []),
    ...steps.map(({ metric }) => values[metric] ?? null),
  ]);
  if (sums.some((side) => side.includes(null))) return null;
  const [from, to] = sums as [number[], number[]];
  if (!isChain(from) || !isChain(to)) return null;
  const [before, after] = [chainFactors(from), chainFactors(to)];
  const names = [
    ...(perDay ? ['days'] : []),
    ...steps.map(({ factor }, place) => (perDay && place === 0 ? `${factor} per day` : factor)),
  ];
  return factorEffects(before, after).map((change, place) => ({
    name: `${prefix}${names[place]}`,
    from: before[place] ?? null,
    to: after[place] ?? null,
    change,
  }));
}

const CUSTOMER_TYPES = ['new', 'returning', 'unknown'] as const;

/**
 * New and returning customers are other numbers: who orders first and again in a range is new, and has a
 * later order.
 */
const PREFIXES = {
  new: 'first orders: ',
  returning: 'later orders: ',
  unknown: 'without a known customer: ',
} as const;

/**
 * New orders are the first of their customers, so these have one each; of later ones there are customers,
 * their orders and what these are worth. Customers who are few are in no number of their own: then there are
 * the orders alone.
 */
function customersBridge(compared: Compared, ends: Both<number>): Bridge | null {
  const { metric, totals } = compared;
  if (metric.name === 'customers_count') return newCustomersBridge(totals, ends);
  const [customers, orders, value] = metric.customers;
  if (customers === undefined || orders === undefined) return null;
  const rows = compared.rows('customer_type');
  const parts: Part[] = [];
  for (const type of CUSTOMER_TYPES) {
    const valuesOf = (side: RowsByKey): Values =>
      Object.fromEntries(metric.customers.map((name) => [name, side.get(type)?.[name] ?? 0]));
    const of: Both<Values> = [valuesOf(rows[0]), valuesOf(rows[1])];
    if (of.every((side) => side[orders] === 0 && (value === undefined || side[value] === 0))) continue;
    const isFew = of.some((side) => isSmall(side[customers] ?? 0));
    const worth = value === undefined ? [] : [{ metric: value, factor: `${metric.noun} per order` }];
    const steps: Step[] =
      type === 'returning' && !isFew
        ? [
            { metric: customers, factor: 'customers' },
            { metric: orders, factor: 'orders per customer' },
            ...worth,
          ]
        : [{ metric: orders, factor: type === 'new' ? 'customers' : 'orders' }, ...worth];
    const own = chainParts(steps, of, null, PREFIXES[type]);
    if (own === null) return null;
    parts.push(...own);
  }
  return bridgeOf(
    'customers',
    `first orders ever x ${metric.noun} of each; later orders: customers with one, also those who are new x later orders of each x ${metric.noun} of each`,
    ends,
    value === undefined && parts.length === 0
      ? [{ name: 'first orders: customers', from: 0, to: 0, change: 0 }]
      : parts,
  );
}

function newCustomersBridge(totals: Both<Values>, ends: Both<number>): Bridge {
  const parts = (['new_customers_count', 'returning_customers_count'] as const).map((name) => {
    const [from, to] = totals.map((values) => values[name] ?? 0) as [number, number];
    return { name: name.replace('_customers_count', ' customers'), from, to, change: to - from };
  });
  return bridgeOf('customers', 'new_customers_count + returning_customers_count', ends, parts);
}

const MANY = { product: 'products', brand: 'brands', category: 'categories' } as const;

/**
 * Money per piece of a brand is also a matter of which of its products were sold: nobody may say that prices
 * rose.
 */
function priceName(
  { price, perPiece }: NonNullable<ExplainedMetric['items']>,
  dimension: keyof typeof MANY,
): string {
  return dimension === 'product' ? price : `${perPiece} within a ${dimension} (also which of its products)`;
}

/** What a row differs by at most from all of them together, by binary fractions. */
const DUST = 0.001;

/** Null where the rows do not add up, since products are in several of them. */
function* itemsBridge(
  compared: Compared,
  ends: Both<number>,
  dimension: keyof typeof MANY,
): Pieces<Bridge | null> {
  const { metric, totals } = compared;
  if (metric.items === null) return null;
  const { metric: money } = metric.items;
  const price = priceName(metric.items, dimension);
  const items = yield* itemsOf(compared, dimension, money);
  const sums = (['from', 'to'] as const).map((side) => addMoney(...items.map((item) => item[side].money)));
  const wholes = totals.map((values) => values[money] ?? 0) as [number, number];
  if (wholes.some((whole, side) => Math.abs(whole - (sums[side] as number)) > DUST)) return null;
  const parts = yield* priceVolumeMix(items, { many: MANY[dimension], price });
  const [from, to] = ends.map((end, side) => addMoney(end, -(wholes[side] as number))) as [number, number];
  return bridgeOf(
    `${dimension}_price_volume_mix`,
    `pieces of ${MANY[dimension]} sold in both ranges x share of each ${dimension} in them x ${price}, and what was sold of others in one range alone${money === metric.name ? '' : `, and ${metric.name} - ${money}`}`,
    ends,
    from === 0 && to === 0
      ? parts
      : [...parts, { name: 'shipping, fees and discounts of orders', from, to, change: addMoney(to, -from) }],
  );
}

/** Rows of both ranges side by side, in the order of their keys. */
export function* itemsOf(
  compared: Pick<Compared, 'rows' | 'keys'>,
  dimension: DimensionName,
  money: string,
): Pieces<SoldItem[]> {
  const [before, after] = compared.rows(dimension);
  const sold = (values: Values | undefined) => ({
    pieces: values?.quantity ?? 0,
    money: values?.[money] ?? 0,
  });
  const items: SoldItem[] = [];
  for (const key of compared.keys(dimension)) {
    items.push({ key, from: sold(before.get(key)), to: sold(after.get(key)) });
    if (items.length % ROWS_OF_PIECE === 0) yield;
  }
  return items;
}

const ROWS_OF_PIECE = 500;

function* rowsBridge(compared: Compared, ends: Both<number>, dimension: DimensionName): Pieces<Bridge> {
  const { metric } = compared;
  const [before, after] = compared.rows(dimension);
  const rows: Row[] = [];
  for (const key of compared.keys(dimension)) {
    rows.push({
      key,
      from: before.get(key)?.[metric.name] ?? 0,
      to: after.get(key)?.[metric.name] ?? 0,
    });
    if (rows.length % ROWS_OF_PIECE === 0) yield;
  }
  return bridgeOf(
    dimension,
    `${metric.name} by ${dimension}`,
    ends,
    yield* partsOfRows(rows, ends, (key) => compared.nameOf(dimension, key)),
  );
}
