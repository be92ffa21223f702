import { firstAt, listAt, textAt } from '../json-resources.ts';
import { areMissing, hasAny } from '../missing-values.ts';
import { withoutTags } from '../source-cells.ts';
import { shopifyId, variantId, variantName } from './ids.ts';

/**
 * Variants: within their product, or beside it with its id. The last product of an id counts; of each other,
 * `newer` says how many came after it.
 */
export function variantsOf(resources: string): string {
  return `create or replace temp table shopify_json_variants as
    with product as (
      select *, row_number() over (partition by id order by place desc) - 1 as newer
      from ${resources} where kind = 'Product'
    ),
    variant as (
      select p._row, p.newer, p.resource as product, p.place, coalesce(item->'$.node', item) as item from (
        select *, unnest(${listAt('resource', 'variants', 'variants.nodes', 'variants.edges')}) as item from product
      ) as p
      union all
      select v._row, p.newer, p.resource, v.place, v.resource
      from ${resources} as v join product as p on p.id = v.parent_id where v.kind = 'ProductVariant'
    ),
    known as (
      select _row, newer, place, ${textAt('product', 'handle')} as handle, ${textAt('product', 'title')} as title, ${textAt('product', 'vendor')} as vendor,
        ${firstAt('product', 'product_type', 'productType')} as type, lower(${textAt('product', 'status')}) as product_status,
        ${firstAt('product', 'body_html', 'descriptionHtml', 'description')} as body,
        ${firstAt('product', 'image.src', 'images[0].src', 'featuredImage.url', 'featuredMedia.preview.image.url')} as image,
        ${firstAt('product', 'created_at', 'createdAt')} as created_at, ${firstAt('product', 'updated_at', 'updatedAt')} as updated_at,
        ${textAt('item', 'sku')} as sku, ${textAt('item', 'barcode')} as barcode, ${textAt('item', 'price')} as price,
        ${firstAt('item', 'compare_at_price', 'compareAtPrice')} as compare_at,
        ${firstAt('item', 'inventoryItem.unitCost.amount')} as cost, json_exists(item, '$.inventoryItem.unitCost') as tells_cost,
        json_keys(product) as product_keys, json_keys(item) as keys,
        ${firstAt('item', 'inventory_quantity', 'inventoryQuantity')} as stock,
        lower(${firstAt('item', 'inventory_policy', 'inventoryPolicy')}) as policy,
        case when json_exists(item, '$.inventory_management') then item->>'$.inventory_management' is not null
          else coalesce(item->>'$.inventoryItem.tracked', 'true') = 'true' end as is_tracked,
        nullif(${textAt('item', 'title')}, 'Default Title') as options, ${shopifyId('item', 'id')} as variant_id
      from variant
    ),
    named as (
      select *, ${variantName('title', 'options')} as name from known
    )
    select *, ${variantId('sku', 'name, newer')} as product_id
    from named`;
}

export const PRODUCTS = `
  select _row, newer as _newer, product_id as external_product_id, handle as external_master_product_id, name, sku, barcode as ean, vendor as brand,
    type as categories, price, compare_at as original_price, cost as purchase_price,
    case when is_tracked then stock end as stock_quantity,
    case when not is_tracked then null when policy = 'continue' or try_cast(stock as double) > 0 then 'true' else 'false' end as in_stock,
    case when product_status = 'archived' then 'true' else 'false' end as discontinued, image as image_url,
    ${withoutTags('body')} as description, created_at, updated_at, product_keys, keys, tells_cost
  from shopify_json_variants order by place`;

/** Queries ask for the fields that they want, and REST knows no cost. */
export const MISSING_OF_PRODUCTS = {
  ...areMissing('product_keys', {
    external_master_product_id: ['handle'],
    brand: ['vendor'],
    categories: ['product_type', 'productType'],
    image_url: ['image', 'images', 'featuredImage', 'featuredMedia'],
    description: ['body_html', 'descriptionHtml', 'description'],
    created_at: ['created_at', 'createdAt'],
    updated_at: ['updated_at', 'updatedAt'],
  }),
  ...areMissing('keys', {
    ean: ['barcode'],
    original_price: ['compare_at_price', 'compareAtPrice'],
    stock_quantity: ['inventory_quantity', 'inventoryQuantity'],
  }),
  purchase_price: 'purchase_price is null and not tells_cost',
  in_stock: `not ${hasAny('keys', ['inventory_quantity', 'inventoryQuantity'])}`,
  discontinued: `not ${hasAny('product_keys', ['status'])}`,
};
