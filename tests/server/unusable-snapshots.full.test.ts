import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { initWarehouse } from '../../src/server/init-warehouse.ts';
import { openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { MODEL_VERSION } from '../../src/snapshot/build/model-version.ts';
import { partFile } from '../../src/snapshot/canonical-parts.ts';
import { rollBack } from '../../src/snapshot/rollback.ts';
import { importFiles, refusal, SMALL_SHOP } from '../ingest/shop.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { ask } from './requests.ts';
import { signIn, startTestServer, type TestServer } from './test-server.ts';

let test: TestInstance;
let server: TestServer;
let business: Business;
let token: string;

// One shop for all: each case leaves it as it was, or mends it; the last one takes its snapshots away.
beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  business = await test.createBusiness({ currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
  token = (await signIn(test, [business])).token;
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

afterEach(() => {
  vi.useRealTimers();
});

async function callTool(): Promise<string> {
  const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
  const args = { business_id: business.business_id, ...range };
  return (await ask(server.mcpUrl, token, 'order_statistics', args)).join('\n');
}

async function served(): Promise<string> {
  return (await currentSnapshot(test.instance.control, business.business_id))?.snapshot_id ?? '';
}

async function setModelVersion(model_version: string): Promise<void> {
  await test.instance.control
    .updateTable('snapshots')
    .set({ model_version })
    .where('business_id', '=', business.business_id)
    .execute();
}

function expectNoPath(text: string): void {
  expect(text).not.toContain(test.folder);
}

describe('a snapshot of a newer version is never built anew by an older one:', () => {
  const NEWER = 'built by a newer version of Storesight';
  let before: unknown;

  beforeEach(async () => {
    await setModelVersion('99.0.0+0123456789ab');
    before = await listSnapshots(test.instance.control, business.business_id);
  });

  afterEach(async () => {
    expect(await listSnapshots(test.instance.control, business.business_id)).toEqual(before);
    await setModelVersion(MODEL_VERSION);
  });

  it('a call is told so, and the log', async () => {
    const answer = await callTool();
    expect(answer).toContain(NEWER);
    expectNoPath(answer);
    expect(server.logText()).toContain(NEWER);
  });

  it('an import on top of it is refused', async () => {
    await expect(importFiles(test, business, SMALL_SHOP)).rejects.toThrow(NEWER);
  });

  it('a rollback to one is refused', async () => {
    await expect(rollBack(test.instance, business.business_id)).rejects.toThrow(NEWER);
  });

  it('so is bringing it to ClickHouse', async () => {
    const settings = readSettings({
      STORESIGHT_DATA: test.settings.DATA,
      STORESIGHT_WAREHOUSE_URL: 'clickhouse://127.0.0.1:9/storesight',
    });
    await using withClickHouse = await openInstance(settings);
    await expect(initWarehouse(withClickHouse, settings)).rejects.toThrow(NEWER);
  });
});

it('a snapshot that cannot be built anew is tried again after a while, not by every call', async () => {
  const file = partFile(test.instance.data.snapshot(business.business_id, await served()), 'orders', 1);
  const whole = readFileSync(file);
  truncateSync(file, 100);
  await setModelVersion('0.0.9');
  const answer = await callTool();
  expect(answer).toContain('could not be prepared for this version of Storesight');
  expectNoPath(answer);
  expect(server.logText()).toContain(file);

  writeFileSync(file, whole);
  expect(await callTool()).toBe(answer);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
  expect(await callTool()).toContain('"orders_count":3');
});

it.each([
  ['missing', (file: string) => rmSync(file)],
  ['empty', (file: string) => truncateSync(file, 0)],
  ['truncated', (file: string) => truncateSync(file, 20_000)],
  ['of another kind', (file: string) => writeFileSync(file, 'nothing of ours'.repeat(1000))],
  [
    'damaged inside',
    (file: string) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0xff, 12_288));
    },
  ],
])(
  'a file that is %s is told the caller without its path, and the operator with it',
  async (_how, damage) => {
    // A snapshot that nothing has opened yet.
    await importFiles(test, business, SMALL_SHOP);
    const file = test.instance.data.model(business.business_id, await served());
    damage(file);
    const answer = await callTool();
    expect(answer).toBe(
      'the data of this business cannot be read on this server; whoever runs it finds the reason in its log',
    );
    expect(server.logText()).toContain(`${file} cannot be read: `);
    // The files of the merchant are whole, so that an import mends it.
    await importFiles(test, business, SMALL_SHOP);
    expect(await callTool()).toContain('"orders_count":3');
  },
);

it('a business of which only unknown snapshots are here gets no empty one', async () => {
  const { control } = test.instance;
  await control
    .updateTable('businesses')
    .set({ snapshot_id: null })
    .where('business_id', '=', business.business_id)
    .execute();
  await control.deleteFrom('snapshots').where('business_id', '=', business.business_id).execute();
  expect(await callTool()).toContain('could not be prepared');
  expect((await refusal(test, business, SMALL_SHOP)).message).toContain(
    'the control database knows no snapshot',
  );
});
