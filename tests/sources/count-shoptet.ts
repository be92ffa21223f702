/**
 * What a Shoptet order export says, counted in plain TypeScript over its text: apart from the product, so
 * that one error cannot hide in both.
 */
export function countShoptet(text: string) {
  const [header = [], ...rows] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(';'));
  const cell = (row: readonly string[], name: string) => row[header.indexOf(name)] ?? '';
  const orders = new Map(rows.map((row) => [cell(row, 'code'), row]));
  const cents = (row: readonly string[]) =>
    Math.round(100 * Number(cell(row, 'totalPriceWithVat').replaceAll(/\s/g, '').replace(',', '.')));
  const isCancelled = (row: readonly string[]) => /^stornovan/i.test(cell(row, 'statusName'));
  const valid = [...orders.values()].filter((row) => !isCancelled(row));
  const sum = (of: Iterable<readonly string[]>) => [...of].reduce((total, row) => total + cents(row), 0);
  return {
    orders: orders.size,
    valid: valid.length,
    grossCents: sum(orders.values()),
    revenueCents: sum(valid),
  };
}
