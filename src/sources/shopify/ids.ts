/** SQL: the digits of an id, as the number of REST or the end of `gid://shopify/Order/1`. */
export function shopifyId(value: string, path: string): string {
  return `nullif(regexp_extract(${value}->>'$.${path}', '([0-9]+)([?].*)?$', 1), '')`;
}

/**
 * SQL: the id of a product without a SKU, made of its name as an order line has it: `Mug - Blue / L`. The
 * product export makes the same one, so that it does not matter which of the two is imported first.
 */
export function namedProduct(name: string): string {
  return `'name:' || ${name}`;
}

/** SQL: the id of a product without a SKU whose name another one has too. */
export function handledProduct(handle: string, options: string): string {
  return `concat_ws('/', ${handle}, ${options})`;
}

/** SQL: the name of a variant, as an order line has it; null options where the product has one variant. */
export function variantName(title: string, options: string): string {
  return `${title} || coalesce(' - ' || ${options}, '')`;
}

/**
 * SQL: the id of a variant, over all variants with their `name`, the `handle` of their product and their
 * `options` (null where there are none). Two products of one name and no SKU are two products.
 *
 * @param sameName by what variants are of one name
 */
export function variantId(sku: string, sameName = 'name'): string {
  return `coalesce(${sku}, case when count(distinct handle) over (partition by ${sameName}) > 1
    then ${handledProduct('handle', 'options')} else ${namedProduct('name')} end)`;
}

/**
 * SQL: the id of the one refund that the CSV export tells of an order: how much, and not when or in how many.
 */
export function refundOfAll(order: string): string {
  return `${order} || '_refunds'`;
}
