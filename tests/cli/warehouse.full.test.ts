import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startClickHouse, type TestClickHouse } from '../support/clickhouse.ts';
import { CommandLine } from './command-line.ts';

const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const ID = '5f0c2a4e-1111-4222-8333-444455556666';
const CALL = [
  ...['call', 'order_statistics'],
  JSON.stringify({ business_id: ID, from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' }),
  '--json',
];

let cli: CommandLine;
let clickHouse: TestClickHouse;
let env: Record<string, string>;

beforeAll(async () => {
  cli = await CommandLine.openShared();
  clickHouse = await startClickHouse();
  env = { STORESIGHT_WAREHOUSE_URL: clickHouse.url };
});

afterAll(async () => {
  await clickHouse.stop();
  await cli[Symbol.asyncDispose]();
});

it('moves a data folder to ClickHouse, and goes on there', async () => {
  await cli.json(['business', 'create', '--name', 'Shop', '--id', ID, '--currency', 'CZK']);
  await cli.json(['import', ID, SHOP]);
  const before = await cli.run(CALL);
  expect(before.status).toBe(0);

  // Before its tables are there.
  const early = await cli.run(CALL, { env });
  expect({ status: early.status, stdout: early.stdout }).toMatchObject({ status: 1 });

  // A second time too, as after an update.
  for (const expected of [
    { brought: 2, there: 0 },
    { brought: 0, there: 2 },
  ]) {
    const { stdout, stderr, status } = await cli.run(['warehouse', 'init', '--json'], { env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ database: 'storesight', ...expected });
  }
  expect(await cli.run(CALL, { env })).toEqual(before);

  const imported = await cli.run(['import', ID, SHOP, '--json'], { env });
  expect(imported.status).toBe(0);
  expect(await cli.run(CALL, { env })).toEqual(before);
});

it('says what is missing', async () => {
  const { status, stderr } = await cli.run(['warehouse', 'init']);
  expect(status).toBe(1);
  expect(stderr).toContain('set STORESIGHT_WAREHOUSE_URL');
  const wrong = await cli.run(['business', 'list'], { env: { STORESIGHT_WAREHOUSE_URL: 'http://x/' } });
  expect(wrong.stderr).toContain('it must be like clickhouse://user:password@host/database');
});
