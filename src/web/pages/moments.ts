import { html } from 'hono/html';
import type { Html } from './views.ts';

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

/** `3 November 2026, 14:05 UTC`: in UTC because a page without scripts does not know the reader's timezone. */
export function moment(iso: string): Html {
  const instant = new Date(iso);
  return html`<time datetime="${instant.toISOString()}">${DATE.format(instant)}, ${TIME.format(instant)} UTC</time>`;
}
