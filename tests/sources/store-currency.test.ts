import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, findBusiness } from '../../src/control/businesses/businesses.ts';
import { importFiles } from '../../src/import/run.ts';
import type { Settings } from '../../src/sources/source.ts';
import { UnansweredError } from '../../src/sources/unanswered.ts';
import { type Files, writeFiles } from '../ingest/shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/** What a shop in Slovakia exports: 127 orders in euros. */
const SHOP = Array.from({ length: 127 }, (_, index) => ({
  id: `SK-${1000 + index}`,
  at: `2026-03-${String(1 + (index % 28)).padStart(2, '0')} 10:00:00 +0100`,
  total: 20 + index / 4,
}));
const REVENUE = SHOP.reduce((sum, { total }) => sum + total, 0);
const SHOPIFY = (currency: string) =>
  [
    'Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id',
    ...SHOP.map(
      ({ id, at, total }, index) =>
        `#${id},buyer${index % 40}@example.com,paid,${currency},${total},0,0,${total},${at},1,Tent,${total},${id}`,
    ),
    '',
  ].join('\n');

const RANGE = { from_date: '2026-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };

const bring = (business: Business, files: Files, settings: Settings = {}, more = {}) =>
  importFiles(test.instance, business, [writeFiles(test, files)], { settings, ...more });

async function asked(business: Business, files: Files, settings: Settings = {}): Promise<UnansweredError> {
  const error = await bring(business, files, settings).then(
    () => new Error('nothing was asked'),
    (refused: Error) => refused,
  );
  if (error instanceof UnansweredError) return error;
  throw error;
}

const fresh = (business: Business) => findBusiness(test.instance.control, business.business_id);
const prague = () => test.createBusiness({ currency: 'CZK', timezone: 'Europe/Prague' });
const statistics = async ({ business_id }: Business) => {
  const { result, notes } = await test.run('order_statistics', { business_id, ...RANGE });
  return { ...(result as { orders_count: number; orders_revenues: number | null }), notes: notes ?? [] };
};

describe('a store of CZK that is given 127 orders in EUR', () => {
  it('asks before anything is stored, and offers the currency of the file first', async () => {
    const store = await prague();
    const before = await currentSnapshot(test.instance.control, store.business_id);
    const { message, questions } = await asked(store, { 'orders_export.csv': SHOPIFY('EUR') });
    expect(message).toMatch(
      /^127 of 127 orders are in EUR, and the store counts in CZK: .*nothing was imported/,
    );
    const ways = message.split('\n- ').slice(1);
    expect(ways).toEqual([
      expect.stringContaining('--store-currency EUR'),
      expect.stringContaining('fx_rates.csv'),
      expect.stringContaining('--store-currency keep'),
    ]);
    expect(questions).toMatchObject([{ setting: 'store-currency', values: ['EUR', 'keep'] }]);
    expect(await currentSnapshot(test.instance.control, store.business_id)).toEqual(before);
    expect(await fresh(store)).toEqual(store);
  });

  it('counts in EUR where that is said', async () => {
    const store = await prague();
    const files = { 'orders_export.csv': SHOPIFY('EUR') };
    const trial = await bring(store, files, { 'store-currency': 'EUR' }, { isTrial: true });
    expect(trial.snapshot).toBeNull();
    expect(await fresh(store)).toEqual(store);
    const report = await bring(store, files, { 'store-currency': 'eur' });
    expect(report.warnings[0]).toContain('the store counts in EUR from now on, and not in CZK');
    expect(await fresh(store)).toEqual({ ...store, primary_currency: 'EUR' });
    expect(await statistics(store)).toMatchObject({ orders_count: 127, orders_revenues: REVENUE });
    // Nothing is asked again.
    await bring(await fresh(store), files);
  });

  it('counts in CZK by the rates that come with the orders', async () => {
    const store = await prague();
    await bring(store, {
      'orders_export.csv': SHOPIFY('EUR'),
      'fx_rates.csv': 'date,currency,rate\n2026-02-27,EUR,24\n',
    });
    expect(await statistics(store)).toMatchObject({ orders_count: 127, orders_revenues: REVENUE * 24 });
  });

  it('or by those of the European Central Bank', async () => {
    const store = await prague();
    await bring(store, {
      'orders_export.csv': SHOPIFY('EUR'),
      'eurofxref-hist.csv': 'Date,USD,JPY,CZK,GBP,\n2026-02-27,1.1,170,24.5,0.86,\n',
    });
    expect(await statistics(store)).toMatchObject({ orders_count: 127, orders_revenues: REVENUE * 24.5 });
  });

  it('keeps CZK where that is said, remembers it, and every answer says what is unknown', async () => {
    const store = await prague();
    const report = await bring(store, { 'orders_export.csv': SHOPIFY('EUR') }, { 'store-currency': 'keep' });
    expect(report.warnings).toContainEqual(
      expect.stringContaining(`without an exchange rate to CZK: 127 orders of ${REVENUE} EUR`),
    );
    const { orders_count, notes } = await statistics(store);
    expect(orders_count).toBe(127);
    expect(notes[0]).toContain(`127 orders of ${REVENUE} EUR`);
    await bring(store, { 'orders_export.csv': SHOPIFY('EUR') });
    // The rates come later, alone.
    await bring(store, { 'fx_rates.csv': 'date,currency,rate\n2026-02-27,EUR,24\n' });
    const later = await statistics(store);
    expect(later.orders_revenues).toBe(REVENUE * 24);
    expect(later.notes).not.toContainEqual(expect.stringContaining('exchange rate'));
  });
});

it('a store that has data is offered rates first, and is not converted in silence', async () => {
  const store = await prague();
  await bring(store, { 'orders.csv': 'order_id,ordered_at,total,currency\nA,2026-01-01,100,CZK\n' });
  const { questions, message } = await asked(store, { 'orders_export.csv': SHOPIFY('EUR') });
  expect(questions).toMatchObject([{ values: ['keep', 'EUR'] }]);
  expect(message.split('\n- ')[1]).toContain('fx_rates.csv');
  await expect(
    bring(store, { 'orders_export.csv': SHOPIFY('EUR') }, { 'store-currency': 'EUR' }),
  ).rejects.toThrow(/1 orders say that they are in another currency than EUR \(CZK\)/);
  expect(await statistics(store)).toMatchObject({ orders_count: 1, orders_revenues: 100 });
  // The money can be added up once the price of a crown is known.
  await bring(
    store,
    {
      'orders_export.csv': SHOPIFY('EUR'),
      'fx_rates.csv': 'date,currency,to_currency,rate\n2026-01-01,EUR,CZK,25\n',
    },
    { 'store-currency': 'EUR' },
  );
  expect(await statistics(store)).toMatchObject({ orders_count: 128, orders_revenues: REVENUE + 4 });
});

it('a few orders from abroad are no question', async () => {
  const store = await prague();
  const rows = ['A,2026-01-01,100,CZK', 'B,2026-01-01,100,', 'C,2026-01-01,9,EUR', 'D,2026-01-02,8,PLN'];
  await bring(store, { 'orders.csv': `order_id,ordered_at,total,currency\n${rows.join('\n')}\n` });
  expect(await statistics(store)).toMatchObject({ orders_count: 4, orders_revenues: 200 });
});

it('a connection is not held by one order, and is by most', async () => {
  const store = await prague();
  const rows = Array.from({ length: 20 }, (_, index) => `A${index},2026-01-01,100,CZK`);
  await bring(store, { 'orders.csv': `order_id,ordered_at,total,currency\n${rows.join('\n')}\n` });
  const one = { 'orders.csv': 'order_id,ordered_at,total,currency\nB,2026-01-02,9,EUR\n' };
  await bring(store, one, {}, { broughtBy: 'a-connection' });
  expect(await statistics(store)).toMatchObject({ orders_count: 21, orders_revenues: 2000 });
  await expect(
    bring(store, { 'orders_export.csv': SHOPIFY('EUR') }, {}, { broughtBy: 'a-connection' }),
  ).rejects.toThrow(/127 of 127 orders are in EUR/);
});

it('the currency that is answered must exist', async () => {
  await expect(
    bring(await prague(), { 'orders_export.csv': SHOPIFY('EUR') }, { 'store-currency': 'euros' }),
  ).rejects.toThrow(/--store-currency euros: it must be the ISO 4217 code/);
});
