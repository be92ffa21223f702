import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setBusinessSettings } from '../../src/control/businesses/business-settings.ts';
import { expectedAnswers } from '../oracle/expected-answers.ts';
import { nobodysOrders } from '../oracle/nobodys-orders.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { expectAnswer } from '../support/expect-answer.ts';
import { randomCalls } from '../support/random-calls.ts';
import { randomStores } from '../support/random-stores.ts';
import { isQuick, runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Random stores, each imported as a business beside the ones before, so that every answer also shows
 * isolation.
 */
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
  const { vat } = store.business;
  if (vat !== undefined) {
    await setBusinessSettings(test.instance.control, business.business_id, { vat_rate: vat });
  }
  const isEmpty = Object.values(store).every((rows) => !Array.isArray(rows) || rows.length === 0);
  if (!isEmpty) await test.importStore(business, store);
  return business.business_id;
}

it('every tool answers as the oracle does, whatever the store', async () => {
  await fc.assert(
    fc.asyncProperty(
      pickTimezone().chain((timezone) =>
        randomStores(timezone).chain((store) =>
          fc.record({
            store: fc.constantFrom(undefined, 0, 21, 5.5).map((vat) => ({
              ...store,
              business: { ...store.business, ...(vat !== undefined && { vat }) },
            })),
            calls: fc.array(randomCalls(store, ''), { minLength: 12, maxLength: 12 }),
          }),
        ),
      ),
      async ({ store, calls }) => {
        const business_id = await load(store);
        for (const { tool, args } of calls) {
          const asked = { ...args, business_id };
          const expected = expectedAnswers[tool as keyof typeof expectedAnswers](store, asked as never);
          const notes = await expectAnswer(test, tool, asked, expected);
          if (notes === null) continue;
          const { count } = nobodysOrders(store, tool, asked);
          const told = notes.filter((note) => note.includes('no known customer'));
          expect(told, `${tool} ${JSON.stringify(asked)}`).toHaveLength(count === 0 ? 0 : 1);
          if (count > 0) expect(told[0]).toMatch(new RegExp(`^${count} orders? worth `));
        }
      },
    ),
    { numRuns: isQuick ? 1 : runs(2), endOnFailure: true },
  );
});

function pickTimezone(): fc.Arbitrary<string> {
  return fc.constantFrom('Europe/Prague', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC');
}

it('a store without anything is empty, not broken', async () => {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  const business_id = await load(store);
  await fc.assert(
    fc.asyncProperty(randomCalls(store, business_id), async ({ tool, args }) => {
      await expectAnswer(
        test,
        tool,
        args,
        expectedAnswers[tool as keyof typeof expectedAnswers](store, args as never),
      );
    }),
    { numRuns: isQuick ? 8 : runs(20) },
  );
});
