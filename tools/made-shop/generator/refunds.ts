import { momentText } from './calendar.ts';
import { moneyText } from './money.ts';
import type { Order } from './orders.ts';
import type { Product } from './product.ts';
import type { RandomStream } from './random-stream.ts';
import type { RefundLineRow, RefundRow } from './tables.ts';
import type { World } from './world.ts';

type Refund = { at: number; order_id: string; amount: number; lines: ReturnedLine[] };
type ReturnedLine = { line_no: number; external_product_id: string; quantity: number; amount: number };

/**
 * Money given back: all of it when an order paid in advance is cancelled, the goods when all of an order is
 * returned, single lines of other orders by what they are: shoes do not fit, a lamp does what it should.
 */
export function makeRefunds(
  world: World,
  orders: readonly Order[],
): { refunds: RefundRow[]; lines: RefundLineRow[] } {
  const stream = world.stream('refunds');
  const found = orders.flatMap((order) => refundOf(world, stream, order) ?? []);
  found.sort((a, b) => a.at - b.at);
  const numbered = found.map((refund, index) => ({
    ...refund,
    refund_id: `R${String(index + 1).padStart(7, '0')}`,
  }));
  return {
    refunds: numbered.map(({ refund_id, order_id, at, amount }) => ({
      ...{ refund_id, order_id, refunded_at: momentText(at), amount: moneyText(amount) },
    })),
    lines: numbered.flatMap(({ refund_id, order_id, lines }) =>
      lines.map((line) => ({ ...line, refund_id, order_id, amount: moneyText(line.amount) })),
    ),
  };
}

function refundOf(world: World, stream: RandomStream, order: Order): Refund | null {
  const { row, at, total } = order;
  const refunded_at = at + stream.int(4 * 86_400, 24 * 86_400);
  const lines = linesThatComeBack(stream, order);
  if (row.is_test || refunded_at > world.end) return null;
  const { order_id } = row;
  if (row.status === 'cancelled') {
    const isPaid = row.payment_method !== 'cash-on-delivery' && total > 0;
    return isPaid ? { at: at + 4 * 86_400, order_id, amount: total, lines: [] } : null;
  }
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  return amount > 0 ? { at: refunded_at, order_id, amount, lines } : null;
}

/** What was taken off an order is taken off what is paid back too. */
function linesThatComeBack(stream: RandomStream, { row, sold, total, items }: Order): ReturnedLine[] {
  const isWhole = row.status === 'returned';
  const comesBack = sold.map(({ product }) => stream.chance(returnShare(product)) || isWhole);
  if (row.status !== 'returned' && row.status !== 'fulfilled') return [];
  const goods = sold.reduce((sum, line) => sum + line.quantity * line.unit_price, 0);
  const off = items
    .filter(({ kind }) => kind === 'discount')
    .reduce((sum, { unit_price }) => sum + Math.round(Number(unit_price) * 100), 0);
  const share = goods === 0 || total === 0 ? 0 : (goods + off) / goods;
  return sold.flatMap(({ product, quantity, unit_price }, index) =>
    comesBack[index] === true && !isVoucher(product)
      ? [
          {
            line_no: index + 1,
            external_product_id: product.external_product_id,
            quantity,
            amount: Math.max(0, Math.floor(quantity * unit_price * share)),
          },
        ]
      : [],
  );
}

function isVoucher({ categories }: Product): boolean {
  return categories.some((category) => category.includes('Vouchers'));
}

/** How often one comes back, beside orders that come back whole. */
function returnShare({ categories: [category = ''] }: Product): number {
  if (category.includes('Shoes')) return 0.18;
  if (category.includes('Jackets') || category.includes('T-shirts')) return 0.16;
  if (category.startsWith('Clothing > Hats')) return 0.07;
  if (category.startsWith('Backpacks') || category.includes('Tents') || category.includes('Sleeping'))
    return 0.07;
  return category.startsWith('Food') ? 0 : 0.008;
}
