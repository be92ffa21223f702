import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exampleArguments } from '../../scripts/tool-examples.ts';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { ask } from '../server/requests.ts';
import { inTurns } from './in-turns.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const MINUTES = Number(process.env.STORESIGHT_ATTACK_MINUTES ?? 2);
const AT_ONCE = 12;
const SETTINGS = {
  // Of the query engine; the process has what Node needs beside it.
  STORESIGHT_MEMORY_LIMIT: '512MB',
  STORESIGHT_RATE_LIMIT: '1000000',
  // A busy machine shall give answers to compare, and not refusals.
  STORESIGHT_QUERY_TIMEOUT_S: '120',
};
/** The engine's, the heap of an attacked server, and what both need beside: libraries, buffers, the allocator's slack. */
const MOST_MB = 1600;

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

/** An answer that says so is no wrong one: the queue has an end, and so have the questions about groups in a day. */
const REFUSALS = /try again in a moment|wait for an answer already|took longer than|needs more/;
/** Has a budget for each day, which its own attack uses up. */
const NOT_ASKED = ['estimate_segment_query'];

interface Question {
  readonly tool: string;
  readonly args: object;
}

interface Memory {
  readonly minute: number;
  readonly mb: number;
}

it('at full load for long, answers stay right and memory flat', async () => {
  await using target = await Target.open();
  await target.makeDemo();
  const imported = await target.makeShop(
    { name: 'Imported', timezone: 'Europe/Prague', currency: 'CZK' },
    SHOP,
  );
  const server = await target.serve(SETTINGS);
  const shops = [{ business_id: ONLINE_RETAIL }, { business_id: MADE_SHOP }];
  const accounts = await Promise.all(Array.from({ length: 4 }, () => target.signIn([...shops, imported])));
  const questions = CATALOGUE.filter(({ name }) => !NOT_ASKED.includes(name)).flatMap(questionsOf);
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

  const endsAt = Date.now() + MINUTES * 60_000;
  const isOver = () => Date.now() > endsAt;
  const counts = { calls: 0, refused: 0, imports: 0 };
  const wrong: string[] = [];
  let slowestMs = 0;
  const load = async () => {
    while (!isOver()) {
      const index = Math.floor(Math.random() * questions.length);
      const question = questions[index] as Question;
      const askedAt = performance.now();
      const given = await answer(question, counts.calls);
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
      counts.calls += 1;
      if (given === references[index]) continue;
      if (REFUSALS.test(given)) counts.refused += 1;
      else
        wrong.push(
          `${JSON.stringify(question)}: ${given.slice(0, 300)}, not ${references[index]?.slice(0, 300)}`,
        );
    }
  };
  const importing = async () => {
    while (!isOver()) {
      await importAgain(target, imported);
      counts.imports += 1;
      const given = await answer(shopQuestion, counts.imports);
      if (given !== shopReference && !REFUSALS.test(given))
        wrong.push(`after an import: ${given.slice(0, 300)}`);
      await wait(2000);
    }
  };
  const memory: Memory[] = [];
  const weighing = async () => {
    const startedAt = Date.now();
    while (!isOver()) {
      memory.push({ minute: (Date.now() - startedAt) / 60_000, mb: await server.memoryMb() });
      await wait(1000);
    }
  };
  await Promise.all([...Array.from({ length: AT_ONCE }, load), importing(), weighing()]);

  const secondHalf = memory.slice(memory.length / 2);
  const slope = slopeOf(secondHalf);
  report('soak', {
    counts: { minutes: MINUTES, questions: questions.length, ...counts },
    worst: {
      'wrong answers': wrong.length,
      'the slowest call, ms': Math.round(slowestMs),
      'most memory, MB': Math.max(...memory.map(({ mb }) => mb)),
      'memory after each tenth of the time, MB': tenths(memory).join(' '),
      'memory per minute in the second half, MB': slope.toFixed(1),
    },
  });
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(server.isRunning).toBe(true);
  expect(server.log).not.toContain('"level":50');
  expect(counts.calls - counts.refused).toBeGreaterThan(counts.calls / 2);
  expect(Math.max(...memory.map(({ mb }) => mb))).toBeLessThan(MOST_MB);
  // What is in use goes up and down by hundreds of megabytes; a leak lifts the least. A short run still fills caches.
  const [early, late] = [floorOf(memory, 0.25, 0.5), floorOf(memory, 0.75, 1)];
  if (MINUTES >= 10) expect(late - early).toBeLessThan(100);
});

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

/** The least memory in a part of the time. */
function floorOf(memory: readonly Memory[], from: number, to: number): number {
  return Math.min(...memory.slice(memory.length * from, memory.length * to).map(({ mb }) => mb));
}

function tenths(memory: readonly Memory[]): number[] {
  return Array.from(
    { length: 10 },
    (_, tenth) => memory[Math.floor(((memory.length - 1) * (tenth + 1)) / 10)]?.mb ?? 0,
  );
}

/** Megabytes per minute, by least squares. */
function slopeOf(memory: readonly Memory[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [minute, mb] = [mean(memory.map((point) => point.minute)), mean(memory.map((point) => point.mb))];
  const covariance = memory.map((point) => (point.minute - minute) * (point.mb - mb));
  const variance = memory.map((point) => (point.minute - minute) ** 2);
  return mean(covariance) / mean(variance);
}
