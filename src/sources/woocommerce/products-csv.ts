import { isScientific } from '../../store/column-kinds.ts';
import { literal } from '../../store/duckdb-session.ts';
import { plural } from '../../text/plural.ts';
import type { RawColumn, RawRows, Settings, Source } from '../source.ts';
import {
  keepDecimalSign,
  moneyCellOfAnyDecimals,
  settledMoneyCell,
  unclearAmount,
  withoutTags,
} from '../source-cells.ts';
import { PRODUCT_TITLES } from './product-titles.ts';

/** Names of columns that no other export has. */
const OWN_COLUMNS = [
  ...['is featured?', 'visibility in catalog', 'date sale price starts', 'date sale price ends'],
  ...['in stock?', 'backorders allowed?', 'sold individually?', 'allow customer reviews?'],
];

/** More than a product has, of which variations without a name need them. */
const MOST_ATTRIBUTES = 10;

const attributes = Array.from({ length: MOST_ATTRIBUTES }, (_, index) => `attribute_${index + 1}`);

/**
 * The product export that WooCommerce has by itself, as its import takes it: a row for each product and each
 * variation. What both this file and the API know has the same id and the same cells.
 */
export const woocommerceProducts: Source = {
  name: 'woocommerce-products-csv',
  title: 'WooCommerce products, CSV export of the admin',
  recognises: (header) => {
    const own = OWN_COLUMNS.filter((name) => header.includes(name)).length;
    return own > 1 || (own === 1 && ['type', 'name', 'regular price'].every((name) => header.includes(name)));
  },
  titles: PRODUCT_TITLES,
  columns: {
    type: { header: ['type'], isRequired: true, absent: 'what is a product and what a variation' },
    name: { header: ['name'], isRequired: true, absent: 'names of products' },
    regular_price: { header: ['regular price'], isRequired: true, absent: 'prices' },
    id: {
      header: ['id'],
      absent: 'products are known by their SKU, else by their name, and not by the number that orders have',
    },
    sku: { header: ['sku'], absent: 'no SKUs', tells: ['products.sku'] },
    ean: { header: ['gtin, upc, ean, or isbn'], tells: ['products.ean'] },
    published: {
      header: ['published'],
      absent: 'drafts count as products that are sold',
      tells: ['products.discontinued'],
    },
    description: { header: ['description'], tells: ['products.description'] },
    sale_from: { header: ['date sale price starts'], absent: 'a sale price counts from the beginning' },
    sale_to: { header: ['date sale price ends'], absent: 'a sale price counts without an end' },
    in_stock: { header: ['in stock?'], tells: ['products.in_stock'] },
    stock: { header: ['stock'], absent: 'no stock', tells: ['products.stock_quantity'] },
    sale_price: { header: ['sale price'], absent: 'prices are those without a sale' },
    categories: { header: ['categories'], absent: 'no categories', tells: ['products.categories'] },
    brands: { header: ['brands'], tells: ['products.brand'] },
    images: { header: ['images'], tells: ['products.image_url'] },
    parent: {
      header: ['parent'],
      absent: 'variations are of no product, and have no categories',
      tells: ['products.external_master_product_id'],
    },
    cost: {
      header: ['cost of goods'],
      absent: 'no profit: purchase prices are not known (but for those of the plugin Cost of Goods)',
    },
    cost_of_plugin: { header: ['meta: _wc_cog_cost'] },
    ...(Object.fromEntries(
      attributes.map((name, index) => [name, { header: [`attribute ${index + 1} value(s)`] }]),
    ) as Readonly<Record<string, RawColumn>>),
  },
  settings: ['timezone', 'dates', 'encoding'],
  questions: (raw) => {
    const isNear = (moment: string) =>
      `abs(epoch(${moment}) - epoch(${writtenAt(raw, 'UTC')})) <= ${FARTHEST_CLOCK_HOURS * 3600}`;
    const { begins, ends } = saleOf(raw.settings);
    return [
      {
        setting: 'timezone',
        condition: `sale_price is not null and (${isNear(begins)} or ${isNear(ends)})`,
        problem: "a sale that begins or ends, by the shop's clock, about when the file was written",
        example: '--timezone Europe/Prague for the timezone of the shop',
      },
      {
        setting: 'dates',
        condition: `sale_price is not null and (${isSlashed('sale_from')} or ${isSlashed('sale_to')})`,
        problem: 'a date of a sale that may begin with the day or the month',
        example: '--dates dmy where 3/4/2026 is the 3rd of April, --dates mdy where it is the 4th of March',
      },
    ];
  },
  assumptions: () => [
    'prices are in the currency of the business, with or without tax as the shop enters them',
    'a sale price counts where its sale is on when the file is written',
  ],
  findings: () => [
    {
      count: `select count(*) from woocommerce_csv_rows where is_variable and not ${IS_PARENT}`,
      says: (count) =>
        `${plural(count, 'product has', 'products have')} variations that are not in the files: export all types of products`,
    },
    {
      count:
        'select count(*) from woocommerce_csv_products where parent is not null and not has_parent and not has_several_parents',
      says: (count) =>
        `${plural(count, 'variation names a product that is', 'variations name products that are')} not in the files: what only the product says is not known of them`,
    },
    {
      count: 'select count(*) from woocommerce_csv_products where has_several_parents',
      says: (count) =>
        `${plural(count, 'variation names its product', 'variations name their products')} by a SKU that several products have: which one it is is not known. Give each product a SKU of its own, and export again`,
    },
    {
      count:
        'select coalesce(sum(rows - 1), 0) from (select count(*) as rows from woocommerce_csv_products group by product_id, _file)',
      says: (count) =>
        `${plural(count, 'row has', 'rows have')} the ID, or without one the SKU or the name, of another row of the same file: the last row of each counts. Where they are different products, export them with their ID`,
    },
    {
      count: 'select count(*) from woocommerce_csv_products where is_ean_lost',
      says: (count) =>
        `${plural(count, 'EAN lost its digits', 'EANs lost their digits')} in a spreadsheet: they are not read. Export them again`,
    },
  ],
  prepare: (raw) => [
    rows(raw),
    keepDecimalSign(DECIMAL, AMOUNTS, 'woocommerce_csv_rows'),
    PARENTS,
    products(raw),
  ],
  translate: () => ({ products: PRODUCTS }),
  missing: () => ({
    products: {
      // Only some shops have costs; and another way may know what is lost here.
      purchase_price: 'purchase_price is null',
      ean: 'is_ean_lost',
      external_master_product_id: 'is_parent_unknown and external_master_product_id is null',
      ...Object.fromEntries(
        ['brand', 'categories', 'description', 'image_url'].map((name) => [
          name,
          `is_parent_unknown and "${name}" is null`,
        ]),
      ),
    },
  }),
};

/** The most hours that clocks of any place on earth are from UTC. */
const FARTHEST_CLOCK_HOURS = 14;

const SLASHED = '([0-9]{1,2}[/.]){2}[0-9]{4}( [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?)?';

function isSlashed(cell: string): string {
  return `coalesce(regexp_full_match(${cell}, '${SLASHED}'), false)`;
}

/** SQL: the moment at which the file of a row was written, by a clock. */
function writtenAt({ written }: RawRows, timezone: string): string {
  const cases = written.map(
    (moment, file) => `when ${file} then timestamptz ${literal(moment.toISOString())}`,
  );
  return `timezone(${literal(timezone)}, case _file ${cases.join(' ')} end)`;
}

/**
 * SQL: when the sale of a row begins and ends, by the clock of the shop. A day without a time is in it as a
 * whole.
 */
function saleOf({ dates }: Settings): { readonly begins: string; readonly ends: string } {
  const order = dates === 'mdy' ? '%m/%d/%Y' : '%d/%m/%Y';
  const formats = ['%H:%M:%S', '%H:%M'].map((time) => `'${order} ${time}'`);
  const moment = (cell: string) => `case
    when ${isSlashed(cell)} then ${dates === undefined ? 'null' : `try_strptime(replace(${cell}, '.', '/'), [${[...formats, `'${order}'`].join(', ')}])`}
    when regexp_full_match(${cell}, '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?)?') then try_cast(${cell} as timestamp) end`;
  return {
    begins: `(${moment('sale_from')})`,
    ends: `((${moment('sale_to')}) + case when contains(sale_to, ':') then interval 0 second else interval 1 day end)`,
  };
}

/**
 * SQL: a cell as it was, where WooCommerce put an apostrophe before a sign that spreadsheets take for a
 * formula.
 */
function unescaped(cell: string): string {
  return `regexp_replace(${cell}, '^''([-=+@])', '\\1')`;
}

/** SQL: the values in a cell, parted by commas; a comma within a value has a backslash before it. */
function values(cell: string): string {
  return `list_filter(list_transform(string_split(replace(${cell}, '\\,', chr(1)), ','), lambda value: trim(replace(value, chr(1), ','))), lambda value: value <> '')`;
}

/**
 * SQL: the names of the terms in a cell as the API has them, without those above them: of `Clothing > Shirts`
 * it is `Shirts`.
 */
function names(cell: string): string {
  return `list_transform(${values(unescaped(cell))}, lambda term: trim(string_split(term, '>')[-1]))`;
}

/** Rows as they were before they were escaped. A row without a type is a simple product. */
function rows(raw: RawRows): string {
  const cells = ['name', 'sku', 'parent', 'published', 'stock', 'description'];
  return `create temp table woocommerce_csv_rows as
    with cells as (
      select rowid as _row, * replace (${cells.map((name) => `${unescaped(name)} as ${name}`).join(', ')}),
        ${writtenAt(raw, 'UTC')} as written, lower(trim(coalesce(type, 'simple'))) as kind,
        ${names('brands')} as brand_names, ${names('categories')} as category_names, ${values('images')}[1] as image
      from "${raw.relation}" where coalesce(type, id, sku, name, parent) is not null
    )
    select *, coalesce(id, sku) as own_id, coalesce(own_id, 'name:' || name) as row_id,
      starts_with(kind, 'variable') as is_variable, starts_with(kind, 'grouped') as is_grouped, contains(kind, 'variation') as is_variation
    from cells`;
}

/**
 * What variations name their products by, a SKU or `id:` and a number, and the products that have it.
 * Variations often have the SKU of their product, and are no parents; translations of a product have the same
 * SKU. Variable products come before others.
 */
const PARENTS = `create temp table woocommerce_csv_parents as
  with newest as (
    select *, unnest(['id:' || id, sku]) as reference from (
      select * from woocommerce_csv_rows where not is_variation
      qualify row_number() over (partition by row_id order by written desc, _row desc) = 1
    )
  )
  select reference, row_id as product_id, is_variable, name, brand_names, category_names, image, description, cost,
    count(*) over (partition by reference) > 1 as is_one_of_several
  from (select * from newest qualify is_variable = bool_or(is_variable) over (partition by reference))
  where reference in (select parent from woocommerce_csv_rows where is_variation)`;

/** SQL: whether a row is a product that variations name, which is not sold itself. */
const IS_PARENT = `(not is_variation and coalesce(row_id in
  (select product_id from woocommerce_csv_parents where is_variable or not is_one_of_several), false))`;

function products(raw: RawRows): string {
  const { begins, ends } = saleOf(raw.settings);
  const now = writtenAt(raw, raw.settings.timezone ?? 'UTC');
  const options = `nullif(concat_ws(', ', ${attributes.map((name) => `c.${name}`).join(', ')}), '')`;
  return `create temp table woocommerce_csv_products as
    with known as (
      select c.*, p.product_id is not null as has_parent, s.reference is not null as has_several_parents,
        -- By its SKU, where the files have no numbers.
        case when not has_several_parents then
          coalesce(p.product_id, nullif(regexp_extract(c.parent, '^id:([0-9]+)$', 1), ''), case when c.id is null then c.parent end) end as parent_id,
        coalesce(c.name, p.name || coalesce(' - ' || ${options}, '')) as full_name,
        p.brand_names as parent_brands, p.category_names as parent_categories, p.image as parent_image,
        p.description as parent_description, p.cost as parent_cost
      from woocommerce_csv_rows as c
      left join woocommerce_csv_parents as p on p.reference = c.parent and not p.is_one_of_several
      left join (select distinct reference from woocommerce_csv_parents where is_one_of_several) as s on s.reference = c.parent
      where not c.is_variable and not c.is_grouped and not ${IS_PARENT}
    )
    select *, coalesce(own_id, 'name:' || full_name) as product_id,
      row_number() over (partition by product_id order by written desc, _row desc) - 1 as newer,
      coalesce(${isScientific('ean')}, false) as is_ean_lost,
      case
        when ${isScientific('own_id')} then 'has its "ID" or "SKU" in scientific notation, by which a spreadsheet lost its digits: export it again'
        when sale_price is not null and (sale_from is not null and ${begins} is null or sale_to is not null and ${ends} is null)
          then 'has a day at which its sale price begins or ends that is none'
        else ${unclearAmount(DECIMAL, AMOUNTS)}
      end as _malformed,
      sale_price is not null and coalesce(${now} >= ${begins}, true) and coalesce(${now} < ${ends}, true) as is_on_sale
    from known`;
}

/** What a variation does not say by itself, its product says. */
const either = (own: string, ofParent: string) =>
  `case when len(${own}) > 0 then ${own} else ${ofParent} end`;

const DECIMAL = 'woocommerce_csv_decimal';
const AMOUNTS = ['regular_price', 'sale_price', 'cost', 'cost_of_plugin', 'stock'];

const price = (cell: string) => settledMoneyCell(DECIMAL, cell, moneyCellOfAnyDecimals);

const PRODUCTS = `
  select _row, newer as _newer, _malformed, product_id as external_product_id, parent_id as external_master_product_id,
    coalesce(full_name, 'product ' || product_id) as name, sku, case when not is_ean_lost then ltrim(ean, '''') end as ean,
    array_to_string(${either('brand_names', 'parent_brands')}, '|') as brand,
    cast(to_json(${either('category_names', 'parent_categories')}) as varchar) as categories,
    coalesce(case when is_on_sale then ${price('sale_price')} end, ${price('regular_price')}, '0') as price,
    ${price('regular_price')} as original_price,
    coalesce(${price('cost')}, ${price('parent_cost')}, ${price('cost_of_plugin')}) as purchase_price,
    case when lower(stock) <> 'parent' then ${price('stock')} end as stock_quantity,
    case lower(in_stock) when '1' then 'true' when 'true' then 'true' when 'backorder' then 'true' when '0' then 'false' when 'false' then 'false' end as in_stock,
    case when coalesce(lower(published), '1') in ('1', 'true') then 'false' else 'true' end as discontinued,
    coalesce(image, parent_image) as image_url,
    ${withoutTags(`replace(coalesce(description, parent_description), '\\n', ' ')`)} as description,
    parent is not null and not has_parent as is_parent_unknown, is_ean_lost
  from woocommerce_csv_products order by _row`;

/**
 * Types of products, which no language translates, stand behind the number of the product, and where it is
 * shown in a cell of its own.
 */
export function isTranslatedProductExport(header: ReadonlySet<string>, text: string): boolean {
  return (
    [...header][0] === 'id' &&
    header.size > 20 &&
    /^\d+,"?(simple|variable|variation|grouped|external)[,"]/m.test(text) &&
    /,(visible|catalog|search|hidden),/.test(text)
  );
}
