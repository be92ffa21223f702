import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { addManager, allowNewBusinesses } from '../../src/control/people/managers.ts';
import { CATALOGUE } from '../../src/messages/catalogue.ts';
import { LANGUAGES, type Language } from '../../src/messages/languages.ts';
import type { Message } from '../../src/messages/message.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Every page is in the language that its browser asks for, as a whole. */
let test: TestInstance;
let server: TestServer;
let shop: Business;
let ada: Person;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  const { control } = test.instance;
  shop = await test.createBusiness({ name: 'Shop 7', timezone: 'Europe/Prague', currency: 'CZK' });
  ada = await Person.join(control);
  await addManager(control, ada.account_id, shop.business_id);
  await grantAccess(control, ada.account_id, shop.business_id, ['DISPLAY_ANALYTICS_DASHBOARD']);
  await allowNewBusinesses(control, ada.account_id);
  await ada.open(`${server.baseUrl}/stores`);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const TEXTS = Object.values<Message>(CATALOGUE);

/** Whole sentences of other languages that this one does not have: short words may be the same in two. */
function textsOfOthers(language: Language): readonly string[] {
  const own = new Set(TEXTS.map((texts) => texts[language]));
  return TEXTS.flatMap((texts) => LANGUAGES.map((other) => texts[other])).filter(
    (text) => text.length >= 12 && !text.includes('{') && !own.has(text),
  );
}

/** Without what is marked as English, such as the guide of a vendor. */
function ownText(html: string): string {
  return html.replaceAll(/<(\w+)[^>]* lang="en"[^>]*>.*?<\/\1>/gs, '');
}

it.each(LANGUAGES)('a page that is asked for in “%s” has no text of another language', async (language) => {
  const store = `/stores/${shop.business_id}`;
  const ofStore = ['', '/settings', '/delete', '/managers', '/overview', '/sources', '/sources/new/shopify'];
  const others = [
    '/stores',
    '/stores/new',
    '/connections',
    '/connect',
    '/password',
    '/stores/x',
    '/connect/x',
  ];
  const foreign = textsOfOthers(language);
  for (const path of [...ofStore.map((end) => `${store}${end}`), ...others]) {
    const headers = { 'Accept-Language': language };
    const { text } = await ada.browser.get(`${server.baseUrl}${path}`, { headers });
    expect(/<html lang="(\w+)"/.exec(text)?.[1], path).toBe(language);
    const shown = ownText(text.slice(text.indexOf('<body')));
    expect([path, foreign.filter((each) => shown.includes(`>${each}<`))]).toEqual([path, []]);
  }
});
