import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBack } from '../charts/read-back.ts';
import { CommandLine } from './command-line.ts';
import { writeOrders } from './hand-made-orders.ts';

const RANGE = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59', breakdown: 'month' };

let cli: CommandLine;
let business_id: string;

beforeAll(async () => {
  cli = await CommandLine.openShared();
  const about = ['--name', 'A & B', '--timezone', 'Europe/Prague', '--currency', 'CZK'];
  ({ business_id } = (await cli.json(['business', 'create', ...about])) as { business_id: string });
  await cli.json(['import', business_id, writeOrders(cli.folder)]);
});

afterAll(() => cli[Symbol.asyncDispose]());

const draw = (tool: string, args: object, ...more: string[]) =>
  cli.run([
    'chart',
    tool,
    JSON.stringify({ business_id, ...args }),
    '-o',
    join(cli.folder, 'chart.svg'),
    ...more,
  ]);

it('draws what call answers, beside other days', async () => {
  const compared = { from_date: '2023-01-01T00:00:00', to_date: '2023-12-31T23:59:59' };
  const drawn = await draw('order_statistics_trend', RANGE, '--compare', JSON.stringify(compared), '--json');
  expect(JSON.parse(drawn.stdout)).toEqual({ file: join(cli.folder, 'chart.svg'), panels: 3 });
  const svg = readFileSync(join(cli.folder, 'chart.svg'), 'utf8');
  const call = (args: object) =>
    cli.json(['call', 'order_statistics_trend', JSON.stringify({ business_id, ...args })]) as Promise<
      Record<string, unknown>
    >;
  const found = readBack(svg, await call(RANGE), await call({ ...RANGE, ...compared }));
  expect(found.problems).toEqual([]);
  expect(found.marks).toBeGreaterThan(20);
  expect(svg).toContain('A &amp; B');
});

it.each([
  ['no_tool', {}, [], /there is no tool no_tool; tools with one are order_statistics_trend, /],
  ['list_products', {}, [], /list_products has no chart; tools with one are/],
  ['order_statistics_trend', { ...RANGE, breakdown: 'year' }, [], /breakdown/],
  ['order_statistics_trend', RANGE, ['--compare', '[]'], /must be a JSON object/],
  ['order_statistics_trend', RANGE, ['--width', '20'], /between 280 and 4000/],
  ['get_product', { external_product_id: 'none' }, [], /./],
  ['order_statistics_trend', RANGE, ['-o', '/nowhere/at/all.svg'], /cannot be written/],
  [
    'order_statistics_trend',
    { ...RANGE, fields: ['refunded_revenue'] },
    [],
    /nothing to draw in this answer; `call` shows it/,
  ],
])('%s refuses what it cannot draw', async (tool, args, more, message) => {
  const refused = await draw(tool, args, ...more);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toMatch(message);
});
