/**
 * SQL: the id of a product without a SKU, made of its name as an order line has it: `Mug - Blue / L`. The product export
 * makes the same one, so that it does not matter which of the two is imported first.
 */
export function namedProduct(name: string): string {
  return `'name:' || ${name}`;
}
