import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot, listSnapshots } from '../../src/control/businesses/businesses.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { addManager } from '../../src/control/people/managers.ts';
import { importFiles } from '../../src/import/run.ts';
import { rebuildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { lockBusiness } from '../../src/snapshot/lock-business.ts';
import { readDescription } from '../../src/snapshot/snapshot-description.ts';
import { writeFiles } from '../ingest/shop.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { titleOf } from './upload-person.ts';

/** What was imported into a store, with its reconciliation, and the way back to it. */
const HEADER =
  'Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id\n';
const order = (number: number, total: string, status = 'paid') =>
  `#${number},ann@example.com,${status},EUR,${total},0.00,0.00,${total},2026-03-05 15:40:14 +0100,1,Mug,${total},${number}\n`;

let test: TestInstance;
let server: TestServer;
let ada: Person;
let shop: Business;
let snapshots: string[];

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'EUR' });
  ada = await Person.join(test.instance.control);
  await addManager(test.instance.control, ada.account_id, shop.business_id);
  await grantAccess(test.instance.control, ada.account_id, shop.business_id, ['DISPLAY_ANALYTICS_DASHBOARD']);
  await ada.open(`${server.baseUrl}/stores`);
  // The command line's imports are told as those of the browser.
  for (const [name, orders] of [
    ['ann@example.com first.csv', order(1, '10.00')],
    ['second.csv', order(2, '5.50') + order(3, '7.00', 'voided')],
  ] as const) {
    const folder = writeFiles(test, { [name]: HEADER + orders });
    await importFiles(test.instance, shop, [`${folder}/${name}`]);
  }
  snapshots = (await listSnapshots(test.instance.control, shop.business_id)).map(
    ({ snapshot_id }) => snapshot_id,
  );
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const storeUrl = () => `${server.baseUrl}/stores/${shop.business_id}`;
const get = (path = '') => ada.browser.get(`${storeUrl()}${path}`);
const served = async () =>
  (await currentSnapshot(test.instance.control, shop.business_id))?.snapshot_id ?? '';
const revenue = async () => {
  const asked = {
    business_id: shop.business_id,
    from_date: '2026-01-01T00:00:00',
    to_date: '2026-12-31T23:59:59',
  };
  return ((await test.ask('order_statistics', asked)) as { orders_revenues: number }).orders_revenues;
};

describe('the imports of a store', () => {
  it('stand on its page, newest first, with what the files say and what counts', async () => {
    const { text } = await get();
    expect(text.match(/\(in use\)/g)).toHaveLength(1);
    expect(text).toContain('2 orders in the files, 1 counted; 12.5 in the files, 5.5 counted (EUR)');
    expect(text).toContain('1 orders in the files, 1 counted; 10 in the files, 10 counted (EUR)');
    const ids = [...text.matchAll(/imports\/([\w-]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(snapshots);
  });

  it('have their report, without names that hold personal data', async () => {
    const [newest = '', first = ''] = snapshots;
    const page = await get(`/imports/${newest}`);
    expect(titleOf(page)).toBe('Version');
    expect(page.text).toContain('2 in the files, 2 stored, 1 counted');
    expect(page.text).toContain('1 order is cancelled: 7 EUR (not counted)');
    expect(page.text).not.toContain('Restore this version');
    const earlier = await get(`/imports/${first}`);
    expect(earlier.text).toContain('(e-mail)');
    expect(earlier.text).not.toContain('ann@example.com');
    const folder = test.instance.data.snapshot(shop.business_id, first);
    expect(JSON.stringify(await readDescription(folder))).not.toContain('ann@example.com');
  });

  it('show no number to who manages the store without reading it, and lead back all the same', async () => {
    const keeper = await Person.join(test.instance.control);
    await addManager(test.instance.control, keeper.account_id, shop.business_id);
    await keeper.open(`${server.baseUrl}/stores`);
    const [newest = '', first = ''] = snapshots;
    const paths = ['', `/imports/${newest}`, `/imports/${first}`, `/imports/${first}/serve`];
    for (const path of paths) {
      const { status, text } = await keeper.browser.get(`${storeUrl()}${path}`);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('your account may not see the numbers of this store');
      // The page has no number of orders, rows or money of either import.
      expect(text).not.toMatch(/\b12\.5\b|\b5\.5\b|[0-9] orders|in the files|counted|[0-9] EUR/);
    }
  });

  it('imports of another store, or no longer kept, are answered like imports that do not exist', async () => {
    const other = await test.createBusiness();
    const eve = await Person.join(test.instance.control);
    await addManager(test.instance.control, eve.account_id, other.business_id);
    await eve.open(`${server.baseUrl}/stores`);
    const [, first] = snapshots;
    for (const path of [`${shop.business_id}/imports/${first}`, `${other.business_id}/imports/${first}`]) {
      for (const end of ['', '/serve']) {
        const page = await eve.browser.get(`${server.baseUrl}/stores/${path}${end}`);
        expect(page.status).toBe(404);
      }
      const page = await eve.browser.post(`${server.baseUrl}/stores/${path}/serve`, {});
      expect(page.status).toBe(404);
    }
    expect((await get('/imports/20200101T000000000Z-abcd')).status).toBe(404);
    expect(await served()).toBe(snapshots[0]);
  });
});

describe.sequential('going back', () => {
  it('is asked once more, and then served; the way forward stays', async () => {
    const [newest = '', first = ''] = snapshots;
    expect(await revenue()).toBe(15.5);
    const asked = await get(`/imports/${first}/serve`);
    expect(titleOf(asked)).toBe('Restore this version?');
    expect(await served()).toBe(newest);
    const done = await ada.browser.follow(await ada.browser.submit(asked, {}, '/serve'));
    expect(done.text).toContain('The version that you chose is in use');
    expect([await served(), await revenue()]).toEqual([first, 10]);
    expect(server.logText()).toContain('an earlier import was served');

    await ada.browser.submit(await get(`/imports/${newest}/serve`), {}, '/serve');
    expect([await served(), await revenue()]).toEqual([newest, 15.5]);
  });

  it('waits for an import that runs, in words', async () => {
    const [newest, first] = snapshots;
    using _lock = lockBusiness(test.instance.data.lock(shop.business_id));
    const page = await ada.browser.post(`${storeUrl()}/imports/${first}/serve`, {});
    expect(page.status).toBe(409);
    expect(page.text).toContain('another import of this business is running');
    expect(await served()).toBe(newest);
  });

  it('keeps its report when only the model is built anew', async () => {
    await rebuildSnapshot(test.instance, shop);
    expect((await get()).text).toContain(
      '2 orders in the files, 1 counted; 12.5 in the files, 5.5 counted (EUR)',
    );
  });

  it('an import whose files are missing is refused without naming their folder', async () => {
    const [, first = ''] = snapshots;
    await rm(test.instance.data.snapshot(shop.business_id, first), { recursive: true, force: true });
    const page = await ada.browser.post(`${storeUrl()}/imports/${first}/serve`, {});
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('restore it from a backup')]);
    expect(page.text).not.toContain(test.instance.data.root);
    expect((await get()).text).toContain('not known of this one');
  });
});
