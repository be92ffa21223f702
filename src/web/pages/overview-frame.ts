import { html } from 'hono/html';
import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';
import { type AskedOverview, SHOWN_FIRST } from '../../overview/asked-overview.ts';
import {
  COMPARISONS,
  type Comparison,
  type Days,
  lengthOf,
  PERIODS,
  type Period,
} from '../../overview/page-periods.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import type { StoreView } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

/** The frame of the pages about a store's numbers. */
export interface OverviewFrame {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  /** Whether the account may change the store's data, which is done on another page. */
  readonly isManager: boolean;
  readonly messages: Messages;
}

/** What the address asks for, with the days that it means. */
interface Shown {
  readonly asked: AskedOverview;
  readonly days: Days;
}

/** @param shown null: there is nothing to show, and `body` says why */
export function overviewFrame(
  { paths, account, business, isManager, messages }: OverviewFrame,
  current: 'overview' | 'findings',
  shown: Shown | null,
  body: Html,
): Html {
  const { say } = messages;
  const id = business.business_id;
  // Findings are about the whole store.
  const query = shown === null ? '' : `?${queryOf({ ...shown.asked, filters: [], days: shown.days })}`;
  const tab = (name: typeof current, label: string) =>
    html`<li><a href="${paths[name](id)}${query}"${name === current && html` aria-current="page"`}>${label}</a></li>`;
  const whole = html`
      <nav class="tabs" aria-label="${say('overview.tabs')}"><ul>
        ${tab('overview', say('overview.overview'))}
        ${tab('findings', say('findings.changed'))}
        ${
          isManager &&
          html`<li><a href="${paths.store(id)}">${say('overview.data')}</a></li>
        <li><a href="${paths.settings(id)}">${say('tabs.settings')}</a></li>`
        }
      </ul></nav>
      ${shown !== null && periods(paths[current](id), shown, messages)}
      ${body}`;
  return layout({ title: plainLine(business.name, 100), paths, account, body: whole, wide: true, messages });
}

/** Why there is nothing to show. */
export function nothingShown(why: string, { paths, business, isManager, messages }: OverviewFrame): Html {
  const add = html`<p><a class="button" href="${paths.store(business.business_id)}">${messages.say('overview.open-data')}</a></p>`;
  return html`<div class="card empty"><p>${plainLine(why, 500)}</p>${isManager && add}</div>`;
}

const PERIOD_NAMES: Readonly<Record<Exclude<Period, 'own'>, PlainKey>> = {
  '7d': 'overview.period.7d',
  '30d': 'overview.period.30d',
  '90d': 'overview.period.90d',
  month: 'overview.period.month',
  quarter: 'overview.period.quarter',
  year: 'overview.period.year',
};
const COMPARISON_NAMES: Readonly<Record<Comparison, PlainKey>> = {
  before: 'overview.compare.before',
  year: 'overview.compare.year',
  none: 'overview.compare.none',
};

/** The query of an address that leads to the same page again: `period=own&from=…`. */
export function queryOf({
  period,
  compare,
  show,
  by,
  all,
  filters,
  days,
}: Omit<AskedOverview, 'own'> & { readonly days: Days }): string {
  const own = period === 'own' ? { from: days.from_date, to: days.to_date } : {};
  const only = Object.fromEntries(filters.map(({ dimension, value }) => [dimension, value]));
  const shown = show === SHOWN_FIRST ? {} : { show };
  const points = by === null ? {} : { by };
  const whole = all === null ? {} : { all };
  return new URLSearchParams({ period, ...own, compare, ...shown, ...points, ...whole, ...only }).toString();
}

function periods(path: string, { asked, days }: Shown, { say }: Messages): Html {
  const names = PERIODS.filter((period) => period !== 'own');
  return html`<div class="periods no-print">
        <nav aria-label="${say('overview.period')}"><ul>${names.map((period) => html`<li><a href="${path}?${queryOf({ ...asked, days, period, by: null })}"${period === asked.period && html` aria-current="true"`}>${say(PERIOD_NAMES[period])}</a></li>`)}</ul></nav>
        <details${asked.period === 'own' && html` open`}><summary>${say('overview.other-days')}</summary>
        <form method="get" action="${path}" class="days">
          <input type="hidden" name="period" value="own">
          <input type="hidden" name="show" value="${asked.show}">
          ${asked.filters.map(({ dimension, value }) => html`<input type="hidden" name="${dimension}" value="${value}">`)}
          <div class="field"><label for="from">${say('overview.first-day')}</label><input type="date" id="from" name="from" value="${days.from_date}" required></div>
          <div class="field"><label for="to">${say('overview.last-day')}</label><input type="date" id="to" name="to" value="${days.to_date}" required></div>
          <div class="field"><label for="compare">${say('overview.compare')}</label><select id="compare" name="compare">${COMPARISONS.map((one) => html`<option value="${one}"${one === asked.compare && html` selected`}>${say(COMPARISON_NAMES[one])}</option>`)}</select></div>
          <button class="button" type="submit">${say('overview.show')}</button>
        </form></details>
        <nav aria-label="${say('overview.compare')}"><ul>${COMPARISONS.map((compare) => html`<li><a href="${path}?${queryOf({ ...asked, days, compare })}"${compare === asked.compare && html` aria-current="true"`}>${say(COMPARISON_NAMES[compare])}</a></li>`)}</ul></nav>
      </div>`;
}

/**
 * The days that a page is about, and the days that they are compared with.
 *
 * @param hasTotals whether the page has totals, which differ where the days are not as many
 */
export function daysInWords(
  {
    days,
    before,
    notCompared,
  }: { readonly days: Days; readonly before: Days | null; readonly notCompared: string | null },
  messages: Messages,
  hasTotals = true,
): Html {
  const { say } = messages;
  const inWords = ({ from_date, to_date }: Days) => messages.days(from_date, to_date);
  const said =
    before === null
      ? say('overview.days', { days: inWords(days) })
      : say('overview.days-compared', { days: inWords(days), before: inWords(before) });
  const unequal =
    hasTotals && before !== null && lengthOf(days) !== lengthOf(before)
      ? say('overview.unequal-days', { days: lengthOf(days), before: lengthOf(before) })
      : null;
  return html`<p class="lead">${[said, unequal, notCompared].filter((one) => one !== null).join(' ')}</p>`;
}
