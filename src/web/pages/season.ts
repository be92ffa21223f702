import { html } from 'hono/html';
import { localDay } from '../../charts/dates.ts';
import type { DrawnStore } from '../../charts/drawn-store.ts';
import type { Messages } from '../../messages/messages.ts';
import type { AskedOverview } from '../../overview/asked-overview.ts';
import { type Days, daysOfPeriod, lengthOf } from '../../overview/page-periods.ts';
import { queryOf } from './overview-frame.ts';
import type { Html } from './views.ts';

/** Days that are nearly a year have all seasons in them. */
const NEARLY_A_YEAR = 330;

/**
 * Spring beside winter differs by the season alone, so whoever compares with the days just before is led to
 * the year before, where that is loaded.
 *
 * @param path of the page; null: it stands alone, without links
 */
export function seasonNote(
  path: string | null,
  {
    asked,
    days,
    before,
    store,
  }: {
    readonly asked: AskedOverview;
    readonly days: Days;
    readonly before: Days | null;
    readonly store: DrawnStore;
  },
  { say }: Messages,
): Html | null {
  if (before === null || asked.compare !== 'before' || lengthOf(days) >= NEARLY_A_YEAR) return null;
  const yearBefore = daysOfPeriod({ period: 'own', compare: 'year', own: days }, days.to_date).before;
  const firstDay = store.history_starts_at === null ? null : localDay(store.history_starts_at, store);
  const isLoaded = yearBefore !== null && (firstDay === null || firstDay <= yearBefore.from_date);
  if (!isLoaded) return html`<p class="detail">${say('overview.season-unknown')}</p>`;
  const link =
    path !== null &&
    html` <a class="button no-print" href="${path}?${queryOf({ ...asked, days, compare: 'year' })}">${say('overview.compare-year')}</a>`;
  return html`<p class="detail">${say('overview.season')}${link}</p>`;
}
