import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { addManager } from '../../src/control/people/managers.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import type { Page } from './cookie-browser.ts';
import { bringFiles, type FileOfForm, work } from './upload-person.ts';

/** A store whose manager brings files of orders in the browser. */
export const HEADER =
  'Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id\n';
export const order = (number: number, created: string, currency = 'EUR', total = '10.00', status = 'paid') =>
  `#${number},ann@example.com,${status},${currency},${total},0.00,0.00,${total},${created},1,Mug,${total},${number}\n`;
export const ORDERS: FileOfForm = [
  'orders_export_1.csv',
  HEADER +
    order(1001, '2026-03-05 15:40:14 +0100') +
    order(1002, '2026-03-06 09:00:00 +0100', 'EUR', '22.50'),
];
const ALL_OF_2026 = { from_date: '2026-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };

export let test: TestInstance;
export let server: TestServer;
export let ada: Person;
export let shop: Business;

/** The instance and its server for the tests of a file, and a new store with its manager for each test. */
export function openUploadShop(): void {
  beforeAll(async () => {
    test = await createTestInstance({ isOneEngineEnough: true });
    server = await startTestServer(test);
  });

  afterAll(async () => {
    await server.stop();
    await test[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'EUR' });
    ada = await joinAs(shop);
  });
}

export async function joinAs(...stores: Business[]): Promise<Person> {
  const person = await Person.join(test.instance.control);
  for (const { business_id } of stores)
    await addManager(test.instance.control, person.account_id, business_id);
  await person.open(`${server.baseUrl}/stores`);
  return person;
}

export const uploadsUrl = () => `${server.baseUrl}/stores/${shop.business_id}/uploads`;
export const bring = (...files: FileOfForm[]) => bringFiles(ada, uploadsUrl(), files);
export const check = (page: Page, fields?: Record<string, string>) => work(ada, page, 'check', fields);
export const publish = (page: Page) => work(ada, page, 'publish');
export const revenue = async () => {
  const asked = { business_id: shop.business_id, ...ALL_OF_2026 };
  return ((await test.ask('order_statistics', asked)) as { orders_revenues: number }).orders_revenues;
};
export const idOf = (page: Page) => page.url.pathname.split('/').at(-1) ?? '';
export const filesOf = (page: Page) => {
  const folder = join(test.instance.data.uploads, idOf(page), 'files');
  return existsSync(folder) ? readdirSync(folder) : [];
};
