import { type DiscountEvidence, discountIn } from './discounts.ts';
import { numberOf, ROWS_TOGETHER, tells } from './evidence.ts';
import { meaningsOf } from './titles.ts';

interface Column {
  readonly title: string;
  readonly looks: string;
}

/** Which column of a file is proposed for one of ours. */
interface Proposed {
  readonly table: string;
  readonly column: string;
  readonly from: Column;
}

/** What cells tell of the discounts of lines. */
export interface LookedAtDiscounts {
  /** What a column of discounts is of, and whether prices are before it; null where the sums do not tell. */
  readonly evidence: DiscountEvidence | null;
  /** The places of columns called a discount that differ within an order, so that they are none of the whole order. */
  readonly ofLines: readonly number[];
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
  if (order < 0 || called.length === 0) return { evidence: null, ofLines: [] };
  const whole = wholeOrders(rows, order);
  const texts = (place: number) => whole.map((row) => row[place] ?? '');
  const numbers = (place: number) =>
    texts(place).map((text) => numberOf(text, columns[place]?.looks ?? 'text'));
  const orders = texts(order);
  const ofLines = called.filter((place) => !tells(orders, texts(place)));
  const [quantity, price, lineTotal] = [
    placeOf('order_items', 'quantity'),
    placeOf('order_items', 'unit_price'),
    placeOf('order_items', 'line_total'),
  ];
  const [total, shipping] = [placeOf('orders', 'total'), placeOf('orders', 'shipping')];
  if (quantity < 0 || total < 0 || (price < 0 && lineTotal < 0) || orders.includes(''))
    return { evidence: null, ofLines };
  const pieces = numbers(quantity);
  const paid = {
    orders,
    quantity: pieces,
    line: price < 0 ? numbers(lineTotal) : numbers(price).map((value, row) => value * (pieces[row] ?? 0)),
    total: numbers(total),
    shipping: shipping < 0 ? null : numbers(shipping),
    discounts: called.map((place) => ({ place, values: numbers(place) })),
  };
  const all = [
    pieces,
    paid.line,
    paid.total,
    paid.shipping ?? [],
    ...paid.discounts.map(({ values }) => values),
  ];
  return {
    evidence: all.every((values) => values.every(Number.isFinite)) ? discountIn(paid) : null,
    ofLines,
  };
}

/** Of an order whose rows may go on behind those that were looked at, none. */
function wholeOrders(rows: readonly (readonly string[])[], order: number): readonly (readonly string[])[] {
  if (rows.length < ROWS_TOGETHER) return rows;
  const last = rows.at(-1)?.[order];
  return rows.filter((row) => row[order] !== last);
}
