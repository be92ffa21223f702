/** What a column of discounts is of. */
export type DiscountKind = 'line' | 'piece' | 'percent' | 'order';

/** What the sums of orders tell of a column of discounts. */
export interface DiscountEvidence {
  /** The place of the column in the file, from 0. */
  readonly place: number;
  /** Null where the prices are those that were paid, so that it does not matter what the discounts are of. */
  readonly kind: DiscountKind | null;
  /** Whether prices of lines are before the discount. */
  readonly prices: 'before' | 'after';
  readonly why: string;
}

/** The columns of a table of lines that say what was paid, row by row. */
interface PaidColumns {
  /** The number of the order that a row is of. */
  readonly orders: readonly string[];
  readonly quantity: readonly number[];
  /**
   * The price of the whole line before any discount of another column: pieces times price, or what a column
   * says.
   */
  readonly line: readonly number[];
  readonly total: readonly number[];
  /** Null where no column has it. */
  readonly shipping: readonly number[] | null;
  readonly discounts: readonly { readonly place: number; readonly values: readonly number[] }[];
}

const FEWEST_ORDERS = 2;
/** What rounding of one line may do. */
const CENT = 0.011;

const WORDS: Readonly<Record<DiscountKind, string>> = {
  line: 'lines less their discount',
  piece: 'lines less the discount of each piece',
  percent: 'lines less their percentage',
  order: 'lines less one discount of the order, which stands on each of them,',
};

/**
 * An expression of what is paid for a piece.
 *
 * @param unit the expression of its price before the discount
 */
export function priceLess(unit: string, pieces: string, kind: DiscountKind, discount: string): string {
  if (kind === 'order') return unit;
  if (kind === 'percent') return `{percent_off: [${unit}, ${discount}]}`;
  const size = `{absolute: ${discount}}`;
  const off = kind === 'piece' ? size : `{quotient: [${size}, ${pieces}]}`;
  // A line without a discount costs its price.
  return `{first: [{difference: [${unit}, ${off}]}, ${unit}]}`;
}

/**
 * Finds the reading of a column of discounts by which the lines of each order add up to its total. Null where
 * no reading does, where several do that differ, and where there are too few discounts to tell: then a person
 * is asked.
 */
export function discountIn(paid: PaidColumns): DiscountEvidence | null {
  const rows = [...paid.orders.keys()];
  const isDiscounted = (values: readonly number[]) =>
    new Set(rows.filter((row) => values[row] !== 0).map((row) => paid.orders[row])).size >= FEWEST_ORDERS;
  const columns = paid.discounts.filter(({ values }) => isDiscounted(values));
  const [first] = columns;
  if (first === undefined) return null;
  const found: (DiscountEvidence & { readonly paid: readonly number[] })[] = [];
  if (addsUp(paid, paid.line))
    found.push({
      place: first.place,
      kind: null,
      prices: 'after',
      paid: paid.line,
      why: 'lines add up to the total of each order without it',
    });
  for (const kind of ['line', 'piece', 'order', 'percent'] as const)
    for (const { place, values } of columns) {
      const lines = discounted(paid, values, kind);
      if (lines !== null && addsUp(paid, lines))
        found.push({
          place,
          kind,
          prices: 'before',
          paid: lines,
          why: `${WORDS[kind]} add up to the total of each order`,
        });
    }
  const [best] = found;
  if (best === undefined) return null;
  // A discount in percent beside the same one as an amount says the same thing, and so does one of a piece
  // where each line has one.
  const isOther = found.some(({ paid }) => paid.some((value, row) => !isSame(value, best.paid[row])));
  return isOther ? null : { place: best.place, kind: best.kind, prices: best.prices, why: best.why };
}

function isSame(one: number, other: number | undefined): boolean {
  return other !== undefined && Math.abs(one - other) <= CENT;
}

/** What is paid for each line, if a column of discounts is of that kind; null where it cannot be. */
function discounted(
  { orders, line, quantity }: PaidColumns,
  values: readonly number[],
  kind: DiscountKind,
): readonly number[] | null {
  const sizes = values.map(Math.abs);
  if (kind === 'order') {
    const of = new Map(orders.map((order, row) => [order, sizes[row] ?? 0]));
    if (orders.some((order, row) => of.get(order) !== sizes[row])) return null;
    const sums = sumsBy(orders, line);
    return line.map((value, row) => {
      const order = orders[row] ?? '';
      const sum = sums.get(order) ?? 0;
      return sum === 0 ? value : value - (value / sum) * (of.get(order) ?? 0);
    });
  }
  if (kind === 'percent' && values.some((value) => value < 0 || value > 100)) return null;
  return line.map((value, row) => {
    const size = sizes[row] ?? 0;
    const off = { line: size, piece: size * (quantity[row] ?? 0), percent: (value * size) / 100 }[kind];
    return value - off;
  });
}

function sumsBy(orders: readonly string[], values: readonly number[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [row, order] of orders.entries()) sums.set(order, (sums.get(order) ?? 0) + (values[row] ?? 0));
  return sums;
}

/** Whether lines, with the shipping, are the total of each order. */
export function addsUp(
  { orders, total, shipping }: Pick<PaidColumns, 'orders' | 'total' | 'shipping'>,
  lines: readonly number[],
): boolean {
  const sums = sumsBy(orders, lines);
  const counts = sumsBy(
    orders,
    orders.map(() => 1),
  );
  return orders.every((order, row) => {
    const sum = (sums.get(order) ?? 0) + (shipping?.[row] ?? 0);
    return Math.abs(sum - (total[row] ?? 0)) <= CENT * (counts.get(order) ?? 1);
  });
}
