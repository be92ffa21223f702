import { csvRows } from '../oracle/csv-text.ts';

interface Counted {
  readonly orders: { in_file: number; valid: number };
  /** Amounts are in cents. */
  readonly gross: number;
  readonly revenue: number;
  readonly refunds: number;
  readonly discounts: number;
  readonly shipping: number;
  readonly tax: number;
  readonly cancelled: number;
  readonly edited: number;
}

/**
 * What a Shopify order export says, counted in plain TypeScript over its text: apart from the product, so
 * that one error cannot hide in both.
 */
export function countShopifyOrders(text: string): Counted {
  const [header = [], ...rows] = csvRows(undamaged(text));
  const names = header.map((name) => name.trim().toLowerCase());
  const cell = (row: readonly string[], name: string) => row[names.indexOf(name)]?.trim() ?? '';
  const cents = (row: readonly string[], name: string) => Math.round(100 * Number(cell(row, name) || 0));
  const orders = rows.filter((row) => cell(row, 'total') !== '');
  const isCancelled = (row: readonly string[]) =>
    cell(row, 'cancelled at') !== '' || ['voided', 'expired'].includes(cell(row, 'financial status'));
  const valid = orders.filter((row) => !isCancelled(row));
  const sum = (of: readonly string[][], name: string) =>
    of.reduce((total, row) => total + cents(row, name), 0);
  const isEdited = (row: readonly string[]) => {
    if (!names.includes('subtotal')) return false;
    const rest = cents(row, 'total') - cents(row, 'subtotal') - cents(row, 'shipping');
    return rest !== 0 && rest !== cents(row, 'taxes');
  };
  return {
    orders: { in_file: orders.length, valid: valid.length },
    gross: sum(orders, 'total'),
    revenue: sum(valid, 'total'),
    refunds: sum(orders, 'refunded amount'),
    discounts: sum(orders, 'discount amount'),
    shipping: sum(orders, 'shipping'),
    tax: sum(orders, 'taxes'),
    cancelled: orders.length - valid.length,
    edited: valid.filter(isEdited).length,
  };
}

/** A spreadsheet had put each row into one cell. */
function undamaged(text: string): string {
  const rows = csvRows(text);
  if (!rows.slice(1).every((row) => row.length === 2 && row[1] === ';')) return text;
  const [header = []] = rows;
  return [
    header.join(',').replace(/;$/, ''),
    ...rows.slice(1).map(([row = '']) => row.replace(/;$/, '')),
  ].join('\n');
}
