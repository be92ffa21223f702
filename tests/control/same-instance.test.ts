import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listBusinesses } from '../../src/control/businesses/businesses.ts';
import { openControlDatabase } from '../../src/control/database/control-database.ts';
import { rotateSigningKey } from '../../src/control/tokens/signing-keys.ts';
import { InputError } from '../../src/errors.ts';
import { adoptInstance, type Instance, openInstance } from '../../src/server/instance.ts';
import { readSettings, type Settings } from '../../src/server/settings.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { openPlaces, type Places } from './engines.ts';

/** A data folder with a business in it; each test takes a copy. */
let original: string;
let folder: string;
let places: Places;

beforeAll(async () => {
  places = await openPlaces();
  folder = mkdtempSync(join(tmpdir(), 'storesight-belonging-'));
  original = join(folder, 'original');
  await using test = await createTestInstance({ isOneEngineEnough: true });
  await test.createBusiness({ name: 'Shop' });
  await rotateSigningKey(test.instance.control, test.instance.secret, { revokeOlder: false });
  await test.instance.control.destroy();
  cpSync(test.settings.DATA, original, { recursive: true });
});

afterAll(async () => {
  await places[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

let count = 0;
let data: string;
let settings: Settings;

beforeEach(() => {
  count += 1;
  data = join(folder, `copy-${count}`);
  cpSync(original, data, { recursive: true });
  settings = readSettings({ STORESIGHT_DATA: data });
});

const control = () => join(data, 'control.sqlite');
const secret = () => join(data, 'secret');

/** Opens an instance with a secret of its own, which instances of tests otherwise share. */
function openAnother(): Promise<Instance> {
  return openInstance(readSettings({ STORESIGHT_DATA: join(folder, `another-${count}`) }));
}

async function open(): Promise<void> {
  await using _instance = await openInstance(settings);
}

async function adopt(): Promise<string[]> {
  await using instance = await adoptInstance(settings);
  return (await listBusinesses(instance.control)).map(({ name }) => name);
}

async function refusal(): Promise<string> {
  const error = await open().then(
    () => new Error('it was opened'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as Error).message;
}

/** Every file but those that SQLite keeps beside its own. */
function contents(): Map<string, string> {
  const names = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((name) => !/-(wal|shm)$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(name, 'latin1')]));
}

it('a database and a folder that belong together open, again and again', async () => {
  await open();
  await open();
});

describe('refused, with nothing written:', () => {
  const CASES: Record<string, { readonly harm: () => void | Promise<void>; readonly says: string }> = {
    'a control database that is missing': {
      harm: () => rmSync(control()),
      says: 'control.sqlite is missing, and',
    },
    'one that is missing, of which the last changes are there': {
      harm: () => {
        rmSync(control());
        rmSync(join(data, 'businesses'), { recursive: true });
        writeFileSync(`${control()}-wal`, 'changes');
      },
      says: 'control.sqlite-wal',
    },
    'one of 0 bytes': { harm: () => truncateSync(control(), 0), says: 'is empty (0 bytes)' },
    'one that is truncated': { harm: () => truncateSync(control(), 5000), says: 'control.sqlite' },
    'one that is truncated at a page': { harm: () => truncateSync(control(), 8192), says: 'control.sqlite' },
    'one that is damaged inside': {
      harm: () => {
        const bytes = readFileSync(control());
        writeFileSync(control(), bytes.fill(0xff, 4096));
      },
      says: 'control.sqlite',
    },
    'one that is no database': {
      harm: () => writeFileSync(control(), 'a letter to my accountant'.repeat(100)),
      says: 'file is not a database',
    },
    'one of another program': {
      harm: () => {
        rmSync(control());
        using other = new DatabaseSync(control());
        other.exec('create table photos (photo_id text); pragma user_version = 3');
      },
      says: 'tables of another program (photos)',
    },
    'one without tables': {
      harm: () => {
        rmSync(control());
        using other = new DatabaseSync(control());
        other.exec('pragma user_version = 1');
      },
      says: 'it has no tables',
    },
    'a folder in its place': {
      harm: () => {
        rmSync(control());
        cpSync(join(data, 'businesses'), control(), { recursive: true });
      },
      says: 'control.sqlite cannot be used',
    },
    'one of another instance': {
      harm: async () => {
        const other = await openAnother();
        await other.control.destroy();
        cpSync(other.data.control, control());
      },
      says: 'are of different instances',
    },
    'one of another instance, of a version that kept no fingerprint': {
      harm: async () => {
        const other = await openAnother();
        await rotateSigningKey(other.control, other.secret, { revokeOlder: false });
        await other.control.deleteFrom('instances').execute();
        await other.control.destroy();
        cpSync(other.data.control, control());
      },
      says: 'are of different instances',
    },
    'a new one': {
      harm: async () => {
        rmSync(control());
        await (await openControlDatabase(control())).destroy();
      },
      says: 'knows no business, and the data folder',
    },
    'another secret': {
      harm: () => writeFileSync(secret(), Buffer.alloc(32, 7)),
      says: 'are of different instances',
    },
    'no secret': { harm: () => rmSync(secret()), says: 'secret is missing' },
  };

  it.each(Object.entries(CASES))('%s', async (_name, { harm, says }) => {
    await harm();
    const before = contents();
    const message = await refusal();
    expect(message).toContain(says);
    expect(message).toContain(data);
    expect(contents()).toEqual(before);
  });
});

describe('belongs together once somebody says so:', () => {
  it.each<[string, () => void, string[]]>([
    ['another secret', () => writeFileSync(secret(), Buffer.alloc(32, 7)), ['Shop']],
    ['no secret', () => rmSync(secret()), ['Shop']],
    ['no control database', () => rmSync(control()), []],
  ])('%s', async (_name, harm, businesses) => {
    harm();
    await refusal();
    expect(await adopt()).toEqual(businesses);
    await open();
  });
});

it('an instance that was made before there was a fingerprint gets one', async () => {
  using sqlite = new DatabaseSync(control());
  sqlite.exec('delete from instances');
  await open();
  expect(sqlite.prepare('select count(*) as count from instances').get()).toEqual({ count: 1 });
});

it('two first starts at once end with one secret', async () => {
  rmSync(data, { recursive: true });
  await Promise.all([open(), open()]);
  await open();
});

describe('several servers on one PostgreSQL', () => {
  const folderOf = (name: string) => join(data, name);
  const openAt = async (name: string, url: string) => {
    await using _instance = await openInstance(
      readSettings({ STORESIGHT_DATA: folderOf(name), STORESIGHT_CONTROL_URL: url }),
    );
  };

  it('share it with a copy of the secret, and not without', async () => {
    const url = await places.postgres.createDatabase();
    await openAt('first', url);
    await expect(openAt('second', url)).rejects.toThrow('secret is missing');
    expect(existsSync(join(folderOf('second'), 'secret'))).toBe(false);
    cpSync(join(folderOf('first'), 'secret'), join(folderOf('second'), 'secret'));
    await openAt('second', url);
    await openAt('first', url);
  });

  it('a database with the tables of another program is not filled', async () => {
    const url = await places.postgres.createDatabase();
    await places.postgres.query(url, 'create table customers (id int); create view names as select 1 as one');
    await expect(openAt('first', url)).rejects.toThrow('has tables of another program (customers)');
    const tables = await places.postgres.query(
      url,
      "select tablename from pg_tables where schemaname = 'public'",
    );
    expect(tables).toEqual([{ tablename: 'customers' }]);
  });
});
