import { afterAll, beforeAll, expect, it } from 'vitest';
import { KeptAnswers } from '../../src/asking/kept-answers.ts';
import { type Business, PERMISSIONS } from '../../src/business/business.ts';
import { listBusinesses } from '../../src/control/businesses/businesses.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { LANGUAGES } from '../../src/messages/languages.ts';
import { toolEnvironment } from '../../src/server/tool-environment.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Notes and findings are written by tools in English; a page of the demo stores says each of them in its own
 * language.
 */
let test: TestInstance;
let server: TestServer;
let stores: readonly Business[];
let reader: Person;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  await test.importDemos(/./);
  // What was answered for one language is kept for the others, and so are its sentences.
  const kept = new KeptAnswers(64 * 1024 ** 2);
  server = await startTestServer(test, {
    environment: toolEnvironment(test.instance, test.warehouse, { kept }),
  });
  const { control } = test.instance;
  stores = await listBusinesses(control);
  reader = await Person.join(control);
  for (const { business_id } of stores)
    await grantAccess(control, reader.account_id, business_id, PERMISSIONS);
  await reader.open(`${server.baseUrl}/stores`);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** Words of nearly every English sentence, which German, Czech and French do not have. */
const ENGLISH =
  /(?<![\p{L}'’-])(the|of|and|is|are|with|which|what|this|that|these|were|from|not|no|their|but|only|have|has)(?![\p{L}'’-])/iu;

/**
 * What is shown in the language of the page: names of the store's data and what is marked as English are not.
 */
function ownText(html: string): string {
  return html
    .slice(html.indexOf('<body'))
    .replaceAll(/<style.*?<\/style>/gs, '')
    .replaceAll(/<(\w+)[^>]* lang="en"[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<bdi>.*?<\/bdi>/gs, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/[“„«].*?[“”»]|&quot;.*?&quot;/g, '');
}

/** The made shop has findings of every kind, the real one has orders and refunds alone. */
const PAGES = [
  [/Kamenice/, 'overview?period=30d'],
  [/Kamenice/, 'overview?period=90d&country=DE'],
  [/Kamenice/, 'overview/findings?period=30d'],
  [/Kamenice/, 'overview/findings?period=year&compare=year'],
  [/Online Retail/, 'overview?period=90d'],
  [/Online Retail/, 'overview/findings?period=90d'],
] as const;

it.each(LANGUAGES.filter((language) => language !== 'en'))(
  'the overview and the findings have no English sentence in “%s”',
  async (language) => {
    for (const [name, page] of PAGES) {
      const store = stores.find((each) => name.test(each.name));
      const at = `${server.baseUrl}/stores/${store?.business_id}/${page}`;
      const { text } = await reader.browser.get(at, { headers: { 'Accept-Language': language } });
      expect(text).toContain(`<html lang="${language}"`);
      const lines = ownText(text).split('\n');
      expect(lines.length).toBeGreaterThan(100);
      expect([page, lines.filter((line) => ENGLISH.test(line))]).toEqual([page, []]);
    }
  },
);
