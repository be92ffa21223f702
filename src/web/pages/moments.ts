import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { Html } from './views.ts';

/**
 * `3 November 2026, 15:05 CET`, on a page of a store: its pictures have the same time. It is in UTC where no
 * store is known, because a page without scripts does not know the reader's time zone.
 */
export function moment(iso: string, { locale }: Messages, timezone: string | null = null): Html {
  const instant = new Date(iso);
  const { date, time } = formatsOf(locale, timezone ?? 'UTC');
  return html`<time datetime="${instant.toISOString()}">${date.format(instant)}, ${time.format(instant)}</time>`;
}

interface Formats {
  readonly date: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
}

const kept = new Map<string, Formats>();

/** Locales and time zones are few, and formats are slow to make. */
function formatsOf(locale: Messages['locale'], timeZone: string): Formats {
  const key = `${locale} ${timeZone}`;
  const known = kept.get(key) ?? {
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }),
    time: new Intl.DateTimeFormat(locale, {
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
      timeZone,
    }),
  };
  kept.set(key, known);
  return known;
}
