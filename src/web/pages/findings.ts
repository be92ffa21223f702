import { html } from 'hono/html';
import type { DrawnStore } from '../../charts/drawn-store.ts';
import { inWords } from '../../charts/field-words.ts';
import { formatNumber } from '../../charts/number-format.ts';
import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';
import type { Change, Findings, Watched } from '../../overview/findings.ts';
import { daysInWords, nothingShown, type OverviewFrame, overviewFrame } from './overview-frame.ts';
import { quotedLang, quotedSentences } from './quoted-sentences.ts';
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
    html`${daysInWords(findings, messages)}
      ${findings.asked.filters.length > 0 && html`<p class="message warning">${messages.say('findings.whole-store')}</p>`}
      ${findingsOf(findings, messages)}`,
  );
}

/** The findings themselves, for the page and for a report. */
export function findingsOf(findings: Findings, messages: Messages): Html {
  const { store, before, change, watched, notes, missing } = findings;
  const { say } = messages;
  return html`<section class="card" aria-labelledby="changed"><h2 id="changed">${say('findings.changed')}</h2>
        ${before === null && html`<p>${say('findings.nothing-to-compare')}</p>`}
        ${change !== null && changed(change, messages)}</section>
      ${change !== null && apart(change, store, messages)}
      <section class="card" aria-labelledby="look"><h2 id="look">${say('findings.look')}</h2>
        ${watched !== null && looked(watched, messages)}</section>
      ${quotedSentences(notes, messages, 'detail')}
      ${missing.length > 0 && html`<ul class="detail">${missing.map(({ name, why }) => html`<li>${say('overview.cannot-be-shown', { name })} <span${quotedLang(messages)}>${plainLine(why, 500)}</span></li>`)}</ul>`}
      <p class="detail">${say('findings.in-english')}</p>`;
}

function changed({ summary, stands_out, facts }: Change, messages: Messages): Html {
  return html`<p${quotedLang(messages)}>${plainLine(summary, 2000)}</p>
        ${quotedSentences(
          stands_out.map(({ sentence }) => sentence),
          messages,
        )}
        ${
          facts.length > 0 &&
          html`<h3>${messages.say('findings.facts')}</h3>${quotedSentences(
            facts.map(({ text }) => text),
            messages,
          )}`
        }`;
}

function looked({ from_date, to_date, summary, alerts, trust }: Watched, messages: Messages): Html {
  const { say } = messages;
  // What broke comes first: usual numbers do not mean that nothing broke.
  return html`${
    trust.length > 0 &&
    html`<h3>${say('findings.check-first')}</h3>${quotedSentences(
      trust.map(({ text, touches }) => `${text} It touches ${touches}.`),
      messages,
    )}`
  }
        <p>${say('findings.watched', { days: messages.days(from_date, to_date) })} <span${quotedLang(messages)}>${plainLine(summary, 1000)}</span></p>
        ${
          alerts.length > 0 &&
          html`<h3>${say('findings.unusual')}</h3>${quotedSentences(
            alerts.map(({ sentence }) => sentence),
            messages,
          )}`
        }`;
}

/** The bridges that merchants ask for, in this order; other bridges are for callers of tools. */
const BRIDGES: Readonly<Record<string, PlainKey>> = {
  visits: 'findings.by.visits',
  customers: 'findings.by.customers',
  product_price_volume_mix: 'findings.by.products',
  channel: 'findings.by.channel',
  country: 'findings.by.country',
};

function apart({ bridges, unit }: Change, store: DrawnStore, messages: Messages): Html {
  const { say } = messages;
  const shown = Object.entries(BRIDGES).flatMap(([name, title]) => {
    const bridge = bridges.find((one) => one.name === name);
    return bridge === undefined ? [] : [{ ...bridge, title: say(title) }];
  });
  if (shown.length === 0) return html``;
  const signed = (value: number) => {
    const rounded = Number(value.toFixed(unit === 'money' ? 0 : 1));
    const text = formatNumber(Math.abs(rounded), unit === 'money' ? unit : undefined, store);
    return rounded === 0 ? text : `${rounded > 0 ? '+' : '−'}${text}`;
  };
  return html`<section class="stack" aria-labelledby="apart"><h2 id="apart">${say('findings.apart')}</h2>
        <p class="lead">${say('findings.adds-up')}</p>
        <div class="lists">${shown.map(
          ({ name, title, definition, parts }) =>
            html`<section class="card"><div class="wide-table" tabindex="0" role="region" aria-label="${title}"><table data-bridge="${name}"><caption>${title}</caption>
          <thead><tr><th scope="col">${say('findings.part')}</th><th scope="col">${say('findings.difference')}</th></tr></thead>
          <tbody${quotedLang(messages)}>${parts.map((part) => html`<tr><th scope="row"><bdi>${plainLine(name === 'country' ? messages.country(part.name) : part.name, 100)}</bdi></th><td data-value="${part.change}">${signed(part.change)}</td></tr>`)}</tbody></table></div>
          <p class="detail"${quotedLang(messages)}>${plainLine(inWords(definition), 500)}</p></section>`,
        )}</div></section>`;
}
