import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const rawFolder = join(repository, '../shared/data/online-retail');
const converted = join(repository, 'demo-data/online-retail');
const hasRawData = existsSync(rawFolder);
const title = hasRawData
  ? 'Online Retail equals hand-written SQL over the raw CSV'
  : 'Online Retail against the raw CSV: skipped, there is no ../shared/data/online-retail';

let instance: DuckDBInstance;
let db: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  db = await instance.connect();
  for (const table of ['orders', 'order_items', 'products', 'refunds', 'refund_lines']) {
    await db.run(`create view ${table} as select * from '${join(converted, table)}.parquet'`);
  }
});

afterAll(() => {
  db.closeSync();
  instance.closeSync();
});

async function rowsOf(sql: string) {
  return (await db.runAndReadAll(sql)).getRowObjectsJson();
}

describe.skipIf(!hasRawData)(title, () => {
  beforeAll(async () => {
    await db.run(
      `create table raw as select * from read_csv('${rawFolder}/*.csv', all_varchar = true, header = true)`,
    );
    // A sale: no C or A invoice, and something was sold for money.
    await db.run(`
      create table sale_lines as
      select *, cast("Quantity" as decimal(18, 0)) * cast("UnitPrice" as decimal(18, 3)) as amount
      from raw
      where regexp_matches("InvoiceNo", '^[0-9]+$') and "InvoiceNo" in (
        select "InvoiceNo" from raw
        where cast("Quantity" as integer) > 0 and cast("UnitPrice" as decimal(18, 3)) > 0)`);
  });

  test('orders, revenue and customers per month', async () => {
    const fromRaw = await rowsOf(`
      with invoices as (
        select "InvoiceNo", min("InvoiceDate")[1:7] as month, min("CustomerID") as customer, sum(amount) as amount
        from sale_lines group by 1)
      select month, count(*) as orders, cast(sum(amount) as decimal(18, 4)) as total,
        count(distinct customer) as customers
      from invoices group by month order by month`);
    const fromTables = await rowsOf(`
      select strftime(ordered_at, '%Y-%m') as month, count(*) as orders,
        cast(sum(total) as decimal(18, 4)) as total, count(distinct external_customer_id) as customers
      from orders where status = 'paid' group by month order by month`);
    expect(fromRaw).toHaveLength(13);
    expect(fromTables).toEqual(fromRaw);
  });

  test('the 20 products with the highest revenue', async () => {
    const fromRaw = await rowsOf(`
      select upper("StockCode") as product, sum(cast("Quantity" as integer)) as quantity,
        cast(sum(amount) as decimal(18, 4)) as revenue
      from sale_lines
      where upper("StockCode") not in
        ('POST', 'DOT', 'C2', 'AMAZONFEE', 'BANK CHARGES', 'CRUK', 'D', 'M')
      group by 1 order by sum(amount) desc, 1 limit 20`);
    const fromTables = await rowsOf(`
      select external_product_id as product, sum(quantity) as quantity,
        cast(sum(quantity * unit_price) as decimal(18, 4)) as revenue
      from order_items join orders using (order_id)
      where status = 'paid' and kind = 'product'
      group by 1 order by sum(quantity * unit_price) desc, 1 limit 20`);
    expect(fromRaw).toHaveLength(20);
    expect(fromTables).toEqual(fromRaw);
  });

  test('credit notes are refunds, every line is an order line or counted in ATTRIBUTION.md', async () => {
    const credits = (from: string) => `
      select strftime(${from}, '%Y-%m') as month,`;
    const inRaw = await rowsOf(`${credits('cast("InvoiceDate" as timestamp)')}
        cast(-sum(cast("Quantity" as integer) * cast("UnitPrice" as decimal(18, 4))) as decimal(18, 4)) as amount,
        count(distinct "InvoiceNo") as notes
      from raw where "InvoiceNo" like 'C%' group by 1 order by 1`);
    const inTables = await rowsOf(`${credits('refunded_at')}
        cast(sum(amount) as decimal(18, 4)) as amount, count(distinct split_part(refund_id, '-', 1)) as notes
      from refunds group by 1 order by 1`);
    expect(inRaw).toHaveLength(13);
    expect(inTables).toEqual(inRaw);
    const [lines] = await rowsOf(`
      select
        (select -sum(cast("Quantity" as integer)) from raw
          where "InvoiceNo" like 'C%' and upper("StockCode") not in
            ('POST', 'DOT', 'C2', 'AMAZONFEE', 'BANK CHARGES', 'CRUK', 'D', 'M')) as pieces_in_raw,
        (select sum(quantity) from refund_lines) as pieces,
        (select count(*) from refund_lines join order_items using (order_id, line_no, external_product_id)) as of_lines,
        (select count(*) from refund_lines where line_no is not null) as with_line,
        (select count(*) from refunds join orders using (order_id)
          where orders.ordered_at > refunded_at) as before_their_order,
        (select count(*) from refunds where order_id not in (select order_id from orders)) as of_no_order,
        (select count(*) from (select order_id, sum(amount) as back from refunds group by 1) join orders using (order_id)
          where status = 'paid' and back > (select sum(quantity * unit_price) from order_items
            where order_items.order_id = orders.order_id and quantity > 0)) as above_their_order`);
    expect(lines?.pieces).toBe(lines?.pieces_in_raw);
    expect(lines?.of_lines).toBe(lines?.with_line);
    expect(lines).toMatchObject({ before_their_order: '0', of_no_order: '0', above_their_order: '0' });

    const leftOut = await rowsOf(`
      select case when "InvoiceNo" like 'A%' then 'bad debt' else 'stock movement' end as reason,
        count(distinct "InvoiceNo")::integer as invoices, count(*)::integer as lines
      from raw where "InvoiceNo" not in (select order_id from orders) and "InvoiceNo" not like 'C%'
      group by 1 order by 1`);
    const attribution = await readFile(join(converted, 'ATTRIBUTION.md'), 'utf8');
    for (const { reason, invoices, lines } of leftOut) {
      expect(attribution).toMatch(new RegExp(`\\| ${reason} .*\\| ${invoices} \\| ${lines} \\|`));
    }
    const [counts] = await rowsOf(`
      select (select count(*)::integer from raw where "InvoiceNo" not like 'C%') as raw,
        (select count(*)::integer from order_items) as kept`);
    const lost = leftOut.reduce((sum, row) => sum + Number(row.lines), 0);
    expect(Number(counts?.kept) + lost).toBe(counts?.raw);
  });

  test('lines keep the order of the file within an order', async () => {
    const text = await readFile(join(rawFolder, '2010-12-01.csv'), 'utf8');
    const invoice = text.split('\n').filter((line) => line.startsWith('536365,'));
    const lines = await rowsOf(`
      select line_no, external_product_id, quantity from order_items where order_id = '536365' order by line_no`);
    expect(lines).toEqual(
      invoice.map((line, index) => {
        const [, code, , quantity] = line.split(',');
        return { line_no: index + 1, external_product_id: code, quantity: Number(quantity) };
      }),
    );
  });

  test('a product has its most frequent name and its most charged price', async () => {
    const [candle] = await rowsOf(`select name, price from products where external_product_id = '85123A'`);
    const [expected] = await rowsOf(`
      select
        (select trim("Description") from raw
          where upper("StockCode") = '85123A' and trim("Description") <> ''
            and ("InvoiceNo" like 'C%' or "InvoiceNo" in (select "InvoiceNo" from sale_lines))
          group by 1 order by count(*) desc, 1 limit 1) as name,
        (select cast("UnitPrice" as decimal(18, 4)) from sale_lines
          where upper("StockCode") = '85123A' and cast("UnitPrice" as decimal(18, 3)) > 0
          group by 1 order by count(*) desc, 1 limit 1) as price`);
    expect(candle).toEqual(expected);
  });
});

test('totals equal the sum of lines; keys are unique; every product line has its product', async () => {
  const [faults] = await rowsOf(`
      select
        (select count(*) from orders left join
          (select order_id, sum(quantity * unit_price) as lines_total from order_items group by 1) using (order_id)
          where total <> coalesce(lines_total, 0)) as wrong_totals,
        (select count(*) - count(distinct order_id) from orders) as repeated_orders,
        (select count(*) - count(distinct (order_id, line_no)) from order_items) as repeated_lines,
        (select count(*) - count(distinct external_product_id) from products) as repeated_products,
        (select count(*) from order_items where kind = 'product'
          and external_product_id not in (select external_product_id from products)) as unknown_products,
        (select count(*) from order_items where order_id not in (select order_id from orders)) as lone_lines,
        (select count(*) from products where name is null or price is null) as incomplete_products,
        (select count(*) - count(distinct refund_id) from refunds) as repeated_refunds,
        (select count(*) - count(distinct (refund_id, line_no, external_product_id)) from refund_lines) as repeated_returns,
        (select count(*) from refund_lines where (refund_id, order_id) not in (select (refund_id, order_id) from refunds))
          as lone_returns,
        (select count(*) from refund_lines
          where external_product_id not in (select external_product_id from products)) as unknown_returns,
        (select count(*) from orders where (status = 'credit_note') <> (total = 0 and order_id like 'C%')) as odd_notes`);
  expect(Object.entries(faults ?? {}).filter(([, count]) => count !== '0')).toEqual([]);
});
