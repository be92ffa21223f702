import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { makeSpillFolder } from '../../src/control/data-folder/spill-folder.ts';
import { openWarehouse } from '../../src/server/open-warehouse.ts';
import { sql } from '../../src/sql/sql.ts';
import { QueryTooLargeError, type SnapshotReference, type Warehouse } from '../../src/warehouse/warehouse.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let snapshot: SnapshotReference;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  const { business_id } = await test.createBusiness();
  const served = await currentSnapshot(test.instance.control, business_id);
  snapshot = { business_id, snapshot_id: String(served?.snapshot_id) };
});

afterAll(() => test[Symbol.asyncDispose]());

const asker = { account: 'ada', question: 'test' };
const one = sql`select 1 as one`;
/** Holds 200 MB of texts to read them twice. */
const large = sql`with texts as materialized (select repeat(hash(i)::varchar, 10) as text from range(1000000) as t(i))
  select count(*) as count, sum(length(text)) as length from (select * from texts union all select * from texts)`;

function open(spillLimit = '2GB'): Promise<Warehouse> {
  const settings = { ...test.settings, MEMORY_LIMIT: '120MB' };
  return openWarehouse({ ...test.instance, spillLimit }, settings);
}

/** The folders below `spill/`, without those that the shared warehouse of the tests has. */
function spillFolders(): string[] {
  return readdirSync(test.instance.data.spill).filter((name) => name !== 'lock');
}

function writtenFiles(): string[] {
  return spillFolders().filter((name) => existsSync(join(test.instance.data.spill, name, 'content')));
}

it('each engine writes to a folder of its own in the data folder, and removes it', async () => {
  const before = spillFolders();
  const first = await open();
  const second = await open();
  expect(spillFolders()).toHaveLength(before.length + 2);
  const answers = [first.query(snapshot, [large], asker), second.query(snapshot, [large], asker)];
  const [answer, same] = await Promise.all(answers);
  expect(answer).toEqual(same);
  expect(answer?.[0]?.[0]?.count).toBe(2_000_000);
  expect(writtenFiles()).toHaveLength(2);
  await first.close();
  await second.close();
  expect(spillFolders()).toEqual(before);
  expect(existsSync('.tmp')).toBe(false);
});

it('a query that needs more disk than allowed is refused, and the next query answered', async () => {
  const narrow = await open('20MB');
  await expect(narrow.query(snapshot, [large], asker)).rejects.toThrow(
    'the query needs more temporary disk space than the server has for one; ask for a shorter range or fewer rows',
  );
  expect(await narrow.query(snapshot, [one], asker)).toEqual([[{ one: 1 }]]);
  await narrow.close();
});

it('queries that fit into memory are answered where nothing can be written, and the rest refused', async () => {
  const settings = { ...test.settings, MEMORY_LIMIT: '120MB' };
  const root = join(test.folder, 'not-a-folder');
  writeFileSync(root, '');
  const data = Object.create(test.instance.data, { spill: { value: root } });
  const warehouse = await openWarehouse({ data, spillLimit: '1GB' }, settings);
  await expect(warehouse.query(snapshot, [large], asker)).rejects.toBeInstanceOf(QueryTooLargeError);
  expect(await warehouse.query(snapshot, [one], asker)).toEqual([[{ one: 1 }]]);
  await warehouse.close();
});

it('removes what killed processes left, and nothing of those that live', () => {
  const root = join(test.folder, 'spill');
  const living = makeSpillFolder(root);
  mkdirSync(living.path);
  // A process that was killed, in a container where it had the number that this one has.
  const killed = join(root, `${process.pid}-killed`);
  mkdirSync(join(killed, 'content'), { recursive: true });
  writeFileSync(join(killed, 'lock'), '');
  const unknown = join(root, 'notes');
  mkdirSync(unknown);
  const next = makeSpillFolder(root);
  expect([killed, living.path, unknown].map((path) => existsSync(path))).toEqual([false, true, true]);
  next[Symbol.dispose]();
  living[Symbol.dispose]();
  expect(readdirSync(root).sort()).toEqual(['lock', 'notes']);
  rmSync(root, { recursive: true });
});

it('a disk that fails keeps nobody from stopping; what is left goes at the next start', () => {
  const root = join(test.folder, 'spill-of-a-bad-disk');
  const stopping = makeSpillFolder(root);
  renameSync(join(root, 'lock'), join(root, 'aside'));
  mkdirSync(join(root, 'lock'));
  stopping[Symbol.dispose]();
  expect(readdirSync(root)).toHaveLength(3);
  rmdirSync(join(root, 'lock'));
  renameSync(join(root, 'aside'), join(root, 'lock'));
  makeSpillFolder(root)[Symbol.dispose]();
  expect(readdirSync(root)).toEqual(['lock']);
});
