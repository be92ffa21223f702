import { availableParallelism } from 'node:os';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { modelOf } from '../../src/control/businesses/published-snapshot.ts';
import { listServedModels } from '../../src/control/businesses/served-models.ts';
import { buildAllAhead } from '../../src/server/build-ahead.ts';
import { createLog } from '../../src/server/log.ts';
import { toolEnvironment } from '../../src/server/tool-environment.ts';
import { MODEL_VERSION } from '../../src/snapshot/build/model-version.ts';
import { removeSnapshot } from '../../src/snapshot/remove-snapshot.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import { VERSION } from '../../src/version.ts';
import { importFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';

/**
 * Two versions of the program on one data folder: what the other one does is written into the control
 * database.
 */
const test = await createTestInstance({ isOneEngineEnough: true });
const { control } = test.instance;
const OTHER = `${VERSION}+aaaaaaaaaaaa`;
const NEWER = '99.0.0+bbbbbbbbbbbb';
let business: Business;

afterAll(() => test[Symbol.asyncDispose]());

beforeEach(async () => {
  business = await test.createBusiness({ currency: 'CZK' });
});

const id = () => business.business_id;
const order = (name: string) => ({ 'orders.csv': `order_id,ordered_at,total\n${name},2024-06-01,1\n` });
const newest = async () => (await currentSnapshot(control, id()))?.snapshot_id ?? '';
const kept = async () => (await listSnapshots(control, id())).map(({ snapshot_id }) => snapshot_id);
const served = async () =>
  Object.fromEntries(
    (await listServedModels(control, id())).map(({ model, snapshot_id }) => [model, snapshot_id]),
  );
const own = async () => (await served())[modelOf(MODEL_VERSION)];

/**
 * Imports as a program of that version does: it serves the snapshot, and this version goes on with what it
 * had.
 */
async function importAs(version: string, files: Record<string, string>): Promise<string> {
  const before = await own();
  await importFiles(test, business, files);
  const snapshot_id = await newest();
  await control
    .updateTable('snapshots')
    .set({ model_version: version })
    .where('snapshot_id', '=', snapshot_id)
    .execute();
  const point = control.updateTable('served_models').where('business_id', '=', id());
  if (before === undefined) await point.set({ model: modelOf(version) }).execute();
  else {
    await point.set({ snapshot_id: before }).where('model', '=', modelOf(MODEL_VERSION)).execute();
    await control
      .insertInto('served_models')
      .values({ business_id: id(), model: modelOf(version), snapshot_id })
      .onConflict((conflict) => conflict.columns(['business_id', 'model']).doUpdateSet({ snapshot_id }))
      .execute();
  }
  await seen(version);
  return snapshot_id;
}

async function seen(version: string, daysAgo = 0): Promise<void> {
  const last_seen_at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  await control
    .insertInto('models')
    .values({ model: modelOf(version), last_seen_at })
    .onConflict((conflict) => conflict.column('model').doUpdateSet({ last_seen_at }))
    .execute();
}

const call = () => ({
  business_id: id(),
  from_date: '2024-01-01T00:00:00',
  to_date: '2024-12-31T23:59:59',
});

async function orders(): Promise<unknown> {
  return ((await test.ask('order_statistics', call())) as { orders_count: number }).orders_count;
}

it('each version serves its own model of the same rows, and what another imports is followed', async () => {
  const others = await importAs(OTHER, order('A'));
  expect(await orders()).toBe(1);
  const rebuilt = await own();
  expect(await served()).toEqual({ [modelOf(OTHER)]: others, [modelOf(MODEL_VERSION)]: rebuilt });
  // The other version goes on importing on its own.
  expect(await newest()).toBe(others);

  const next = await importAs(OTHER, order('B'));
  expect(await orders()).toBe(2);
  expect(await own()).not.toBe(rebuilt);
  expect((await served())[modelOf(OTHER)]).toBe(next);
  const before = await served();
  expect(await orders()).toBe(2);
  expect(await served()).toEqual(before);
});

it('an import builds on what the other version imported', async () => {
  const others = await importAs(OTHER, order('A'));
  await importFiles(test, business, order('B'));
  expect(await orders()).toBe(2);
  expect(await newest()).toBe(await own());
  expect((await served())[modelOf(OTHER)]).toBe(others);
});

it('a server answers with what it has while a later import is prepared, and says so', async () => {
  await importFiles(test, business, order('A'));
  await importAs(OTHER, order('B'));
  const log = createLog({ LOG_LEVEL: 'silent' });
  const server = toolEnvironment(test.instance, test.warehouse, { beside: log });
  const first = await server.findServed(id());
  expect(first?.notes).toEqual([expect.stringContaining('is being prepared')]);
  await vi.waitFor(async () => expect((await server.findServed(id()))?.notes).toEqual([]), {
    timeout: 20_000,
  });
  expect((await server.findServed(id()))?.snapshot.snapshot_id).not.toBe(first?.snapshot.snapshot_id);
});

it('a server prepares one business after the other, and leaves processors to the answers', async () => {
  await importAs(OTHER, order('A'));
  const ids = [id()];
  business = await test.createBusiness({ currency: 'CZK' });
  await importAs(OTHER, order('A'));
  ids.push(id());
  const opened = vi.spyOn(Session, 'open');
  const shares: number[] = [];
  const instance = { ...test.instance, onStep: (_: string, doneShare: number) => shares.push(doneShare) };
  const server = toolEnvironment(instance, test.warehouse, { beside: createLog({ LOG_LEVEL: 'silent' }) });
  const notes = () => Promise.all(ids.map(async (each) => (await server.findServed(each))?.notes));
  await vi.waitFor(async () => expect(await notes()).toEqual([[], []]), { timeout: 20_000 });
  expect(shares.filter((share, index) => share < (shares[index - 1] ?? 0))).toHaveLength(1);
  const half = Math.max(1, Math.floor(availableParallelism() / 2));
  expect(opened.mock.calls.map(([, bounds]) => Number(bounds.threads) <= half)).toEqual([true, true]);
});

it("a newer version's import is not built on; servers go on with what they had, and say so", async () => {
  await importFiles(test, business, order('A'));
  const before = await own();
  await importAs(NEWER, order('B'));
  const { result, notes } = await test.run('order_statistics', call());
  expect(result).toMatchObject({ orders_count: 1 });
  expect(notes).toContainEqual(expect.stringContaining('a newer version of Storesight made it'));
  await expect(importFiles(test, business, order('C'))).rejects.toThrow('newer version of Storesight');
  expect(await own()).toBe(before);
});

it('a rollback takes every version to the same rows, or leaves it nothing that is newer', async () => {
  const others = await importAs(OTHER, order('A'));
  expect(await orders()).toBe(1);
  await importFiles(test, business, order('B'));
  await importAs(OTHER, order('C'));
  expect(await orders()).toBe(3);
  await rollBack(test.instance, id());
  expect(await orders()).toBe(2);
  // It never built these rows.
  expect((await served())[modelOf(OTHER)]).toBeUndefined();
  await rollBack(test.instance, id());
  expect(await orders()).toBe(1);
  expect([others, undefined]).toContain((await served())[modelOf(OTHER)]);
});

it('the model that a version serves stays while it is in use, and goes with the first import when it is not', async () => {
  const others = await importAs(OTHER, order('A'));
  for (const name of ['B', 'C', 'D', 'E']) await importFiles(test, business, order(name));
  expect(await kept()).toHaveLength(4);
  expect(await kept()).toContain(others);
  await seen(OTHER, 2.9);
  await importFiles(test, business, order('F'));
  expect(await kept()).toContain(others);
  await seen(OTHER, 3.1);
  await importFiles(test, business, order('G'));
  expect(await kept()).toHaveLength(3);
  expect(await kept()).not.toContain(others);
  expect(Object.keys(await served())).toEqual([modelOf(MODEL_VERSION)]);
  expect(await orders()).toBe(7);
});

it('a rollback reaches as many imports back as before, though some were built twice', async () => {
  await importAs(OTHER, order('A'));
  expect(await orders()).toBe(1);
  for (const name of ['B', 'C']) {
    await importAs(OTHER, order(name));
    await orders();
  }
  await seen(OTHER, 4);
  expect(await orders()).toBe(3);
  await rollBack(test.instance, id());
  expect(await orders()).toBe(2);
  await rollBack(test.instance, id());
  expect(await orders()).toBe(1);
});

it('all businesses are built ahead, each once; one that fails does not stop the others', async () => {
  const others = await importAs(OTHER, order('A'));
  const first = await buildAllAhead(test.instance, () => {});
  expect(first.built).toContain(id());
  expect((await served())[modelOf(OTHER)]).toBe(others);
  expect(await buildAllAhead(test.instance, () => {})).toMatchObject({ built: [] });
  await importAs(NEWER, order('B'));
  expect((await buildAllAhead(test.instance, () => {})).failed).toMatchObject({
    [id()]: expect.stringContaining('newer version of Storesight'),
  });
});

it('a snapshot that only another version serves may be removed, and one of ours not', async () => {
  const others = await importAs(OTHER, order('A'));
  await importFiles(test, business, order('B'));
  await expect(removeSnapshot(test.instance, id(), (await own()) ?? '')).rejects.toThrow('is served');
  await removeSnapshot(test.instance, id(), others);
  expect(await served()).toEqual({ [modelOf(MODEL_VERSION)]: await own() });
});
