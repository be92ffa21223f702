import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeptAnswers, keyOf } from '../../src/asking/kept-answers.ts';
import { type Arguments, runTool, type ToolEnvironment } from '../../src/asking/run-tool.ts';
import { type Business, PERMISSIONS } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { createAccount, grantAccess, revokeAccess } from '../../src/control/people/accounts.ts';
import { accountCaller, type Caller, operatorCaller } from '../../src/control/people/callers.ts';
import { atOnce } from '../../src/main-thread/turns.ts';
import { answerResult } from '../../src/mcp/answer-result.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { readCsv, type Store } from '../oracle/store.ts';
import { randomCalls } from '../support/random-calls.ts';
import { everyThirdInQuick, runs } from '../support/runs.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

let test: TestInstance;
let shop: Business;
let store: Store;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(shop, FOLDER);
  store = readCsv(FOLDER, { timezone: shop.timezone, primary_currency: shop.primary_currency });
});

afterAll(() => test[Symbol.asyncDispose]());

/** What is sent, byte for byte, or the error. */
async function sent(environment: ToolEnvironment, name: string, args: Arguments, caller?: Caller) {
  const tool = CATALOGUE.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  try {
    const answer = await runTool(environment, tool, args, caller ?? operatorCaller(test.instance.control));
    const inTurn = async <Result>(work: Parameters<typeof atOnce<Result>>[0]) => atOnce(work);
    return JSON.stringify(await answerResult(tool, args, answer, { inTurn, sendWritten: undefined }));
  } catch (error) {
    return String(error);
  }
}

const keeping = (most = 64_000_000) => ({ ...test.environment, kept: new KeptAnswers(most) });
const MONTH = { from_date: '2024-01-01', to_date: '2024-12-31' };

describe('a kept answer', () => {
  it.each(everyThirdInQuick(CATALOGUE.map(({ name }) => [name])))(
    'is the same as the first answer of %s, byte for byte',
    async (name) => {
      const environment = keeping();
      const args = sampleArguments(name, shop.business_id);
      const fresh = await sent(test.environment, name, args);
      expect(await sent(environment, name, args)).toBe(fresh);
      expect(await sent(environment, name, args)).toBe(fresh);
      const isKept = !['list_businesses', 'estimate_segment_query'].includes(name);
      expect(environment.kept.state.found).toBe(isKept ? 1 : 0);
    },
  );

  it('is the same for random calls, whatever was asked before', async () => {
    const environment = keeping();
    const narrow = keeping(20_000);
    await fc.assert(
      fc.asyncProperty(randomCalls(store, shop.business_id), async ({ tool, args }) => {
        const fresh = await sent(test.environment, tool, args as Arguments);
        for (const one of [environment, environment, narrow])
          expect(await sent(one, tool, args as Arguments), tool).toBe(fresh);
        expect(narrow.kept.state.bytes).toBeLessThanOrEqual(20_000);
      }),
      { numRuns: runs(20), endOnFailure: true },
    );
    expect(environment.kept.state.found).toBeGreaterThan(runs(10));
  });

  it('says what was ignored of the arguments, as the first time', async () => {
    const environment = keeping();
    const args = { business_id: shop.business_id, ...MONTH };
    const with_offset = { ...args, from_date: '2024-01-01T00:00:00-08:00' };
    await sent(environment, 'order_statistics', args);
    for (const asked of [with_offset, args, with_offset])
      expect(await sent(environment, 'order_statistics', asked)).toBe(
        await sent(test.environment, 'order_statistics', asked),
      );
  });
});

it('answers of the data that are served now, after an import and after going back', async () => {
  const environment = keeping();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importFolder(business, FOLDER);
  const args = { business_id: business.business_id, ...MONTH };
  const ask = () => sent(environment, 'order_statistics', args);
  const first = await ask();
  await test.importStore(business, {
    ...readCsv(FOLDER, { timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: [{ order_id: 'later', ordered_at: '2024-05-05T10:00:00', total: '1000' }],
  });
  const second = await ask();
  expect(second).not.toBe(first);
  expect(second).toBe(await sent(test.environment, 'order_statistics', args));
  await rollBack(test.instance, business.business_id);
  expect(await ask()).toBe(first);
});

it('a kept answer is given to every caller who may ask, and to nobody else', async () => {
  const environment = keeping();
  const control = test.instance.control;
  const args = { business_id: shop.business_id, ...MONTH };
  const { account_id } = await createAccount(control, { email: 'kept@example.com', password: null });
  const caller = accountCaller(control, account_id);
  const asOperator = await sent(environment, 'order_statistics', args);
  expect(await sent(environment, 'order_statistics', args, caller)).toContain('not assigned');
  await grantAccess(control, account_id, shop.business_id, PERMISSIONS);
  expect(await sent(environment, 'order_statistics', args, caller)).toBe(asOperator);
  await revokeAccess(control, account_id, shop.business_id);
  expect(await sent(environment, 'order_statistics', args, caller)).toContain('not assigned');
});

describe('the memory of kept answers', () => {
  const snapshot = (business_id: string, snapshot_id = 'one') => ({ business_id, snapshot_id });
  const answer = Buffer.alloc(90, 'a');
  const key = (number: number) => `key-${String(number).padStart(6, '0')}`;

  it('is of one snapshot of a business', () => {
    const kept = new KeptAnswers(10_000);
    kept.keep(snapshot('shop'), key(1), answer);
    expect(kept.find(snapshot('shop', 'other'), key(1))).toBe(null);
    expect(kept.find(snapshot('another shop'), key(1))).toBe(null);
    kept.keep(snapshot('shop', 'other'), key(2), answer);
    expect(kept.find(snapshot('shop'), key(1))).toBe(null);
    expect(kept.find(snapshot('shop', 'other'), key(2))).toBe(answer);
    expect(kept.state).toEqual({ bytes: 100, found: 1, missed: 3 });
  });

  it('makes room: first the answer of the business that was asked for longest ago', () => {
    const kept = new KeptAnswers(1_200);
    for (const number of [1, 2, 3]) kept.keep(snapshot('shop'), key(number), answer);
    kept.find(snapshot('shop'), key(1));
    kept.keep(snapshot('shop'), key(4), answer);
    const found = [1, 2, 3, 4].filter((number) => kept.find(snapshot('shop'), key(number)) !== null);
    expect(found).toEqual([1, 3, 4]);
    expect(kept.state.bytes).toBe(300);
  });

  it('never takes more bytes than its limit, however many businesses ask', () => {
    const kept = new KeptAnswers(1_000);
    for (let number = 0; number < 100; number += 1) {
      kept.keep(snapshot(`shop ${number % 30}`), key(number), answer);
      expect(kept.state.bytes).toBeLessThanOrEqual(1_000);
    }
    expect(kept.state.bytes).toBe(1_000);
    kept.keep(snapshot('shop'), key(1), Buffer.alloc(251));
    expect(kept.find(snapshot('shop'), key(1))).toBe(null);
    const none = new KeptAnswers(0);
    none.keep(snapshot('shop'), key(1), answer);
    expect(none.state.bytes).toBe(0);
  });

  it('has one key for a question, in whatever order its arguments stand', () => {
    const asked = keyOf('order_statistics', { business_id: 'a', from_date: 'b' });
    expect(keyOf('order_statistics', { from_date: 'b', business_id: 'a' })).toBe(asked);
    expect(keyOf('order_statistics_trend', { business_id: 'a', from_date: 'b' })).not.toBe(asked);
    expect(keyOf('order_statistics', { business_id: 'b', from_date: 'a' })).not.toBe(asked);
  });
});
