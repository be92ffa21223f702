import { literal } from '../../store/duckdb-session.ts';
import { areNull } from '../missing-values.ts';
import type { Source } from '../source.ts';
import { keepDecimalSign, unclearAmount, withoutTags } from '../source-cells.ts';
import {
  categoryPath,
  elementText,
  foreignPrice,
  itemsTable,
  LEFT_OUT,
  priceCell,
  priceNumber,
} from './feed.ts';

/** Words of Heureka for the root of its categories; Zboží has none. */
const CATEGORY = `trim(regexp_replace(regexp_replace(${elementText('categorytext')}, '^\\s*Heureka\\.[a-z]+\\s*\\|', '', 'i'), '\\s*\\|\\s*', ' > ', 'g'))`;

const PRICE = elementText('price_vat');
const DECIMAL = 'heureka_decimal';

/** A product feed for Heureka, which Zboží reads too. */
export const heurekaFeed: Source = {
  name: 'heureka-xml',
  title: 'Heureka product feed, XML',
  items: ['shopitem'],
  beginsAs: (text) => /<SHOP[\s>]/i.test(text) && /<SHOPITEM[\s>]/i.test(text),
  columns: {},
  settings: ['currency', 'encoding'],
  questions: () => [
    {
      setting: 'currency',
      condition: 'true',
      problem: 'the currency of the prices (PRICE_VAT)',
      example: '--currency CZK',
    },
  ],
  assumptions: () => ['a feed knows what is sold today: no purchase prices, and no products of the past'],
  prepare: (raw) => [
    itemsTable(raw.relation, 'heureka_items'),
    keepDecimalSign(DECIMAL, [priceCell(PRICE)], 'heureka_items'),
  ],
  translate: ({ settings }) => ({
    products: `
      select _row, coalesce(
          case when item is null then 'is no item' end,
          ${foreignPrice(`upper(${literal(settings.currency ?? '')})`)},
          ${unclearAmount(DECIMAL, [priceCell(PRICE)])}
        ) as _malformed,
        ${elementText('item_id')} as external_product_id, ${elementText('itemgroup_id')} as external_master_product_id,
        coalesce(${elementText('productname')}, ${elementText('product')}) as name, ${elementText('productno')} as sku,
        ${elementText('ean')} as ean, ${elementText('manufacturer')} as brand,
        ${categoryPath(`nullif(${CATEGORY}, '')`)} as categories,
        ${priceNumber(DECIMAL, PRICE)} as price,
        case when ${elementText('delivery_date')} = '0' then 'true' end as in_stock,
        ${elementText('url')} as url, ${elementText('imgurl')} as image_url, ${withoutTags(elementText('description'))} as description,
        ${elementText('delivery_date')} as delivery_date
      from heureka_items order by _row`,
  }),
  // Days until it is sent say that it may not be in stock: then that is not known, whatever another source
  // said.
  missing: () => ({
    products: { ...LEFT_OUT, ...areNull('sku'), in_stock: 'delivery_date is null' },
  }),
};
