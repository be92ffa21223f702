import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ControlDatabase, openControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
import { GrantUses } from '../../src/control/tokens/grant-uses.ts';
import { createGrant, listAppGrants } from '../../src/control/tokens/grants.ts';

const MINUTE = 60_000;
let folder: string;
let control: ControlDatabase;
let failures: unknown[];
let uses: GrantUses;
let grants: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'storesight-grants-'));
  control = await openControlDatabase(join(folder, 'control.sqlite'));
  failures = [];
  uses = new GrantUses(control, (error) => failures.push(error));
  const { account_id } = await createAccount(control, { email: 'ada@example.com', password: null });
  const expires_at = new Date(Date.now() + 1e9);
  grants = [];
  for (let count = 0; count < 3; count += 1) {
    grants.push((await createGrant(control, { account_id, allowlist: null, expires_at })).grant_id);
  }
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await control.destroy();
  rmSync(folder, { recursive: true });
});

/** When each grant was used, as the database says; in the order of `grants`. */
async function lastUses(): Promise<(string | null | undefined)[]> {
  await uses.settled();
  const connections = await listAppGrants(control, null);
  return grants.map((id) => connections.find(({ grant_id }) => grant_id === id)?.last_used_at);
}

function now(): string {
  return new Date().toISOString();
}

it('records the use of each grant once a minute', async () => {
  const [first = '', second = ''] = grants;
  const start = now();
  uses.record(first);
  uses.record(second);
  expect(await lastUses()).toEqual([start, start, null]);
  vi.setSystemTime(Date.now() + MINUTE - 1);
  uses.record(first);
  expect(await lastUses()).toEqual([start, start, null]);
  vi.setSystemTime(Date.now() + 1);
  uses.record(first);
  expect(await lastUses()).toEqual([now(), start, null]);
});

it('says once a minute that it cannot, throws nothing, and goes on when it can again', async () => {
  const [first = '', second = '', third = ''] = grants;
  await sql`create trigger full before update on grants begin select raise(fail, 'full'); end`.execute(
    control,
  );
  for (const grant of grants) uses.record(grant);
  expect(await lastUses()).toEqual([null, null, null]);
  expect(failures.map(String)).toEqual(['Error: full']);
  uses.record(third);
  expect(await lastUses()).toEqual([null, null, null]);
  expect(failures).toHaveLength(1);
  await sql`drop trigger full`.execute(control);
  vi.setSystemTime(Date.now() + MINUTE);
  uses.record(first);
  uses.record(second);
  expect(await lastUses()).toEqual([now(), now(), null]);
  expect(failures).toHaveLength(1);
});

it('keeps no more writes waiting for a database that hangs than a hundred', async () => {
  const statements: string[] = [];
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  const hanging = {
    updateTable: (table: string) => {
      statements.push(table);
      const query = { set: () => query, where: () => query, execute: () => free };
      return query;
    },
  };
  uses = new GrantUses(hanging as unknown as ControlDatabase, (error) => failures.push(error));
  for (let count = 0; count < 1000; count += 1) uses.record(`grant-${count}`);
  await Promise.resolve();
  expect(statements).toHaveLength(1);
  release();
  await uses.settled();
  expect(statements).toHaveLength(100);
  expect(failures).toEqual([]);
});
