import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { csvRows } from '../oracle/csv-text.ts';

/** The rows of a table among files that Fivetran wrote, in plain TypeScript. */
export function tableOf(paths: readonly string[], table: string): Readonly<Record<string, string>>[] {
  const path = paths.find((each) =>
    new RegExp(`^(shopify_|shopify_gql_)?${table}(_data)?[.]csv$`).test(basename(each)),
  );
  if (path === undefined) return [];
  const [header = [], ...rows] = csvRows(readFileSync(path, 'utf8'));
  return rows.map((row) =>
    Object.fromEntries(header.map((name, place) => [name.trim(), row[place]?.trim() ?? ''])),
  );
}

const cents = (text = '') => Math.round(100 * Number(text || 0));

/**
 * What the orders of a sample are, by currency: apart from the product, so that one error cannot hide in
 * both.
 */
export function countFivetranOrders(paths: readonly string[]) {
  const alive = tableOf(paths, 'order').filter(({ _fivetran_deleted: gone }) => gone !== 'TRUE');
  const amount = (row: Readonly<Record<string, string>>, name: string) =>
    cents(row[name] ?? row[`${name}_set_shop_amount`]);
  const shipping = new Map<string, number>();
  for (const row of tableOf(paths, 'order_shipping_line'))
    shipping.set(
      row.order_id ?? '',
      (shipping.get(row.order_id ?? '') ?? 0) + cents(row.price ?? row.original_price_set_shop_amount),
    );
  const paidBack = (order: string) => {
    const refunds = tableOf(paths, 'refund').filter((row) => row.order_id === order);
    return refunds.reduce((sum, row) => {
      if (row.total_refunded_set_shop_amount) return sum + cents(row.total_refunded_set_shop_amount);
      const paid = tableOf(paths, 'transaction').filter(
        ({ refund_id, kind, status }) => refund_id === row.id && kind === 'refund' && status === 'success',
      );
      const lines = tableOf(paths, 'order_line_refund').filter(({ refund_id }) => refund_id === row.id);
      return (
        sum +
        (paid.length > 0
          ? paid.reduce((all, { amount: text }) => all + cents(text), 0)
          : lines.reduce((all, { subtotal, total_tax }) => all + cents(subtotal) + cents(total_tax), 0))
      );
    }, 0);
  };
  const isValid = (row: Readonly<Record<string, string>>) =>
    row.cancelled_at === '' &&
    row.test !== 'TRUE' &&
    !['voided', 'expired'].includes(
      (row.financial_status ?? row.display_financial_status ?? '').toLowerCase(),
    );
  const currencies = [...new Set(alive.map((row) => row.currency ?? row.currency_code ?? ''))].sort();
  return currencies.map((currency) => {
    const orders = alive.filter((row) => (row.currency ?? row.currency_code) === currency);
    const sum = (of: (row: Readonly<Record<string, string>>) => number) =>
      orders.reduce((total, row) => total + of(row), 0) / 100;
    return {
      ...{ currency, orders: orders.length, valid: orders.filter(isValid).length, stored: orders.length },
      gross: sum((row) => amount(row, 'total_price')),
      discounts: sum((row) => amount(row, 'total_discounts')),
      tax: sum((row) => amount(row, 'total_tax')),
      shipping: sum((row) =>
        row.total_shipping_price_set_shop_amount === undefined
          ? (shipping.get(row.id ?? '') ?? 0)
          : cents(row.total_shipping_price_set_shop_amount),
      ),
      refunds: sum((row) => paidBack(row.id ?? '')),
    };
  });
}
