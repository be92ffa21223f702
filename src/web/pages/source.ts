import { html } from 'hono/html';
import type { RefusedDeletions } from '../../live/reconcile/refused.ts';
import { type ReportedRun, total } from '../../live/run-report.ts';
import type { ConnectionState } from '../../live/schedule.ts';
import { STATES } from '../../live/states.ts';
import type { Refusal } from '../../sources/refusal.ts';
import type { AskedQuestion } from '../../sources/unanswered.ts';
import { counted } from '../../text/counted.ts';
import type { PagePaths } from '../paths.ts';
import { deletionsInWords } from './confirm-deletions.ts';
import { tableCounts } from './import-report.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { needsSubmit, questionFields } from './questions.ts';
import { asksOnPage, type SourceView } from './source-views.ts';
import { sourceFacts } from './sources.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine, plainLines } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface SourcePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly source: SourceView;
  /** The last ones, newest first. */
  readonly runs: readonly ReportedRun[];
  /** Why what was read last is not imported. */
  readonly refusal: Refusal | null;
  /** What is gone at the vendor, and was not deleted. */
  readonly refused: readonly RefusedDeletions[];
  /** Whether the account may see numbers of the store. */
  readonly isReader: boolean;
  /**
   * Where the vendor can tell of changes, and the field of the secret that it signs with. It is null where it cannot.
   */
  readonly hook: { readonly url: string; readonly secret: string } | null;
  /** Whether the browser asks again by itself. */
  readonly reloads: boolean;
  readonly notice: string | null;
  readonly error: string | null;
}

const MOST_RUNS = 20;

const NUMBER = new Intl.NumberFormat('en-GB');

/** A connection of a store: how it is, what it asks, what it did. */
export function sourcePage(page: SourcePage): Html {
  const { paths, account, business, source, runs, refusal, notice, error, reloads } = page;
  const place = paths.source(business.business_id, source.connection_id);
  const act = (what: 'sync' | 'pause' | 'resume', label: string, kind = '') =>
    html`<form method="post" action="${paths.sourceDo(business.business_id, source.connection_id, what)}"><button class="button ${kind}" type="submit">${label}</button></form>`;
  const isAtWork = source.next.kind === 'now' || source.next.kind === 'soon';
  const body = html`
      <p class="lead">Of ${storeName(business)}.</p>
      <section class="card" aria-labelledby="how">
        <h2 id="how">How it is</h2>
        ${sourceFacts(source)}
      </section>
      ${
        isAtWork &&
        html`<div class="buttons">${
          reloads
            ? html`<a class="button" href="${place}?reload=no">Stop reloading this page by itself</a>`
            : html`<a class="button" href="${place}">Reload by itself</a>`
        }</div>`
      }
      ${refusal !== null && !isAtWork && importRefused(page, refusal)}
      ${page.refused.length > 0 && !isAtWork && deletionsRefused(page)}
      <div class="buttons">
        ${source.isPaused ? act('resume', 'Read it again', 'primary') : html`${act('sync', 'Read it now', 'primary')}${act('pause', 'Pause')}`}
        <a class="button" href="${paths.sourceDo(business.business_id, source.connection_id, 'key')}">Another key</a>
        <a class="button danger" href="${paths.sourceDo(business.business_id, source.connection_id, 'remove')}">Remove</a>
      </div>
      <section class="stack" aria-labelledby="runs">
        <h2 id="runs">Last runs</h2>
        ${
          runs.length === 0
            ? html`<p>It has not run yet.</p>`
            : html`${!page.isReader && html`<p class="lead">What they brought is not shown: your account may not see the numbers of this store.</p>`}
        <ul class="cards">${runs.slice(0, MOST_RUNS).map((run) => html`<li class="card">${runCard(run, page.isReader)}</li>`)}</ul>`
        }
      </section>
      ${page.hook !== null && toldByVendor(page.hook, source.vendor)}
      <p><a class="button" href="${paths.sources(business.business_id)}">All data sources of the store</a></p>`;
  return layout({ title: plainLine(`Source ${source.name}`, 100), paths, account, notice, error, body });
}

function importRefused({ paths, business, source, isReader }: SourcePage, refusal: Refusal): Html {
  if (refusal.kind === 'refused')
    return html`<section class="card message error" aria-labelledby="refused">
        <h2 id="refused">It was read, and cannot be imported</h2>
        <p class="lines">${isReader ? plainLines(refusal.message) : 'Why is not shown: your account may not see the numbers of this store. Whoever may sees it here.'}</p>
      </section>`;
  if (refusal.kind === 'rejects') {
    return html`<section class="card message error" aria-labelledby="refused">
        <h2 id="refused">Too many rows are bad, so nothing was imported</h2>
        <p>Mend them there, then read it again.${isReader && ` ${inWords(refusal)}. The first:`}</p>
        ${isReader && html`<ul>${refusal.rows.examples.map((example) => html`<li>${plainLine(example, 500)}</li>`)}</ul>`}
      </section>`;
  }
  const at = paths.sourceDo(business.business_id, source.connection_id, 'answer');
  return questionsForm(at, refusal.questions, business);
}

/** A person is asked before much is deleted; how much is for those who may see numbers. */
function deletionsRefused({ paths, business, source, refused, isReader }: SourcePage): Html {
  const at = (what: 'compare' | 'gone') => paths.sourceDo(business.business_id, source.connection_id, what);
  return html`<section class="card message error" aria-labelledby="gone">
        <h2 id="gone">Much is gone at ${source.vendor}, and was not deleted here</h2>
        <p>Look there whether it was deleted. Where it was not, its list may have been cut off, or the key may list less than before.</p>
        ${
          isReader
            ? html`<ul>${refused.map((each) => html`<li>${deletionsInWords(each)}.</li>`)}</ul>`
            : html`<p>How many is not shown: your account may not see the numbers of this store. Whoever may can delete them here.</p>`
        }
        <div class="buttons">
          <form method="post" action="${at('compare')}"><button class="button" type="submit">Compare again</button></form>
          ${isReader && refused.map(({ listing, title }) => html`<a class="button danger" href="${at('gone')}?kind=${listing}">Delete ${title} here, too</a>`)}
        </div>
      </section>`;
}

function questionsForm(action: string, questions: readonly AskedQuestion[], business: StoreView): Html {
  return html`<form class="card stack" method="post" action="${action}">
        <p><strong>Please answer this before what was read is imported.</strong> ${needsSubmit(questions) && 'Your answer is remembered.'}</p>
        ${questionFields(questions, business)}
        ${needsSubmit(questions) && html`<div class="buttons"><button class="button primary" type="submit">Answer, and import</button></div>`}
      </form>`;
}

function runCard({ started_at, ended_at, state, message, report }: ReportedRun, isReader: boolean): Html {
  const seconds = Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000);
  const told = isReader || !asksOnPage(state) ? said({ state, message, report }) : null;
  const tables = report.imports
    .flatMap((each) => Object.entries(each.tables))
    .filter(([, { read }]) => read > 0);
  return html`
          <h3>${moment(started_at)}</h3>
          <p>${STATES[state as ConnectionState].title}, after ${counted(seconds, 'second', 'seconds', NUMBER.format(seconds))}.</p>
          ${told !== null && html`<p class="detail">${plainLine(told)}</p>`}
          ${
            isReader &&
            html`<p class="detail">${rows(total(report.rows))} came, ${rows(total(report.gone))} went.</p>
          ${report.notes.length > 0 && html`<ul class="detail">${report.notes.map((note) => html`<li>${plainLine(note)}</li>`)}</ul>`}
          ${tables.length > 0 && html`<ul class="detail">${tables.map(([name, counts]) => html`<li>${name}: ${tableCounts(counts)}</li>`)}</ul>`}`
          }`;
}

/** The message of what the page asks is in words of the command line. */
function said({ state, message, report }: Pick<ReportedRun, 'state' | 'message' | 'report'>): string | null {
  if (report.refusal !== null) return inWords(report.refusal);
  return state === 'deletions_refused' ? report.refused.map(deletionsInWords).join('; ') : message;
}

function rows(count: number): string {
  return counted(count, 'row', 'rows', NUMBER.format(count));
}

function inWords(refusal: Refusal): string {
  if (refusal.kind === 'refused') return refusal.message;
  if (refusal.kind === 'questions') return refusal.questions.map(({ text }) => text).join('; ');
  const { read, rejected } = refusal.rows;
  return `${NUMBER.format(rejected)} of ${NUMBER.format(read)} rows are bad`;
}

function toldByVendor({ url, secret }: NonNullable<SourcePage['hook']>, vendor: string): Html {
  return html`<details class="card">
        <summary>Have ${vendor} tell of changes (not needed)</summary>
        <div class="stack">
          <p>It is read by itself. Where ${vendor} calls a webhook at this address, changes are read within half a minute. It signs with what this connection has as ${secret}, which Another key takes.</p>
          <p class="copyable"><code>${url}</code></p>
        </div>
      </details>`;
}

export interface RemoveSourcePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly source: SourceView;
  readonly error: string | null;
}

/** Asked once more, with what goes and what stays. */
export function removeSourcePage({ paths, account, business, source, error }: RemoveSourcePage): Html {
  const name = html`<bdi>${plainLine(source.name, 100)}</bdi>`;
  const body = html`
      <div class="card stack">
        <p>${name} of ${storeName(business)} (${source.vendor}).</p>
        <ul class="cannot">
          <li>The connection and its key go, and the rows that it keeps on this server for building anew.</li>
          <li>Nothing new is read from there.</li>
        </ul>
        <ul class="can">
          <li>What was imported stays in use.</li>
          <li>Nothing changes there. The key works until you delete it there, too.</li>
        </ul>
        <div class="buttons">
          <form method="post" action="${paths.sourceDo(business.business_id, source.connection_id, 'remove')}"><button class="button danger" type="submit">Remove it</button></form>
          <a class="button" href="${paths.source(business.business_id, source.connection_id)}">Cancel</a>
        </div>
      </div>`;
  return layout({ title: 'Remove this source?', paths, account, error, body });
}
