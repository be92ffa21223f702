import { localDate, RETURNED_PRODUCTS } from '../../../model-table/business-values.ts';
import {
  date,
  flag,
  integer,
  key,
  moment,
  money,
  name,
  optionalDate,
  optionalMoment,
  optionalTexts,
  quantity,
  text,
  texts,
} from '../../../model-table/column-kinds.ts';
import { keyTable, modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { NOT_SET, shownName } from '../../../model-table/shown-name.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import {
  lineValue,
  sharedOut,
  sumInBusinessCurrency,
  vatByRate,
  vatOfBusiness,
  withoutVat,
} from '../../orders/tables/money.ts';
import { charges, firstOrders, orders, valuedOrders } from '../../orders/tables/orders.ts';
import { masterNames } from './master-names.ts';

export const productLines = workTable({
  name: 'product_lines',
  types: {
    order_id: 'varchar',
    line_no: 'bigint',
    external_product_id: 'varchar',
    quantity: 'decimal(14,4)',
    unit_price: 'decimal(18,6)',
    unit_cost: 'decimal(18,6)',
    tax_rate: 'decimal(7,4)',
    order_key: 'integer',
    ordered_at: 'timestamp',
    rate: 'decimal(24,14)',
  },
  needs: [stored.orderItems, valuedOrders],
  rows: relation`
select i.order_id, i.line_no, i.external_product_id, i.quantity, i.unit_price, i.unit_cost, i.tax_rate,
  o.order_key, o.ordered_at,
  o.rate
from ${stored.orderItems} as i
join ${valuedOrders} as o using (order_id)
where i.kind = 'product' and o.is_valid`,
});

const knownProducts = workTable({
  name: 'known_products',
  types: { external_product_id: 'varchar' },
  rows: relation`
select external_product_id from ${stored.products}
union
select external_product_id
from (
  -- Most lines are of the catalogue, and only the others need to know whether their order is valid.
  select order_id, external_product_id
  from ${stored.orderItems} anti join ${stored.products} using (external_product_id) where kind = 'product'
) join ${orders} using (order_id) where is_valid
union
select external_product_id from ${stored.productEvents}
union
select unnest(${RETURNED_PRODUCTS})`,
});

const productKeys = keyTable({
  name: 'product_keys',
  identity: { external_product_id: 'varchar' },
  key: 'product_key',
  order: 'external_product_id',
  rows: relation`select external_product_id from ${knownProducts}`,
});

const soldNames = workTable({
  name: 'sold_names',
  types: { external_product_id: 'varchar', sold_name: 'varchar' },
  needs: [stored.orderItems],
  // The name of a product that the catalogue lacks is the one on the latest line of a valid order.
  rows: relation`
select external_product_id, arg_max(name, (ordered_at, order_id, line_no)) as sold_name
from (
  select order_id, line_no, external_product_id, name
  from ${stored.orderItems} anti join ${stored.products} using (external_product_id)
  where kind = 'product' and name is not null
) join ${orders} using (order_id)
where is_valid
group by external_product_id`,
});

const BRAND = shownName('c.brand');

export const products = modelTable({
  name: 'products',
  scope: 'whole',
  meaning: `Every product of the catalogue, and those missing from it that were sold or viewed (\`is_in_catalogue\` false, no
price; \`name\` is that on the latest line of an order). A product without master product is its own:
\`master_product_id\` is never null. \`master_name\` is the name of the master product, else what the names of its variants have
in common (0091). Products without brand have the brand \`(not set)\`. \`search_text\` and \`brand_search_text\` are what
searches look into, without case and accents. \`price_as_of\`: when the shop last told the price, by the time of its last change or
by the last row of the price history, where that has the same price. \`net_price\` is without the VAT that the business is set to have,
null where it has no rate. \`in_stock\` and
\`stock_quantity\` are those of the last reading, at \`stock_as_of\`: when the stock last changed or was told. Of a product without one, what the
catalogue says, when its row last changed.`,
  columns: {
    product_key: key,
    external_product_id: text,
    master_product_id: text,
    master_product_key: integer,
    external_master_product_id: text,
    is_in_catalogue: flag,
    name: text,
    master_name: text,
    sku: text,
    ean: text,
    search_text: text,
    brand: name,
    brand_key: integer,
    brand_search_text: name,
    categories: texts,
    price: money,
    net_price: money,
    original_price: money,
    purchase_price: money,
    in_stock: flag,
    stock_quantity: quantity,
    stock_as_of: optionalMoment,
    discontinued: flag,
    url: text,
    image_url: text,
    created_at: optionalMoment,
    updated_at: optionalMoment,
    price_as_of: optionalMoment,
  },
  order: ['product_key'],
  rows: relation`
select product_key, external_product_id,
  coalesce(external_master_product_id, external_product_id) as master_product_id,
  cast(dense_rank() over (order by coalesce(external_master_product_id, external_product_id)) as integer) as master_product_key,
  external_master_product_id,
  c.external_product_id is not null as is_in_catalogue,
  coalesce(c.name, sold_name) as name,
  case when m.master_product_id is null then coalesce(c.name, sold_name) else m.master_name end as master_name,
  c.sku, c.ean,
  lower(strip_accents(concat_ws(' ', c.name, c.sku, c.ean, external_product_id))) as search_text,
  ${BRAND} as brand,
  cast(dense_rank() over (order by ${BRAND}) as integer) as brand_key,
  lower(strip_accents(${BRAND})) as brand_search_text,
  [${shownName('category')} for category in coalesce(c.categories, [])] as categories,
  c.price, ${withoutVat('c.price')} as net_price, c.original_price, c.purchase_price,
  case when r.read_at is null then c.in_stock else r.in_stock end as in_stock,
  case when r.read_at is null then c.stock_quantity else r.stock_quantity end as stock_quantity,
  coalesce(r.read_at, case when c.in_stock is not null or c.stock_quantity is not null then c.updated_at end) as stock_as_of,
  coalesce(c.discontinued, false) as discontinued,
  c.url, c.image_url, c.created_at, c.updated_at,
  greatest(c.updated_at, case when p.price = c.price then p.valid_from end) as price_as_of
from ${knownProducts}
join ${productKeys} using (external_product_id)
left join ${stored.products} as c using (external_product_id)
left join ${soldNames} using (external_product_id)
left join ${masterNames} as m on m.master_product_id = coalesce(external_master_product_id, external_product_id)
left join (
  select external_product_id, arg_max(price, valid_from) as price, max(valid_from) as valid_from
  from ${stored.productPrices} where valid_from <= current_timestamp at time zone 'UTC'
  group by external_product_id
) as p using (external_product_id)
left join (
  select external_product_id, unnest(arg_max({'read_at': read_at, 'in_stock': in_stock, 'stock_quantity': stock_quantity}, read_at))
  from ${stored.stockReadings} where read_at <= current_timestamp at time zone 'UTC'
  group by external_product_id
) as r using (external_product_id)
order by external_product_id`,
});

export const productDetails = modelTable({
  name: 'product_details',
  scope: 'whole',
  meaning: `What only one product in full shows of the catalogue, apart so that long texts are never sorted. \`description\` is as
loaded, so it may be HTML. \`attribute_names\` and \`attribute_values\` go together, in the order of the source; an attribute
that is null there is null, and what is no JSON object has none.`,
  columns: {
    product_key: key,
    description: text,
    attribute_names: texts,
    attribute_values: optionalTexts,
    flags: texts,
  },
  order: ['product_key'],
  needs: [stored.products],
  rows: relation`
select product_key, c.description,
  coalesce(json_keys(c.attributes), []) as attribute_names,
  coalesce(json_extract_string(c.attributes, '$.*'), []) as attribute_values,
  coalesce(c.flags, []) as flags
from ${stored.products} as c
join (select product_key, external_product_id from ${products}) as named using (external_product_id)`,
});

export const productCategories = modelTable({
  name: 'product_categories',
  scope: 'whole',
  meaning: 'One row per product and category it is in; of one without any, `(not set)`.',
  columns: { product_key: key, category: name, category_key: integer, category_search_text: name },
  order: ['product_key'],
  rows: relation`
select product_key, category, cast(dense_rank() over (order by category) as integer) as category_key,
  lower(strip_accents(category)) as category_search_text
from (
  select distinct product_key, unnest(case when categories = [] then ['${NOT_SET}'] else categories end) as category
  from ${products}
)
order by product_key, category`,
});

export const productPrices = modelTable({
  name: 'product_prices',
  scope: 'whole',
  meaning: `The catalogue prices that a product has had, one row per change of price or original price: a row of the price
history that repeats both is none.`,
  columns: {
    product_key: key,
    valid_from: moment,
    valid_from_date: date,
    price: money,
    original_price: money,
  },
  order: ['product_key', 'valid_from'],
  needs: [stored.productPrices],
  rows: relation`
select product_key, valid_from, ${localDate('valid_from')} as valid_from_date, price, original_price
from ${stored.productPrices}
join (select product_key, external_product_id from ${products}) as named using (external_product_id)
window history as (partition by product_key order by valid_from)
qualify lag(price) over history is distinct from price
  or lag(original_price) over history is distinct from original_price
order by product_key, valid_from`,
});

export const stockReadings = modelTable({
  name: 'stock_readings',
  scope: 'whole',
  meaning: `What was in stock when somebody looked, one row per product and local day that has a reading. \`in_stock\` is as read, else whether
there were pieces; readings that tell neither are none.`,
  columns: {
    product_key: key,
    read_date: date,
    read_at: moment,
    in_stock: flag,
    stock_quantity: quantity,
  },
  order: ['product_key', 'read_date'],
  needs: [stored.stockReadings],
  rows: relation`
select product_key, read_on as read_date, read_at, coalesce(in_stock, stock_quantity > 0) as in_stock, stock_quantity
from ${stored.stockReadings}
join (select product_key, external_product_id from ${products}) as named using (external_product_id)
where coalesce(in_stock, stock_quantity > 0) is not null
order by product_key, read_date`,
});

export const valuedLines = workTable({
  name: 'valued_lines',
  types: {
    order_key: 'integer',
    line_no: 'bigint',
    product_key: 'integer',
    quantity: 'decimal(14,4)',
    revenue: 'decimal(18,4)',
    cost: 'decimal(18,4)',
    tax_rate: 'decimal(7,4)',
  },
  needs: [productLines],
  // Finding the price of a moment sorts the lines: only those whose product has a history.
  rows: relation`
with priced as (
  select lines.*, null as past_price
  from ${productLines} as lines anti join ${stored.productPrices} using (external_product_id)
  union all
  select lines.*, history.purchase_price
  from (from ${productLines} semi join ${stored.productPrices} using (external_product_id)) as lines
  asof left join ${stored.productPrices} as history
    on history.external_product_id = lines.external_product_id and history.valid_from <= lines.ordered_at
)
select order_key, line_no, product_key, quantity,
  ${lineValue('quantity', 'unit_price', 'rate')} as revenue,
  case
    when unit_cost is not null then ${lineValue('quantity', 'unit_cost', 'rate')}
    else ${lineValue('quantity', 'coalesce(past_price, products.purchase_price)', '1')}
  end * case when rate is not null then 1 end as cost,
  tax_rate
from priced
join ${products} using (external_product_id)`,
});

/**
 * The difference that amounts may have from their sum: a cent for each line, one for shipping and one for the
 * fee.
 */
const ROUNDING = '0.01 * (lines_count + 2)';

/**
 * How orders are to be read whose lines do not say so. Systems write prices of lines before or after
 * discounts of the order, and with VAT or without: what adds up to the total of the order is right.
 * `discount` is what the prices of lines have in them and the customer does not pay, at most all of them;
 * `is_tax_added` says that no VAT is in them, `tells_discount` that the source says what was taken off.
 */
const settledOrders = workTable({
  name: 'settled_orders',
  types: {
    order_key: 'integer',
    goods: 'decimal(38,4)',
    discount: 'decimal(18,4)',
    tax: 'decimal(18,4)',
    taxed: 'decimal(18,4)',
    is_tax_added: 'boolean',
    tells_discount: 'boolean',
  },
  needs: [valuedLines],
  rows: relation`
with told as (
  select order_key, goods, lines_count, o.revenue as total, taxes_included, m.discount is not null as tells_discount,
    greatest(coalesce(m.discount, 0), 0) as discount,
    coalesce(m.shipping, 0) + coalesce(${sumInBusinessCurrency('coalesce(told_fee, fee)', 'rate')}, 0) as beside,
    ${sumInBusinessCurrency('told_tax', 'rate')} as tax
  from (select order_key, sum(revenue) as goods, count(*) as lines_count from ${valuedLines} group by order_key) as sold
  join ${valuedOrders} as o using (order_key)
  join (select order_key, discount, shipping from ${orders}) as m using (order_key)
  left join ${charges} as c on c.order_id = o.order_id
),
missed as (
  select *, goods + beside - total as over,
    abs(over - discount) as as_told,
    abs(over) as already_reduced,
    abs(over - discount + coalesce(tax, 0)) as taxed_on_top,
    abs(over + coalesce(tax, 0)) as reduced_and_taxed_on_top
  from told
),
-- What the source says of VAT is so; else it was added only where that, and nothing else, explains the total.
taxed as (
  select *,
    coalesce(not taxes_included, tax <> 0
      and least(taxed_on_top, reduced_and_taxed_on_top) <= ${ROUNDING}
      and least(as_told, already_reduced) > ${ROUNDING}, false) as is_tax_added
  from missed
),
reduced as (
  select *,
    case
      when goods <= 0 then 0
      when is_tax_added and reduced_and_taxed_on_top < taxed_on_top or not is_tax_added and already_reduced < as_told then 0
      else least(discount, goods)
    end as outside
  from taxed
)
select order_key, goods, cast(outside as decimal(18,4)) as discount, cast(tax as decimal(18,4)) as tax,
  -- Shipping and fees bear their part of the tax: what is paid beside the goods.
  cast(case when goods - outside < 0 then least(total, goods - outside) else greatest(total, goods - outside) end as decimal(18,4)) as taxed,
  is_tax_added, tells_discount
from reduced`,
});

/**
 * The parts of each line that are not revenue of the shop: `discount` is its part of the order's discount, 0
 * where the order tells none, `tax` the VAT in what is left, null where it is not known.
 */
const lineParts = workTable({
  name: 'line_parts',
  types: {
    order_key: 'integer',
    product_key: 'integer',
    quantity: 'decimal(14,4)',
    revenue: 'decimal(18,4)',
    cost: 'decimal(18,4)',
    discount: 'decimal(18,4)',
    tells_discount: 'boolean',
    tax: 'decimal(18,4)',
  },
  needs: [valuedLines],
  rows: relation`
with summed as (
  select l.*, goods, s.discount as of_order, s.tax as told_tax, taxed, is_tax_added, tells_discount,
    cast(sum(revenue) over (partition by order_key order by line_no rows unbounded preceding) as decimal(18,4)) as until
  from ${valuedLines} as l join ${settledOrders} as s using (order_key)
),
reduced as (
  select *,
    case when of_order = 0 then 0 else ${sharedOut('of_order', 'until', 'goods')} end as reduced_until,
    case when of_order = 0 then 0 else ${sharedOut('of_order', '(until - revenue)', 'goods')} end as reduced_before
  from summed
),
paid as (
  select *, cast(reduced_until - reduced_before as decimal(18,4)) as discount,
    cast(until - reduced_until as decimal(18,4)) as paid_until,
    cast(until - revenue - reduced_before as decimal(18,4)) as paid_before,
    cast(revenue - (reduced_until - reduced_before) as decimal(18,4)) as paid
  from reduced
)
select order_key, product_key, quantity, revenue, cost, discount, tells_discount,
  cast(case
    when paid = 0 or is_tax_added then 0
    when tax_rate is not null then ${vatByRate('paid', 'tax_rate')}
    when told_tax = 0 then 0
    -- A tax that is more than the total, or of another sign, is none.
    when told_tax * sign(taxed) > 0 and abs(told_tax) < abs(taxed)
      then ${sharedOut('told_tax', 'paid_until', 'taxed')} - ${sharedOut('told_tax', 'paid_before', 'taxed')}
    else ${vatOfBusiness('paid')}
  end as decimal(18,4)) as tax
from paid`,
});

export const orderProducts = modelTable({
  name: 'order_products',
  scope: { person: 'visitor_key' },
  meaning: `One row per valid order and product in it, with what the order and its customer are, so that product tools read one
table. \`revenue\` = quantity x unit price, \`discount\` = its part of the order's discount, as far as unit prices are before it, null where the order tells none, \`net_revenue\` = revenue - discount - the VAT in
what is left, null where that is not known, \`profit\` = net revenue - purchase price at the sale (the line's own, else the price
history's, else the current one) of the lines whose VAT and purchase price are known, \`known_revenue\` and \`known_net_revenue\` = the revenue and net revenue of these lines,
all null when none is; business currency, null for orders whose rate is unknown. The parts of an order's lines add up to the discount and the tax of the
order (without what shipping and fees bear of the tax), to the last ten-thousandth.`,
  columns: {
    order_key: key,
    product_key: key,
    customer_key: integer,
    visitor_key: integer,
    ordered_at: moment,
    ordered_date: date,
    order_number: integer,
    first_ordered_at: optionalMoment,
    first_ordered_date: optionalDate,
    order_revenue: money,
    quantity: money,
    revenue: money,
    discount: money,
    net_revenue: money,
    profit: money,
    known_revenue: money,
    known_net_revenue: money,
  },
  order: ['ordered_at'],
  needs: [valuedLines],
  rows: relation`
with sold as (
  select order_key, product_key,
    cast(sum(quantity) as decimal(18,4)) as quantity,
    cast(sum(revenue) as decimal(18,4)) as revenue,
    cast(sum(discount) filter (where tells_discount) as decimal(18,4)) as discount,
    cast(case when count(net_revenue) = count(*) then sum(net_revenue) end as decimal(18,4)) as net_revenue,
    cast(sum(net_revenue - cost) as decimal(18,4)) as profit,
    cast(sum(revenue) filter (where net_revenue - cost is not null) as decimal(18,4)) as known_revenue,
    cast(sum(net_revenue) filter (where cost is not null) as decimal(18,4)) as known_net_revenue
  from (select *, revenue - discount - tax as net_revenue from ${lineParts})
  group by order_key, product_key
)
select order_key, product_key, o.customer_key, o.visitor_key, o.ordered_at, o.ordered_date, o.order_number,
  c.first_ordered_at, c.first_ordered_date, o.revenue as order_revenue, sold.quantity, sold.revenue, sold.discount, sold.net_revenue, sold.profit,
  sold.known_revenue, sold.known_net_revenue
from sold
join ${orders} as o using (order_key)
left join ${firstOrders} as c using (customer_key)
order by ordered_at, order_key, product_key`,
});
