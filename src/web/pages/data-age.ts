import { html } from 'hono/html';
import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../charts/dates.ts';
import type { Messages } from '../../messages/messages.ts';
import type { Html } from './views.ts';

/** A store may have no order for some days; after so many something is not loaded, or has stopped. */
const OLD_DAYS = 14;

/** How many days ago the newest order was, where it is old; else null. */
export function daysOld(newest: string | null, timezone: string | null, now = Date.now()): number | null {
  const store = { timezone: timezone ?? 'UTC' };
  const [day, today] = [newest && localDay(newest, store), localDay(new Date(now).toISOString(), store)];
  if (!day || today === null) return null;
  const { days } = Temporal.PlainDate.from(day).until(today);
  return days > OLD_DAYS ? days : null;
}

/** A warning at the top of a page whose numbers end long before today; null: they do not. */
export function oldDataWarning(
  newest: string | null,
  timezone: string | null,
  { say, day }: Messages,
  now = Date.now(),
): Html | null {
  const count = daysOld(newest, timezone, now);
  const last = newest && localDay(newest, { timezone: timezone ?? 'UTC' });
  if (count === null || !last) return null;
  return html`<p class="message warning" id="old-data">${say('data.old', { day: day(last), count })}</p>`;
}
