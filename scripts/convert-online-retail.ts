/**
 * Converts UCI Online Retail (a folder of daily CSV files) into the canonical tables orders, order_items,
 * products, refunds and refund_lines as Parquet, and writes ATTRIBUTION.md beside them.
 *
 *     node scripts/convert-online-retail.ts <folder of raw CSVs> demo-data/online-retail
 */
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type LeftOut, onlineRetailAttribution } from './online-retail-attribution.ts';
import { onlineRetailCountries } from './online-retail-countries.ts';
import { type InvoiceLine, matchCreditNotes, refundsOfCreditNotes } from './online-retail-credit-notes.ts';

async function convertOnlineRetail(from: string, to: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const db = await instance.connect();
  await readRawLines(db, from);
  await refuseUnknownCountries(db);
  await db.run(sortInvoices);
  await db.run(numberLines);
  await makeRefunds(db);
  await db.run(makeOrderItems);
  await db.run(makeOrders);
  await db.run(makeProducts);

  await mkdir(to, { recursive: true });
  await writeParquet(db, 'orders', 'order_id', to);
  await writeParquet(db, 'order_items', 'order_id, line_no', to);
  await writeParquet(db, 'products', 'external_product_id', to);
  await writeParquet(db, 'refunds', 'refund_id', to);
  await writeParquet(db, 'refund_lines', 'refund_id, line_no, external_product_id', to);
  await reportAndAttribute(db, to);
  db.closeSync();
  instance.closeSync();
}

/** Table `raw`: the lines as text, `row_no` in source order (files by date, then row). */
async function readRawLines(db: DuckDBConnection, folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.csv')).sort();
  if (files.length === 0) throw new Error(`no CSV files in ${folder}`);
  const list = files.map((name) => sqlText(join(folder, name))).join(', ');
  await db.run(`
    create table lines as
    select * from read_csv([${list}], all_varchar = true, header = true, delim = ',', quote = '"', escape = '"')`);
  // TRICKY: rowid follows the source only because DuckDB keeps insertion order (its default).
  await db.run(`
    create table raw as
    select
      rowid as row_no,
      "InvoiceNo" as order_id,
      upper(trim("StockCode")) as code,
      nullif(trim("Description"), '') as name,
      "Quantity"::integer as quantity,
      "InvoiceDate"::timestamp as line_at,
      "UnitPrice"::decimal(18, 4) as unit_price,
      regexp_replace("CustomerID", '\\.0$', '') as customer,
      "Country" as country_name
    from lines`);

  await db.run('create table countries (name varchar primary key, country varchar)');
  const countries = Object.entries(onlineRetailCountries);
  const values = countries.map(
    ([name, code]) => `(${sqlText(name)}, ${code === null ? 'null' : sqlText(code)})`,
  );
  await db.run(`insert into countries values ${values.join(', ')}`);
}

async function refuseUnknownCountries(db: DuckDBConnection): Promise<void> {
  const unknown = await rowsOf(
    db,
    'select distinct country_name from raw where country_name not in (select name from countries)',
  );
  if (unknown.length > 0) throw new Error(`countries without a mapping: ${JSON.stringify(unknown)}`);
}

/**
 * Every invoice of the source with what becomes of it: `paid`, `credit_note`, or the reason to leave it out.
 */
const sortInvoices = `
  create table invoices as
  select
    order_id,
    case
      when order_id like 'C%' then 'credit_note'
      when order_id like 'A%' then 'bad debt adjustment (invoice number begins with A)'
      when bool_or(quantity > 0 and unit_price > 0) then 'paid'
      else 'stock movement (no line with positive quantity and positive unit price)'
    end as fate,
    fate in ('paid', 'credit_note') as is_kept,
    count(*) as lines
  from raw
  group by order_id`;

const numberLines = `
  create table kept_lines as
  select
    order_id,
    row_no,
    customer,
    line_at,
    row_number() over (partition by order_id order by row_no)::integer as line_no,
    case
      when code in ('POST', 'DOT', 'C2') then 'shipping'
      when code in ('AMAZONFEE', 'BANK CHARGES', 'CRUK') then 'payment'
      when code in ('D', 'M') then 'discount'
      else 'product'
    end as kind,
    code as external_product_id,
    name,
    quantity,
    unit_price
  from raw
  where order_id in (select order_id from invoices where is_kept)`;

/** Credit notes as tables `refunds` and `refund_lines`. */
async function makeRefunds(db: DuckDBConnection): Promise<void> {
  const linesOf = async (fate: string) =>
    (
      await rowsOf(
        db,
        `select order_id, line_no, row_no::integer as row_no, nullif(customer, '') as customer,
           external_product_id as code, line_at::varchar as line_at, abs(quantity) as quantity,
           (abs(quantity) * unit_price * 10000)::bigint::double as amount
         from kept_lines join invoices using (order_id)
         where fate = '${fate}' and ${fate === 'paid' ? 'quantity > 0' : 'quantity < 0'} order by row_no`,
      )
    ).map((row) => row as unknown as InvoiceLine);
  const credited = matchCreditNotes(await linesOf('paid'), await linesOf('credit_note'));
  const products = new Set(
    (
      await rowsOf(db, "select distinct external_product_id as code from kept_lines where kind = 'product'")
    ).map(({ code }) => code),
  );
  const { refunds, lines } = refundsOfCreditNotes(credited, (code) => products.has(code));
  await db.run(`
    create table refunds (refund_id varchar, order_id varchar, refunded_at timestamp, amount decimal(18, 4))`);
  await db.run(`
    create table refund_lines (refund_id varchar, order_id varchar, line_no integer, external_product_id varchar,
      quantity integer, amount decimal(18, 4))`);
  const money = (tenThousandths: number) => (tenThousandths / 10_000).toFixed(4);
  await insertRows(
    db,
    'refunds',
    refunds.map((one) => [one.refund_id, one.order_id, one.refunded_at, money(one.amount)]),
  );
  await insertRows(
    db,
    'refund_lines',
    lines.map((one) => [
      ...[one.refund_id, one.order_id, one.line_no, one.external_product_id, one.quantity],
      money(one.amount),
    ]),
  );
}

async function insertRows(
  db: DuckDBConnection,
  table: string,
  rows: readonly (readonly (string | number | null)[])[],
): Promise<void> {
  const values = rows.map(
    (row) => `(${row.map((cell) => (cell === null ? 'null' : sqlText(String(cell)))).join(', ')})`,
  );
  await db.run(`insert into ${table} values ${values.join(', ')}`);
}

const makeOrderItems = `
  create table order_items as
  select order_id, line_no, kind, external_product_id, name, quantity, unit_price
  from kept_lines
  where order_id in (select order_id from invoices where fate = 'paid')`;

const makeOrders = `
  create table orders as
  select
    order_id,
    min(line_at) as ordered_at,
    any_value(customer) as external_customer_id,
    any_value(fate) as status,
    'GBP' as currency,
    (case when any_value(fate) = 'paid' then sum(quantity * unit_price) else 0 end)::decimal(18, 4) as total,
    any_value(country) as country
  from raw
  join invoices using (order_id)
  join countries on countries.name = country_name
  where fate = 'paid' or order_id in (select order_id from refunds)
  group by order_id`;

const makeProducts = `
  create table products as
  with product_items as (select * from kept_lines where kind = 'product'),
  names as (
    select external_product_id, name
    from product_items
    where name is not null
    group by external_product_id, name
    qualify row_number() over (partition by external_product_id order by count(*) desc, name) = 1
  ),
  prices as (
    select external_product_id, unit_price as price
    from product_items
    where unit_price > 0 and order_id in (select order_id from invoices where fate = 'paid')
    group by external_product_id, unit_price
    qualify row_number() over (partition by external_product_id order by count(*) desc, unit_price) = 1
  )
  select
    external_product_id,
    coalesce(names.name, external_product_id) as name,
    coalesce(price, 0)::decimal(18, 4) as price,
    false as discontinued
  from (select distinct external_product_id from product_items)
  left join names using (external_product_id)
  left join prices using (external_product_id)`;

async function writeParquet(
  db: DuckDBConnection,
  table: string,
  order: string,
  folder: string,
): Promise<void> {
  const file = join(folder, `${table}.parquet`);
  // One row group and delta encodings (format v2): dictionaries are written once, sorted numbers nearly
  // vanish.
  await db.run(`
    copy (select * from ${table} order by ${order}) to ${sqlText(file)}
    (format parquet, compression zstd, compression_level 22, parquet_version v2, row_group_size 1000000)`);
  console.log(`${file}: ${(await stat(file)).size} bytes`);
}

async function reportAndAttribute(db: DuckDBConnection, folder: string): Promise<void> {
  const leftOut = (await rowsOf(
    db,
    `select fate as reason, count(*)::integer as invoices, sum(lines)::integer as lines
     from invoices where not is_kept group by fate order by fate`,
  )) as LeftOut[];
  console.table(leftOut);
  const written = {
    orders: await countOf(db, 'orders'),
    credit_notes: await countOf(db, "orders where status = 'credit_note'"),
    order_items: await countOf(db, 'order_items'),
    products: await countOf(db, 'products'),
    refunds: await countOf(db, 'refunds'),
    refund_lines: await countOf(db, 'refund_lines'),
  };
  console.table(written);
  await writeFile(join(folder, 'ATTRIBUTION.md'), onlineRetailAttribution(written, leftOut));
}

async function countOf(db: DuckDBConnection, source: string): Promise<number> {
  const [row] = await rowsOf(db, `select count(*)::integer as n from ${source}`);
  return Number(row?.n);
}

async function rowsOf(db: DuckDBConnection, sql: string) {
  return (await db.runAndReadAll(sql)).getRowObjectsJson();
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const [rawFolder, outputFolder] = process.argv.slice(2);
if (rawFolder === undefined || outputFolder === undefined) {
  console.error('usage: node scripts/convert-online-retail.ts <folder of raw CSVs> <output folder>');
  process.exit(2);
}
await convertOnlineRetail(rawFolder, outputFolder);
