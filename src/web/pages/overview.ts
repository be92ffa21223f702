import { html, raw } from 'hono/html';
import { formatDay, localDay } from '../../charts/dates.ts';
import { drawSpark } from '../../charts/draw/draw-spark.ts';
import type { DrawnStore } from '../../charts/drawn-store.ts';
import { formatNumber } from '../../charts/number-format.ts';
import { tablesHtml } from '../../charts/table.ts';
import { type AskedOverview, SHOWN_FIRST } from '../../overview/asked.ts';
import type { Filter, FilterName } from '../../overview/filters.ts';
import type { Card, List, Overview } from '../../overview/overview.ts';
import { COMPARISONS, type Comparison, type Days, PERIODS, type Period } from '../../overview/periods.ts';
import { questionsOf } from '../../overview/questions.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { pictures } from './pictures.ts';
import type { StoreView } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface OverviewPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  /** Whether the account may change the store's data, which is another page. */
  readonly isManager: boolean;
  /** What there is to see, or why there is nothing. */
  readonly overview: Overview | { readonly why: string };
}

const PERIOD_NAMES: Readonly<Record<Exclude<Period, 'own'>, string>> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  month: 'Month',
  quarter: '3 months',
  year: '12 months',
};
const COMPARISON_NAMES: Readonly<Record<Comparison, string>> = {
  before: 'the days before',
  year: 'the year before',
  none: 'nothing',
};

/** How tools name the row of what has no coupon, no country. */
const NOT_SET = '(not set)';

/** What the store sold in some days. The address says which days, so that it can be shared with others who may read the store. */
export function overviewPage({ paths, account, business, isManager, overview }: OverviewPage): Html {
  const id = business.business_id;
  const body = html`
      <nav class="tabs" aria-label="This store"><ul>
        <li><a href="${paths.overview(id)}" aria-current="page">Overview</a></li>
        ${isManager && html`<li><a href="${paths.store(id)}">Data</a></li>`}
      </ul></nav>
      ${'why' in overview ? html`<div class="card empty"><p>${plainLine(overview.why, 500)}</p></div>` : shown(paths, id, overview)}`;
  return layout({ title: plainLine(business.name, 100), paths, account, body, wide: true });
}

function shown(paths: PagePaths, id: string, overview: Overview): Html {
  const path = paths.overview(id);
  return html`
      ${periods(path, overview)}
      ${filtersOf(path, overview)}
      ${numbersOf(overview, path)}
      ${questions(paths, overview)}
      <p class="no-print"><a class="button" href="${paths.overviewCsv(id)}?${queryOf({ ...overview.asked, days: overview.days })}">Download as CSV</a></p>`;
}

/** The questions, to select and copy: the page has no script. */
function questions(paths: PagePaths, overview: Overview): Html {
  const asked = questionsOf(overview);
  if (asked.length === 0) return html``;
  return html`<section class="card no-print" aria-labelledby="questions"><h2 id="questions">Questions for your AI app</h2>
        <p>Copy one into an app that is connected. A click selects all of it.</p>
        ${asked.map((question) => html`<p class="copyable"><code>${plainLine(question, 400)}</code></p>`)}
        <p><a class="button" href="${paths.connect}">Connect an app</a></p></section>`;
}

/**
 * The numbers themselves, their pictures, and what one must know of them.
 *
 * @param path of the page that more of them is shown on; null: the numbers stand alone, and nothing leads elsewhere
 */
export function numbersOf(overview: Overview, path: string | null): Html {
  const { store, days, before, notCompared, cards, lists, notes, missing } = overview;
  const until = store.data_until === null ? null : localDay(store.data_until, store);
  return html`
      <p class="lead">${inWords(days, store)}${before !== null && html`, compared with ${inWords(before, store)}`}.${notCompared !== null && html` ${notCompared}`}</p>
      ${until !== null && until < days.to_date && html`<p class="message warning">The last loaded order is of ${formatDay(until, store)}. If orders came in after it, they are missing here.</p>`}
      <section aria-labelledby="numbers"><h2 id="numbers" class="visually-hidden">Numbers</h2>
        <dl class="figures">${cards.map((card) => cardOf(card, path, overview))}</dl>
      </section>
      ${trendOf(overview)}
      ${notes.length > 0 && html`<section class="card" aria-labelledby="notes"><h2 id="notes">Good to know</h2><ul class="detail">${notes.map((note) => html`<li>${plainLine(note, 2000)}</li>`)}</ul></section>`}
      <div class="lists" id="lists">${lists.map((list) => listOf(list, path, overview))}</div>
      ${missing.length > 0 && html`<ul class="detail">${missing.map(({ name, why }) => html`<li>${name} cannot be shown: ${plainLine(why, 500)}</li>`)}</ul>`}
      <details><summary>What these numbers are</summary><dl class="facts">${cards.map(({ name, definition }) => html`<div><dt>${name}</dt><dd>${definition}</dd></div>`)}</dl></details>`;
}

/** `period=own&from=…`: what leads to the same page again. */
function queryOf({
  period,
  compare,
  show,
  filters,
  days,
}: Omit<AskedOverview, 'own'> & { readonly days: Days }): string {
  const own = period === 'own' ? { from: days.from_date, to: days.to_date } : {};
  const only = Object.fromEntries(filters.map(({ dimension, value }) => [dimension, value]));
  const shown = show === SHOWN_FIRST ? {} : { show };
  return new URLSearchParams({ period, ...own, compare, ...shown, ...only }).toString();
}

function periods(path: string, { asked, days }: Overview): Html {
  const names = PERIODS.filter((period) => period !== 'own');
  return html`<div class="periods no-print">
        <nav aria-label="Period"><ul>${names.map((period) => html`<li><a href="${path}?${queryOf({ ...asked, days, period })}"${period === asked.period && html` aria-current="true"`}>${PERIOD_NAMES[period]}</a></li>`)}</ul></nav>
        <details${asked.period === 'own' && html` open`}><summary>Other days</summary>
        <form method="get" action="${path}" class="days">
          <input type="hidden" name="period" value="own">
          <input type="hidden" name="show" value="${asked.show}">
          ${asked.filters.map(({ dimension, value }) => html`<input type="hidden" name="${dimension}" value="${value}">`)}
          <div class="field"><label for="from">First day</label><input type="date" id="from" name="from" value="${days.from_date}" required></div>
          <div class="field"><label for="to">Last day</label><input type="date" id="to" name="to" value="${days.to_date}" required></div>
          <div class="field"><label for="compare">Compare with</label><select id="compare" name="compare">${COMPARISONS.map((one) => html`<option value="${one}"${one === asked.compare && html` selected`}>${COMPARISON_NAMES[one]}</option>`)}</select></div>
          <button class="button" type="submit">Show</button>
        </form></details>
        <nav aria-label="Compare with"><ul>${COMPARISONS.map((compare) => html`<li><a href="${path}?${queryOf({ ...asked, days, compare })}"${compare === asked.compare && html` aria-current="true"`}>${compare === 'none' ? 'Without comparison' : `Beside ${COMPARISON_NAMES[compare]}`}</a></li>`)}</ul></nav>
      </div>`;
}

const FILTER_NAMES: Readonly<Record<FilterName, string>> = {
  product: 'Product',
  category: 'Category',
  channel: 'Channel',
  country: 'Country',
  coupon: 'Coupon',
};

/** What the page is about, where it is not the whole store, and the way back. */
function filtersOf(path: string, { asked, days, lists }: Overview): Html {
  const { filters } = asked;
  if (filters.length === 0) return html``;
  const names = (filter: Filter) =>
    lists.flatMap(({ rows }) => rows).find((row) => row.filter !== null && isSame(row.filter, filter))
      ?.label ?? filter.value;
  return html`<section class="message notice" aria-labelledby="only"><h2 id="only">A part of the store</h2>
        <ul class="names">${filters.map((filter) => {
          const others = filters.filter((one) => one !== filter);
          return html`<li>${FILTER_NAMES[filter.dimension]}: <strong><bdi>${named(names(filter))}</bdi></strong> <a class="button no-print" href="${path}?${queryOf({ ...asked, days, filters: others })}">Remove<span class="visually-hidden"> ${FILTER_NAMES[filter.dimension]}</span></a></li>`;
        })}</ul>
        <p>All numbers below are of this part alone. An order has the channel of its last click and its own country; a visit has its own.</p></section>`;
}

function isSame(one: Filter, other: Filter): boolean {
  return one.dimension === other.dimension && one.value === other.value;
}

/** A name of the store's data. */
function named(label: string): string {
  return label === NOT_SET ? 'None' : plainLine(label, 80);
}

/** The words in the place of a number that cannot be that of a part: one of the whole store would be taken for it. */
function notOfPart(filters: readonly Filter[]): string {
  const names = filters.map(({ dimension }) => FILTER_NAMES[dimension].toLowerCase());
  return `Not known by ${names.join(' and ')}.`;
}

function inWords({ from_date, to_date }: Days, store: DrawnStore): string {
  const [from, to] = [formatDay(from_date, store), formatDay(to_date, store)];
  return from === to ? from : `${from} to ${to}`;
}

function cardOf(card: Card, path: string | null, { store, asked, days }: Overview): Html {
  const { key, name, unit, value, before, change, trend, list } = card;
  if (card.isUnfiltered)
    return html`<div class="card" data-card="${key}"><dt>${name}</dt><dd>${notOfPart(asked.filters)}</dd></div>`;
  // A few people are not counted where they are a part of the store.
  const isHidden = value === null && unit === 'customers' && asked.filters.length > 0;
  const isShown = key === asked.show;
  const more =
    trend !== null && path !== null
      ? html`<a href="${path}?${queryOf({ ...asked, days, show: key })}#along-time"${isShown && html` aria-current="true"`}>${name}</a>`
      : list !== null
        ? html`<a href="#${idOf(list)}">${name}</a>`
        : name;
  return html`<div class="card" data-card="${key}"><dt>${more}</dt><dd class="figure"${value !== null && html` data-value="${value}"`}>${isHidden ? 'too few to show' : numberOf(value, unit, store)}</dd>${
    before !== null &&
    html`<dd class="detail">${changeInWords(change, unit, store)} <span class="nowrap">before: <span data-value="${before}">${numberOf(before, unit, store)}</span></span></dd>`
  }${trend !== null && html`<dd class="sparkline">${raw(drawSpark(trend.panel))}</dd>`}</div>`;
}

/** The number of the chosen card along time, beside the days before. */
function trendOf({ asked, cards }: Overview): Html {
  if (asked.filters.length > 0)
    return html`<p class="detail">Pictures along time are drawn of the whole store only.</p>`;
  const card = cards.find(({ key }) => key === asked.show);
  if (!card?.trend) return html``;
  const { figure } = card.trend;
  return html`<section class="card" aria-labelledby="along-time">
        <h2 id="along-time">${card.name} along time</h2>
        ${pictures(figure, 'trend', 'widest')}
        <details class="no-print"><summary>The same numbers as a table</summary><div class="wide-table" tabindex="0" role="region" aria-label="${card.name} as a table">${raw(tablesHtml(figure))}</div></details>
      </section>`;
}

function numberOf(value: number | null, unit: string | undefined, store: DrawnStore): string {
  if (value === null) return 'not known';
  const digits = unit === 'money' && Math.abs(value) >= 1000 ? 0 : 2;
  return formatNumber(Number(value.toFixed(digits)), unit, store);
}

/** `+12.3 %,`; nothing where there is no number. */
function changeInWords(change: number | null, unit: string | undefined, store: DrawnStore): string {
  if (change === null) return '';
  const rounded = Number(change.toFixed(1));
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '±';
  const text = formatNumber(Math.abs(rounded), unit === 'percent' ? 'percentage points' : 'percent', store);
  return `${sign}${text},`;
}

function listOf(
  { title, columns, rows, isUnfiltered }: List,
  path: string | null,
  { store, asked, days }: Overview,
): Html {
  if (isUnfiltered)
    return html`<section class="card" id="${idOf(title)}"><h2>${title}</h2><p>${notOfPart(asked.filters)}</p></section>`;
  const labelled = ({ label, filter }: List['rows'][number]) => {
    const name = html`<bdi>${named(label)}</bdi>`;
    if (filter === null || path === null || asked.filters.some((one) => isSame(one, filter))) return name;
    const filters = [...asked.filters.filter(({ dimension }) => dimension !== filter.dimension), filter];
    return html`<a href="${path}?${queryOf({ ...asked, days, filters })}">${name}</a>`;
  };
  return html`<section class="card" id="${idOf(title)}"><div class="wide-table" tabindex="0" role="region" aria-label="${title}"><table><caption>${title}</caption>
        <thead><tr><th scope="col">Name</th>${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${rows.map(
          (row) =>
            html`<tr><th scope="row">${labelled(row)}</th>${row.values.map((value, index) => html`<td${value !== null && html` data-value="${value}"`}>${numberOf(value, columns[index]?.unit, store)}</td>`)}</tr>`,
        )}</tbody></table></div></section>`;
}

/** `e-mail-campaigns` */
function idOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
