import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tool } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { longAnswerNotes, refuseHugeAnswer, WAYS } from '../../src/mcp/long-answer.ts';
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

async function days(from_date: string, to_date: string) {
  const args = { business_id, from_date, to_date, breakdown: 'day' };
  const [reply] = await replies(
    await post(server.mcpUrl, toolCall('order_statistics_trend', args), { token }),
  );
  const [json = '', ...notes] = (reply?.result?.content ?? []).map(({ text }) => text);
  expect(JSON.parse(json)).toEqual(reply?.result?.structuredContent);
  return { rows: JSON.parse(json).periods.length, notes: notes.filter((note) => note.includes('long')) };
}

it('says of a long answer, which is whole, how to ask for less', async () => {
  expect(await days('2022-01-01T00:00:00', '2022-01-31T23:59:59')).toEqual({ rows: 31, notes: [] });
  expect(await days('2022-01-01T00:00:00', '2024-12-31T23:59:59')).toEqual({
    rows: 1096,
    notes: [
      expect.stringMatching(
        /^This answer is long, about 1\d\d,000 tokens, and some apps cut such answers\. Ask for less: a coarser breakdown, or a shorter range\.$/,
      ),
    ],
  });
});

it('calls an answer long from 10,000 tokens of four bytes on', () => {
  const tool = CATALOGUE.find(({ name }) => name === 'list_products') as Tool;
  expect(longAnswerNotes(tool, 'x'.repeat(39_999))).toEqual([]);
  expect(longAnswerNotes(tool, 'č'.repeat(20_000))).toEqual([
    'This answer is long, about 10,000 tokens, and some apps cut such answers. Ask for less: a lower limit.',
  ]);
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
  const answers = CATALOGUE.filter(isWide).flatMap((tool) => longAnswerNotes(tool, 'x'.repeat(40_000)));
  expect(answers.filter((note) => !note.includes('Ask for less'))).toEqual([]);
  const known = new Set(CATALOGUE.flatMap((tool) => Object.keys(tool.input.shape)));
  expect(Object.keys(WAYS).filter((argument) => !known.has(argument))).toEqual([]);
});
