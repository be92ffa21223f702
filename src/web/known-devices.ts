import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { normalEmail } from '../control/people/accounts.ts';
import { newHandle, seal, unseal } from '../control/tokens/instance-secret.ts';
import { type HostCookie, hostCookie, readHostCookie } from './host-cookie.ts';

const NAME = 'storesight_device';
const PURPOSE = 'known device';
const KNOWN_SECONDS = 365 * 24 * 3600;

/**
 * Browsers in which somebody signed in before, remembered by a sealed cookie. The cookie gives no access;
 * failures of others with the account do not count for it ("device cookies", OWASP).
 */
export class KnownDevices {
  readonly #secret: Buffer;
  readonly #cookie: HostCookie;

  /** @param origin of the pages */
  constructor(secret: Buffer, origin: string) {
    this.#secret = secret;
    this.#cookie = hostCookie(origin);
  }

  /** The name of the device, if this account signed in with it before; else null. */
  find(context: Context, email: string): string | null {
    const opened = unseal(this.#secret, PURPOSE, readHostCookie(context, NAME, this.#cookie) ?? '');
    if (opened === null) return null;
    const known = JSON.parse(opened) as KnownDevice;
    return known.email === normalEmail(email) && known.until > Date.now() ? known.device : null;
  }

  /** Gives a new name at each sign-in, so that the person starts with no failures. */
  remember(context: Context, email: string): void {
    const known: KnownDevice = { email, device: newHandle(), until: Date.now() + KNOWN_SECONDS * 1000 };
    const sealed = seal(this.#secret, PURPOSE, JSON.stringify(known));
    setCookie(context, NAME, sealed, { ...this.#cookie, maxAge: KNOWN_SECONDS });
  }
}

interface KnownDevice {
  /** The e-mail address of the account that signed in last. */
  readonly email: string;
  readonly device: string;
  readonly until: number;
}
