import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { readDescription } from '../../src/snapshot/snapshot-description.ts';
import type { ImportWork } from '../ingest/import-process.ts';
import { answers, importFiles, SMALL_SHOP, writeFiles } from '../ingest/shop.ts';
import { differencesFromWhole } from '../support/differences-from-whole.ts';
import { everythingKept } from '../support/everything-kept.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { report } from './report.ts';

/** `STORESIGHT_RUNS=10` makes them 200. */
const IMPORTS_KILLED = runs(20);
const DELETIONS_KILLED = runs(5);
const PROGRAM = fileURLToPath(new URL('../ingest/import-process.ts', import.meta.url));
const ORDERS = 2000;

/**
 * Each buyer's orders in `day` have a total of 1, and the next day deletes one of them and changes another.
 */
function day(number: number): Record<string, string> {
  const rows = [`D${number},2024-09-20T10:00:00,mail${number}@example.com,1,`];
  if (number > 1) rows.push(`D${number - 1},2024-09-21T10:00:00,mail${number}@example.com,3,`);
  if (number > 2) rows.push(`D${number - 2},,,,true`);
  return { 'orders.csv': `order_id,ordered_at,email,total,_deleted\n${rows.join('\n')}\n` };
}

async function bigShop(test: TestInstance): Promise<Business> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const rows = Array.from(
    { length: ORDERS },
    (_, i) => `K${i},2024-0${1 + (i % 9)}-11T10:00:00,mail${i % 500}@example.com,${i % 100}\n`,
  );
  await importFiles(test, business, SMALL_SHOP);
  await importFiles(test, business, { 'orders.csv': `order_id,ordered_at,email,total\n${rows.join('')}` });
  return business;
}

it('an incremental import that is killed at any moment has happened wholly or not at all', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await bigShop(test);
  const counts = { kills: 0, 'had served': 0, 'left a folder': 0, incremental: 0 };
  let mostFolders = 0;
  let number = 1;
  let folder = writeFiles(test, day(number));
  let before = await answers(test, business);
  const wholeMs = await importOnce();
  while (counts.kills < IMPORTS_KILLED) {
    const servedBefore = await served(test, business);
    counts.kills += 1;
    await killed({ ...work(test, business), folder }, wholeMs);
    mostFolders = Math.max(mostFolders, folders(test, business).length);
    if ((await served(test, business)) === servedBefore) {
      expect(await answers(test, business)).toEqual(before);
      if (folders(test, business).length > (await listed(test, business)).length)
        counts['left a folder'] += 1;
    } else {
      counts['had served'] += 1;
      await looksWhole();
    }
    // The same files again, also those that are imported already.
    if (counts.kills % 5 === 0) await importOnce();
  }
  report('kills of incremental imports', {
    counts,
    worst: { 'folders at once': mostFolders, 'one import ms': Math.round(wholeMs) },
  });
  expect(counts['left a folder']).toBeGreaterThan(IMPORTS_KILLED / 5);
  expect(counts.incremental).toBeGreaterThan(0);

  async function importOnce(): Promise<number> {
    const took = await finished({ ...work(test, business), folder });
    expect(folders(test, business)).toEqual(await listed(test, business));
    await looksWhole();
    return took;
  }

  /** All of the day is there, and the model is the one that is built of everything. */
  async function looksWhole(): Promise<void> {
    const orders = ORDERS + 3 + Math.min(number, 2);
    expect(await answers(test, business)).toMatchObject([{ orders_count: orders }, {}, {}, {}]);
    const snapshot = test.instance.data.snapshot(business.business_id, String(await served(test, business)));
    if ((await readDescription(snapshot))?.build?.kind === 'incremental') counts.incremental += 1;
    expect(await differencesFromWhole(test, business, snapshot)).toEqual([]);
    number += 1;
    folder = writeFiles(test, day(number));
    before = await answers(test, business);
  }
});

it('a deletion of a person that is killed at any moment has happened wholly or not at all, and goes on when it is given again', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await bigShop(test);
  const counts = { kills: 0, 'had served': 0, 'left a folder': 0 };
  const deletion = (number: number) => ({
    ...work(test, business),
    identifiers: [`mail${number}@example.com`],
  });
  const ordersOf = async () =>
    ((await answers(test, business)) as [{ orders_count: number }])[0].orders_count;
  let orders = await ordersOf();
  let number = 0;
  const wholeMs = await deletePerson();
  for (; counts.kills < DELETIONS_KILLED; counts.kills += 1) {
    await addProfile();
    const servedBefore = await served(test, business);
    const before = await answers(test, business);
    await killed(deletion(number), wholeMs);
    if ((await served(test, business)) === servedBefore)
      expect(await answers(test, business)).toEqual(before);
    else counts['had served'] += 1;
    if (folders(test, business).length > (await listed(test, business)).length) counts['left a folder'] += 1;
    await deletePerson();
  }
  report('kills of store delete-person', { counts, worst: { 'one deletion ms': Math.round(wholeMs) } });

  function addProfile() {
    const profile = `person-${number}-,mail${number}@example.com`;
    return importFiles(test, business, { 'profiles.csv': `profile_id,email\n${profile}\n` });
  }

  /** It goes on also where a deletion of the same person was killed. */
  async function deletePerson(): Promise<number> {
    const took = await finished(deletion(number));
    orders -= ORDERS / 500;
    expect(await ordersOf()).toBe(orders);
    expect(folders(test, business)).toEqual(await listed(test, business));
    const kept = await everythingKept(test.instance.data.business(business.business_id));
    expect([...kept.values()].join('\n')).not.toContain(`person-${number}-`);
    number += 1;
    return took;
  }
});

function work(test: TestInstance, { business_id }: Business): ImportWork {
  return { environment: { STORESIGHT_DATA: test.settings.DATA }, businessId: business_id };
}

/**
 * Loads its modules before it gets something to do, so that kills meet the work and not the start of a
 * process.
 */
async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no output');
  await once(child.stdout, 'data');
  return child;
}

async function finished(work: ImportWork): Promise<number> {
  const child = await start();
  const startedAt = performance.now();
  child.stdin?.write(`${JSON.stringify(work)}\n`);
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return performance.now() - startedAt;
}

async function killed(work: ImportWork, wholeMs: number): Promise<void> {
  const child = await start();
  const closed = once(child, 'close');
  child.stdin?.write(`${JSON.stringify(work)}\n`);
  await setTimeout(1.05 * wholeMs * Math.random());
  child.kill('SIGKILL');
  await closed;
}

const folders = (test: TestInstance, { business_id }: Business) =>
  readdirSync(test.instance.data.snapshots(business_id)).sort();

const listed = async (test: TestInstance, { business_id }: Business) =>
  (await listSnapshots(test.instance.control, business_id)).map(({ snapshot_id }) => snapshot_id).sort();

const served = async (test: TestInstance, { business_id }: Business) =>
  (await currentSnapshot(test.instance.control, business_id))?.snapshot_id;
