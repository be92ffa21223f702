import { html } from 'hono/html';
import type { DrawnStore } from '../../charts/drawn-store.ts';
import { formatNumber } from '../../charts/number-format.ts';
import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';
import type { Change, Findings, Watched } from '../../overview/findings.ts';
import { type PageSentence, pageSentence, signed } from '../../overview/page-sentences.ts';
import { oldDataWarning } from './data-age.ts';
import { daysInWords, nothingShown, type OverviewFrame, overviewFrame } from './overview-frame.ts';
import { quotedLang, quotedSentences, sentenceHtml } from './quoted-sentences.ts';
import { seasonNote } from './season.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

export interface FindingsPage extends OverviewFrame {
  /** What was found, or why nothing can be found. */
  readonly findings: Findings | { readonly why: string };
}

/** The page that says why the store sold more or less and what is unusual, in the sentences of the tools. */
export function findingsPage({ findings, ...frame }: FindingsPage): Html {
  if ('why' in findings) return overviewFrame(frame, 'findings', null, nothingShown(findings.why, frame));
  const { messages } = frame;
  return overviewFrame(
    frame,
    'findings',
    findings,
    html`${oldDataWarning(findings.store.data_until, findings.store.timezone, messages)}
      ${daysInWords(findings, messages)}
      ${seasonNote(frame.paths.findings(frame.business.business_id), findings, messages)}
      ${findings.asked.filters.length > 0 && html`<p class="message warning">${messages.say('findings.whole-store')}</p>`}
      ${findingsOf(findings, messages)}`,
  );
}

/** The findings themselves, for the page and for a report. */
export function findingsOf(findings: Findings, messages: Messages): Html {
  const { store, before, change, watched, notes, missing } = findings;
  const { say } = messages;
  const bridges = change === null ? [] : namedBridges(change, store, messages);
  return html`<section class="card" aria-labelledby="changed"><h2 id="changed">${say('findings.changed')}</h2>
        ${before === null && html`<p>${say('findings.nothing-to-compare')}</p>`}
        ${change !== null && changed(change, bridges, findings, messages)}</section>
      <section class="card" aria-labelledby="look"><h2 id="look">${say('findings.look')}</h2>
        ${watched !== null && looked(watched, findings, messages)}</section>
      ${apart(bridges, messages)}
      ${quotedSentences(notes, messages, 'detail')}
      ${missing.length > 0 && html`<ul class="detail">${missing.map(({ name, why }) => html`<li>${say('overview.cannot-be-shown', { name })} <span${quotedLang(messages)}>${plainLine(why, 500)}</span></li>`)}</ul>`}`;
}

function changed(
  { summary, stands_out, facts }: Change,
  bridges: readonly NamedBridge[],
  findings: Findings,
  messages: Messages,
): Html {
  const read = readerOf(findings, messages);
  return html`<p>${sentenceHtml(read(summary), messages)}</p>
        ${largest(bridges, messages)}
        ${
          stands_out.length > 0 &&
          html`<h3>${messages.say('findings.stands-out')}</h3>${quotedSentences(
            stands_out.map(({ sentence }) => read(sentence)),
            messages,
          )}`
        }
        ${
          facts.length > 0 &&
          html`<h3>${messages.say('findings.facts')}</h3>${quotedSentences(
            facts.map(({ text }) => read(text)),
            messages,
          )}`
        }`;
}

/** Writes a sentence of the answers in the language of the page. */
function readerOf({ sentences, store }: Findings, messages: Messages) {
  return (text: string) => pageSentence(text, { sentences, messages, store });
}

/** What may not be quoted, and which numbers that touches. */
function trustSentence(text: PageSentence, touches: PageSentence, { say }: Messages): PageSentence {
  if (text.isEnglish || touches.isEnglish)
    return { ...text, isEnglish: true, text: `${text.text} It touches ${touches.text}.` };
  return { ...text, text: say('trust.touching', { text: text.text, touches: touches.text }) };
}

function looked(watched: Watched, findings: Findings, messages: Messages): Html {
  const { from_date, to_date, summary, alerts, trust } = watched;
  const { say } = messages;
  const read = readerOf(findings, messages);
  // What broke comes first: usual numbers do not mean that nothing broke.
  return html`${
    trust.length > 0 &&
    html`<h3>${say('findings.check-first')}</h3>${quotedSentences(
      trust.map(({ text, touches }) => trustSentence(read(text), read(touches), messages)),
      messages,
    )}`
  }
        <p>${trust.length > 0 && html`${say('findings.besides')} `}${say('findings.watched', { days: messages.days(from_date, to_date) })} ${sentenceHtml(read(summary), messages)}</p>
        ${
          alerts.length > 0 &&
          html`<h3>${say('findings.unusual')}</h3>${quotedSentences(
            alerts.map(({ sentence }) => read(sentence)),
            messages,
          )}`
        }`;
}

/** The bridges that merchants ask for, in this order; other bridges are for callers of tools. */
const BRIDGES: Readonly<Record<string, { readonly title: PlainKey; readonly meaning: PlainKey }>> = {
  visits: { title: 'findings.by.visits', meaning: 'means.visits' },
  customers: { title: 'findings.by.customers', meaning: 'means.customers' },
  product_price_volume_mix: { title: 'findings.by.products', meaning: 'means.products' },
  channel: { title: 'findings.by.channel', meaning: 'means.rows' },
  country: { title: 'findings.by.country', meaning: 'means.rows' },
};

/** What the page calls the parts of bridges that are no names of the store's data. */
const PARTS: Readonly<Record<string, PlainKey>> = {
  days: 'part.days',
  visits: 'number.visits',
  'visits per day': 'part.visits-a-day',
  'orders, also those in no visit, per visit': 'part.orders-a-visit',
  'revenue per order': 'part.revenue-an-order',
  visitors: 'part.visitors',
  'visitors per day': 'part.visitors-a-day',
  'visits per visitor': 'part.visits-a-visitor',
  'first orders: customers': 'part.new-customers',
  'first orders: revenue per order': 'part.new-revenue',
  'later orders: customers': 'part.returning-customers',
  'later orders: orders': 'part.returning-all-orders',
  'later orders: orders per customer': 'part.returning-orders',
  'later orders: revenue per order': 'part.returning-revenue',
  'without a known customer: orders': 'part.unknown-orders',
  'without a known customer: revenue per order': 'part.unknown-revenue',
  'volume: pieces of products sold in both ranges': 'part.pieces',
  'mix: which of these products': 'part.choice',
  'price per piece': 'part.price',
  'products sold in this range alone': 'part.only-now',
  'products sold in the compared range alone': 'part.only-before',
  'shipping, fees and discounts of orders': 'part.fees',
  '(rest)': 'value.rest',
  '(untracked)': 'list.untracked',
  '(not set)': 'list.none',
};

/** A bridge as the page has it. */
interface NamedBridge {
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  readonly parts: readonly { readonly name: string; readonly change: number; readonly text: string }[];
}

function namedBridges(
  { bridges, unit }: Change,
  store: DrawnStore,
  messages: Messages,
): readonly NamedBridge[] {
  const { say } = messages;
  const nameOf = (bridge: string, part: string) => {
    const known = PARTS[part];
    if (known !== undefined) return say(known);
    return bridge === 'country' ? messages.country(part) : part;
  };
  const changeInWords = (value: number) =>
    signed(Number(value.toFixed(unit === 'money' ? 0 : 1)), (rounded) =>
      formatNumber(rounded, unit === 'money' ? unit : undefined, store),
    );
  return Object.entries(BRIDGES).flatMap(([name, { title, meaning }]) => {
    const bridge = bridges.find((one) => one.name === name);
    if (bridge === undefined) return [];
    const parts = bridge.parts.map((part) => ({
      name: plainLine(nameOf(name, part.name), 100),
      change: part.change,
      text: changeInWords(part.change),
    }));
    return [{ name, title: say(title), meaning: say(meaning), parts }];
  });
}

/** The most parts of each table that stand beside the whole difference. */
const LARGEST = 2;

/**
 * What made most of the difference, by each way to tell it apart, so that nobody takes one product for the
 * reason.
 */
function largest(bridges: readonly NamedBridge[], { say }: Messages): Html {
  const lines = bridges.flatMap(({ title, parts }) => {
    const moved = parts.filter(({ change }) => change !== 0);
    const sorted = moved.toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change));
    return sorted.length === 0 ? [] : [{ title, parts: sorted.slice(0, LARGEST) }];
  });
  if (lines.length === 0) return html``;
  return html`<h3>${say('findings.largest')}</h3>
        <ul>${lines.map(({ title, parts }) => html`<li>${title}: ${parts.map(({ name, text }, index) => html`${index > 0 && ', '}<bdi>${name}</bdi> <b class="nowrap">${text}</b>`)}</li>`)}</ul>`;
}

function apart(bridges: readonly NamedBridge[], { say }: Messages): Html {
  if (bridges.length === 0) return html``;
  return html`<section class="stack" aria-labelledby="apart"><h2 id="apart">${say('findings.apart')}</h2>
        <p class="lead">${say('findings.adds-up')}</p>
        <div class="lists">${bridges.map(
          ({ name, title, meaning, parts }) =>
            html`<section class="card"><div class="wide-table" tabindex="0" role="region" aria-label="${title}"><table data-bridge="${name}"><caption>${title}</caption>
          <thead><tr><th scope="col">${say('findings.part')}</th><th scope="col">${say('findings.difference')}</th></tr></thead>
          <tbody>${parts.map((part) => html`<tr><th scope="row"><bdi>${part.name}</bdi></th><td data-value="${part.change}">${part.text}</td></tr>`)}</tbody></table></div>
          <p class="detail">${meaning}</p></section>`,
        )}</div></section>`;
}
