import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Tool } from '../../../src/answers/tool.ts';
import { CATALOGUE } from '../../../src/catalogue.ts';
import { operatorCaller } from '../../../src/control/people/callers.ts';
import type { Row } from '../../../src/sql/row.ts';
import { emptyStore } from '../../oracle/store.ts';
import { SecondEngine } from '../second-engine.ts';
import { createTestInstance, type TestInstance } from '../test-instance.ts';
import { AnswerMemory } from './answer-memory.ts';

/** That the memory of ClickHouse's answers lets nothing wrong through. */
let test: TestInstance;
let business_id: string;
let memory: AnswerMemory;

const MARCH = { from_date: '2024-03-01T00:00:00', to_date: '2024-03-31T23:59:59' };

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  business_id = business.business_id;
  const orders = [{ order_id: 'O1', ordered_at: '2024-03-05T10:00:00', total: '10' }];
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders,
  });
  memory = new AnswerMemory(join(test.folder, 'answers.sqlite'));
});

afterAll(() => test[Symbol.asyncDispose]());

/** What the tool answers on DuckDB, compared by the engine. */
async function compare(
  engine: SecondEngine,
  { name = 'order_statistics', args = {}, answer }: { name?: string; args?: object; answer?: Answer } = {},
): Promise<void> {
  const tool = CATALOGUE.find((candidate) => candidate.name === name) as Tool;
  const call = { business_id, ...MARCH, ...args };
  const caller = operatorCaller(test.instance.control);
  const compared = answer ?? (await test.run(name, call));
  await engine.expectSame(compared, test.environment, tool, call, caller);
}

const asking = (content = 'one content', used = memory) =>
  new SecondEngine(
    {
      fileOf: ({ business_id, snapshot_id }) => test.instance.data.model(business_id, snapshot_id),
      contentOf: () => content,
    },
    used,
  );

/** Fails as soon as ClickHouse would be asked. */
const remembering = (content = 'one content', used = memory) =>
  new SecondEngine(
    {
      fileOf: () => {
        throw new Error('ClickHouse is asked');
      },
      contentOf: () => content,
    },
    used,
  );

it('asks ClickHouse once, and never again for the same', async () => {
  await expect(compare(remembering())).rejects.toThrow('ClickHouse is asked');
  const engine = asking();
  await compare(engine);
  await engine.stop();
  await compare(remembering());
});

it('asks again when the content, a parameter or the SQL is another', async () => {
  await compare(remembering());
  await expect(compare(remembering('another content'))).rejects.toThrow('ClickHouse is asked');
  await expect(compare(remembering(), { args: { to_date: '2024-03-30T23:59:59' } })).rejects.toThrow(
    'ClickHouse is asked',
  );
  await expect(
    compare(remembering(), { name: 'order_statistics_trend', args: { breakdown: 'day' } }),
  ).rejects.toThrow('ClickHouse is asked');
});

it('finds a wrong answer of DuckDB, though ClickHouse is not asked', async () => {
  const answer = await test.run('order_statistics', { business_id, ...MARCH });
  const wrong = { ...answer, result: { ...(answer.result as object), orders_count: 2 } };
  await expect(compare(remembering(), { answer: wrong })).rejects.toThrow('order_statistics on ClickHouse');
});

it('finds a wrong answer of ClickHouse that is remembered', async () => {
  class WrongMemory extends AnswerMemory {
    override recall(question: string): Row[][] | null {
      const known = super.recall(question);
      return (
        known?.map((rows) =>
          rows.map((row) => ('orders_count' in row ? { ...row, orders_count: 2 } : row)),
        ) ?? null
      );
    }
  }
  using wrong = new WrongMemory(join(test.folder, 'answers.sqlite'));
  await expect(compare(remembering('one content', wrong))).rejects.toThrow('order_statistics on ClickHouse');
});

it('the memory begins anew when its file is damaged', async () => {
  const file = join(test.folder, 'damaged.sqlite');
  await writeFile(file, 'no database '.repeat(1000));
  using damaged = new AnswerMemory(file);
  damaged.remember('a question', [[{ count: 1 }]]);
  expect(damaged.recall('a question')).toEqual([[{ count: 1 }]]);
});
