import { NOTHING_TO_DIVIDE_BY } from '../../../answers/fields/field.ts';
import { counted, measured, metric, orZero, ratio } from '../../../answers/metric.ts';
import { toFourDecimals } from '../../../sql/rounding.ts';
import { sql } from '../../../sql/sql.ts';

/** The margin in percent of the price. It is null without a purchase price, or with a price of 0. */
const margin = sql`100 * cast(net_price - purchase_price as double) / nullif(net_price, 0)`;

/** The metrics over a row of `products`. */
export const productCatalogueMetrics = [
  measured('money', 'price', 'Catalogue price now, incl. VAT; 0: not in the catalogue.', orZero(sql`price`)),
  measured('money', 'purchase_price', 'Purchase price now.', sql`purchase_price`, 'not known'),
  metric({
    key: 'gross_profit',
    type: 'number',
    unit: 'money',
    null: 'no purchase price, no VAT rate set, or price 0',
    definition:
      'Per piece at prices now, sold or not (of sales: estimated_gross_profit): price without VAT, by the VAT rate set, - purchase_price.',
    value: sql`case when price <> 0 then net_price - purchase_price end`,
  }),
  metric({
    key: 'gross_profit_margin',
    type: 'number',
    unit: 'percent',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'Per piece now: gross_profit / price without VAT.',
    value: toFourDecimals(margin),
  }),
];

/**
 * The metrics over the rows of `products` in one group. `price` is null for products that the catalogue
 * lacks.
 */
export const groupCatalogueMetrics = [
  counted('products', 'products_count', 'Products of the group, also inactive.', sql`count(*)`),
  metric({
    key: 'avg_price',
    type: 'number',
    unit: 'money',
    definition: 'Plain mean of catalogue prices.',
    value: orZero(ratio(sql`sum(price)`, sql`count(price)`)),
  }),
  metric({
    key: 'avg_gross_profit_margin',
    type: 'number',
    unit: 'percent',
    definition:
      'Plain mean of known gross_profit_margin of products, sold or not; none known: 0, sorted last.',
    value: toFourDecimals(sql`avg(${margin})`),
  }),
];
