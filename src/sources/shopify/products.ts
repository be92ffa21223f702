import { plural } from '../../text/plural.ts';
import type { Source } from '../source.ts';
import {
  isLostCode,
  keepDecimalSign,
  settledMoneyCell,
  unclearAmount,
  withoutApostrophe,
  withoutTags,
} from '../source-cells.ts';
import { variantId } from './ids.ts';

const DECIMAL = 'shopify_products_decimal';
const PRICES = ['price', 'compare_at', 'cost'];
const price = (cell: string) => settledMoneyCell(DECIMAL, cell);

/**
 * The admin's product export: the rows of one handle are a product. Its first row has the title, each row
 * with a price is a variant, and a row with only an image is no variant.
 */
export const shopifyProducts: Source = {
  name: 'shopify-products-csv',
  title: 'Shopify products, CSV export of the admin',
  signature: ['handle', 'title', 'variant price'],
  columns: {
    handle: { header: ['handle'], isRequired: true, absent: 'which rows are of one product' },
    title: { header: ['title'], isRequired: true, absent: 'names of products' },
    price: { header: ['variant price'], isRequired: true, absent: 'prices' },
    sku: { header: ['variant sku'], absent: 'variants are known by their name' },
    option1: { header: ['option1 value'], absent: 'variants without SKU cannot be told apart' },
    option2: { header: ['option2 value'] },
    option3: { header: ['option3 value'] },
    body: { header: ['body (html)', 'body html', 'body'], tells: ['products.description'] },
    vendor: { header: ['vendor'], absent: 'no brands', tells: ['products.brand'] },
    type: { header: ['type'], absent: 'no categories', tells: ['products.categories'] },
    compare_at: { header: ['variant compare at price'], tells: ['products.original_price'] },
    barcode: { header: ['variant barcode'], tells: ['products.ean'] },
    tracker: {
      header: ['variant inventory tracker'],
      tells: ['products.stock_quantity', 'products.in_stock'],
    },
    stock: {
      header: ['variant inventory qty'],
      absent: 'no stock',
      tells: ['products.stock_quantity', 'products.in_stock'],
    },
    policy: { header: ['variant inventory policy'], tells: ['products.in_stock'] },
    image: { header: ['image src'], tells: ['products.image_url'] },
    variant_image: { header: ['variant image'] },
    cost: {
      header: ['cost per item', 'cost'],
      absent: 'no profit: purchase prices are not known',
      tells: ['products.purchase_price'],
    },
    status: { header: ['status'], tells: ['products.discontinued'] },
  },
  settings: ['encoding'],
  questions: () => [],
  assumptions: () => ['prices are in the currency of the business'],
  findings: () => [
    {
      count: `select count(*) from shopify_variants where ${isLostCode('barcode')}`,
      says: (count) =>
        `${plural(count, 'barcode is', 'barcodes are')} left out: a spreadsheet took digits off ${count === 1 ? 'it' : 'them'} (5.90123E+12)`,
    },
  ],
  prepare: ({ relation }) => [
    keepDecimalSign(DECIMAL, PRICES, `"${relation}"`),
    `create temp table shopify_variants as
      with known as (
        select rowid as _row, *,
          first_value(title ignore nulls) over product as product_title,
          first_value(body ignore nulls) over product as product_body,
          first_value(vendor ignore nulls) over product as product_vendor,
          first_value(type ignore nulls) over product as product_type,
          first_value(status ignore nulls) over product as product_status,
          first_value(image ignore nulls) over product as product_image
        from "${relation}"
        where handle is not null
        window product as (partition by _file, handle order by rowid rows between unbounded preceding and unbounded following)
      ),
      variants as (
        select *, ${withoutApostrophe('sku')} as own_sku,
          nullif(concat_ws(' / ', nullif(option1, 'Default Title'), option2, option3), '') as options,
          product_title || coalesce(' - ' || options, '') as name
        from known where coalesce(price, sku) is not null
      )
      select *, ${variantId('own_sku')} as product_id
      from variants`,
  ],
  translate: () => ({
    products: `
      select _row, coalesce(case when ${isLostCode('own_sku')} then 'has its "Variant SKU" in scientific notation, by which a spreadsheet lost its digits and makes one product of several: export it again' end, ${unclearAmount(DECIMAL, PRICES)}) as _malformed, product_id as external_product_id, handle as external_master_product_id, name, own_sku as sku,
        case when not ${isLostCode('barcode')} then ${withoutApostrophe('barcode')} end as ean, product_vendor as brand, product_type as categories,
        ${price('price')} as price, ${price('compare_at')} as original_price, ${price('cost')} as purchase_price,
        case when tracker is null then null else stock end as stock_quantity,
        case when tracker is null then null
          when policy = 'continue' or try_cast(stock as double) > 0 then 'true' else 'false' end as in_stock,
        case when lower(product_status) = 'archived' then 'true' else 'false' end as discontinued,
        coalesce(variant_image, product_image) as image_url,
        ${withoutTags('product_body')} as description
      from shopify_variants order by _row`,
  }),
};
