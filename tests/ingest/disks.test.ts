import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { listSnapshots } from '../../src/control/businesses/businesses.ts';
import { makeFolder } from '../../src/control/data-folder/make-folder.ts';
import { importFolder } from '../../src/import/run.ts';
import { openInstance } from '../../src/server/instance.ts';
import { ImportError, isDiskFull, ownWords } from '../../src/snapshot/import-errors.ts';
import { beyondWritten, DEFAULT_LIMITS, writtenLimit } from '../../src/snapshot/import-limits.ts';
import { translateFiles } from '../sources/translated.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, importFiles, SMALL_SHOP, writeFiles } from './shop.ts';
import { temporaryFolder } from './staging.ts';

const NO_MOUNT = 'a file system of its own cannot be mounted here';

/**
 * A file system in memory, unmounted at the end of the block that uses it; null where none may be mounted.
 */
function smallDisk(megabytes: number): (Disposable & { readonly path: string }) | null {
  const path = mkdtempSync(join(tmpdir(), 'storesight-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  return {
    path,
    [Symbol.dispose]: () => {
      execFileSync('umount', ['-l', path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** Leaves `free` bytes free. */
function fill(disk: string, free: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - free)));
}

const manyOrders = (count: number) => ({
  'orders.csv': `order_id,ordered_at,total\n${Array.from({ length: count }, (_, i) => `D${(i * 7919) % 100_003},2024-05-01,${i % 900}\n`).join('')}`,
});

async function refusalOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: Error) => error,
  );
}

/** Folders of snapshots that nobody lists. */
async function leftovers(test: TestInstance, { business_id }: Business): Promise<string[]> {
  const listed = (await listSnapshots(test.instance.control, business_id)).map(
    ({ snapshot_id }) => snapshot_id,
  );
  return readdirSync(test.instance.data.snapshots(business_id)).filter((name) => !listed.includes(name));
}

it('a disk that is full is told as one, with what was written of how much, and changes nothing', async ({
  skip,
}) => {
  using disk = smallDisk(40);
  if (disk === null) return skip(NO_MOUNT);
  const inside = join(disk.path, 'instance');
  mkdirSync(inside);
  await using test = await createTestInstance({ isOneEngineEnough: true, folder: inside });
  const business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  const before = await answers(test, business);
  using elsewhere = temporaryFolder();
  for (const [name, content] of Object.entries(manyOrders(12_000)))
    writeFileSync(join(elsewhere.path, name), content);
  // Two servers of one folder import side by side, and neither import fits, also where the other has ended.
  await using other = await openInstance(test.settings);
  const beside = await test.createBusiness({ currency: 'CZK' });
  fill(disk.path, 200_000);
  const refusals = await Promise.all([
    refusalOf(importFolder(test.instance, business, elsewhere.path)),
    refusalOf(importFolder(other, beside, elsewhere.path)),
  ]);
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(ImportError);
    expect(refusal.message).toMatch(/the disk of this server/);
    expect(refusal.message).toMatch(/nothing (?:was|were) (?:changed|imported)/i);
    expect(refusal.message).toMatch(/make room/);
    expect(refusal.message).toMatch(/\d (?:bytes|[GK]B|GiB)/);
    expect(refusal.message).not.toMatch(/can raise the limit/);
  }
  expect(await answers(test, business)).toEqual(before);
  rmSync(join(disk.path, 'ballast'));
  expect([await leftovers(test, business), await leftovers(test, beside)]).toEqual([[], []]);
  await importFolder(other, business, elsewhere.path);
  expect(await answers(test, business)).toMatchObject([{ orders_count: 12_003 }, {}, {}, {}]);
});

it('a folder of stores that can only be read is told as that', async ({ skip }) => {
  using disk = smallDisk(8);
  if (disk === null) return skip(NO_MOUNT);
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  const before = await answers(test, business);
  const fresh = { ...business, business_id: '0f0c2a4e-1111-4222-8333-444455556666' };
  const { businesses } = test.instance.data;
  const files = writeFiles(test, SMALL_SHOP);
  execFileSync('mount', ['--bind', businesses, businesses]);
  try {
    execFileSync('mount', ['-o', 'remount,bind,ro', businesses]);
    for (const store of [business, fresh]) {
      const refusal = await refusalOf(importFolder(test.instance, store, files));
      expect(refusal.message).toMatch(
        /^(?:the import failed|nothing can be written to the folder of this business), so nothing was changed: the data folder can only be read, because its disk is mounted read-only; whoever runs this server must make it writable$/,
      );
    }
    expect(await answers(test, business)).toEqual(before);
  } finally {
    execFileSync('umount', [businesses]);
  }
  expect(await answers(test, business)).toEqual(before);
});

it('a folder that cannot be made is told by why, and not as one that is missing', () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'a'), '');
  expect(() => makeFolder(join(folder.path, 'a', 'b', 'c'))).toThrow(/ENOTDIR/);
});

it('half of the free disk is another limit than one that somebody chose', () => {
  const chosen = writtenLimit({ ...DEFAULT_LIMITS, writtenBytes: 5e9 }, 2e9);
  expect(chosen).toEqual({ bytes: 5e9, isOfDisk: false });
  expect(beyondWritten(chosen).message).toContain('can raise the limit by STORESIGHT_IMPORT_WRITTEN');
  const ofDisk = writtenLimit(DEFAULT_LIMITS, 2e9);
  expect(ofDisk).toEqual({ bytes: 1e9, isOfDisk: true });
  expect(beyondWritten(ofDisk).message).toMatch(
    /^an import may write half of what was free on the disk of this server when it began, 1 GB, .* must make room on its disk/,
  );
  expect(writtenLimit(DEFAULT_LIMITS, 900e9)).toEqual({ bytes: 100e9, isOfDisk: false });
});

it('knows a full disk whoever tells of it', () => {
  const told = [
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    new Error('IO Error: Could not write all bytes to file "/data/x": No space left on device'),
    Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR' }),
  ];
  for (const error of told) {
    expect(ownWords(error)).toBe('the disk of this server is full; whoever runs it must make room');
    expect(isDiskFull(new ImportError('orders.csv cannot be read as csv', undefined, error))).toBe(true);
  }
  expect(isDiskFull(new Error('struck by lightning'))).toBe(false);
});

it('a link to a folder is left out, with a note, and what stands beside it is read', async () => {
  using folder = temporaryFolder();
  const [given, other] = [join(folder.path, 'given'), join(folder.path, 'other')];
  for (const path of [given, other]) mkdirSync(path);
  writeFileSync(join(given, 'products.csv'), 'external_product_id,name,price\nA,a,1\n');
  symlinkSync(other, join(given, 'older'));
  // One that leads back must not be followed for ever.
  symlinkSync(given, join(given, 'self'));
  await translateFiles(given, async ({ rows, warnings }) => {
    expect(await rows('products', 'external_product_id')).toEqual([['A']]);
    expect(warnings).toEqual([
      'older was not read: it is a link to a folder. Import that folder itself',
      'self was not read: it is a link to a folder. Import that folder itself',
    ]);
  });
});
