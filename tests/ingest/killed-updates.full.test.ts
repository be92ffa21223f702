import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, findBusiness } from '../../src/control/businesses/businesses.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { runCommand } from './command-line.ts';
import { answers, importFiles } from './shop.ts';

const KILLS = 10;
const ORDERS = 60_000;

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  // The orders come in the evening of the last day of some months, which is the next month in Tokyo.
  const orders = Array.from(
    { length: ORDERS },
    (_, i) => `K${i},2024-0${4 + (i % 6)}-30T18:00:00Z,mail${i % 5000}@example.com,${i % 100}\n`,
  );
  await importFiles(test, business, { 'orders.csv': `order_id,ordered_at,email,total\n${orders.join('')}` });
});

afterAll(() => test[Symbol.asyncDispose]());

async function state() {
  const { control } = test.instance;
  const { timezone, primary_currency } = await findBusiness(control, business.business_id);
  const facts = (await currentSnapshot(control, business.business_id))?.facts;
  // What answers are made with and what the business is said to have are one.
  expect({ timezone, primary_currency }).toEqual({
    timezone: facts?.timezone,
    primary_currency: facts?.primary_currency,
  });
  return { timezone, primary_currency, answers: await answers(test, business) };
}

it('an update of a business that is killed at any moment has happened wholly or not at all', async () => {
  const update = () =>
    runCommand(test, [
      'business',
      'update',
      business.business_id,
      '--timezone',
      'Asia/Tokyo',
      '--currency',
      'EUR',
    ]);
  // The shortest so far: on a busy machine one takes longer, and kills by its time would come too late.
  let wholeMs = Number.POSITIVE_INFINITY;
  const updateWholly = async () => {
    const startedAt = performance.now();
    expect((await update().ended).code).toBe(0);
    wholeMs = Math.min(wholeMs, performance.now() - startedAt);
  };
  const before = await state();
  await updateWholly();
  const after = await state();
  expect(after).toMatchObject({ timezone: 'Asia/Tokyo', primary_currency: 'EUR' });
  expect(after.answers).not.toEqual(before.answers);

  let killed = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await rollBack(test.instance, business.business_id);
    expect(await state()).toEqual(before);
    const { process, ended } = update();
    await new Promise((resolve) => setTimeout(resolve, (wholeMs * (kill + 1 + Math.random())) / (KILLS + 2)));
    process.kill('SIGKILL');
    await ended;
    const found = await state();
    if (found.timezone === 'Asia/Tokyo') {
      expect(found).toEqual(after);
    } else {
      expect(found).toEqual(before);
      killed += 1;
      await updateWholly();
      expect(await state()).toEqual(after);
    }
  }
  // Otherwise the kills came too late to prove anything.
  expect(killed).toBeGreaterThan(KILLS / 2);
});
