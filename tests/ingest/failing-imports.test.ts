import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { importFolder } from '../../src/import/run.ts';
import { rebuildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { partFile } from '../../src/snapshot/canonical-parts.ts';
import { lockBusiness } from '../../src/snapshot/lock-business.ts';
import { isQuick } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { runImport } from './command-line.ts';
import { answers, importFiles, refusal, SMALL_SHOP, writeFiles } from './shop.ts';

let test: TestInstance;
let business: Business;
let before: unknown;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  before = await answers(test, business);
});

afterAll(() => test[Symbol.asyncDispose]());

const ONE_MORE = { 'orders.csv': 'order_id,ordered_at,total\nZ,2024-05-01,1\n' };

/** All files of the business, but for rejects and the lock. */
function kept(): string[] {
  return readdirSync(test.instance.data.snapshots(business.business_id), { recursive: true })
    .map(String)
    .sort();
}

describe('two imports of a business at once', () => {
  it('the second of one process is refused, and works when the first has ended', async () => {
    const fresh = await test.createBusiness();
    const [first, second] = await Promise.allSettled([
      importFiles(test, fresh, SMALL_SHOP),
      importFiles(test, fresh, ONE_MORE),
    ]);
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
    const failed = first.status === 'rejected' ? first : second;
    expect(String((failed as PromiseRejectedResult).reason.message)).toBe(
      'another import of this business is running; try again when it has ended',
    );
    await importFiles(test, fresh, ONE_MORE);
    await importFiles(test, fresh, SMALL_SHOP);
    expect(await answers(test, fresh)).toMatchObject([{ orders_count: 4 }, {}, {}, {}]);
  });

  it('the second process is refused while the first holds the business', async () => {
    using _held = lockBusiness(test.instance.data.lock(business.business_id));
    const { code, output } = await runImport(test, business, writeFiles(test, ONE_MORE)).ended;
    expect(code).toBe(1);
    expect(JSON.parse(output)).toEqual({
      error: 'another import of this business is running; try again when it has ended',
    });
    expect(await answers(test, business)).toEqual(before);
  });

  it('imports of two businesses do not meet', async () => {
    using _held = lockBusiness(test.instance.data.lock(business.business_id));
    await importFiles(test, await test.createBusiness(), SMALL_SHOP);
  });
});

describe('an import that fails leaves the old snapshot and nothing else', () => {
  const STEPS = [
    'reading orders.csv',
    'merging with what was loaded before',
    'building persons',
    'building products',
    'checking',
  ];

  // An error and a stop are caught in one place; the full tests try both at each step.
  it.each(isQuick ? ['building products'] : STEPS)('an error while %s', async (failing) => {
    const files = kept();
    const folder = writeFiles(test, ONE_MORE);
    const onStep = (step: string) => {
      if (step === failing) throw new Error('struck by lightning');
    };
    await expect(importFolder({ ...test.instance, onStep }, business, folder)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^the import failed, so nothing was changed: something went wrong that is not foreseen\./,
      ),
      cause: { message: 'struck by lightning' },
    });
    expect(kept()).toEqual(files);
    expect(await answers(test, business)).toEqual(before);
  });

  it.each(isQuick ? ['reading orders.csv', 'checking'] : STEPS)('a stop while %s', async (last) => {
    const files = kept();
    const folder = writeFiles(test, ONE_MORE);
    const stopping = new AbortController();
    const onStep = (step: string) => {
      if (step === last) stopping.abort(new Error('stopped'));
    };
    const context = { ...test.instance, onStep, signal: stopping.signal };
    await expect(importFolder(context, business, folder)).rejects.toThrow(
      'the import was stopped, so nothing was changed',
    );
    expect(kept()).toEqual(files);
    expect(await answers(test, business)).toEqual(before);
  });

  it('a store that is damaged', async () => {
    const fresh = await test.createBusiness();
    await importFiles(test, fresh, SMALL_SHOP);
    const served = await answers(test, fresh);
    const snapshot = (await currentSnapshot(test.instance.control, fresh.business_id))?.snapshot_id;
    const file = partFile(test.instance.data.snapshot(fresh.business_id, String(snapshot)), 'orders', 1);
    writeFileSync(file, readFileSync(file).subarray(0, 100));
    expect((await refusal(test, fresh, ONE_MORE)).message).toMatch(
      `the served snapshot is damaged: ${file} has 100 bytes, and `,
    );
    expect(await answers(test, fresh)).toEqual(served);
  });

  // Files of this process may not grow beyond this many blocks, as on a disk that is full: at the start, in
  // the store, in the model.
  it.skipIf(isQuick).each([40, 300, 900])('a disk that is full after %i KiB', async (blocks) => {
    const files = kept();
    const folder = writeFiles(test, {
      'orders.csv': `order_id,ordered_at,total\n${Array.from({ length: 60_000 }, (_, i) => `D${(i * 7919) % 100_003},2024-05-01,${i}\n`).join('')}`,
    });
    const { code, output } = await runImport(test, business, folder, { largestFileKiB: blocks }).ended;
    expect(code).toBe(1);
    expect(JSON.parse(output).error).toMatch(/^the import failed, so nothing was changed: .*(write|large)/i);
    expect(await answers(test, business)).toEqual(before);
    rmSync(join(folder, 'orders.csv'));
    expect(kept().filter((name) => !files.includes(name))).toEqual([]);
  });

  it('one that needs more memory than it may have is refused, and told which setting to raise', async () => {
    const folder = writeFiles(test, ONE_MORE);
    const small = { ...test.instance, importMemory: '1MB' };
    await expect(importFolder(small, business, folder)).rejects.toThrow(
      'it needs more memory than STORESIGHT_IMPORT_MEMORY allows',
    );
    expect(await answers(test, business)).toEqual(before);
  });

  it('the next import works after all of them', async () => {
    await importFiles(test, business, ONE_MORE);
    await rebuildSnapshot(test.instance, business);
    expect(await answers(test, business)).toMatchObject([{ orders_count: 4 }, {}, {}, {}]);
  });
});
