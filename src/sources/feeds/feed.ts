import { literal } from '../../store/duckdb-session.ts';
import { textAt } from '../json-resources.ts';
import { areNull } from '../missing-values.ts';
import { settledMoneyCell } from '../source-cells.ts';

/** SQL: the text of an element of an item; null where it is absent or empty. */
export function elementText(name: string): string {
  return textAt('item', `"${name}"[0]`);
}

/** Statements that make a table of the items of a feed. A document has an item's elements, each as a list. */
export function itemsTable(relation: string, table: string): string {
  return `create temp table ${table} as
    select rowid as _row, _file, try(cast(document as json)) as item from "${relation}"`;
}

/** SQL: `1 299,00` of `1 299,00 CZK`. */
export function priceCell(price: string): string {
  return `trim(regexp_replace(${price}, '^[A-Za-z]{3}\\s+|\\s*[A-Za-z]{3}$', ''))`;
}

/**
 * SQL: the number of such a price, as our own format writes it. The variable has the decimal sign of the
 * feed.
 */
export function priceNumber(variable: string, price: string): string {
  return settledMoneyCell(variable, priceCell(price));
}

/** SQL: the currency of `1299.00 CZK`; null where none stands there. */
export function priceCurrency(price: string): string {
  return `nullif(upper(regexp_extract(${price}, '([A-Za-z]{3})\\s*$|^([A-Za-z]{3})\\s', 1) || regexp_extract(${price}, '([A-Za-z]{3})\\s*$|^([A-Za-z]{3})\\s', 2)), '')`;
}

/**
 * SQL: why a price cannot be kept. Prices are in the currency of the business; another currency is refused.
 */
export function foreignPrice(currency: string): string {
  return `case when ${currency} <> getvariable('business_currency')
    then ${literal('has a price in another currency than the business: use the feed of its own currency')} end`;
}

/** SQL: the path of a category, `Home > Shirts`, as a list of one, so that a `|` in it parts nothing. */
export function categoryPath(path: string): string {
  return `case when ${path} is not null then cast(to_json([${path}]) as varchar) end`;
}

/**
 * What a product of either feed may leave out. A feed cannot say that there is no value: what it leaves out
 * is unknown. The conditions are over its translated row.
 */
export const LEFT_OUT = areNull(
  ...['external_master_product_id', 'ean', 'brand', 'categories', 'url', 'image_url', 'description'],
);
