import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { CommandLine, type Run } from '../cli/command-line.ts';
import { runImport } from '../ingest/command-line.ts';
import { answers, importFiles, SMALL_SHOP, writeFiles } from '../ingest/shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { report } from './report.ts';

const KILLS = 20;
const ORDERS = 20_000;
const TMPFS_MB = 48;

/** More orders than the small shop has, so that an import takes a second or two. */
function manyOrders(): Record<string, string> {
  const orders = Array.from(
    { length: ORDERS },
    (_, i) => `K${i},2024-0${1 + (i % 9)}-11T10:00:00,mail${i % 5000}@example.com,${i % 100}\n`,
  );
  return { 'orders.csv': `order_id,ordered_at,email,total\n${orders.join('')}` };
}

it('an import that is killed at any moment leaves the store as it was, and nothing else', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  const before = await answers(test, business);
  const servedBefore = await served(test, business);
  const folder = writeFiles(test, manyOrders());
  const whole = performance.now();
  await runImport(test, await test.createBusiness({ currency: 'CZK' }), folder).ended;
  const wholeMs = performance.now() - whole;

  const counts = { kills: 0, 'served before the kill': 0, 'left a folder': 0 };
  let mostFolders = 0;
  for (; counts.kills < KILLS; counts.kills += 1) {
    const { process, ended } = runImport(test, business, folder);
    // The kills come also at the very start and the very end.
    await setTimeout(1.05 * wholeMs * ((counts.kills + Math.random()) / KILLS));
    process.kill('SIGKILL');
    await ended;
    mostFolders = Math.max(mostFolders, folders(test, business).length);
    if ((await served(test, business)) === servedBefore) {
      expect(await answers(test, business)).toEqual(before);
      if (folders(test, business).length > (await listed(test, business)).length)
        counts['left a folder'] += 1;
    } else {
      counts['served before the kill'] += 1;
      expect(await answers(test, business)).toMatchObject([{ orders_count: ORDERS + 3 }, {}, {}, {}]);
      await rollBack(test.instance, business.business_id);
    }
  }
  const { warnings } = await importFiles(test, business, SMALL_SHOP);
  expect(warnings).toEqual([]);
  expect(await answers(test, business)).toEqual(before);
  expect(folders(test, business)).toEqual(await listed(test, business));
  expect(counts['left a folder']).toBeGreaterThan(KILLS / 4);
  report('data folder: kills', { counts, worst: { 'folders at once': mostFolders } });
});

it('a disk that fills up, or can only be read, refuses with words and loses nothing', async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'storesight-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${TMPFS_MB}m`, 'none', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    skip('a file system of its own cannot be mounted here; failing-imports.test.ts limits the size of files');
  }
  const counts = { 'full at': 0, refused: 0, 'read-only commands': 0 };
  try {
    const inside = join(folder, 'instance');
    mkdirSync(inside);
    await using disk = await createTestInstance({ isOneEngineEnough: true, folder: inside });
    const business = await disk.createBusiness({ currency: 'CZK' });
    await importFiles(disk, business, SMALL_SHOP);
    const before = await answers(disk, business);
    const batch = mkdtempSync(join(tmpdir(), 'storesight-batch-'));
    writeFileSync(join(batch, 'orders.csv'), manyOrders()['orders.csv'] ?? '');

    // The disk has anything from no room at all to room for the store without the model.
    for (const freeKb of [0, 100, 400, 1000, 2500, 5000]) {
      counts['full at'] += 1;
      const ballast = join(folder, 'ballast');
      writeFileSync(ballast, Buffer.alloc(Math.max(0, freeBytes(folder) - freeKb * 1024)));
      const { code, output, messages } = await runImport(disk, business, batch).ended;
      if (code === 0) throw new Error(`an import fitted into ${freeKb} KB`);
      counts.refused += 1;
      expectWords({ status: code, stdout: output, stderr: messages });
      expect(await answers(disk, business)).toEqual(before);
      rmSync(ballast);
      expect(folders(disk, business)).toEqual(await listed(disk, business));
    }
    expect((await runImport(disk, business, batch).ended).code).toBe(0);
    const after = await answers(disk, business);
    expect(after).toMatchObject([{ orders_count: ORDERS + 3 }, {}, {}, {}]);

    const contents = hashes(folder);
    // The same folder seen by others, who may only read it.
    const readOnly = mkdtempSync(join(tmpdir(), 'storesight-read-only-'));
    execFileSync('mount', ['--bind', folder, readOnly]);
    try {
      execFileSync('mount', ['-o', 'remount,bind,ro', readOnly]);
      for (const args of [
        ['import', business.business_id, batch],
        ['account', 'create', '--email', 'a@b.example'],
      ]) {
        counts['read-only commands'] += 1;
        const run = await runOn(join(readOnly, 'instance', 'data'), [...args, '--json']);
        expect(run.status, run.stdout).toBe(1);
        expectWords(run);
        expect(run.stderr).toContain(readOnly);
      }
    } finally {
      execFileSync('umount', [readOnly]);
      rmSync(readOnly, { recursive: true });
    }
    expect(await answers(disk, business)).toEqual(after);
    expect(hashes(folder)).toEqual(contents);
    rmSync(batch, { recursive: true });
  } finally {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
  report('data folder: full and read-only disks', { counts, worst: { 'rows lost': 0 } });
});

it('an older control database, or one of another instance, costs no data', async () => {
  await using cli = await CommandLine.open();
  const counts = { 'older control databases': 0, 'of another instance': 0, commands: 0 };
  const run = (args: readonly string[]) => {
    counts.commands += 1;
    return cli.run([...args, '--json']);
  };
  const data = join(cli.folder, 'data');
  const control = join(data, 'control.sqlite');
  const business = { business_id: '5f0c2a4e-1111-4222-8333-444455556666' };
  await cli.json(['business', 'create', '--name', 'Shop', '--currency', 'CZK', '--id', business.business_id]);
  const backups = [join(cli.folder, 'backup-0.sqlite')];
  cpSync(control, backups[0] ?? '');
  for (const day of [1, 2, 3, 4, 5]) {
    await cli.json([
      'import',
      business.business_id,
      filesOf(cli, `day-${day}`, `D${day},2024-03-0${day},10\n`),
    ]);
    backups.push(join(cli.folder, `backup-${day}.sqlite`));
    cpSync(control, backups[day] ?? '');
  }
  const newest = await cli.json(callOf(business));
  const bad = filesOf(cli, 'bad', 'D9,never,10\n');
  const snapshots = join(data, 'businesses', business.business_id, 'snapshots');
  const held = readdirSync(snapshots);

  // The backups go from yesterday's to that of the first day, whose snapshot was pruned since.
  for (const backup of backups.slice(0, 5).toReversed()) {
    counts['older control databases'] += 1;
    cpSync(backup, control);
    expect((await run(['import', business.business_id, bad])).status).toBe(1);
    expectWords(await run(callOf(business)));
    expect(readdirSync(snapshots)).toEqual(expect.arrayContaining(held));
    const list = JSON.parse((await run(['snapshot', 'list', business.business_id])).stdout);
    expect(list.unknown).not.toEqual([]);
    expect([...list.unknown, ...list.snapshots.map((kept: { snapshot: string }) => kept.snapshot)]).toEqual(
      expect.arrayContaining(held),
    );
  }
  // The newest of them is all of it.
  const adopted = await run(['snapshot', 'adopt', business.business_id, held.toSorted().at(-1) ?? '']);
  expect(adopted.status, adopted.stderr).toBe(0);
  expect(JSON.parse((await run(callOf(business))).stdout)).toEqual(newest);

  await using other = await CommandLine.open();
  await other.json(['business', 'create', '--name', 'Other', '--id', business.business_id]);
  for (const name of ['control.sqlite', 'secret']) {
    counts['of another instance'] += 1;
    const kept = readFileSync(join(data, name));
    writeFileSync(join(data, name), readFileSync(join(other.folder, 'data', name)));
    const before = hashes(data);
    for (const args of [callOf(business), ['import', business.business_id, bad], ['business', 'list']]) {
      const refused = await run(args);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain('of different instances');
    }
    expect(hashes(data)).toEqual(before);
    writeFileSync(join(data, name), kept);
  }
  expect(JSON.parse((await run(callOf(business))).stdout)).toEqual(newest);
  report('data folder: restored and exchanged', { counts, worst: { 'snapshots lost': 0 } });
});

it('a file that is cut off is told, and the store answers as before or refuses with words', async () => {
  await using cli = await CommandLine.open();
  const business = { business_id: '5f0c2a4e-1111-4222-8333-444455556666' };
  await cli.json(['business', 'create', '--name', 'Shop', '--currency', 'CZK', '--id', business.business_id]);
  await cli.json([
    'import',
    business.business_id,
    filesOf(cli, 'shop', 'D1,2024-03-01,10\nD2,2024-03-02,20\n'),
  ]);
  const before = await cli.json(callOf(business));
  const again = filesOf(cli, 'again', 'D3,2024-03-03,30\n');
  const data = join(cli.folder, 'data');
  const whole = join(cli.folder, 'whole');
  cpSync(data, whole, { recursive: true });

  const counts = { files: 0, cuts: 0, 'answered as before': 0, refused: 0 };
  const { snapshots } = await cli.json(['snapshot', 'list', business.business_id]);
  const { snapshot } = (snapshots as { snapshot: string }[])[0] ?? { snapshot: '' };
  const names = ['control.sqlite', 'secret', 'model.duckdb', 'store/orders.parquet', 'snapshot.json'];
  for (const name of names) {
    counts.files += 1;
    const path =
      name === 'control.sqlite' || name === 'secret'
        ? name
        : join('businesses', business.business_id, 'snapshots', snapshot, name);
    const { length } = readFileSync(join(whole, path));
    for (const bytes of [0, Math.floor(length / 2), Math.floor(0.9 * length)]) {
      counts.cuts += 1;
      truncateSync(join(data, path), bytes);
      const asked = await cli.run([...callOf(business), '--json']);
      if (asked.status === 0) {
        counts['answered as before'] += 1;
        expect(JSON.parse(asked.stdout), `${name} of ${bytes} bytes`).toEqual(before);
      } else {
        counts.refused += 1;
        expectWords(asked);
      }
      const imported = await cli.run(['import', business.business_id, again, '--json']);
      // The model is made anew by an import; all else must not be built on.
      if (name === 'model.duckdb') expect(imported.status, imported.stderr).toBe(0);
      else expect(imported.status, `${name} of ${bytes} bytes: ${imported.stdout}`).toBe(1);
      if (imported.status !== 0) expectWords(imported);
      rmSync(data, { recursive: true });
      cpSync(whole, data, { recursive: true });
    }
  }
  report('data folder: files cut off', { counts, worst: { 'wrong answers': 0 } });
});

/** The command line on a data folder that is there already. */
async function runOn(data: string, args: readonly string[]): Promise<Run> {
  await using cli = await CommandLine.open();
  return await cli.run(args, { env: { STORESIGHT_DATA: data } });
}

function filesOf(cli: CommandLine, name: string, orders: string): string {
  const folder = join(cli.folder, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'orders.csv'), `order_id,ordered_at,total\n${orders}`);
  return folder;
}

function callOf({ business_id }: Pick<Business, 'business_id'>): string[] {
  const range = { from_date: '2020-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };
  return ['call', 'order_statistics', JSON.stringify({ business_id, ...range })];
}

/** Nobody is shown where in the code it happened, or a reference where nobody looks it up. */
function expectWords({ stdout, stderr }: Run): void {
  expect(stdout + stderr).not.toMatch(/\n\s+at |node:internal|\.ts:\d|internal error|undefined|TypeError/);
}

function folders(test: TestInstance, { business_id }: Business): string[] {
  return readdirSync(test.instance.data.snapshots(business_id)).sort();
}

async function listed(test: TestInstance, { business_id }: Business): Promise<string[]> {
  return (await listSnapshots(test.instance.control, business_id))
    .map(({ snapshot_id }) => snapshot_id)
    .sort();
}

async function served(test: TestInstance, { business_id }: Business): Promise<string | undefined> {
  return (await currentSnapshot(test.instance.control, business_id))?.snapshot_id;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Hashes every file below by its path, except those that locks and SQLite leave behind. */
function hashes(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/(-wal|-shm|lock|ballast)$|spill/.test(path));
  return new Map(
    files.map((path) => [
      relative(folder, path),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]),
  );
}
