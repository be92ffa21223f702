import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectedAnswers } from '../oracle/expected-answers.ts';
import type { Store } from '../oracle/store.ts';
import { type Call, randomCalls } from '../support/random-calls.ts';
import { randomStores } from '../support/random-stores.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Random stores, each imported as a business beside the ones before, so that every answer also shows isolation. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

async function load(store: Store): Promise<string> {
  const business = await test.createBusiness({
    timezone: store.business.timezone ?? 'UTC',
    currency: store.business.primary_currency ?? 'CZK',
  });
  if (store.orders.length + store.products.length + store.product_events.length > 0) {
    await test.importStore(business, store);
  }
  return business.business_id;
}

function callsOn(store: Store): fc.Arbitrary<Call[]> {
  const hasNames =
    store.orders.length > 0 &&
    store.order_items.length > 0 &&
    store.products.some(({ brand }) => brand !== undefined) &&
    store.products.some(({ categories }) => categories !== undefined);
  return hasNames ? fc.array(randomCalls(store, ''), { minLength: 12, maxLength: 12 }) : fc.constant([]);
}

it('every tool answers as the oracle does, whatever the store', async () => {
  await fc.assert(
    fc.asyncProperty(
      pickTimezone().chain((timezone) =>
        randomStores(timezone).chain((store) =>
          fc.record({ store: fc.constant(store), calls: callsOn(store) }),
        ),
      ),
      async ({ store, calls }) => {
        const business_id = await load(store);
        for (const { tool, args } of calls) {
          const asked = { ...args, business_id };
          const expected = expectedAnswers[tool as keyof typeof expectedAnswers](store, asked as never);
          expect(await test.ask(tool, asked), `${tool} ${JSON.stringify(asked)}`).toEqual(expected);
        }
      },
    ),
    { numRuns: 30, endOnFailure: true },
  );
});

function pickTimezone(): fc.Arbitrary<string> {
  return fc.constantFrom('Europe/Prague', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC');
}
