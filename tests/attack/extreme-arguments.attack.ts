import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { emptyStore } from '../oracle/store.ts';
import { postModern, toolCall } from '../server/requests.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { report } from './report.ts';

/**
 * Every argument of every tool with the longest, largest and strangest that a request may hold. None of it
 * keeps the main thread from others for long: what is measured is the processor time of that thread between
 * two turns of the event loop, which other work on the machine does not lengthen.
 */

/** Milliseconds. The worst that was measured is 37. */
const MOST = 200;

let test: TestInstance;
let server: TestServer;
let shop: Business;
let token: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  for (let number = 0; number < 3000; number += 1) {
    const profile_id = `p${number}`;
    store.profiles.push({ profile_id, tags: `t${number % 20}|u${number % 7}` });
    const ordered_at = `${2014 + (number % 12)}-0${1 + (number % 9)}-1${number % 9}T12:00:00`;
    store.orders.push({ order_id: `o${number}`, profile_id, total: '100', ordered_at });
  }
  await test.importStore(shop, store);
  server = await startTestServer(test, { rateLimit: 1e6, maxRequestBytes: 2 ** 20 });
  ({ token } = await signIn(test, [shop]));
}, 60_000);

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** The longest time of the main thread for one piece of what it did meanwhile, in milliseconds. */
async function longestPiece(work: () => Promise<unknown>): Promise<number> {
  let [isOver, longest] = [false, 0];
  let before = process.threadCpuUsage();
  const look = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, (now.user + now.system - before.user - before.system) / 1000);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}

async function call(name: string, args: object): Promise<void> {
  const response = await postModern(server.mcpUrl, toolCall(name, args), { token });
  expect(response.status).toBeLessThan(500);
  expect(await response.text()).not.toContain('internal error');
}

const worst: { what: string; milliseconds: number }[] = [];

async function measure(what: string, name: string, args: object): Promise<void> {
  // What is slow once may be a collection of garbage or a compilation.
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && milliseconds > 40; time += 1)
    milliseconds = Math.min(milliseconds, await longestPiece(() => call(name, args)));
  worst.push({ what: `${name}: ${what}`, milliseconds });
}

const texts = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, 'x'));
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

const EXTREMES: Readonly<Record<string, unknown>> = {
  'a text of 900 KB': 'a'.repeat(900_000),
  '9000 texts': texts(9000, 90),
  '4000 objects': Array.from({ length: 4000 }, () => ({})),
  '9000 numbers': Array.from({ length: 9000 }, (_, index) => index),
  '9000 fields': fields(9000),
  '1e308': 1e308,
  'year 1': '0001-01-01T00:00:00',
  'year 9999': '9999-12-31T23:59:59',
};

it('no argument of a tool keeps the main thread from others', async () => {
  for (const tool of CATALOGUE) {
    const { properties = {} } = z.toJSONSchema(tool.input, { unrepresentable: 'any', io: 'input' });
    const year = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
    const known = {
      ...tool.example,
      ...('business_id' in properties && { business_id: shop.business_id }),
      ...('from_date' in properties && year),
    };
    await measure('as it should be', tool.name, known);
    for (const name of Object.keys(properties).filter((each) => each !== 'business_id'))
      for (const [what, value] of Object.entries(EXTREMES))
        await measure(`${name} is ${what}`, tool.name, { ...known, [name]: value });
    const years = { from_date: '2014-01-01T00:00:00', to_date: '2026-01-01T00:00:00' };
    if ('from_date' in properties) await measure('12 years', tool.name, { ...known, ...years });
  }
  tell('extreme arguments');
}, 600_000);

it('no segment query keeps the main thread from others', async () => {
  const one = (...targetingBlocks: object[]) => ({ segments: [{ targetingBlocks }] });
  const tagged = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ type: 'tag', operator: 'has', value: `t${index}` }));
  const queries: Readonly<Record<string, unknown>> = {
    '40 blocks': one(...tagged(40)),
    '40 segments': { segments: tagged(40).map((block) => ({ targetingBlocks: [block] })) },
    '4500 blocks of a type that there is not': one(...Array.from({ length: 4500 }, () => ({ type: 'x' }))),
    'a text of 33,000 blocks': JSON.stringify(one(...Array.from({ length: 33_000 }, () => ({})))),
    'a text of 49,000 segments': `{"segments":[${'1,'.repeat(49_000)}1]}`,
    'a text of 8000 fields': JSON.stringify(
      one({ type: 'tag', operator: 'has', value: 'x', ...fields(7000) }),
    ),
    '7000 lists': JSON.stringify(
      one({ type: 'interest_list', operator: 'is_subscribed', value: texts(7000, 10) }),
    ),
    'a tag of 90 KB': JSON.stringify(one({ type: 'tag', operator: 'has', value: 'x'.repeat(90_000) })),
    'a pattern of 40 KB': JSON.stringify(
      one({ type: 'attribute', operator: 'contains', value: { name: 'note', value: '%_'.repeat(20_000) } }),
    ),
  };
  for (const [what, segment_query] of Object.entries(queries)) {
    // Each may use up a day's budget.
    ({ token } = await signIn(test, [shop]));
    const args = { business_id: shop.business_id, segment_query };
    await measure(what, 'estimate_segment_query', args);
    await measure(`${what}, by consent and excluded`, 'estimate_segment_query', {
      ...{ ...args, by_consent: 'email', exclude_segment_query: segment_query },
    });
  }
  tell('extreme segment queries');
}, 300_000);

function tell(name: string): void {
  const [slowest] = worst.toSorted((one, other) => other.milliseconds - one.milliseconds);
  const { what = '', milliseconds = 0 } = slowest ?? {};
  report(name, {
    counts: { calls: worst.length },
    worst: { 'longest piece of the main thread': `${Math.round(milliseconds)} ms (${what})` },
  });
  worst.length = 0;
  expect(milliseconds, what).toBeLessThan(MOST);
}
