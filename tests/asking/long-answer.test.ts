import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tool } from '../../src/answers/tool.ts';
import { longAnswer, MOST_BYTES, roomForRows, WAYS } from '../../src/asking/long-answer.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
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
  const { notes = [], ...shown } = (reply?.result?.structuredContent ?? {}) as {
    readonly notes?: readonly string[];
    readonly periods?: readonly object[];
    readonly rows?: readonly object[];
  };
  const [json = '', ...others] = (reply?.result?.content ?? []).map(({ text }) => text);
  expect(others).toEqual([]);
  return {
    rows: (shown.periods ?? shown.rows ?? []).length,
    text: JSON.parse(json),
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

it('calls an answer long above 40 KB', () => {
  const tool = CATALOGUE.find(({ name }) => name === 'list_products') as Tool;
  expect(longAnswer(tool, {}, 40_000)).toBeNull();
  expect(longAnswer(tool, { format: 'table' }, 40_001)?.note).toBe(
    'This answer has 40 KB, and some apps cut such answers. Ask for less: fields with only what you need, or a lower limit.',
  );
});

it('refuses an answer that is too long, and says how to ask for less', async () => {
  const tool = CATALOGUE.find(({ name }) => name === 'order_statistics_trend') as Tool;
  // So many of the shortest rows would fit; these are longer.
  const first = new Date(Date.parse('2025-12-31T00:00:00Z') - (roomForRows(tool, {}) - 1) * 86_400_000);
  const from_date = first.toISOString().slice(0, '2025-12-31T00:00:00'.length);
  const args = { from_date, to_date: '2025-12-31T23:59:59', breakdown: 'day' };
  const call = toolCall('order_statistics_trend', { business_id, ...args });
  const [reply] = await replies(await post(server.mcpUrl, call, { token }));
  expect(reply?.result?.isError).toBe(true);
  expect(reply?.result?.content.map(({ text }) => text)).toEqual([
    'the answer would have at least 2.1 MB, and at most 2.0 are sent',
    '\nAsk for less: fields with only what you need, or format "table", or a coarser breakdown, or a shorter range.',
  ]);
});

it.each(['objects', 'table'])('has room for no more of the shortest rows as %s than it says', (format) => {
  for (const tool of CATALOGUE) {
    if (tool.rows === undefined) continue;
    const { list } = tool.rows;
    const fields = tool.fields.find(({ key }) => key === list)?.fields;
    if (fields === undefined) continue;
    const values = fields.map(({ key, type, null: meaning, values: choices = [] }) => {
      if (type === 'choice') return [key, choices.toSorted((a, b) => a.length - b.length)[0]];
      if (type === 'date' && meaning === undefined) return [key, '2026-10-31'];
      return [key, 0];
    });
    const row = format === 'table' ? values.map(([, value]) => value) : Object.fromEntries(values);
    const room = roomForRows(tool, { format });
    expect((JSON.stringify(row).length + 1) * (room + 1), tool.name).toBeGreaterThan(MOST_BYTES);
    // The longest lists that may be asked for are not refused beforehand.
    expect(room, tool.name).toBeGreaterThan(1000);
  }
});

it('knows a way to a shorter answer of every tool that asks for a range or pages', () => {
  const isWide = (tool: Tool) => 'from_date' in tool.input.shape || 'offset' in tool.input.shape;
  const answers = CATALOGUE.filter(isWide).map((tool) => longAnswer(tool, {}, 40_001)?.note ?? '');
  expect(answers.filter((note) => !note.includes('Ask for less'))).toEqual([]);
  const known = new Set(CATALOGUE.flatMap((tool) => Object.keys(tool.input.shape)));
  expect(Object.keys(WAYS).filter((argument) => !known.has(argument))).toEqual([]);
});

it.each(['2025-12-30', '2024-06-01'])(
  'notes stand first, since hosts cut at the end: from %s',
  async (day) => {
    const args = { from_date: day, to_date: '2025-12-31', breakdown: 'day', wait_for_previous: true };
    const call = toolCall('order_statistics_trend', { business_id, ...args });
    const [reply] = await replies(await post(server.mcpUrl, call, { token }));
    const [text = { text: '' }] = reply?.result?.content ?? [];
    expect(text.text).toMatch(/^\{"notes":\["(Ignored: |This text has only )/);
    expect(Object.keys(reply?.result?.structuredContent ?? {})[0]).toBe('notes');
  },
);

it('a short answer is the same in both places, a longer one has its rows as a table in the text, or says which it has', async () => {
  const short = await days('2025-12-01', '2025-12-10');
  expect(short.text.periods).toHaveLength(10);
  const month = await days('2025-12-01', '2025-12-31');
  expect(month.rows).toBe(31);
  expect(month.text).toMatchObject({ columns: expect.arrayContaining(['period', 'orders_count']) });
  expect(month.text.rows).toHaveLength(31);
  expect(month.text.notes.join()).not.toContain('This text has only');
  const year = await days('2024-01-01', '2025-12-31');
  expect(year.rows).toBe(731);
  const [first, ...others] = year.text.notes;
  const shown = year.text.rows.length;
  expect(first).toBe(
    `This text has only the first ${shown} of 731 \`rows\`; the others are in structuredContent, which some apps do not show. Ask for less: fields with only what you need, or a coarser breakdown, or a shorter range.`,
  );
  expect(others[0]).toBe(year.first);
  expect(shown).toBeGreaterThan(100);
  expect(Buffer.byteLength(JSON.stringify(year.text))).toBeLessThan(17_000);
});
