import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';

/**
 * A cookie that only this host gets and no script reads. Over https its name says so (`__Host-`), and then no
 * other host of the domain can plant one.
 *
 * @param origin of the pages
 */
export function hostCookie(origin: string): HostCookie {
  const isSecure = origin.startsWith('https:');
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
    ...(isSecure ? { prefix: 'host' } : {}),
  };
}

export interface HostCookie {
  readonly path: '/';
  readonly httpOnly: true;
  readonly sameSite: 'Lax';
  readonly secure: boolean;
  readonly prefix?: 'host';
}

export function readHostCookie(context: Context, name: string, { prefix }: HostCookie): string | undefined {
  return prefix === undefined ? getCookie(context, name) : getCookie(context, name, prefix);
}
