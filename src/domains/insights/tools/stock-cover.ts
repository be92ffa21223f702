import { z } from 'zod';
import { integerBetween, namesFilter, oneOf, rangeArguments } from '../../../answers/arguments.ts';
import {
  count,
  date,
  flag,
  list,
  measure,
  moment,
  object,
  text,
} from '../../../answers/fields/kinds-of-fields.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { defineTool } from '../../../answers/tool.ts';
import { planStockCover, STOCK_SORTS } from '../queries/stock/plan-stock-cover.ts';

const FEW_DAYS = 'no day known, or fewer than 14 with stock';
const NO_PRICE = `${FEW_DAYS}, or none sold on them`;
const NO_TOTAL = 'not known of any product';
const NO_DAY = 'no day of any product known';

const productFields = [
  text('external_product_id', 'Id of the product in the shop.'),
  text('name', 'Business data.', 'it has none'),
  flag('in_stock', 'Could be ordered at stock_as_of.', 'not known, or sales since contradict it'),
  measure('pieces', 'stock_quantity', 'In stock at stock_as_of.', 'not known'),
  moment('stock_as_of', 'When stock last changed or was told.', 'not known'),
  measure('pieces', 'sold_since_stock_as_of', 'Pieces sold after stock_as_of.', 'no orders loaded since'),
  measure(
    'pieces',
    'pieces_per_day',
    'Sold on a day with stock, of the range and the 8 weeks before it, at the level of all other products in the last 28 days of it.',
    FEW_DAYS,
  ),
  measure(
    'days',
    'cover_days',
    'How long stock_quantity - sold_since_stock_as_of lasts at pieces_per_day, so by days with stock of the range and before. days_of_cover of list_products is by all of the last 28 days, with or without stock.',
    'not known, nothing sold, or an old range',
  ),
  measure(
    'days',
    'cover_days_low',
    'By the high end of the 95 % interval of pieces_per_day.',
    'as cover_days',
  ),
  count('days', 'days_with_stock', 'Of the range, by the last reading of each day.'),
  count(
    'days',
    'days_without_stock',
    'Likewise, without those on which it was sold. A note has the dates of the longest times.',
  ),
  count('days', 'days_not_known', 'All others of the range.'),
  measure(
    'pieces',
    'lost_pieces',
    'pieces of a day with stock, at the prices it had then, x days_without_stock, by what other products sold on these.',
    FEW_DAYS,
  ),
  count('pieces', 'lost_pieces_low', 'Low end of its 95 % interval.', FEW_DAYS),
  count('pieces', 'lost_pieces_high', 'High end of it.', FEW_DAYS),
  measure(
    'money',
    'lost_revenue',
    'lost_pieces at the mean revenue of a piece on days with stock, VAT in it.',
    NO_PRICE,
  ),
  measure('money', 'lost_revenue_low', 'Low end of its 95 % interval.', NO_PRICE),
  measure('money', 'lost_revenue_high', 'High end of it.', NO_PRICE),
];

export const stockCover = defineTool({
  name: 'stock_cover',
  title: 'Stock cover',
  group: 'Insights',
  description:
    'How long the stock of products lasts, on which days there was none, and what was not sold for that (with an interval), by readings of the stock.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD', 'LIST_PRODUCT'],
  input: z.strictObject({
    ...rangeArguments,
    filter_external_product_ids: namesFilter(),
    filter_brands: namesFilter(),
    filter_categories: namesFilter('In any of them.'),
    sort_by: oneOf('sort_by', STOCK_SORTS)
      .default('lost_revenue')
      .describe('cover_days: the shortest first, to reorder.'),
    limit: integerBetween('limit', 1, 1000).default(10),
  }),
  example: { limit: 3 },
  rows: { list: 'products', uniqueBy: ['external_product_id'] },
  fields: [
    ...coverage,
    date('from_date', 'First day told of.', 'no whole day of orders'),
    date('to_date', 'Last day told of.', 'no whole day of orders'),
    object('total', 'All products whose stock was read; not the discontinued.', [
      count('products', 'products_count', 'Whose stock was read.'),
      count('products', 'without_stock_count', 'With days without stock.', NO_DAY),
      count('days', 'days_without_stock', 'Of all products, added up.', NO_DAY),
      measure('pieces', 'lost_pieces', 'Sum of those known.', NO_TOTAL),
      measure('money', 'lost_revenue', 'Sum of those known.', NO_TOTAL),
      measure('money', 'lost_revenue_low', 'Low end of its 95 % interval.', NO_TOTAL),
      measure('money', 'lost_revenue_high', 'High end of it.', NO_TOTAL),
    ]),
    list('products', 'As sorted; what is not known last.', productFields),
  ],
  plan: (context) => planStockCover(context),
});
