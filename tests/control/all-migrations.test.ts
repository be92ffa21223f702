import { mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBusiness, currentSnapshot, listBusinesses } from '../../src/control/businesses/businesses.ts';
import { MIGRATIONS } from '../../src/control/database/all-migrations.ts';
import { openControlDatabase } from '../../src/control/database/control-database.ts';
import { WORDS as POSTGRES_WORDS } from '../../src/control/database/open-postgres.ts';
import { WORDS as SQLITE_WORDS } from '../../src/control/database/open-sqlite.ts';
import { createAccount, findAccount } from '../../src/control/people/accounts.ts';
import { findGrant } from '../../src/control/tokens/grants.ts';
import { InputError } from '../../src/errors.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';
import { fingerprint, RELEASED } from './released-migrations.ts';
import { readSchema } from './schema.ts';

const WORDS = { SQLite: SQLITE_WORDS, PostgreSQL: POSTGRES_WORDS };

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

/** What the program, or its operator, does in a database beside us. */
async function execute(place: string, text: string): Promise<void> {
  if (place.startsWith('postgres:')) {
    await places.postgres.query(place, text);
    return;
  }
  mkdirSync(dirname(place), { recursive: true });
  using sqlite = new DatabaseSync(place);
  sqlite.exec(text);
}

async function open(place: string): Promise<void> {
  await (await openControlDatabase(place)).destroy();
}

describe('migrations', () => {
  const folder = new URL('../../src/control/database/migrations/', import.meta.url);
  const files = readdirSync(folder)
    .filter((file) => /^\d/.test(file))
    .toSorted();

  it('are listed in the order of their files, whose numbers have no gap and none twice', async () => {
    expect(files.map((file) => Number.parseInt(file, 10))).toEqual(MIGRATIONS.map((_, index) => index + 1));
    const modules = files.map((file) => import(new URL(file, folder).href) as Promise<object>);
    expect((await Promise.all(modules)).flatMap(Object.values)).toEqual(MIGRATIONS);
  });

  it('never change once they were released', () => {
    const fingerprints = MIGRATIONS.map((migration, index) => [files[index], fingerprint(migration)]);
    expect(Object.fromEntries(fingerprints)).toEqual(RELEASED);
  });
});

describe.each(ENGINES)('a database of an earlier version, on %s', (engine) => {
  async function released(version: number): Promise<string> {
    const place = await places.fresh(engine);
    const texts = MIGRATIONS.slice(0, version).map((migration) => migration(WORDS[engine]));
    const told = {
      SQLite: `pragma user_version = ${version}`,
      PostgreSQL: `create table storesight_schema (version bigint not null); insert into storesight_schema values (${version})`,
    }[engine];
    await execute(place, [...texts, told].join(';'));
    return place;
  }

  it('gets the schema of a new one', async () => {
    const [old, fresh] = [await released(MIGRATIONS.length - 2), await places.fresh(engine)];
    await open(old);
    await open(fresh);
    expect(await readSchema(places.postgres, old)).toEqual(await readSchema(places.postgres, fresh));
  });

  it('keeps what it has', async () => {
    const place = await released(1);
    await execute(
      place,
      `insert into accounts values ('a1', 'ann@example.com', null, '2024-01-01T00:00:00.000Z');
      insert into businesses values ('b1', 'One', null, null, 'CZK', null, '2024-01-01T00:00:00.000Z');
      insert into snapshots values ('b1', 's1', 9, '{}', '2024-01-01T00:00:00.000Z');
      update businesses set snapshot_id = 's1';
      insert into grants values ('g1', 'a1', 0, '9999-01-01T00:00:00.000Z', null, '2024-01-01T00:00:00.000Z');
      insert into grant_businesses values ('g1', 'b1')`,
    );
    const control = await openControlDatabase(place);
    expect(await findAccount(control, 'ann@example.com')).toEqual({
      account_id: 'a1',
      email: 'ann@example.com',
    });
    expect(await listBusinesses(control)).toMatchObject([{ business_id: 'b1', primary_currency: 'CZK' }]);
    expect(await currentSnapshot(control, 'b1')).toMatchObject({ snapshot_id: 's1', model_version: '0.0.9' });
    expect(await findGrant(control, 'g1')).toMatchObject({ account_id: 'a1', allowlist: ['b1'] });
    await control.destroy();
  });
});

describe.each(ENGINES)('on %s', (engine) => {
  it('a database that is up to date is not touched', async () => {
    const place = await places.fresh(engine);
    const control = await openControlDatabase(place);
    const account = await createAccount(control, { email: 'a@b', password: null });
    const before = await readSchema(places.postgres, place);
    await open(place);
    expect(await readSchema(places.postgres, place)).toEqual(before);
    expect(await findAccount(control, 'a@b')).toEqual(account);
    await control.destroy();
  });

  it('a database of a newer version is refused and stays as it is', async () => {
    const place = await places.fresh(engine);
    await open(place);
    await execute(
      place,
      { SQLite: 'pragma user_version = 99', PostgreSQL: 'update storesight_schema set version = 99' }[engine],
    );
    const before = await readSchema(places.postgres, place);
    await expect(openControlDatabase(place)).rejects.toThrow(
      new InputError(
        'the control database was written by a newer version of Storesight; install that version',
      ),
    );
    expect(await readSchema(places.postgres, place)).toEqual(before);
  });

  it('a migration that fails leaves nothing behind, and works once its obstacle is gone', async () => {
    const place = await places.fresh(engine);
    // One of ours, before the first migration.
    const ours = {
      SQLite: 'pragma application_id = 0x53746f72',
      PostgreSQL:
        'create table storesight_schema (version bigint not null); insert into storesight_schema values (0)',
    }[engine];
    // The obstacle stands in the way of the second migration, when the first is done.
    await execute(place, `${ours}; create table oauth_records (obstacle text)`);
    const before = await readSchema(places.postgres, place);
    await expect(openControlDatabase(place)).rejects.toThrow(/oauth_records"? already exists/);
    expect(await readSchema(places.postgres, place)).toEqual(before);
    await execute(place, 'drop table oauth_records');
    const control = await openControlDatabase(place);
    await createBusiness(control, { name: 'One' });
    expect(await listBusinesses(control)).toHaveLength(1);
    await control.destroy();
  });
});

async function read(place: string, query: string): Promise<unknown[]> {
  if (place.startsWith('postgres:')) return places.postgres.query(place, query);
  using sqlite = new DatabaseSync(place);
  return sqlite.prepare(query).all();
}

it('all text compares by its bytes on PostgreSQL, and no number is narrower than in SQLite', async () => {
  const url = await places.postgres.createDatabase();
  await open(url);
  const columns = await places.postgres.query(
    url,
    `select distinct data_type, collation_name from information_schema.columns
    where table_schema = 'public' order by 1`,
  );
  expect(columns).toEqual([
    { data_type: 'bigint', collation_name: null },
    { data_type: 'text', collation_name: 'C' },
  ]);
});

it('both engines have the same tables and columns', async () => {
  const [file, url] = [await places.fresh('SQLite'), await places.fresh('PostgreSQL')];
  await open(file);
  await open(url);
  const inSqlite = await read(
    file,
    `select t.name || '.' || c.name || (case when c."notnull" or c.pk then ' not null' else '' end) as column_name
    from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`,
  );
  const inPostgres = await read(
    url,
    `select table_name || '.' || column_name || (case is_nullable when 'NO' then ' not null' else '' end) as column_name
    from information_schema.columns where table_schema = 'public' and table_name <> 'storesight_schema'`,
  );
  const names = (rows: unknown[]) =>
    rows.map((row) => (row as { column_name: string }).column_name).toSorted();
  expect(names(inPostgres)).toEqual(names(inSqlite));
});
