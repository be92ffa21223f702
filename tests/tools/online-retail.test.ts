import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * The tools on UCI Online Retail against SQL written by hand over the raw CSV files: through conversion, import, build
 * and tool, the numbers of the source must come out.
 */
const RAW = fileURLToPath(new URL('../../../shared/data/online-retail', import.meta.url));
const DEMO = fileURLToPath(new URL('../../demo-data/online-retail', import.meta.url));

/** Sales as the raw data tell them: no credit notes, no bad debt, at least one line that was sold for money. */
const SALES = `
  with lines as (
    select InvoiceNo as invoice, upper(trim(StockCode)) as code, cast(Quantity as integer) as quantity,
      cast(UnitPrice as decimal(18,4)) as price, cast(InvoiceDate as timestamp) as sold_at,
      nullif(split_part(CustomerID, '.', 1), '') as customer
    from read_csv('${RAW}/*.csv', all_varchar = true, header = true)
    where InvoiceNo not similar to '[AC].*'
  ),
  sold as (select invoice from lines where quantity > 0 and price > 0 group by invoice),
  invoices as (
    select invoice, min(sold_at) as sold_at, coalesce(min(customer), 'guest ' || invoice) as customer,
      sum(quantity * price) as total
    from lines join sold using (invoice) group by invoice
  ),
  numbered as (
    select *, row_number() over (partition by customer order by sold_at, invoice) as number from invoices
  )`;

const NOT_PRODUCTS = `('POST', 'DOT', 'C2', 'AMAZONFEE', 'BANK CHARGES', 'CRUK', 'D', 'M')`;

describe.skipIf(!existsSync(RAW))(
  'UCI Online Retail (skipped where the raw files are not beside the repository)',
  () => {
    let test: TestInstance;
    let business_id: string;

    beforeAll(async () => {
      test = await createTestInstance();
      const business = await test.createBusiness({ timezone: 'Europe/London', currency: 'GBP' });
      await test.importFolder(business, DEMO);
      business_id = business.business_id;
    });

    afterAll(() => test[Symbol.asyncDispose]());

    async function raw(query: string): Promise<Record<string, unknown>[]> {
      const connection = await (await DuckDBInstance.create()).connect();
      const rows = await connection.runAndReadAll(SALES + query);
      return rows
        .getRowObjectsJson()
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) && name !== 'code'
                ? Number(value)
                : value,
            ]),
          ),
        );
    }

    const year = { from_date: '2010-12-01T00:00:00', to_date: '2011-12-09T23:59:59' };

    it('monthly orders, revenue and customers', async () => {
      const expected = await raw(`
      select strftime(sold_at, '%Y-%m') as period,
        count(*) as orders_count,
        count(*) filter (where number = 1) as new_orders_count,
        sum(total) as orders_revenues,
        sum(total) filter (where number = 1) as new_orders_revenues,
        count(distinct customer) as unique_customers_count,
        count(distinct customer) filter (where number = 1) as new_customers_count
      from numbered group by period order by period`);
      const { periods } = (await test.ask('order_statistics_trend', {
        business_id,
        ...year,
        breakdown: 'month',
      })) as { periods: Record<string, unknown>[] };
      expect(expected).toHaveLength(13);
      expect(periods).toEqual(expected.map((month) => expect.objectContaining(month)));
    });

    it('the store as a whole', async () => {
      const [expected] = await raw(`
      select count(*) as orders_count, sum(total) as orders_revenues, count(distinct customer) as unique_customers_count,
        round(cast(sum(total) as double) / count(*), 4)::varchar as average_order_value
      from numbered`);
      expect(await test.ask('order_statistics', { business_id, ...year })).toMatchObject(expected ?? {});
    });

    it.each([
      ['estimated_revenue', 'estimated_revenue'],
      ['total_quantity', 'total_quantity'],
      ['unique_orders_count', 'unique_orders_count'],
    ])('the top 50 products by %s, in the second quarter', async (sort_by) => {
      const expected = await raw(`
      select code as external_product_id,
        sum(quantity * price) as estimated_revenue, sum(quantity) as total_quantity,
        count(distinct invoice) as unique_orders_count,
        count(distinct customer) as unique_customers_count,
        count(distinct invoice) filter (where number = 1) as first_order_occurrences,
        count(distinct invoice) filter (where number = 2) as second_order_occurrences
      from numbered join (select invoice, code, quantity, price from lines) using (invoice)
      where sold_at >= '2011-04-01' and sold_at < '2011-07-01' and code not in ${NOT_PRODUCTS}
      group by code order by ${sort_by} desc, code limit 50`);
      const { products } = (await test.ask('product_statistics', {
        business_id,
        from_date: '2011-04-01T00:00:00',
        to_date: '2011-06-30T23:59:59',
        sort_by,
        limit: 50,
      })) as { products: Record<string, unknown>[] };
      const ids = (rows: Record<string, unknown>[]) => rows.map((row) => String(row.external_product_id));
      expect(ids(products)).toEqual(ids(expected));
      expect(products).toEqual(
        expected.map(({ external_product_id, ...row }) =>
          expect.objectContaining({ ...row, external_product_id: String(external_product_id) }),
        ),
      );
    });

    it('one product week by week', async () => {
      const expected = await raw(`
      select strftime(sold_at, '%G-W%V') as period, sum(quantity * price) as estimated_revenue,
        count(distinct invoice) as unique_orders_count
      from invoices join (select invoice, code, quantity, price from lines) using (invoice)
      where code = '22423' group by period order by period`);
      const { periods } = (await test.ask('product_statistics_trend', {
        business_id,
        ...year,
        breakdown: 'week',
        external_product_ids: ['22423'],
      })) as { periods: Record<string, unknown>[] };
      const active = periods.filter((row) => Number(row.unique_orders_count) > 0);
      expect(periods).toHaveLength(54);
      expect(active).toEqual(expected.map((week) => expect.objectContaining(week)));
    });

    it('cohorts of the first purchase: sizes, and who came back within 90 days', async () => {
      const expected = await raw(`,
      firsts as (select customer, sold_at::date as first_date from numbered where number = 1),
      seconds as (select customer, sold_at::date as second_date from numbered where number = 2)
      select strftime(first_date, '%Y-%m') as cohort, count(*) as customers_count,
        count(second_date) as repeat_customers_count,
        count(*) filter (where second_date - first_date <= 90) as returned
      from firsts left join seconds using (customer) group by cohort order by cohort`);
      const { cohorts } = (await test.ask('first_purchase_cohorts', { business_id, ...year })) as {
        cohorts: { retention: { days: number; returned_customers_count: number }[] }[];
      };
      expect(
        cohorts.map((cohort) => ({
          ...cohort,
          returned: cohort.retention.find(({ days }) => days === 90)?.returned_customers_count,
        })),
      ).toEqual(expected.map((cohort) => expect.objectContaining(cohort)));
    });
  },
);
