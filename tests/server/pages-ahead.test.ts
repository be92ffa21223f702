// What pages will ask is asked ahead, so that who opens one finds its answers.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { KeptAnswers } from '../../src/asking/kept-answers.ts';
import type { ToolEnvironment } from '../../src/asking/run-tool.ts';
import type { Business } from '../../src/business/business.ts';
import { addAssumption } from '../../src/control/businesses/assumptions.ts';
import { operatorCaller } from '../../src/control/people/callers.ts';
import { messagesIn } from '../../src/messages/messages.ts';
import { readAsked } from '../../src/overview/asked-overview.ts';
import { readFindings } from '../../src/overview/findings.ts';
import { readOverview } from '../../src/overview/read-overview.ts';
import { PagesAhead } from '../../src/server/pages-ahead/pages-ahead.ts';
import { VisitedStores } from '../../src/server/pages-ahead/visited-stores.ts';
import { deleteBusiness } from '../../src/snapshot/delete-business.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { environmentWith } from './warehouse-doubles.ts';

let test: TestInstance;
let shop: Business;
let environment: ToolEnvironment;
let visited: VisitedStores;
let asked: string[];
let warned: unknown[];
/** What else happens when a question is asked. */
let onQuestion: () => Promise<void>;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

beforeEach(async () => {
  shop = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  visited = VisitedStores.read(`${test.folder}/visited of ${shop.business_id}`);
  visited.add(shop.business_id);
  [asked, warned, onQuestion] = [[], [], async () => {}];
  const counting = environmentWith(test, async (snapshot, queries, asker, signal) => {
    asked.push(asker.question);
    await onQuestion();
    return test.warehouse.query(snapshot, queries, asker, signal);
  });
  environment = { ...counting, kept: new KeptAnswers(16 * 1024 ** 2) };
});

function pagesAhead(): PagesAhead {
  return new PagesAhead({
    environment,
    control: test.instance.control,
    visited,
    isIdle: () => true,
    log: { warn: (...given: unknown[]) => warned.push(given) },
  });
}

function importOrders(count: number): Promise<unknown> {
  return test.importStore(shop, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
    orders: Array.from({ length: count }, (_, index) => ({
      ...{ order_id: `o${index}`, ordered_at: '2024-05-01T10:00:00', total: '10' },
    })),
  });
}

/** Both pages as a person sees them in Czech. */
async function openPages(from: ToolEnvironment): Promise<unknown> {
  const caller = operatorCaller(test.instance.control);
  const rest = [readAsked({}), messagesIn('cs-CZ')] as const;
  return JSON.stringify([
    await readOverview(from, caller, shop, ...rest),
    await readFindings(from, caller, shop, ...rest),
  ]);
}

it('the first visit after a publish asks the warehouse nothing, and shows what it would have shown', async () => {
  const ahead = pagesAhead();
  for (const orders of [1, 2]) {
    await importOrders(orders);
    await ahead.look();
    asked = [];
    const shown = await openPages(environment);
    expect(asked).toEqual([]);
    expect(shown).toBe(await openPages(test.environment));
  }
  expect(warned).toEqual([]);
});

it('the same is asked once', async () => {
  await importOrders(1);
  const ahead = pagesAhead();
  await ahead.look();
  expect(asked).not.toEqual([]);
  asked = [];
  await ahead.look();
  expect(asked).toEqual([]);
});

it('costs that the merchant changed are asked for again', async () => {
  await importOrders(1);
  const ahead = pagesAhead();
  await ahead.look();
  await addAssumption(test.instance.control, shop, {
    kind: 'payment_fee',
    from: '2024-01-01',
    percent: '2',
  });
  await ahead.look();
  asked = [];
  await openPages(environment);
  expect(asked).toEqual([]);
});

it('a publish in the middle ends what is asked of the one before', async () => {
  await importOrders(1);
  const ahead = pagesAhead();
  onQuestion = async () => {
    onQuestion = async () => {};
    await importOrders(2);
  };
  await ahead.look();
  expect(warned).toEqual([]);
  await ahead.look();
  asked = [];
  await openPages(environment);
  expect(asked).toEqual([]);
});

it('a store that is deleted in the middle, has no data or never was is left alone', async () => {
  await importOrders(1);
  visited.add('0a11e7a1-0000-4000-8000-00000000dead');
  visited.add((await test.createBusiness({ timezone: 'UTC', currency: 'EUR' })).business_id);
  const ahead = pagesAhead();
  onQuestion = async () => {
    onQuestion = async () => {};
    await deleteBusiness(test.instance, shop.business_id);
  };
  await ahead.look();
  const before = asked.length;
  await ahead.look();
  expect([before, asked.length, warned]).toEqual([1, 1, []]);
});

it('what cannot be made is told to the log once, and the next page is made', async () => {
  await importOrders(1);
  const ahead = pagesAhead();
  onQuestion = async () => {
    if (asked.length === 1) throw new Error('the disk is full');
  };
  await ahead.look();
  await ahead.look();
  expect(warned).toMatchObject([[{ business_id: shop.business_id }, 'a page is not made ahead']]);
});

it('a server that stops ends it', async () => {
  await importOrders(1);
  const ahead = pagesAhead();
  const closed = Promise.withResolvers<void>();
  onQuestion = async () => {
    onQuestion = async () => {};
    ahead.close().then(closed.resolve, closed.reject);
  };
  ahead.start();
  await closed.promise;
  expect(asked.length).toBe(1);
});
