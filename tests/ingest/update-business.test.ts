import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, findBusiness } from '../../src/control/businesses/businesses.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { updateBusiness } from '../../src/snapshot/update-business.ts';
import { fewerInQuick, isQuick } from '../support/runs.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { daysOf, expectNothingChanged, LATE } from './failing-update.ts';
import { importFiles } from './shop.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
let business: Business;

afterAll(() => test[Symbol.asyncDispose]());

beforeEach(async () => {
  business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, LATE);
});

const update = (asked: Parameters<typeof updateBusiness>[2]) =>
  updateBusiness(test.instance, business, asked);
const now = () => findBusiness(test.instance.control, business.business_id);
const served = () => currentSnapshot(test.instance.control, business.business_id);

const days = () => daysOf(test, business);

it('another time zone gives everything its dates in it, goes with a rollback and comes with the snapshot again', async () => {
  expect(await days()).toEqual([['2024-05-01', 10]]);
  const { changed, snapshot, notes } = await update({ timezone: 'Europe/Prague' });
  expect({ changed, snapshot }).toEqual({ changed: ['timezone'], snapshot: (await served())?.snapshot_id });
  expect(notes).toEqual([expect.stringContaining('read, in UTC')]);
  expect(await days()).toEqual([['2024-05-02', 10]]);
  expect(await now()).toEqual({ ...business, timezone: 'Europe/Prague' });

  await rollBack(test.instance, business.business_id);
  expect(await now()).toEqual(business);
  expect(await days()).toEqual([['2024-05-01', 10]]);
  await rollBack(test.instance, business.business_id, String(snapshot));
  expect(await now()).toEqual({ ...business, timezone: 'Europe/Prague' });
  expect(await days()).toEqual([['2024-05-02', 10]]);

  // As an import and an update see it that asked for the business before.
  await importFiles(test, business, { 'orders.csv': 'order_id,ordered_at,total\nB,2024-05-02 00:30,5\n' });
  expect(await days()).toEqual([['2024-05-02', 15]]);
  expect(await update({ primary_currency: 'EUR' })).toMatchObject({ changed: ['primary_currency'] });
  expect(await now()).toEqual({ ...business, timezone: 'Europe/Prague', primary_currency: 'EUR' });
});

describe('another currency', () => {
  it('is a word that was wrong: amounts are not converted, and the answer says so', async () => {
    const { changed, notes } = await update({ primary_currency: 'EUR' });
    expect(changed).toEqual(['primary_currency']);
    expect(notes).toEqual([expect.stringMatching(/^amounts are not converted: .* count as EUR/)]);
    expect(await days()).toEqual([['2024-05-01', 10]]);
    expect((await served())?.facts.primary_currency).toBe('EUR');
  });

  it.each(
    fewerInQuick([
      ['orders in the old one', 'B,2024-05-02,5,CZK,\n'],
      ['orders with a rate to the old one', 'B,2024-05-02,5,USD,23\n'],
    ]),
  )('is refused where it would make wrong money: %s', async (_which, row) => {
    await importFiles(test, business, { 'orders.csv': `order_id,ordered_at,total,currency,fx_rate\n${row}` });
    const before = { business: await now(), days: await days(), snapshot: await served() };
    await expect(update({ primary_currency: 'EUR' })).rejects.toThrow(
      /^1 orders say that they are in another currency than EUR \((CZK|USD)\).*rates are to CZK.*nothing was changed/,
    );
    expect({ business: await now(), days: await days(), snapshot: await served() }).toEqual(before);
  });

  it.skipIf(isQuick)('may be the one that all orders say already', async () => {
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

it('settings and data are those of before when it fails at publishing', () =>
  expectNothingChanged(test, business, 'publishing'));

it('an update to what the business is already builds nothing', async () => {
  const before = await served();
  expect(await update({ primary_currency: 'CZK' })).toMatchObject({ changed: [], snapshot: null });
  expect(await served()).toEqual(before);
});
