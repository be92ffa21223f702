import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exampleArguments } from '../../scripts/tool-examples.ts';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { ask, message, post, toolCall } from '../server/requests.ts';
import { heapMbOf, WEIGHABLE } from '../support/heap-of.ts';
import { inTurns } from './in-turns.ts';
import { Target } from './target.ts';

/**
 * Quick requests, mixed. The rest goes on beside them for as long: every fourth of the questions of all
 * tools, and imports.
 */
const REQUESTS = Number(process.env.STORESIGHT_SOAK ?? 15_000);
const QUICK_AT_ONCE = 6;
const SETTINGS = {
  NODE_OPTIONS: `--max-old-space-size=256 ${WEIGHABLE}`,
  LOG_LEVEL: 'error',
  // The query engine gets this; the process has what Node needs in addition.
  STORESIGHT_MEMORY_LIMIT: '512MB',
  STORESIGHT_RATE_LIMIT: '1000000',
  // A busy machine shall give answers to compare, and not refusals.
  STORESIGHT_QUERY_TIMEOUT_S: '120',
};
/**
 * The engine's, the heap of an attacked server, and what both need beside: libraries, buffers, the
 * allocator's slack.
 */
const MOST_MB = 1600;
/**
 * What the heap may have more at the end than when a fifth of the requests was answered, and all caches were
 * full.
 */
const MOST_GROWTH_MB = 5;

const ONLINE_RETAIL = '0a11e7a1-0000-4000-8000-000000000001';
const MADE_SHOP = '0a11e7a1-0000-4000-8000-000000000002';
const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const SHOP_RANGE = { from_date: '2023-01-01T00:00:00', to_date: '2025-12-31T23:59:59' };

/** Ranges of several lengths, so that quick and slow questions mix. */
const RANGES: Readonly<Record<string, readonly object[]>> = {
  [ONLINE_RETAIL]: [
    { from_date: '2010-12-01T00:00:00', to_date: '2011-12-09T23:59:59' },
    { from_date: '2011-11-01T00:00:00', to_date: '2011-11-30T23:59:59' },
  ],
  [MADE_SHOP]: [
    { from_date: '2024-10-01T00:00:00', to_date: '2026-09-30T23:59:59' },
    { from_date: '2026-07-01T00:00:00', to_date: '2026-09-30T23:59:59' },
  ],
};

/**
 * An answer that says so is no wrong one: the queue has an end, and so have the questions about groups in a
 * day.
 */
const REFUSALS = /try again in a moment|wait for an answer already|took longer than|needs more/;
/** Has a budget for each day, which its own attack uses up. */
const NOT_ASKED = ['estimate_segment_query'];

interface Question {
  readonly tool: string;
  readonly args: object;
}

/** What costs little, and the status of its answer. */
const QUICK: readonly (readonly [unknown, number])[] = [
  [toolCall('list_businesses', {}), 200],
  [message('ping'), 200],
  [toolCall('order_statistics', { business_id: 'x' }), 200],
  [{ jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
  [[message('ping', {}, 1), toolCall('list_businesses', {})], 200],
  [message('no/method'), 200],
  ['{"jsonrpc"', 400],
  [message('prompts/list'), 200],
];

it('answers stay right and memory flat under load for long', async () => {
  await using target = await Target.open();
  await target.makeDemo();
  const imported = await target.makeShop(
    { name: 'Imported', timezone: 'Europe/Prague', currency: 'CZK' },
    SHOP,
  );
  const server = await target.serve(SETTINGS);
  const shops = [{ business_id: ONLINE_RETAIL }, { business_id: MADE_SHOP }];
  const accounts = await Promise.all(Array.from({ length: 4 }, () => target.signIn([...shops, imported])));
  const questions = CATALOGUE.filter(({ name }) => !NOT_ASKED.includes(name))
    .flatMap(questionsOf)
    .filter((_, index) => index % 4 === 0);
  const tokenOf = (index: number) => accounts[index % accounts.length]?.token ?? '';
  const answer = async ({ tool, args }: Question, index: number) =>
    (await ask(server.url, tokenOf(index), tool, args)).join('\n');

  const references = await inTurns(2, questions, (question) => answer(question, 0));
  expect(references.filter((reference) => REFUSALS.test(reference))).toEqual([]);
  const shopQuestion = {
    tool: 'order_statistics',
    args: { business_id: imported.business_id, ...SHOP_RANGE },
  };
  const shopReference = await answer(shopQuestion, 0);

  const counts = { requests: 0, questions: 0, refused: 0, imports: 0 };
  const isOver = () => counts.requests >= REQUESTS;
  const wrong: string[] = [];
  const heap: number[] = [];
  const quick = async () => {
    while (!isOver()) {
      const index = counts.requests++;
      const [body, status] = QUICK[index % QUICK.length] as (typeof QUICK)[number];
      const given = await post(server.url, body, { token: tokenOf(index) });
      await given.text();
      if (given.status !== status) wrong.push(`${JSON.stringify(body)}: ${given.status}`);
    }
  };
  const asking = async () => {
    while (!isOver()) {
      const index = counts.questions++ % questions.length;
      const given = await answer(questions[index] as Question, counts.questions);
      if (REFUSALS.test(given)) counts.refused += 1;
      else if (given !== references[index])
        wrong.push(
          `${JSON.stringify(questions[index])}: ${given.slice(0, 300)}, not ${references[index]?.slice(0, 300)}`,
        );
      // Most of the machine is for the quick ones.
      await wait(500);
    }
  };
  const importing = async () => {
    while (!isOver()) {
      await importAgain(target, imported);
      counts.imports += 1;
      const given = await answer(shopQuestion, counts.imports);
      if (given !== shopReference && !REFUSALS.test(given))
        wrong.push(`after an import: ${given.slice(0, 300)}`);
      await wait(10_000);
    }
  };
  let mostMb = 0;
  const weighing = async () => {
    while (!isOver()) {
      // Each tenth of the requests.
      if (counts.requests >= (heap.length * REQUESTS) / 10) {
        heap.push(await heapMbOf(server.child));
        process.stdout.write(`soak: ${counts.requests} requests, heap ${heap.at(-1)?.toFixed(1)} MB\n`);
      }
      mostMb = Math.max(mostMb, await server.memoryMb());
      await wait(500);
    }
  };
  const startedAt = performance.now();
  await Promise.all([...Array.from({ length: QUICK_AT_ONCE }, quick), asking(), importing(), weighing()]);
  const end = await heapMbOf(server.child);
  const figures = {
    ...counts,
    minutes: ((performance.now() - startedAt) / 60_000).toFixed(1),
    'heap after each tenth, MB': heap.map((mb) => mb.toFixed(1)).join(' '),
    'heap at the end, MB': end.toFixed(1),
    'most memory, MB': mostMb,
    'memory at the end, MB': await server.memoryMb(),
  };
  process.stdout.write(`soak: ${JSON.stringify(figures)}\n`);
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(server.isRunning).toBe(true);
  expect(server.log).not.toContain('"level":50');
  expect(counts.refused).toBeLessThan(Math.max(10, counts.questions / 2));
  expect(mostMb).toBeLessThan(MOST_MB);
  expect(end - Math.min(...heap.slice(2, 5))).toBeLessThan(MOST_GROWTH_MB);
}, 3_600_000);

function questionsOf(tool: (typeof CATALOGUE)[number]): Question[] {
  const example = exampleArguments(tool);
  if (tool.scope === 'account') return [];
  return Object.entries(RANGES).flatMap(([business_id, ranges]) => {
    if (!('from_date' in tool.input.shape)) return [{ tool: tool.name, args: { ...example, business_id } }];
    return ranges.map((range) => ({ tool: tool.name, args: { ...example, business_id, ...range } }));
  });
}

/** The same files: they change no answer, but make a new snapshot while the old one is asked. */
async function importAgain(target: Target, { business_id }: Business): Promise<void> {
  await target.cli.json(['import', business_id, SHOP]);
}
