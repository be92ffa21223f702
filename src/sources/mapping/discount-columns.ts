import { addsUp, type DiscountEvidence, discountIn } from './discounts.ts';
import { numberOf, ROWS_TOGETHER, tells } from './evidence.ts';
import { meaningsOf } from './title-meanings.ts';

interface Column {
  readonly title: string;
  readonly looks: string;
}

/** A column of a file, and the column of ours that is proposed for it. */
interface Proposed {
  readonly table: string;
  readonly column: string;
  readonly from: Column;
}

/** What cells tell of the discounts of lines. */
export interface LookedAtDiscounts {
  /** What a column of discounts is of, and whether prices are before it; null where the sums do not tell. */
  readonly evidence: DiscountEvidence | null;
  /**
   * The places of columns that differ within an order, so that they are of its lines and not of all of it.
   */
  readonly ofLines: readonly number[];
  /** Whether what is called the price of a piece is that of all pieces of a line. */
  readonly isPriceOfLine: boolean;
}

/** @param rows the first of the file, cell by cell */
export function lookAtDiscounts(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  proposals: readonly Proposed[],
): LookedAtDiscounts {
  const placeOf = (table: string, column: string) => {
    const found = proposals.find((each) => each.table === table && each.column === column);
    return found === undefined ? -1 : columns.indexOf(found.from);
  };
  const order = placeOf('orders', 'order_id');
  const called = columns.flatMap(({ title }, place) =>
    meaningsOf(title).some(({ column }) => column.endsWith('discount')) ? [place] : [],
  );
  if (order < 0) return NOTHING;
  const whole = wholeOrders(rows, order);
  const orders = whole.map((row) => row[order] ?? '');
  const [total, shipping] = [placeOf('orders', 'total'), placeOf('orders', 'shipping')];
  // Some systems write what is of the whole order on its first line alone.
  const isOnFirst = whole.some((row) => row[total] === '');
  const texts = (place: number) => {
    const own = whole.map((row) => row[place] ?? '');
    return isOnFirst && place !== order ? filledDown(orders, own) : own;
  };
  const numbers = (place: number) =>
    texts(place).map((text) => numberOf(text, columns[place]?.looks ?? 'text'));
  const ofLines = [...columns.keys()].filter((place) => !tells(orders, texts(place)));
  const [quantity, price, lineTotal] = [
    placeOf('order_items', 'quantity'),
    placeOf('order_items', 'unit_price'),
    placeOf('order_items', 'line_total'),
  ];
  if (quantity < 0 || total < 0 || (price < 0 && lineTotal < 0) || orders.includes(''))
    return { ...NOTHING, ofLines };
  const pieces = numbers(quantity);
  const paid = {
    orders,
    quantity: pieces,
    total: numbers(total),
    shipping: shipping < 0 ? null : numbers(shipping),
    discounts: called.map((place) => ({ place, values: numbers(place) })),
  };
  const cells = numbers(price < 0 ? lineTotal : price);
  const all = [pieces, cells, paid.total, paid.shipping ?? [], ...paid.discounts.map(({ values }) => values)];
  if (!all.every((values) => values.every(Number.isFinite))) return { ...NOTHING, ofLines };
  const products = cells.map((value, row) => value * (pieces[row] ?? 0));
  if (price < 0) return { ...NOTHING, evidence: discountIn({ ...paid, line: cells }), ofLines };
  // A column called the price may hold what all pieces of a line cost.
  const isOfPiece = addsUp(paid, products) || discountIn({ ...paid, line: products }) !== null;
  const isMany = new Set(orders.filter((_, row) => pieces[row] !== 1)).size > 1;
  const isOfLine =
    isMany && !isOfPiece && (addsUp(paid, cells) || discountIn({ ...paid, line: cells }) !== null);
  const line = isOfLine ? cells : products;
  return { evidence: discountIn({ ...paid, line }), ofLines, isPriceOfLine: isOfLine };
}

const NOTHING: LookedAtDiscounts = { evidence: null, ofLines: [], isPriceOfLine: false };

/**
 * Cells with those of the first row of their order, where they are empty and nothing else of that column
 * stands in the order.
 */
function filledDown(orders: readonly string[], texts: readonly string[]): readonly string[] {
  const known = new Map<string, string | null>();
  for (const [row, order] of orders.entries()) {
    const text = texts[row] ?? '';
    if (text === '') continue;
    known.set(order, known.has(order) ? null : text);
  }
  return texts.map((text, row) => (text === '' ? (known.get(orders[row] ?? '') ?? '') : text));
}

/** An order whose rows may go on behind those that were looked at is left out. */
function wholeOrders(rows: readonly (readonly string[])[], order: number): readonly (readonly string[])[] {
  if (rows.length < ROWS_TOGETHER) return rows;
  const last = rows.at(-1)?.[order];
  return rows.filter((row) => row[order] !== last);
}
