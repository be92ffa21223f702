import { literal } from '../../store/duckdb-session.ts';
import { plural } from '../../text/plural.ts';
import { areNull } from '../missing-values.ts';
import type { RawRows, Settings, Source } from '../source.ts';
import { keepDecimalSign, unclearAmount, withoutTags } from '../source-cells.ts';
import {
  categoryPath,
  elementText,
  foreignPrice,
  itemsTable,
  LEFT_OUT,
  priceCell,
  priceCurrency,
  priceNumber,
} from './feed.ts';

/** A product feed for Google Merchant Center, RSS or Atom: what the shop sells today. */
export const googleMerchantFeed: Source = {
  name: 'google-merchant-xml',
  title: 'Google Merchant product feed, XML',
  items: ['item', 'entry'],
  beginsAs: (text) => /<(rss|feed)[\s>]/.test(text) && text.includes('base.google.com/ns/1.0'),
  columns: {},
  settings: ['currency', 'encoding'],
  questions: () => [
    {
      setting: 'currency',
      condition: `${priceCurrency(`try(cast(document as json))->>'$.price[0]'`)} is null`,
      problem: 'a price without a currency',
      example: '--currency EUR',
    },
  ],
  assumptions: () => [
    'a feed knows what is sold today: no purchase prices, unless it has cost_of_goods_sold, and no products of the past',
  ],
  prepare: (raw) => [
    itemsTable(raw.relation, 'google_items'),
    keepDecimalSign(DECIMAL, PRICES, 'google_items'),
  ],
  findings: ({ settings }) => [
    {
      count: `select count(*) from google_items where ${isForeignCost(settings)}`,
      says: (count) =>
        `${plural(count, 'product has', 'products have')} no purchase price: cost_of_goods_sold is in another currency than the price`,
    },
  ],
  translate: (raw) => ({ products: products(raw) }),
  missing: () => ({ products: { ...LEFT_OUT, ...areNull('purchase_price', 'in_stock') } }),
};

const COST = elementText('cost_of_goods_sold');
const PRICES = [elementText('price'), elementText('sale_price'), COST].map(priceCell);
const DECIMAL = 'google_decimal';

/** SQL: the currency of the price of an item. */
function currencyOfPrice({ currency }: Settings): string {
  return `coalesce(${priceCurrency(elementText('price'))}, ${currency === undefined ? 'null' : `upper(${literal(currency)})`})`;
}

function isForeignCost(settings: Settings): string {
  return `${priceCurrency(COST)} <> ${currencyOfPrice(settings)}`;
}

/**
 * SQL: the moment that Google writes as `2026-11-27T08:00+0100`; null if the text is no moment. DuckDB wants
 * `:00+01:00`.
 */
function feedMoment(text: string): string {
  const withColon = `regexp_replace(trim(${text}), '([+-][0-9]{2})([0-9]{2})$', '\\1:\\2')`;
  const withSeconds = `regexp_replace(${withColon}, '([T ][0-9]{2}:[0-9]{2})([+-]|Z|$)', '\\1:00\\2')`;
  return `try_cast(${withSeconds} as timestamptz)`;
}

function products({ settings, written }: RawRows): string {
  const price = elementText('price');
  const sale = elementText('sale_price');
  const currency = currencyOfPrice(settings);
  const moments = written.map(
    (moment, file) => `when ${file} then cast(${literal(moment.toISOString())} as timestamptz)`,
  );
  const days = elementText('sale_price_effective_date');
  const side = (part: number) => feedMoment(`split_part(${days}, '/', ${part})`);
  // A sale of other days does not count on the day of the feed.
  const isSale = `${sale} is not null and (${days} is null or coalesce(case _file ${moments.join(' ')} end between ${side(1)} and ${side(2)}, false))`;
  return `
    select _row, coalesce(
        case when item is null then 'is no item' end,
        ${foreignPrice(currency)},
        case when ${sale} is not null and ${priceCurrency(sale)} <> ${currency} then 'has a sale price in another currency than its price' end,
        ${unclearAmount(DECIMAL, PRICES)}
      ) as _malformed,
      ${elementText('id')} as external_product_id, ${elementText('item_group_id')} as external_master_product_id,
      ${elementText('title')} as name, ${elementText('gtin')} as ean, ${elementText('brand')} as brand,
      ${categoryPath(elementText('product_type'))} as categories,
      case when ${isSale} then ${priceNumber(DECIMAL, sale)} else ${priceNumber(DECIMAL, price)} end as price, ${priceNumber(DECIMAL, price)} as original_price,
      case when not coalesce(${isForeignCost(settings)}, false) then ${priceNumber(DECIMAL, COST)} end as purchase_price,
      case replace(lower(${elementText('availability')}), ' ', '_')
        when 'in_stock' then 'true' when 'backorder' then 'true' when 'preorder' then 'true' when 'out_of_stock' then 'false' end as in_stock,
      ${elementText('link')} as url, ${elementText('image_link')} as image_url, ${withoutTags(elementText('description'))} as description
    from google_items order by _row`;
}
