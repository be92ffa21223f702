import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { adoptSnapshot } from '../../src/snapshot/adopt-snapshot.ts';
import { partFile } from '../../src/snapshot/canonical-parts.ts';
import { removeSnapshot } from '../../src/snapshot/remove-snapshot.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { buildingFolder } from '../../src/snapshot/snapshot-folders.ts';
import { markUnfinished } from '../../src/snapshot/unfinished.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, importFiles, refusal, SMALL_SHOP } from './shop.ts';

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

beforeEach(async () => {
  business = await test.createBusiness({ currency: 'CZK' });
});

const ONE_MORE = { 'orders.csv': 'order_id,ordered_at,total\nZ,2024-05-01,1\n' };
const BAD_ROW = { 'orders.csv': 'order_id,ordered_at,total\nZ,never,1\n' };

const folderOf = (snapshot: string) => test.instance.data.snapshot(business.business_id, snapshot);
const folders = () => readdirSync(test.instance.data.snapshots(business.business_id)).sort();
const served = async () =>
  (await currentSnapshot(test.instance.control, business.business_id))?.snapshot_id as string;
const listed = async () =>
  (await listSnapshots(test.instance.control, business.business_id))
    .map(({ snapshot_id }) => snapshot_id)
    .sort();
const adopt = (snapshot: string, acceptsSecret = false) =>
  adoptSnapshot(test.instance, business, snapshot, { acceptsSecret });

/** The control database as it was before the last import: that snapshot is unknown then. */
async function forgetNewest(): Promise<string> {
  const { control } = test.instance;
  const [newest = '', before = null] = (await listed()).toReversed();
  await control
    .updateTable('businesses')
    .set({ snapshot_id: before })
    .where('business_id', '=', business.business_id)
    .execute();
  await control.deleteFrom('snapshots').where('snapshot_id', '=', newest).execute();
  return newest;
}

describe('a snapshot that the control database does not know', () => {
  it('outlives an import that is refused, and is told by one that is not', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const unknown = await forgetNewest();
    await refusal(test, business, BAD_ROW);
    expect(folders()).toContain(unknown);
    const { warnings } = await importFiles(test, business, ONE_MORE);
    expect(folders()).toContain(unknown);
    expect(warnings.join()).toContain(`does not know 1 of the snapshots in the data folder: ${unknown}`);
  });

  it('is adopted: served again with all it has, and the next import builds on it', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const before = await answers(test, business);
    const unknown = await forgetNewest();
    expect(await answers(test, business)).not.toEqual(before);
    const { snapshot } = await adopt(unknown);
    expect(await served()).toBe(snapshot);
    expect(await answers(test, business)).toEqual(before);
    expect(folders()).toEqual(await listed());
    await importFiles(test, business, ONE_MORE);
    expect(await answers(test, business)).toMatchObject([{ orders_count: 4 }, {}, {}, {}]);
  });

  it('is adopted where the served one is gone', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const before = await answers(test, business);
    const unknown = await forgetNewest();
    rmSync(folderOf(await served()), { recursive: true });
    const { message } = await refusal(test, business, ONE_MORE);
    expect(message).toContain(`the served snapshot ${folderOf(await served())} is missing`);
    expect(message).toContain(unknown);
    await adopt(unknown);
    expect(await answers(test, business)).toEqual(before);
    expect(await listed()).toEqual(folders());
  });

  it('is adopted too when its version described none', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const before = await answers(test, business);
    const unknown = await forgetNewest();
    rmSync(join(folderOf(unknown), 'snapshot.json'));
    await adopt(unknown);
    expect(await answers(test, business)).toEqual(before);
  });

  it('is removed by its name alone', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const unknown = await forgetNewest();
    const remove = (name: string) => removeSnapshot(test.instance, business.business_id, name);
    await expect(remove('../../secret')).rejects.toThrow('there is no snapshot ../../secret');
    await expect(remove(await served())).rejects.toThrow('is served');
    await remove(unknown);
    expect(folders()).toEqual(await listed());
  });
});

describe('is not adopted, and stays:', () => {
  let unknown: string;

  beforeEach(async () => {
    await importFiles(test, business, SMALL_SHOP);
    unknown = await forgetNewest();
  });

  const describedAs = (change: object) => {
    const file = join(folderOf(unknown), 'snapshot.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
  };

  async function expectRefused(message: string): Promise<void> {
    const [before, here] = [await served(), folders()];
    await expect(adopt(unknown)).rejects.toThrow(message);
    expect(folders()).toEqual(here);
    expect(await served()).toBe(before);
  }

  it('one of another business', async () => {
    describedAs({ business: { ...business, business_id: crypto.randomUUID(), name: 'Other' } });
    await expectRefused('(Other)');
  });

  it('one of a newer version', async () => {
    describedAs({ model_version: '99.0.0+0123456789ab' });
    await expectRefused('built by a newer version of Storesight');
  });

  it('one with a truncated file', async () => {
    truncateSync(partFile(folderOf(unknown), 'orders', 1), 100);
    await expectRefused('has 100 bytes, and ');
  });

  it('one whose personal data another secret hashed, unless that is accepted', async () => {
    describedAs({ secrets: ['another'] });
    await expectRefused('hashed with another secret');
    const { warnings } = await adopt(unknown, true);
    expect(warnings.join()).toContain('2 different secrets');
    expect((await importFiles(test, business, ONE_MORE)).warnings.join()).toContain('2 different secrets');
  });

  it('one that is not there, or listed', async () => {
    await expect(adopt('20200101T000000000Z-0000')).rejects.toThrow('there is no unknown snapshot');
    await expect(adopt(await served())).rejects.toThrow('is listed already');
  });
});

describe('a snapshot that a killed import left', () => {
  const SNAPSHOT = '29990101T000000000Z-abcd';

  it.each([
    ['before it was finished', () => buildingFolder(SNAPSHOT), SNAPSHOT],
    ['between its name and the control database', () => SNAPSHOT, SNAPSHOT],
  ])('%s goes with the next import', async (_when, name, made) => {
    await importFiles(test, business, SMALL_SHOP);
    cpSync(folderOf(await served()), folderOf(name()), { recursive: true });
    await markUnfinished(folderOf(name()), { import: made, builds_on: await served() });
    await importFiles(test, business, ONE_MORE);
    expect(folders()).toEqual(await listed());
  });

  it('stays without its mark after it was served', async () => {
    await importFiles(test, business, SMALL_SHOP);
    await markUnfinished(folderOf(await served()), { import: await served(), builds_on: null });
    await importFiles(test, business, ONE_MORE);
    expect(folders()).toEqual(await listed());
    for (const kept of folders()) expect(existsSync(join(folderOf(kept), 'unfinished.json'))).toBe(false);
  });

  it('goes once the import that dropped it is known', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const dropped = '20200101T000000000Z-abcd';
    cpSync(folderOf(await served()), folderOf(dropped), { recursive: true });
    await markUnfinished(folderOf(dropped), { import: 'unknown', builds_on: null });
    await importFiles(test, business, ONE_MORE);
    expect(folders()).toContain(dropped);
    await markUnfinished(folderOf(dropped), { import: await served(), builds_on: null });
    await importFiles(test, business, ONE_MORE);
    expect(folders()).toEqual(await listed());
  });

  it('stays when the control database is of an earlier day: it may have been served since', async () => {
    await importFiles(test, business, SMALL_SHOP);
    const first = await served();
    await importFiles(test, business, ONE_MORE);
    await markUnfinished(folderOf(await served()), { import: await served(), builds_on: 'a later one' });
    const unknown = await forgetNewest();
    expect(await served()).toBe(first);
    await importFiles(test, business, ONE_MORE);
    expect(folders()).toContain(unknown);
  });
});

it('a folder that somebody put there is left alone', async () => {
  await importFiles(test, business, SMALL_SHOP);
  cpSync(folderOf(await served()), folderOf('backup of Monday'), { recursive: true });
  cpSync(folderOf(await served()), folderOf('20200101T000000000Z-abcd.building'), { recursive: true });
  await importFiles(test, business, ONE_MORE);
  expect(folders()).toEqual(
    expect.arrayContaining(['backup of Monday', '20200101T000000000Z-abcd.building']),
  );
});

it('a rollback to a snapshot that is gone is refused', async () => {
  await importFiles(test, business, SMALL_SHOP);
  const [earlier = ''] = await listed();
  renameSync(folderOf(earlier), `${test.folder}/elsewhere`);
  await expect(rollBack(test.instance, business.business_id)).rejects.toThrow(
    `${folderOf(earlier)} is missing`,
  );
});
