// A note names a field only where the answer can have it, or says of which other tool it is.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { variants } from '../../scripts/argument-variants.ts';
import { CATALOGUE, EXTENSION_TOOLS } from '../../src/catalogue.ts';
import { readCsv } from '../oracle/store.ts';
import { strangeNames } from '../support/names-in-notes.ts';
import { isQuick } from '../support/runs.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

let test: TestInstance;
let business_id: string;

/**
 * The shop, and all that makes notes: a credit note, orders in a currency without a rate, of nobody and
 * without VAT, a complaint of no message.
 */
beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  const settings = { timezone: 'Europe/Prague', primary_currency: 'CZK' };
  const business = await test.createBusiness({ timezone: settings.timezone, currency: 'CZK' });
  const store = readCsv(FOLDER, settings);
  const ordered_at = '2024-06-01T12:00:00';
  store.orders.push(
    { order_id: 'credit', ordered_at, email: 'n1@example.com', total: '0', status: 'credit_note' },
    { order_id: 'foreign', ordered_at, email: 'n2@example.com', total: '5', currency: 'JPY' },
    { order_id: 'nobody', ordered_at, total: '5' },
  );
  store.refunds.push({ refund_id: 'c1', order_id: 'credit', refunded_at: ordered_at, amount: '30' });
  await test.importStore(business, store);
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

const RANGED = [...CATALOGUE, ...EXTENSION_TOOLS].filter(({ scope }) => scope !== 'account');

it.each(RANGED.map(({ name }) => name))('%s names in notes what it has', async (name) => {
  const tool = RANGED.find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  const found = new Set<string>();
  let answered = false;
  for (const args of variants(tool, sampleArguments(name, business_id)).slice(0, isQuick ? 1 : undefined)) {
    const answer = await test.run(tool, args).catch(() => null);
    answered ||= answer !== null;
    for (const strange of answer === null ? [] : strangeNames(tool, args, answer)) found.add(strange);
  }
  expect(answered).toBe(true);
  expect([...found]).toEqual([]);
});

it('finds a field of another tool, and not one whose tool is named', () => {
  const tool = CATALOGUE.find(({ name }) => name === 'order_statistics');
  if (tool === undefined) throw new Error('no order_statistics');
  const said = (note: string) => strangeNames(tool, {}, { result: {}, notes: [note] });
  expect(said('refunded_revenue and from_date are its own.')).toEqual([]);
  expect(said('return_rate is not.')).toEqual(['return_rate in: return_rate is not.']);
  expect(said('return_rate of product_statistics is told.')).toEqual([]);
});
