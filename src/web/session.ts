import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { ControlDatabase } from '../control/database/control-database.ts';
import type { Account } from '../control/people/accounts.ts';
import {
  beginSession,
  endSession,
  findSession,
  SESSION_SECONDS,
} from '../control/people/browser-sessions.ts';
import { hashHandle } from '../control/tokens/instance-secret.ts';
import { type HostCookie, hostCookie, readHostCookie } from './host-cookie.ts';
import type { KnownDevices } from './known-devices.ts';

const NAME = 'storesight_session';

/** The signed-in account, by a cookie. */
export class BrowserSession {
  readonly #control: ControlDatabase;
  readonly #devices: KnownDevices;
  readonly #cookie: HostCookie;

  /** @param origin of the pages */
  constructor(control: ControlDatabase, devices: KnownDevices, origin: string) {
    this.#control = control;
    this.#devices = devices;
    this.#cookie = hostCookie(origin);
  }

  async account(context: Context): Promise<Account | null> {
    const handle = this.#handle(context);
    return handle === undefined ? null : findSession(this.#control, handle);
  }

  /** A name of the session for places that must not hold its secret. */
  nameOf(context: Context): string {
    return hashHandle(this.#handle(context) ?? '');
  }

  /**
   * Makes a new session at each sign-in, whatever cookie the browser sent; from now on the device is known.
   */
  async begin(context: Context, account: Account): Promise<void> {
    await this.#endCurrent(context);
    setCookie(context, NAME, await beginSession(this.#control, account.account_id), {
      ...this.#cookie,
      maxAge: SESSION_SECONDS,
    });
    this.#devices.remember(context, account.email);
  }

  async end(context: Context): Promise<void> {
    await this.#endCurrent(context);
    deleteCookie(context, NAME, this.#cookie);
  }

  async #endCurrent(context: Context): Promise<void> {
    const handle = this.#handle(context);
    if (handle !== undefined) await endSession(this.#control, handle);
  }

  #handle(context: Context): string | undefined {
    return readHostCookie(context, NAME, this.#cookie);
  }
}
