import { literal } from '../../store/session.ts';
import { withoutTags } from '../cells.ts';
import type { RawRows, Source } from '../source.ts';
import { categoryPath, elementText, foreignPrice, itemsTable, priceCurrency, priceNumber } from './feed.ts';

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
  prepare: (raw) => [itemsTable(raw.relation, 'google_items')],
  translate: (raw) => ({ products: products(raw) }),
};

function products({ settings, written }: RawRows): string {
  const price = elementText('price');
  const sale = elementText('sale_price');
  const currency = `coalesce(${priceCurrency(price)}, ${settings.currency === undefined ? 'null' : `upper(${literal(settings.currency)})`})`;
  const moments = written.map(
    (moment, file) => `when ${file} then cast(${literal(moment.toISOString())} as timestamptz)`,
  );
  const days = elementText('sale_price_effective_date');
  const side = (part: number) => `try_cast(trim(split_part(${days}, '/', ${part})) as timestamptz)`;
  // A sale of other days is none on the day of the feed.
  const isSale = `${sale} is not null and (${days} is null or coalesce(case _file ${moments.join(' ')} end between ${side(1)} and ${side(2)}, false))`;
  return `
    select _row, coalesce(
        case when item is null then 'is no item' end,
        ${foreignPrice(currency)},
        case when ${sale} is not null and ${priceCurrency(sale)} <> ${currency} then 'has a sale price in another currency than its price' end
      ) as _malformed,
      ${elementText('id')} as external_product_id, ${elementText('item_group_id')} as external_master_product_id,
      ${elementText('title')} as name, ${elementText('gtin')} as ean, ${elementText('brand')} as brand,
      ${categoryPath(elementText('product_type'))} as categories,
      case when ${isSale} then ${priceNumber(sale)} else ${priceNumber(price)} end as price, ${priceNumber(price)} as original_price,
      ${priceNumber(elementText('cost_of_goods_sold'))} as purchase_price,
      case replace(lower(${elementText('availability')}), ' ', '_')
        when 'in_stock' then 'true' when 'backorder' then 'true' when 'preorder' then 'true' when 'out_of_stock' then 'false' end as in_stock,
      ${elementText('link')} as url, ${elementText('image_link')} as image_url, ${withoutTags(elementText('description'))} as description
    from google_items order by _row`;
}
