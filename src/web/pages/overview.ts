import { html, raw } from 'hono/html';
import { localDay } from '../../charts/dates.ts';
import { drawSpark } from '../../charts/draw/draw-spark.ts';
import type { DrawnStore } from '../../charts/drawn-store.ts';
import { tablesHtml } from '../../charts/figure-table.ts';
import { formatNumber } from '../../charts/number-format.ts';
import type { Pieces } from '../../main-thread/pieces.ts';
import { atOnce } from '../../main-thread/turns.ts';
import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';
import { FEW, MOST } from '../../overview/cards-and-lists.ts';
import { isOtherByDay, isOtherByRevenue } from '../../overview/change.ts';
import type { Filter, FilterName } from '../../overview/filters.ts';
import { numberInWords } from '../../overview/number-in-words.ts';
import { type Card, hasNumbers, type List, type Overview } from '../../overview/overview.ts';
import { questionsOf } from '../../overview/questions.ts';
import { type Breakdown, breakdownOf, breakdownsFor } from '../../overview/trends.ts';
import type { PagePaths } from '../paths.ts';
import { oldDataWarning } from './data-age.ts';
import { daysInWords, nothingShown, type OverviewFrame, overviewFrame, queryOf } from './overview-frame.ts';
import { picturesInPieces } from './pictures.ts';
import { quotedLang, quotedSentences } from './quoted-sentences.ts';
import { seasonNote } from './season.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

export interface OverviewPage extends OverviewFrame {
  /** The overview, or why there is nothing to show. */
  readonly overview: Overview | { readonly why: string };
}

/** How tools name the row without a coupon or country, and of orders without a visit. */
const UNNAMED: ReadonlyMap<string, PlainKey> = new Map([
  ['(not set)', 'list.none'],
  ['(untracked)', 'list.untracked'],
]);

/**
 * The page that shows what a store sold in some days. The address holds the days, so it can be shared with
 * others who may read the store.
 */
export function* overviewPage({ overview, ...frame }: OverviewPage): Pieces<Html> {
  if ('why' in overview) return overviewFrame(frame, 'overview', null, nothingShown(overview.why, frame));
  const { paths, business, messages } = frame;
  const trend = yield* trendPictures(overview);
  const body = shown(paths, business.business_id, { overview, trend }, messages);
  return overviewFrame(frame, 'overview', overview, body);
}

function shown(
  paths: PagePaths,
  id: string,
  { overview, trend }: { readonly overview: Overview; readonly trend: Html },
  messages: Messages,
): Html {
  const path = paths.overview(id);
  return html`
      ${filtersOf(path, overview, messages)}
      ${numbersOf(overview, path, messages, trend)}
      ${questions(paths, overview, messages)}
      ${downloads(paths, id, overview, messages)}`;
}

/** Links to the same numbers as files. */
function downloads(paths: PagePaths, id: string, overview: Overview, { say }: Messages): Html {
  const { asked, days, cards, lists } = overview;
  const query = queryOf({ ...asked, days });
  const drawn = [
    ...cards.filter(({ value, trend }) => value !== null || trend !== null),
    ...lists.filter(({ rows }) => rows.length > 0).map(({ key, title }) => ({ key, name: title })),
  ];
  return html`<p class="no-print"><a class="button" href="${paths.overviewCsv(id)}?${query}">${say('overview.csv')}</a></p>
      <details class="no-print"><summary>${say('overview.pictures')}</summary><ul class="names buttons">${drawn.map(({ key, name }) => html`<li><a class="button" href="${paths.overviewPicture(id, `${key}.svg`)}?${query}">${name}</a></li>`)}</ul></details>`;
}

/** Questions to select and copy: the page has no script. */
function questions(paths: PagePaths, overview: Overview, messages: Messages): Html {
  const { say } = messages;
  const asked = questionsOf(overview, messages);
  if (asked.length === 0) return html``;
  return html`<section class="card no-print" aria-labelledby="questions"><h2 id="questions">${say('questions.title')}</h2>
        <p>${say('questions.how')}</p>
        ${asked.map((question) => html`<p class="copyable"><code>${plainLine(question, 400)}</code></p>`)}
        <p><a class="button" href="${paths.connect}">${say('layout.connect')}</a></p></section>`;
}

/**
 * The numbers themselves, their pictures, and the notes that go with them.
 *
 * @param path of the page with more rows; null: the numbers stand alone, without links
 * @param trend the pictures along time, if they are drawn already
 */
export function numbersOf(
  overview: Overview,
  path: string | null,
  messages: Messages,
  trend = atOnce(trendPictures(overview)),
): Html {
  const { say } = messages;
  const { store, days, cards, lists, notes, missing } = overview;
  const dayOf = (moment: string | null) => (moment === null ? null : localDay(moment, store));
  const [from, until] = [dayOf(store.history_starts_at), dayOf(store.data_until)];
  return html`
      ${path !== null && (until === null || until >= days.to_date) && oldDataWarning(store.data_until, store.timezone, messages)}
      ${daysInWords(overview, messages, hasNumbers(overview))}
      ${hasNumbers(overview) && seasonNote(path, overview, messages)}
      ${from !== null && from > days.from_date && html`<p class="message warning">${say('overview.data-start', { day: messages.day(from) })}</p>`}
      ${until !== null && until < days.to_date && html`<p class="message warning">${say('overview.data-end', { day: messages.day(until) })}</p>`}
      ${path !== null && until !== null && until < days.from_date && html`<p class="no-print"><a class="button" href="${path}?${queryOf({ ...overview.asked, days, period: '30d', by: null })}">${say('overview.last-loaded')}</a></p>`}
      ${path !== null && alarmsOf(overview, path, messages)}
      <section aria-labelledby="numbers"><h2 id="numbers" class="visually-hidden">${say('overview.numbers')}</h2>
        <dl class="figures">${cards.map((card) => cardOf(card, path, overview, messages))}</dl>
      </section>
      ${path !== null && overview.asked.filters.length === 0 && html`<p class="no-print"><a class="button" href="${path}/findings?${queryOf({ ...overview.asked, days })}">${say('findings.both')}</a></p>`}
      ${trendOf(overview, path, messages, trend)}
      ${notes.length > 0 && html`<section class="card" aria-labelledby="notes"><h2 id="notes">${say('overview.good-to-know')}</h2>${quotedSentences(notes, messages, 'detail')}</section>`}
      <div class="lists" id="lists">${lists.map((list) => listOf(list, path, overview, messages))}</div>
      ${missing.length > 0 && html`<ul class="detail">${missing.map(({ name, why }) => html`<li>${say('overview.cannot-be-shown', { name })} <span${quotedLang(messages)}>${plainLine(why, 500)}</span></li>`)}</ul>`}
      <details><summary>${say('overview.meanings')}</summary><dl class="facts">${cards.map(({ name, definition }) => html`<div><dt>${name}</dt><dd>${definition}</dd></div>`)}</dl></details>`;
}

/** What broke stands before the numbers, which it may have moved. */
function alarmsOf({ alarms, asked, days }: Overview, path: string, messages: Messages): Html {
  const { say } = messages;
  if (alarms === null) return html`<p class="message warning">${say('overview.not-looked')}</p>`;
  if (alarms.length === 0) return html``;
  return html`<section class="message warning" aria-labelledby="look-first"><h2 id="look-first">${say('overview.look-first')}</h2>
        ${asked.filters.length > 0 && html`<p>${say('overview.whole-store')}</p>`}
        ${quotedSentences(alarms, messages)}
        <p class="no-print"><a class="button" href="${path}/findings?${queryOf({ ...asked, filters: [], period: '30d', days })}#look">${say('findings.both')}</a></p></section>`;
}

const FILTER_NAMES: Readonly<Record<FilterName, PlainKey>> = {
  product: 'overview.filter.product',
  category: 'overview.filter.category',
  channel: 'overview.filter.channel',
  country: 'overview.filter.country',
  coupon: 'overview.filter.coupon',
};
/** The same within the sentence “not known by country and coupon”. */
const BY: Readonly<Record<FilterName, PlainKey>> = {
  product: 'overview.by.product',
  category: 'overview.by.category',
  channel: 'overview.by.channel',
  country: 'overview.by.country',
  coupon: 'overview.by.coupon',
};

/** The part of the store that the page is about, with the way back; empty for the whole store. */
function filtersOf(path: string, { asked, days, lists }: Overview, messages: Messages): Html {
  const { say } = messages;
  const { filters } = asked;
  if (filters.length === 0) return html``;
  const nameOf = (filter: Filter) =>
    lists.flatMap(({ rows }) => rows).find((row) => row.filter !== null && isSame(row.filter, filter))
      ?.label ?? filter.value;
  return html`<section class="message notice" aria-labelledby="only"><h2 id="only">${say('overview.part')}</h2>
        <ul class="names">${filters.map((filter) => {
          const others = filters.filter((one) => one !== filter);
          return html`<li>${say(FILTER_NAMES[filter.dimension])}: <strong><bdi>${namedIn(filter.dimension === 'country', nameOf(filter), messages)}</bdi></strong> <a class="button no-print" href="${path}?${queryOf({ ...asked, days, filters: others })}">${say('overview.remove')}<span class="visually-hidden"> ${say(FILTER_NAMES[filter.dimension])}</span></a></li>`;
        })}</ul>
        <p>${say('overview.part-meaning')}</p></section>`;
}

function isSame(one: Filter, other: Filter): boolean {
  return one.dimension === other.dimension && one.value === other.value;
}

/** A name of the store's data; a country gets its name in the reader's language. */
function namedIn(isCountry: boolean, label: string, { say, country }: Messages): string {
  const unnamed = UNNAMED.get(label);
  return unnamed !== undefined ? say(unnamed) : plainLine(isCountry ? country(label) : label, 80);
}

/**
 * The words in the place of a number that is not known for a part: the number of the whole store would be
 * mistaken for it.
 */
function notOfPart(filters: readonly Filter[], { say, and }: Messages): string {
  return say('overview.not-by', { parts: and(filters.map(({ dimension }) => say(BY[dimension]))) });
}

function cardOf(card: Card, path: string | null, overview: Overview, messages: Messages): Html {
  const { store, asked, days } = overview;
  const { say, around } = messages;
  const { key, name, unit, value, before, trend, list, marks } = card;
  if (card.isUnfiltered)
    return html`<div class="card" data-card="${key}"><dt>${name}</dt><dd>${notOfPart(asked.filters, messages)}</dd></div>`;
  // A few people in a part of the store are not counted.
  const isHidden = value === null && unit === 'customers' && asked.filters.length > 0;
  const isShown = key === asked.show;
  const more =
    trend !== null && path !== null
      ? html`<a href="${path}?${queryOf({ ...asked, days, show: key })}#along-time"${isShown && html` aria-current="true"`}>${name}</a>`
      : list !== null
        ? html`<a href="#${list}">${name}</a>`
        : name;
  return html`<div class="card" data-card="${key}"><dt>${more}</dt><dd class="figure"${value !== null && html` data-value="${value}"`}>${isHidden ? say('value.too-few') : numberInWords(value, unit, store, messages)}</dd>${
    before !== null &&
    html`<dd class="detail">${changed(card, overview, messages)} <span class="nowrap">${around('value.before', { value: html`<span data-value="${before}">${numberInWords(before, unit, store, messages)}</span>` })}</span></dd>`
  }${marks.map((mark) => html`<dd class="mark">${mark}</dd>`)}${trend !== null && html`<dd class="sparkline">${raw(drawSpark(trend.panel))}</dd>`}</div>`;
}

/** Drawing takes most of the page's time, so each picture is a piece. */
function* trendPictures({ asked, cards }: Overview): Pieces<Html> {
  const card = asked.filters.length > 0 ? undefined : cards.find(({ key }) => key === asked.show);
  return card?.trend ? yield* picturesInPieces(card.trend.figure, 'trend', 'widest') : html``;
}

/** The number of the chosen card along time, beside the days that it is compared with. */
function trendOf(overview: Overview, path: string | null, messages: Messages, drawn: Html): Html {
  const { asked, cards } = overview;
  const { say } = messages;
  if (asked.filters.length > 0) return html`<p class="detail">${say('overview.whole-store-only')}</p>`;
  const card = cards.find(({ key }) => key === asked.show);
  if (!card?.trend) return html``;
  const { figure } = card.trend;
  return html`<section class="card" aria-labelledby="along-time">
        <h2 id="along-time">${say('overview.along-time', { name: card.name })}</h2>
        ${path !== null && pointsOf(path, overview, messages)}
        <div class="along">${drawn}</div>
        <details class="no-print"><summary>${say('overview.as-table')}</summary><div class="wide-table" tabindex="0" role="region" aria-label="${say('overview.table-of', { name: card.name })}">${raw(tablesHtml(figure))}</div></details>
      </section>`;
}

const POINTS: Readonly<Record<Breakdown, PlainKey>> = {
  day: 'overview.by-day',
  week: 'overview.by-week',
  month: 'overview.by-month',
};

/** What one point of the picture is, where there is a choice. */
function pointsOf(path: string, { asked, days }: Overview, { say }: Messages): Html {
  const choices = breakdownsFor(days);
  if (choices.length < 2) return html``;
  const drawn = breakdownOf(days, asked.by);
  return html`<nav class="no-print" aria-label="${say('overview.points')}"><ul>${choices.map((by) => html`<li><a href="${path}?${queryOf({ ...asked, days, by })}#along-time"${by === drawn && html` aria-current="true"`}>${say(POINTS[by])}</a></li>`)}</ul></nav>`;
}

/** Cards of which more is better (1) or worse (-1). */
const BETTER: Readonly<Record<string, 1 | -1>> = {
  revenue: 1,
  orders: 1,
  average: 1,
  new: 1,
  returning: 1,
  profit: 1,
  visits: 1,
  conversion: 1,
  refunds: -1,
};

/**
 * An arrow, and a word for those who see no colours. A number with a mark against its change is called
 * neither better nor worse, and so is one that rose in sum and fell by day, or refunds that rose less than
 * revenue.
 */
function changed(card: Card, overview: Overview, messages: Messages): Html | string {
  const { key, change, marks, unit } = card;
  const words = changeInWords(change, unit, overview.store, messages);
  const rounded = Number((change ?? 0).toFixed(1));
  if (words === '' || rounded === 0) return words === '' ? '' : `${words},`;
  const isMarked = (key === 'refunds' || key === 'profit') && marks.length > 0;
  const isQualified = isMarked || isOtherByDay(card, overview) || isOtherByRevenue(card, overview.cards);
  const better = isQualified ? undefined : BETTER[key];
  const arrow = html`<span aria-hidden="true">${rounded > 0 ? '▲' : '▼'}</span> `;
  if (better === undefined) return html`${arrow}${words},`;
  const isBetter = rounded * better > 0;
  return html`<span class="${isBetter ? 'better' : 'worse'}">${arrow}${words}</span><span class="visually-hidden"> ${messages.say(isBetter ? 'value.better' : 'value.worse')}</span>,`;
}

/** `+12.3 %`; empty if the change is not known. */
function changeInWords(
  change: number | null,
  unit: string | undefined,
  store: DrawnStore,
  { say }: Messages,
): string {
  if (change === null) return '';
  const rounded = Number(change.toFixed(1));
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '±';
  const size = Math.abs(rounded);
  const text =
    unit === 'percent'
      ? say('value.points', { number: formatNumber(size, undefined, store) })
      : formatNumber(size, 'percent', store);
  return `${sign}${text}`;
}

function listOf(list: List, path: string | null, overview: Overview, messages: Messages): Html {
  const { key, title, columns, rows, isUnfiltered } = list;
  const { store, asked } = overview;
  const { say } = messages;
  if (isUnfiltered)
    return html`<section class="card" id="${key}"><h2>${title}</h2><p>${notOfPart(asked.filters, messages)}</p></section>`;
  const below = rows.every(({ share }) => share === null)
    ? ''
    : say(rows.some(({ before }) => before !== null) ? 'list.share-and-change' : 'list.share');
  return html`<section class="card" id="${key}"><div class="wide-table" tabindex="0" role="region" aria-label="${title}"><table class="ranking"><caption>${title}</caption>
        <thead><tr><th scope="col">${say('list.name')}</th>${columns.map(({ name }, index) => html`<th scope="col">${name}${index === 0 && below !== '' && html`<small>${below}</small>`}</th>`)}</tr></thead>
        <tbody>${rows.map(
          (row) =>
            html`<tr><th scope="row">${rowName(list, row, path, overview, messages)}${row.marks.map((mark) => html`<small class="mark">${mark}</small>`)}</th>${row.values.map((value, index) => html`<td${value !== null && html` data-value="${value}"`}>${numberInWords(value, columns[index]?.unit, store, messages)}${index === 0 && shareOf(row, overview, messages)}</td>`)}</tr>`,
        )}</tbody></table></div>${path !== null && wholeList(list, path, overview, messages)}</section>`;
}

function rowName(
  { key }: List,
  { label, filter }: List['rows'][number],
  path: string | null,
  { asked, days }: Overview,
  messages: Messages,
): Html {
  const name = html`<bdi>${namedIn(key === 'countries', label, messages)}</bdi>`;
  if (filter === null || path === null || asked.filters.some((one) => isSame(one, filter))) return name;
  const filters = [...asked.filters.filter(({ dimension }) => dimension !== filter.dimension), filter];
  return html`<a href="${path}?${queryOf({ ...asked, days, filters, all: null })}">${name}</a>`;
}

/** `25.3 %, +9 %`, shown below the first number of a row. */
function shareOf(
  { share, before, change, values }: List['rows'][number],
  { store }: Overview,
  messages: Messages,
): Html {
  const { say } = messages;
  if (share === null) return html``;
  const isNew = before === 0 && (values[0] ?? 0) > 0;
  const changed = isNew ? say('list.new') : changeInWords(change, 'money', store, messages);
  const parts = [formatNumber(Number(share.toFixed(1)), 'percent', store), changed];
  return html`<small>${parts.filter((part) => part !== '').join(', ')}</small>`;
}

/** The link to all rows of a list, or back. */
function wholeList(
  { key, rowsCount, title }: List,
  path: string,
  { asked, days, store }: Overview,
  { say }: Messages,
): Html {
  const isWhole = asked.all === key;
  if (rowsCount <= FEW) return html``;
  const count = formatNumber(isWhole ? FEW : Math.min(rowsCount, MOST), undefined, store);
  const words = isWhole ? say('list.first', { count }) : say('list.all', { count });
  return html`<p class="no-print"><a class="button" href="${path}?${queryOf({ ...asked, days, all: isWhole ? null : key })}#${key}">${words}<span class="visually-hidden"> ${title}</span></a></p>`;
}
