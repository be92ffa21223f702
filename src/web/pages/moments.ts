import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { Html } from './views.ts';

/** `3 November 2026, 14:05 UTC`. A page without scripts does not know the reader's time zone. */
export function moment(iso: string, { locale }: Messages): Html {
  const instant = new Date(iso);
  const { date, time } = formatsOf(locale);
  return html`<time datetime="${instant.toISOString()}">${date.format(instant)}, ${time.format(instant)} UTC</time>`;
}

interface Formats {
  readonly date: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
}

const kept = new Map<string, Formats>();

/** Locales are few, and formats are slow to make. */
function formatsOf(locale: Messages['locale']): Formats {
  const known = kept.get(locale) ?? {
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
    time: new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }),
  };
  kept.set(locale, known);
  return known;
}
