import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { listAssumptions } from '../../src/control/businesses/assumptions.ts';
import { readBusiness } from '../../src/control/businesses/businesses.ts';
import { readVatRate } from '../../src/control/businesses/vat-rate.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { addManager } from '../../src/control/people/managers.ts';
import { removeDeleted } from '../../src/snapshot/delete-business.ts';
import { lockBusiness } from '../../src/snapshot/lock-business.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import type { Page } from './cookie-browser.ts';
import { bringFiles, titleOf, untilEnded, work } from './upload-person.ts';
import { HEADER, order } from './upload-shop.ts';

/** What a manager sets of a store in the browser is what `business update` and `business assumptions` set. */
let test: TestInstance;
let server: TestServer;
let ada: Person;
let reader: Person;
let shop: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  const { control } = test.instance;
  [ada, reader] = [await Person.join(control), await Person.join(control)];
  shop = await newShop('Mugs');
  await grantAccess(control, reader.account_id, shop.business_id, ['DISPLAY_ANALYTICS_DASHBOARD']);
  for (const person of [ada, reader]) await person.open(`${server.baseUrl}/stores`);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

async function newShop(name: string): Promise<Business> {
  const business = await test.createBusiness({ name, timezone: 'Europe/Prague', currency: 'EUR' });
  await addManager(test.instance.control, ada.account_id, business.business_id);
  return business;
}

const urlOf = (path: string, { business_id }: Business = shop) =>
  `${server.baseUrl}/stores/${business_id}/${path}`;
const SET = { name: 'Mugs', link: '', timezone: 'Europe/Prague', currency: 'EUR', vat_rate: '' };
const save = async (fields: Partial<typeof SET>) =>
  untilEnded(ada, await ada.browser.post(urlOf('settings'), { ...SET, ...fields }));
const addCost = (fields: Record<string, string>) => ada.browser.post(urlOf('settings/costs'), fields);
const FEE = { kind: 'payment_fee', percent: '1,4', amount: '', from: '2026-01-01', payment_method: '' };
const errorOf = ({ text }: Page) => /id="error"[^>]*><strong>Error:<\/strong> (.*?)<\/p>/.exec(text)?.[1];

describe('the settings of a store', () => {
  it('move an order to the day of the new time zone, and are kept', async () => {
    const { business_id } = shop;
    const late = order(1, '2026-03-05 23:30:00 +0100');
    const brought = await bringFiles(ada, urlOf('uploads'), [['orders.csv', HEADER + late]]);
    await work(ada, await work(ada, brought, 'check'), 'publish');
    const ordersOf = async (day: string) =>
      test.ask('order_statistics', { business_id, from_date: `${day}T00:00:00`, to_date: `${day}T23:59:59` });
    expect(await ordersOf('2026-03-05')).toMatchObject({ orders_count: 1 });

    const saved = await save({ name: ' Mugs & more ', timezone: 'Asia/Tokyo', vat_rate: '20,5' });
    expect(titleOf(saved)).toBe('Settings saved');
    expect(saved.text).toContain('those of Asia/Tokyo now');
    expect(saved.text).not.toContain('fx_rates');
    expect(await readBusiness(test.instance.control, business_id)).toMatchObject({
      name: 'Mugs & more',
      timezone: 'Asia/Tokyo',
      primary_currency: 'EUR',
    });
    expect(await readVatRate(test.instance.control, business_id)).toBe(20.5);
    expect(await ordersOf('2026-03-05')).toMatchObject({ orders_count: 0 });
    expect(await ordersOf('2026-03-06')).toMatchObject({ orders_count: 1 });
    expect(server.logText()).toContain('settings of a store were changed');
    expect((await ada.browser.get(urlOf('settings'))).text).toContain('value="20.5"');
  });

  it('that are all as they were build nothing anew', async () => {
    const now = { name: 'Mugs', timezone: 'Asia/Tokyo', vat_rate: '20.5' };
    const page = await ada.browser.post(urlOf('settings'), { ...SET, ...now });
    expect(page.location?.search).toBe('?done=saved');
  });

  it.each([
    [{ vat_rate: '1%' }, '“1%” is no VAT rate.', 'value="1%"'],
    [{ vat_rate: '101' }, '“101” is no VAT rate.', 'value="101"'],
    [{ timezone: '+01:00' }, 'Choose the time zone', 'value="+01:00" selected'],
    [{ currency: 'Kč' }, 'Choose the currency', 'value="Kč" selected'],
    [{ name: ' ' }, 'The name must be', 'name="name"'],
    [{ link: 'javascript:alert(1)' }, 'must begin with https://', 'value="javascript:alert(1)"'],
  ])('%j is refused in words, and stays typed', async (fields, words, kept) => {
    const before = await readBusiness(test.instance.control, shop.business_id);
    const page = await ada.browser.post(urlOf('settings'), { ...SET, ...fields });
    expect(page.status).toBe(400);
    expect(errorOf(page)).toContain(words);
    expect(errorOf(page)).toContain('Nothing was changed.');
    expect(page.text).toContain(kept);
    expect(await readBusiness(test.instance.control, shop.business_id)).toEqual(before);
  });

  it('are for managers alone', async () => {
    for (const path of ['settings', 'delete'])
      expect((await reader.browser.get(urlOf(path))).status).toBe(404);
    for (const path of ['settings', 'settings/costs', 'settings/costs/remove', 'delete']) {
      const page = await reader.browser.post(urlOf(path), { ...SET, ...FEE, sure: 'yes' });
      expect([path, page.status]).toEqual([path, 404]);
    }
    expect(await readBusiness(test.instance.control, shop.business_id)).not.toBeNull();
  });
});

describe('the costs of a store', () => {
  it('are added and removed', async () => {
    const added = await ada.browser.follow(await addCost(FEE));
    expect(added.text).toContain('1.4 % an order, from 1 January 2026 on');
    const [known] = await listAssumptions(test.instance.control, shop.business_id);
    expect(known).toMatchObject({ kind: 'payment_fee', percent: 1.4, amount: null });

    const again = await addCost({ ...FEE, percent: '2' });
    expect(errorOf(again)).toContain('From 1 January 2026 on it is 1.4 % an order already');
    expect(again.text).toContain('value="2"');

    const fields = { assumption_id: known?.assumption_id ?? '' };
    for (let time = 0; time < 2; time += 1)
      expect((await ada.browser.post(urlOf('settings/costs/remove'), fields)).status).toBe(303);
    expect(await listAssumptions(test.instance.control, shop.business_id)).toEqual([]);
  });

  it.each([
    [{ ...FEE, percent: '' }, 'Say what it costs'],
    [{ ...FEE, percent: '101' }, 'a number from 0 to 100'],
    [{ ...FEE, percent: 'x' }, '“x” is not understood'],
    [{ ...FEE, from: '2026-02-30' }, '“2026-02-30” is no day'],
    [{ ...FEE, payment_method: 'x'.repeat(201) }, 'at most 200 letters'],
    [{ kind: 'email_cost', amount: '10', from: '2026-01-01' }, 'Choose whether the amount'],
    [{ kind: 'rent', amount: '10' }, 'Choose one of the costs'],
  ])('%j is refused in words without options of the command line', async (fields, words) => {
    const page = await addCost(fields);
    expect([page.status, errorOf(page)]).toEqual([400, expect.stringContaining(words)]);
    expect(errorOf(page)).not.toContain('--');
  });
});

describe('a store that is deleted', () => {
  it('is gone with its files, uploads and readers, and others stay', async () => {
    const { control, data } = test.instance;
    const going = await newShop('Going');
    const orders = HEADER + order(1, '2026-03-05 12:00:00 +0100');
    const brought = await bringFiles(ada, urlOf('uploads', going), [['orders.csv', orders]]);
    const upload = brought.url.pathname.split('/').at(-1) ?? '';
    expect(existsSync(data.business(going.business_id))).toBe(true);

    const unsure = await ada.browser.post(urlOf('delete', going), {});
    expect([unsure.status, errorOf(unsure)]).toEqual([400, expect.stringContaining('Tick the box')]);
    {
      using _import = lockBusiness(data.lock(going.business_id));
      const busy = await ada.browser.post(urlOf('delete', going), { sure: 'yes' });
      expect([busy.status, errorOf(busy)]).toEqual([409, expect.stringContaining('Nothing was deleted')]);
    }
    const deleted = await ada.browser.post(urlOf('delete', going), { sure: 'yes' });
    const stores = await ada.browser.follow(deleted);
    expect(stores.text).toContain('The store is deleted.');
    expect(stores.text).not.toContain('Going');
    expect(await readBusiness(control, going.business_id)).toBeNull();
    expect(existsSync(data.business(going.business_id))).toBe(false);
    expect(existsSync(`${data.uploads}/${upload}`)).toBe(false);
    expect((await ada.browser.get(urlOf('settings', going))).status).toBe(404);
    expect(await readBusiness(control, shop.business_id)).not.toBeNull();
    expect(await removeDeleted(test.instance)).toEqual({ removed: 0 });
  });
});
