import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { readAttributionWindows } from '../../src/control/attribution-windows.ts';
import { currentSnapshot, findBusiness, listSnapshots } from '../../src/control/businesses.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { updateBusiness } from '../../src/snapshot/update-business.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { importFiles } from './shop.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
let business: Business;

afterAll(() => test[Symbol.asyncDispose]());

/** Late in the evening of May 1st in UTC, and on the 2nd in Prague. */
const LATE = { 'orders.csv': 'order_id,ordered_at,total\nA,2024-05-01T23:30:00Z,10\n' };

beforeEach(async () => {
  business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, LATE);
});

const update = (asked: Parameters<typeof updateBusiness>[2]) =>
  updateBusiness(test.instance, business, asked);
const now = () => findBusiness(test.instance.control, business.business_id);
const served = () => currentSnapshot(test.instance.control, business.business_id);

/** On which days of the business there were orders, and what they were worth. */
async function days(): Promise<unknown[]> {
  const { result } = await test.run('order_statistics_trend', {
    business_id: business.business_id,
    from_date: '2024-04-30T00:00:00',
    to_date: '2024-05-03T23:59:59',
    breakdown: 'day',
  });
  const { periods } = result as {
    periods: { period_start: string; orders_count: number; orders_revenues: number }[];
  };
  return periods.flatMap(({ period_start, orders_count, orders_revenues }) =>
    orders_count > 0 ? [[period_start, orders_revenues]] : [],
  );
}

describe('another time zone', () => {
  it('gives everything its dates in it, and is what questions are read in', async () => {
    expect(await days()).toEqual([['2024-05-01', 10]]);
    const { changed, snapshot, notes } = await update({ timezone: 'Europe/Prague' });
    expect({ changed, snapshot }).toEqual({ changed: ['timezone'], snapshot: (await served())?.snapshot_id });
    expect(notes).toEqual([expect.stringContaining('read, in UTC')]);
    expect(await days()).toEqual([['2024-05-02', 10]]);
    expect(await now()).toEqual({ ...business, timezone: 'Europe/Prague' });
  });

  it('is taken back by a rollback, and comes with the snapshot again', async () => {
    const { snapshot } = await update({ timezone: 'Europe/Prague' });
    await rollBack(test.instance, business.business_id);
    expect(await now()).toEqual(business);
    expect(await days()).toEqual([['2024-05-01', 10]]);
    await rollBack(test.instance, business.business_id, String(snapshot));
    expect(await now()).toEqual({ ...business, timezone: 'Europe/Prague' });
    expect(await days()).toEqual([['2024-05-02', 10]]);
  });

  it('is that of an import that asked for the business before', async () => {
    await update({ timezone: 'Europe/Prague' });
    await importFiles(test, business, { 'orders.csv': 'order_id,ordered_at,total\nB,2024-05-02 00:30,5\n' });
    expect(await days()).toEqual([['2024-05-02', 15]]);
    expect(await update({ primary_currency: 'EUR' })).toMatchObject({ changed: ['primary_currency'] });
    expect(await now()).toEqual({ ...business, timezone: 'Europe/Prague', primary_currency: 'EUR' });
  });
});

describe('another currency', () => {
  it('is a word that was wrong: amounts are not converted, and the answer says so', async () => {
    const { changed, notes } = await update({ primary_currency: 'EUR' });
    expect(changed).toEqual(['primary_currency']);
    expect(notes).toEqual([expect.stringMatching(/^amounts are not converted: .* count as EUR/)]);
    expect(await days()).toEqual([['2024-05-01', 10]]);
    expect((await served())?.facts.primary_currency).toBe('EUR');
  });

  it.each([
    ['orders in the old one', 'B,2024-05-02,5,CZK,\n'],
    ['orders with a rate to the old one', 'B,2024-05-02,5,USD,23\n'],
  ])('is refused where it would make wrong money: %s', async (_which, row) => {
    await importFiles(test, business, { 'orders.csv': `order_id,ordered_at,total,currency,fx_rate\n${row}` });
    const before = { business: await now(), days: await days(), snapshot: await served() };
    await expect(update({ primary_currency: 'EUR' })).rejects.toThrow(
      /^1 orders say that they are in another currency than EUR \((CZK|USD)\).*rates are to CZK.*nothing was changed/,
    );
    expect({ business: await now(), days: await days(), snapshot: await served() }).toEqual(before);
  });

  it('may be the one that all orders say already', async () => {
    const shop = await test.createBusiness();
    await importFiles(test, shop, {
      'orders.csv': 'order_id,ordered_at,total,currency\nB,2024-05-02,5,EUR\n',
    });
    await updateBusiness(test.instance, shop, { primary_currency: 'EUR' });
    expect(await findBusiness(test.instance.control, shop.business_id)).toMatchObject({
      primary_currency: 'EUR',
    });
  });
});

it.each(['building orders', 'checking', 'publishing'])(
  'when it fails at %s, settings and data are those of before',
  async (when) => {
    const { control } = test.instance;
    const state = async () => ({
      business: await now(),
      windows: await readAttributionWindows(control, business.business_id),
      snapshots: await listSnapshots(control, business.business_id),
      days: await days(),
    });
    const before = await state();
    const onStep = (step: string) => {
      if (step === when) throw new Error('struck by lightning');
    };
    const everything = {
      timezone: 'Europe/Prague',
      primary_currency: 'EUR',
      attribution_windows: { click: 1, open: 2, delivery: 3 },
      vat_rate: 21,
    };
    await expect(updateBusiness({ ...test.instance, onStep }, business, everything)).rejects.toThrow(
      'lightning',
    );
    expect(await state()).toEqual(before);
    await updateBusiness(test.instance, business, everything);
    expect(await state()).toMatchObject({
      business: { timezone: 'Europe/Prague', primary_currency: 'EUR' },
      windows: everything.attribution_windows,
      days: [['2024-05-02', 10]],
    });
  },
);

it('to what it is already builds nothing', async () => {
  const before = await served();
  expect(await update({ primary_currency: 'CZK' })).toMatchObject({ changed: [], snapshot: null });
  expect(await served()).toEqual(before);
});
