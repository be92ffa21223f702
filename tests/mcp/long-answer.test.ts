import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tool } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { longAnswer, refuseHugeAnswer, WAYS } from '../../src/mcp/long-answer.ts';
import { post, replies, toolCall } from '../server/requests.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let server: TestServer;
let token: string;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  const business = await test.createBusiness();
  ({ business_id } = business);
  ({ token } = await signIn(test, [business]));
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function days(from_date: string, to_date: string, ways = {}) {
  const args = { business_id, from_date, to_date, breakdown: 'day', ...ways };
  const [reply] = await replies(
    await post(server.mcpUrl, toolCall('order_statistics_trend', args), { token }),
  );
  const [json = '', ...notes] = (reply?.result?.content ?? []).map(({ text }) => text);
  expect(JSON.parse(json)).toEqual(reply?.result?.structuredContent);
  const { notes: told = [], ...shown } = JSON.parse(json);
  expect(told).toEqual(notes);
  const rows = (shown.periods ?? shown.rows).length;
  return {
    rows,
    first: notes[0] ?? '',
    meta: reply?.result?._meta,
    bytes: Buffer.byteLength(JSON.stringify(shown)),
  };
}

it('says of a long answer, which is whole, first of all how to ask for less, also to the host', async () => {
  const short = await days('2022-01-01T00:00:00', '2022-01-31T23:59:59');
  expect(short).toMatchObject({ rows: 31, first: 'No orders are loaded for this business yet.' });
  expect(short.meta ?? {}).not.toHaveProperty('storesight/answer-bytes');
  const [from, to] = ['2022-01-01T00:00:00', '2024-12-31T23:59:59'];
  const long = await days(from, to);
  const ways =
    'Ask for less: fields with only what you need, or format "table", or a coarser breakdown, or a shorter range.';
  expect(long).toMatchObject({
    rows: 1096,
    first: expect.stringMatching(
      /^This answer has \d{3} KB, and some apps cut such answers\. Ask for less: /,
    ),
    meta: { 'storesight/answer-bytes': long.bytes, 'storesight/shorter': ways },
  });
  expect(long.first).toContain(ways);
  const table = await days(from, to, { format: 'table' });
  expect(table).toMatchObject({ rows: 1096 });
  expect(table.bytes).toBeLessThan(long.bytes / 4);
  const chosen = await days(from, to, { fields: ['orders_count'] });
  expect(chosen.bytes).toBeLessThan(long.bytes / 4);
});

it('calls an answer long above 80 KB', () => {
  const tool = CATALOGUE.find(({ name }) => name === 'list_products') as Tool;
  expect(longAnswer(tool, {}, 'x'.repeat(80_000))).toBeNull();
  expect(longAnswer(tool, { format: 'table' }, `${'č'.repeat(40_000)}x`)?.note).toBe(
    'This answer has 80 KB, and some apps cut such answers. Ask for less: fields with only what you need, or a lower limit.',
  );
});

it('refuses an answer that would fill the server', () => {
  const tool = CATALOGUE.find(({ name }) => name === 'list_products') as Tool;
  expect(() => refuseHugeAnswer(tool, 'x'.repeat(16_000_000))).not.toThrow();
  expect(() => refuseHugeAnswer(tool, 'x'.repeat(16_000_001))).toThrow(
    'the answer would have 17 MB, and at most 16 are sent',
  );
});

it('knows a way to a shorter answer of every tool that asks for a range or pages', () => {
  const isWide = (tool: Tool) => 'from_date' in tool.input.shape || 'offset' in tool.input.shape;
  const answers = CATALOGUE.filter(isWide).map(
    (tool) => longAnswer(tool, {}, 'x'.repeat(80_001))?.note ?? '',
  );
  expect(answers.filter((note) => !note.includes('Ask for less'))).toEqual([]);
  const known = new Set(CATALOGUE.flatMap((tool) => Object.keys(tool.input.shape)));
  expect(Object.keys(WAYS).filter((argument) => !known.has(argument))).toEqual([]);
});
