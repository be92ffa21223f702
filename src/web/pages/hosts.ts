import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import { isLoopback } from '../../network/loopback.ts';
import { untrustedHost } from './untrusted-text.ts';
import type { Html } from './views.ts';

/** `host` may have a port. */
export function isOnThisComputer(host: string): boolean {
  return isLoopback(host.replace(/:\d+$/, '').toLowerCase());
}

/** The host that gets the answer for an app, in a form that a reader can judge. */
export function describeRedirect(redirectHost: string, { say, around }: Messages): Html {
  if (redirectHost.endsWith(':')) {
    return html`${around('host.opens-links', { scheme: html`<strong>${untrustedHost(redirectHost)}</strong>` })}`;
  }
  if (isOnThisComputer(redirectHost)) {
    return html`<strong>${say('host.this-computer')}</strong> (${untrustedHost(redirectHost)})`;
  }
  return html`<strong>${untrustedHost(redirectHost)}</strong>`;
}

/** Null if the link is not a URL. */
export function hostOfLink(link: string | null): string | null {
  if (link === null) return null;
  return URL.parse(link)?.host || null;
}
