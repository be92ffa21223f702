import { argon2Sync, randomBytes } from 'node:crypto';
import { type Business, PERMISSIONS, type Permission } from '../../src/business/business.ts';
import type { ControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount, grantAccess } from '../../src/control/people/accounts.ts';
import { CookieBrowser, type Page } from '../web/cookie-browser.ts';

const PASSWORD = 'correct horse battery';
/**
 * At the least cost that the form allows, since people sign in hundreds of times: `password-hashes.test.ts`
 * has the real one.
 */
const PASSWORD_HASH = hashCheaply(PASSWORD);
let people = 0;

/** Somebody with an account and a browser. */
export class Person {
  readonly browser = new CookieBrowser();
  readonly account_id: string;
  readonly email: string;
  readonly password = PASSWORD;

  private constructor(account_id: string, email: string) {
    this.account_id = account_id;
    this.email = email;
  }

  /** Makes a person with an account that may read these businesses. */
  static async join(
    control: ControlDatabase,
    businesses: readonly Business[] = [],
    permissions: readonly Permission[] = PERMISSIONS,
  ): Promise<Person> {
    people += 1;
    const email = `person-${people}@example.com`;
    const { account_id } = await createAccount(control, { email, password: null });
    await control
      .updateTable('accounts')
      .set({ password_hash: PASSWORD_HASH })
      .where('account_id', '=', account_id)
      .execute();
    for (const { business_id } of businesses)
      await grantAccess(control, account_id, business_id, permissions);
    return new Person(account_id, email);
  }

  /** Opens a link of an app, signs in where that is asked, and comes to the consent. */
  async open(authorizationUrl: string | URL): Promise<Page> {
    const page = await this.browser.follow(await this.browser.get(authorizationUrl));
    if (!page.url.pathname.endsWith('/sign-in')) return page;
    const signedIn = await this.browser.submit(
      page,
      { email: this.email, password: this.password },
      '/sign-in',
    );
    return this.browser.follow(signedIn);
  }

  /** Allows what an app asks for. Gives the URL at the app where the browser ends. */
  async allow(authorizationUrl: string | URL, businesses: 'all' | readonly Business[] = 'all'): Promise<URL> {
    const consent = await this.open(authorizationUrl);
    const fields = new URLSearchParams({ decision: 'allow', account: this.email });
    fields.set('businesses', businesses === 'all' ? 'all' : 'chosen');
    if (businesses !== 'all')
      for (const { business_id } of businesses) fields.append('business_id', business_id);
    return this.#leave(consent, await this.browser.post(consent.url, fields));
  }

  async deny(authorizationUrl: string | URL): Promise<URL> {
    const consent = await this.open(authorizationUrl);
    return this.#leave(
      consent,
      await this.browser.submit(consent, { decision: 'deny' }, consent.url.pathname),
    );
  }

  async #leave(consent: Page, answer: Page): Promise<URL> {
    const end = await this.browser.follow(answer, (url) => url.origin !== consent.url.origin);
    if (end.location === null) throw new Error(`the browser stayed at ${end.url}: ${end.status} ${end.text}`);
    return end.location;
  }
}

function hashCheaply(message: string): string {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', { message, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`;
}
