import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { importFiles as importSources } from '../../src/import/run.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type Files, importFiles, readRejects, refusal, storedRows, writeFiles } from './shop.ts';

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/** Orders of a shop in Prague: most in crowns, some in euros and dollars, without rates of their own. */
const ORDERS = [
  { id: 'A', day: '2026-01-05', total: 100, currency: 'CZK' },
  { id: 'B', day: '2026-01-05', total: 10, currency: 'EUR' },
  // A Sunday: the bank publishes nothing.
  { id: 'C', day: '2026-01-11', total: 8, currency: 'USD' },
  { id: 'D', day: '2026-01-12', total: 7, currency: 'EUR' },
  { id: 'E', day: '2026-01-13', total: 50, currency: '' },
  { id: 'F', day: '2026-01-13', total: 60, currency: '' },
];
const ORDERS_CSV = [
  'order_id,ordered_at,total,currency',
  ...ORDERS.map(({ id, day, total, currency }) => `${id},${day}T12:00:00,${total},${currency}`),
  '',
].join('\n');

const ECB_HISTORY = [
  'Date,USD,JPY,BGN,CYP,CZK,DKK,EEK,GBP,HUF,',
  '2026-01-12,1.1,170.1,1.9558,N/A,24.5,7.46,N/A,0.86,390.5,',
  '2026-01-09,1.25,171,1.9558,N/A,24.25,7.46,N/A,0.86,390.5,',
  '2026-01-05,1.2,169,1.9558,N/A,24,7.46,N/A,0.86,390.5,',
  '',
].join('\n');

const ECB_DAY = 'Date, USD, JPY, BGN, CZK, GBP, \n12 January 2026, 1.1, 170.1, 1.9558, 24.5, 0.86, \n';

const RANGE = { from_date: '2026-01-01T00:00:00', to_date: '2026-01-31T23:59:59' };

const store = (currency = 'CZK') => test.createBusiness({ currency, timezone: 'Europe/Prague' });

const importExports = (business: Business, files: Files) =>
  importSources(test.instance, business, [writeFiles(test, files)]);

async function statistics({ business_id }: Business, range = RANGE) {
  return (await test.ask('order_statistics', { business_id, ...range })) as {
    orders_count: number;
    orders_revenues: number;
  };
}

const notesOf = async ({ business_id }: Business, tool = 'order_statistics', more = {}) =>
  (await test.run(tool, { business_id, ...RANGE, ...more })).notes ?? [];

it('the published rates of the European Central Bank are read as they are, and crossed by way of the euro', async () => {
  const business = await store();
  const report = await importExports(business, {
    'orders.csv': ORDERS_CSV,
    'eurofxref-hist.csv': ECB_HISTORY,
  });
  expect(report.warnings).toEqual([]);
  const crowns: Record<string, number> = {
    B: 10 * 24,
    // The rates of Friday count.
    C: 8 * (24.25 / 1.25),
    D: 7 * 24.5,
  };
  const truth = ORDERS.reduce((sum, { id, total }) => sum + (crowns[id] ?? total), 0);
  const { orders_count, orders_revenues } = await statistics(business);
  expect(orders_count).toBe(6);
  expect(orders_revenues).toBeCloseTo(truth, 3);
  expect(await notesOf(business)).not.toContainEqual(expect.stringContaining('exchange rate'));
});

it.each(['Date,CZK\n2026-01-05,24\n', 'Date,USD,CZK\n2026-01-05,1.2,24\n'])(
  'a cut file of the bank is told what it lacks, since its rates may be of another currency than the euro: %s',
  async (rates) => {
    const files = writeFiles(test, { 'rates.csv': rates });
    await expect(importSources(test.instance, await store(), [files])).rejects.toThrow(
      /rates\.csv is not recognised: it is a table of [23] columns, nearest to Euro reference rates of the European Central Bank, CSV, but without the columns (usd, )?jpy, gbp\./,
    );
  },
);

it('the file of one day has its own way to write the day', async () => {
  const business = await store();
  await importExports(business, { 'orders.csv': ORDERS_CSV, 'eurofxref.csv': ECB_DAY });
  expect(
    await storedRows(test, business, 'fx_rates', `cast("date" as varchar), currency, to_currency, rate`),
  ).toEqual([
    ['2026-01-12', 'EUR', 'BGN', '1.95580000000000'],
    ['2026-01-12', 'EUR', 'CZK', '24.50000000000000'],
    ['2026-01-12', 'EUR', 'GBP', '0.86000000000000'],
    ['2026-01-12', 'EUR', 'JPY', '170.10000000000000'],
    ['2026-01-12', 'EUR', 'USD', '1.10000000000000'],
  ]);
  const { orders_revenues } = await statistics(business);
  // B and C were placed before: no rate is known of them.
  expect(orders_revenues).toBe(100 + 7 * 24.5 + 50 + 60);
  expect((await notesOf(business))[0]).toContain(
    'Without an exchange rate to CZK: 1 order of 10 EUR, 1 order of 8 USD in this range',
  );
});

it('a table of rates: of the nearest earlier day, and an order with a rate of its own counts by that', async () => {
  const business = await store();
  await importFiles(test, business, {
    'orders.csv':
      'order_id,ordered_at,total,currency,fx_rate\nA,2026-01-06,10,EUR,\nB,2026-01-08,10,EUR,\nC,2026-01-08,10,EUR,30\nD,2026-01-08,1,CZK,\n',
    'fx_rates.csv': 'date,currency,rate\n2026-01-05,EUR,24.354321\n2026-01-08,EUR,25\n2026-01-09,EUR,99\n',
  });
  expect(await statistics(business)).toMatchObject({ orders_count: 4, orders_revenues: 794.5432 });
});

it('later rates change what is loaded, also where the store is built incrementally', async () => {
  const business = await store();
  await importFiles(test, business, { 'orders.csv': ORDERS_CSV });
  expect(await statistics(business)).toMatchObject({ orders_count: 6, orders_revenues: 210 });
  await importFiles(test, business, {
    'fx_rates.ndjson': '{"date":"2026-01-01","currency":"eur","rate":20}\n',
  });
  expect(await statistics(business)).toMatchObject({ orders_count: 6, orders_revenues: 210 + 17 * 20 });
});

it('orders without a rate are in a note with count and amount per currency, of the range alone', async () => {
  const business = await store();
  await importFiles(test, business, {
    'orders.csv': ORDERS_CSV,
    'refunds.csv': 'refund_id,order_id,refunded_at,amount\nR,B,2026-01-20,4\n',
    'order_items.csv': 'order_id,external_product_id,quantity,unit_price\nA,P,1,100\nB,Q,1,10\nC,Q,1,8\n',
  });
  const whole =
    'Without an exchange rate to CZK: 2 orders of 17 EUR, 1 order of 8 USD, 1 refund of 4 EUR in this range';
  expect((await notesOf(business))[0]).toContain(whole);
  expect((await notesOf(business, 'order_statistics', { to_date: '2026-01-05T23:59:59' }))[0]).toContain(
    'Without an exchange rate to CZK: 1 order of 10 EUR in this range',
  );
  for (const tool of ['product_statistics', 'order_distribution_statistics', 'first_purchase_cohorts']) {
    const more = tool === 'order_distribution_statistics' ? { dimension: 'currency' } : {};
    expect([tool, await notesOf(business, tool, more)]).toEqual([
      tool,
      expect.arrayContaining([expect.stringContaining('2 orders of 17 EUR, 1 order of 8 USD')]),
    ]);
  }
});

it.each([
  ['2026-01-05,EUR,0', 'rate', 'must be a number greater than 0 and below 10^9'],
  ['2026-01-05,EUR,-24', 'rate', 'must be a number greater than 0 and below 10^9'],
  ['5.1.2026,EUR,24', 'date', 'must be a date, for example 2026-10-31'],
  ['2026-02-30,EUR,24', 'date', 'must be a date, for example 2026-10-31'],
  ['2026-01-05,euros,24', 'currency', 'must be an ISO 4217 currency code, for example CZK'],
  ['2026-01-05,CZK,24', 'rate', 'must be 1 of a currency in itself'],
])('a rate that cannot be is a reject, and nothing is stored: %s', async (row, column, reason) => {
  const business = await store();
  const files = {
    'orders.csv': ORDERS_CSV,
    'fx_rates.csv': `date,currency,rate\n2026-01-01,EUR,20\n${row}\n`,
  };
  const { report } = await refusal(test, business, files);
  expect(readRejects(report).map(([file, line, name, , why]) => [file, line, name, why])).toEqual([
    ['fx_rates.csv', '3', column, reason],
  ]);
  expect(await statistics(business)).toMatchObject({ orders_count: 0 });
});

it('two rates of one day that differ are refused, with their places; the same rate twice is one', async () => {
  const business = await store();
  const rates = (second: string) => `date,currency,rate\n2026-01-05,EUR,24\n2026-01-05,eur,${second}\n`;
  const refused = await refusal(test, business, { 'orders.csv': ORDERS_CSV, 'fx_rates.csv': rates('25') });
  expect(refused.message).toContain('two rates of one day differ, so nothing was imported');
  expect(refused.message).toContain('fx_rates.csv line 2 and fx_rates.csv line 3');
  expect(await statistics(business)).toMatchObject({ orders_count: 0 });
  await importFiles(test, business, { 'orders.csv': ORDERS_CSV, 'fx_rates.csv': rates('24.0') });
  expect(await statistics(business)).toMatchObject({ orders_count: 6 });
});

it('rates in the currency of a store that has none are refused, and say what to do', async () => {
  const business = await test.createBusiness();
  const { report } = await refusal(test, business, {
    'fx_rates.csv': 'date,currency,rate\n2026-01-05,EUR,24\n',
  });
  expect(readRejects(report)).toEqual([
    ['fx_rates.csv', '2', 'to_currency', '', expect.stringContaining('since the business has no currency')],
  ]);
});
