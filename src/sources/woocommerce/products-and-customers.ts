import { firstAt, listAt, textAt } from '../json-resources.ts';
import { areNull } from '../missing-values.ts';
import { withoutTags } from '../source-cells.ts';
import { metaAt } from './meta.ts';

/**
 * Products and variations by their number, which order lines have too. A product with variations is not sold
 * itself.
 */
export function productsOf(resources: string): string {
  return `create temp table woocommerce_products as
    with product as (
      select *, nullif(${textAt('resource', 'parent_id')}, '0') as parent_id,
        list_transform(${listAt('resource', 'variations')}, lambda variation: variation->>'$') as variations,
        row_number() over (partition by id order by place desc) - 1 as newer
      from ${resources} where kind = 'product'
    ),
    parents as (
      select id as parent, resource->>'$.name' as parent_name, resource as parent_resource, unnest(variations) as variation from product where newer = 0
    )
    select p._row, p.place, p.newer, p.id, coalesce(p.parent_id, parent) as parent_id, p.resource,
      coalesce(parent_resource, p.resource) as described,
      case when parent_name is null then ${textAt('p.resource', 'name')}
        else concat_ws(' - ', parent_name, nullif(list_aggregate(list_transform(${listAt('p.resource', 'attributes')},
          lambda attribute: attribute->>'$.option'), 'string_agg', ', '), '')) end as name
    from product as p left join parents on parents.variation = p.id
    where len(p.variations) = 0 and coalesce(p.resource->>'$.type', 'simple') <> 'grouped'`;
}

/** A variation's own field, else its product's. */
const either = (path: string) => `coalesce(${textAt('resource', path)}, ${textAt('described', path)})`;

const names = (path: string) =>
  `list_aggregate(list_transform(${listAt('described', path)}, lambda one: one->>'$.name'), 'string_agg', '|')`;

export const PRODUCTS = `
  select _row, newer as _newer, id as external_product_id, parent_id as external_master_product_id, coalesce(name, 'product ' || id) as name,
    ${textAt('resource', 'sku')} as sku, ${firstAt('resource', 'global_unique_id')} as ean, ${names('brands')} as brand, ${names('categories')} as categories,
    coalesce(${textAt('resource', 'price')}, ${textAt('resource', 'regular_price')}, '0') as price, ${textAt('resource', 'regular_price')} as original_price,
    coalesce(${textAt('resource', 'cost_of_goods_sold.total_value')}, ${metaAt('resource', '_wc_cog_cost')}) as purchase_price,
    case when resource->>'$.manage_stock' = 'true' then ${textAt('resource', 'stock_quantity')} end as stock_quantity,
    case ${textAt('resource', 'stock_status')} when 'outofstock' then 'false' when 'instock' then 'true' when 'onbackorder' then 'true' end as in_stock,
    case when coalesce(${textAt('resource', 'status')}, 'publish') = 'publish' then 'false' else 'true' end as discontinued,
    ${either('permalink')} as url, coalesce(${textAt('resource', 'image.src')}, ${textAt('described', 'images[0].src')}) as image_url,
    ${withoutTags(either('description'))} as description
  from woocommerce_products order by place`;

/** The columns that are null here: only some versions and plugins know costs, and not for all shops. */
export const MISSING_OF_PRODUCTS = areNull('purchase_price', 'ean');

export const CUSTOMERS = (resources: string) => `
  select _row, id as profile_id, ${firstAt('resource', 'email', 'billing.email')} as email, ${textAt('resource', 'billing.phone')} as phone,
    id as external_customer_id, ${firstAt('resource', 'billing.country', 'shipping.country')} as country,
    ${textAt('resource', 'date_created_gmt')} || 'Z' as created_at
  from ${resources} where kind = 'customer' order by place`;
