/**
 * SQL: the tax on a line in percent of what it is without, as `order_items.tax_rate` has it; null where that
 * says nothing.
 */
export function taxRate(net: string, tax: string): string {
  const rate = `round(100 * cast(${tax} as double) / nullif(${net}, 0), 4)`;
  return `case when ${rate} between 0 and 100 then cast(${rate} as decimal(7,4)) end`;
}
