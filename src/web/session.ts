import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Account } from '../control/accounts.ts';
import type { ControlDatabase } from '../control/database.ts';
import { beginSession, endSession, findSession, SESSION_SECONDS } from '../control/sessions.ts';

const NAME = 'storesight_session';

/** Who is signed in, by a cookie that only this host gets and no script reads. */
export class BrowserSession {
  readonly #control: ControlDatabase;
  readonly #isSecure: boolean;

  /** @param origin of the pages; over https the cookie is bound to it (`__Host-`) */
  constructor(control: ControlDatabase, origin: string) {
    this.#control = control;
    this.#isSecure = origin.startsWith('https:');
  }

  async account(context: Context): Promise<Account | null> {
    const handle = this.#handle(context);
    return handle === undefined ? null : findSession(this.#control, handle);
  }

  /** A new session for each sign-in, whatever the browser brought. */
  async begin(context: Context, account: Account): Promise<void> {
    await this.#endCurrent(context);
    setCookie(context, NAME, await beginSession(this.#control, account.account_id), {
      ...this.#attributes,
      maxAge: SESSION_SECONDS,
    });
  }

  async end(context: Context): Promise<void> {
    await this.#endCurrent(context);
    deleteCookie(context, NAME, this.#attributes);
  }

  async #endCurrent(context: Context): Promise<void> {
    const handle = this.#handle(context);
    if (handle !== undefined) await endSession(this.#control, handle);
  }

  #handle(context: Context): string | undefined {
    return this.#isSecure ? getCookie(context, NAME, 'host') : getCookie(context, NAME);
  }

  get #attributes() {
    return {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: this.#isSecure,
      ...(this.#isSecure ? { prefix: 'host' as const } : {}),
    } as const;
  }
}
