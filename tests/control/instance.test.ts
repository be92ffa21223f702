import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { openInstance } from '../../src/server/instance.ts';
import { CommandLine } from '../cli/command-line.ts';
import { findPostgres, PASSWORD, type TestPostgres } from '../support/postgres.ts';
import { isQuick } from '../support/runs.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));

let postgres: TestPostgres;
let onSqlite: TestInstance;
let onPostgres: TestInstance;
let business: Business;

beforeAll(async () => {
  postgres = await findPostgres();
  onSqlite = await createTestInstance({ isOneEngineEnough: true });
  onPostgres = await createTestInstance({
    isOneEngineEnough: true,
    controlUrl: await postgres.createDatabase(),
  });
  business = await onSqlite.createBusiness({ name: 'Shop', timezone: 'Europe/Prague', currency: 'CZK' });
  await onPostgres.createBusiness({
    id: business.business_id,
    name: 'Shop',
    timezone: 'Europe/Prague',
    currency: 'CZK',
  });
  for (const test of [onSqlite, onPostgres]) await test.importFolder(business, FOLDER);
});

afterAll(async () => {
  for (const test of [onSqlite, onPostgres]) await test[Symbol.asyncDispose]();
});

/**
 * What the control database says reaches tools by their caller, the facts of the snapshot, and the budget of
 * counts.
 */
const TOLD_BY_CONTROL = ['list_businesses', 'order_statistics', 'estimate_segment_query'];

it.each(isQuick ? TOLD_BY_CONTROL : CATALOGUE.map(({ name }) => name))(
  '%s answers the same with either control database',
  async (tool) => {
    const args = sampleArguments(tool, business.business_id);
    const answer = await onPostgres.ask(tool, args);
    expect(JSON.stringify(answer).length).toBeGreaterThan(50);
    expect(answer).toEqual(await onSqlite.ask(tool, args));
  },
);

it('the data folder has no control database when PostgreSQL has it', async () => {
  expect(existsSync(join(onPostgres.settings.DATA, 'secret'))).toBe(true);
  expect(existsSync(join(onPostgres.settings.DATA, 'control.sqlite'))).toBe(false);
});

it('a second instance with the same data folder and database sees the same', async () => {
  await using second = await openInstance(onPostgres.settings);
  expect(await second.control.selectFrom('snapshots').selectAll().execute()).toEqual(
    await onPostgres.instance.control.selectFrom('snapshots').selectAll().execute(),
  );
  expect(second.secret).toEqual(onPostgres.instance.secret);
});

it('the command line works on PostgreSQL, and tells what is wrong without the password', async () => {
  await using cli = await CommandLine.open();
  const controlUrl = await postgres.createDatabase();
  const env = { STORESIGHT_CONTROL_URL: controlUrl };
  // An open connection would keep it alive, for the ten seconds after which idle ones are closed; here for
  // ever.
  const keepIdle = `const { setTimeout } = globalThis;
    globalThis.setTimeout = (run, delay, ...rest) => setTimeout(run, delay === 10_000 ? 2 ** 31 - 1 : delay, ...rest);`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(keepIdle)}`;
  const created = await cli.run(['business', 'create', '--name', 'Shop', '--json'], {
    env: { ...env, NODE_OPTIONS },
  });
  expect(created).toMatchObject({ status: 0, stderr: '' });
  const listed = await cli.run(['business', 'list', '--json'], { env });
  expect(listed.stdout).toContain('"Shop"');

  const wrong = controlUrl.replace(encodeURIComponent(PASSWORD), 'hunter2');
  const { status, stdout, stderr } = await cli.run(['business', 'list', '--json'], {
    env: { STORESIGHT_CONTROL_URL: wrong },
  });
  expect(status).toBe(1);
  expect(JSON.parse(stdout).error).toMatch(
    /^the control database at 127\.0\.0\.1:\d+\/test_\w+ cannot be used/,
  );
  expect(stdout + stderr).not.toMatch(/hunter2|\n\s+at /);
});
