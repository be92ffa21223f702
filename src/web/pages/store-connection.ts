import { html } from 'hono/html';
import type { RefusedDeletions } from '../../live/reconcile/refused-deletions.ts';
import { type ReportedRun, total } from '../../live/run-report.ts';
import type { ConnectionState } from '../../live/schedule.ts';
import type { Messages } from '../../messages/messages.ts';
import type { Refusal } from '../../sources/refusal.ts';
import type { AskedQuestion } from '../../sources/unanswered.ts';
import type { PagePaths } from '../paths.ts';
import { deletionsInWords } from './confirm-deletions.ts';
import { asksOnPage, type ConnectionView, STATE_WORDS } from './connection-views.ts';
import { tableCounts } from './import-report.ts';
import { layout, type PageText } from './layout.ts';
import { moment } from './moments.ts';
import { needsSubmit, questionFields } from './questions.ts';
import { quoted, quotedLang } from './quoted-sentences.ts';
import { rowsInWords } from './rows-in-words.ts';
import { connectionFacts } from './store-connections.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine, plainLines } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface ConnectionPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly connection: ConnectionView;
  /** The last runs, newest first. */
  readonly runs: readonly ReportedRun[];
  /** Why the last rows read are not imported. */
  readonly refusal: Refusal | null;
  /** Rows that the vendor does not list any more, and that were not deleted. */
  readonly refused: readonly RefusedDeletions[];
  /** Whether the account may see numbers of the store. */
  readonly isReader: boolean;
  /**
   * The address for the vendor's webhooks, and the field of the secret that signs them; null if the vendor
   * has none.
   */
  readonly hook: { readonly url: string; readonly secret: string } | null;
  /** Whether the browser reloads the page by itself. */
  readonly reloads: boolean;
  readonly notice: string | null;
  readonly error: PageText | null;
  readonly messages: Messages;
}

const MOST_RUNS = 20;

/** The page of one connection: its state, its questions, its runs. */
export function connectionPage(page: ConnectionPage): Html {
  const { paths, account, business, connection, runs, refusal, notice, error, reloads, messages } = page;
  const { say, around } = messages;
  const place = paths.connection(business.business_id, connection.connection_id);
  const act = (what: 'sync' | 'pause' | 'resume', label: string, kind = '') =>
    html`<form method="post" action="${paths.connectionDo(business.business_id, connection.connection_id, what)}"><button class="button ${kind}" type="submit">${label}</button></form>`;
  const isAtWork = connection.next.kind === 'now' || connection.next.kind === 'soon';
  const body = html`
      <p class="lead">${around('source.of', { store: storeName(business, messages) })}</p>
      <section class="card" aria-labelledby="how">
        <h2 id="how">${say('source.how')}</h2>
        ${connectionFacts(connection, business, messages)}
      </section>
      ${
        isAtWork &&
        html`<div class="buttons">${
          reloads
            ? html`<a class="button" href="${place}?reload=no">${say('source.stop-reload')}</a>`
            : html`<a class="button" href="${place}">${say('upload.reload')}</a>`
        }</div>`
      }
      ${refusal !== null && !isAtWork && importRefused(page, refusal)}
      ${page.refused.length > 0 && !isAtWork && deletionsRefused(page)}
      <div class="buttons">
        ${connection.isPaused ? act('resume', say('source.read-again'), 'primary') : html`${act('sync', say('source.read-now'), 'primary')}${act('pause', say('source.pause'))}`}
        <a class="button" href="${paths.connectionDo(business.business_id, connection.connection_id, 'key')}">${say('source.another-key')}</a>
        <a class="button danger" href="${paths.connectionDo(business.business_id, connection.connection_id, 'remove')}">${say('source.remove')}</a>
      </div>
      <section class="stack" aria-labelledby="runs">
        <h2 id="runs">${say('source.runs')}</h2>
        ${
          runs.length === 0
            ? html`<p>${say('source.no-runs')}</p>`
            : html`${!page.isReader && html`<p class="lead">${say('source.runs-withheld')}</p>`}
        <ul class="cards">${runs.slice(0, MOST_RUNS).map((run) => html`<li class="card">${runCard(run, page)}</li>`)}</ul>`
        }
      </section>
      ${page.hook !== null && toldByVendor(page.hook, connection.vendor, messages)}
      <p><a class="button" href="${paths.connections(business.business_id)}">${say('source.all')}</a></p>`;
  const title = plainLine(say('source.title', { name: connection.name }), 100);
  return layout({ title, paths, account, notice, error, body, messages });
}

function importRefused(
  { paths, business, connection, isReader, messages }: ConnectionPage,
  refusal: Refusal,
): Html {
  const { say } = messages;
  const lang = quotedLang(messages);
  if (refusal.kind === 'refused')
    return html`<section class="card message error" aria-labelledby="refused">
        <h2 id="refused">${say('source.refused')}</h2>
        ${isReader ? html`<p class="lines"${lang}>${plainLines(refusal.message)}</p>` : html`<p>${say('source.refused-withheld')}</p>`}
      </section>`;
  if (refusal.kind === 'rejects') {
    return html`<section class="card message error" aria-labelledby="refused">
        <h2 id="refused">${say('source.bad-rows')}</h2>
        <p>${say('source.mend')}${isReader && ` ${say('source.the-first', { bad: badRows(refusal, messages) })}`}</p>
        ${isReader && html`<ul${lang}>${refusal.rows.examples.map((example) => html`<li>${plainLine(example, 500)}</li>`)}</ul>`}
      </section>`;
  }
  const at = paths.connectionDo(business.business_id, connection.connection_id, 'answer');
  return questionsForm(at, refusal.questions, business, messages);
}

/**
 * A person is asked before many rows are deleted; their number is shown only to those who may see numbers.
 */
function deletionsRefused({
  paths,
  business,
  connection,
  refused,
  isReader,
  messages,
}: ConnectionPage): Html {
  const { say } = messages;
  const at = (what: 'compare' | 'gone') =>
    paths.connectionDo(business.business_id, connection.connection_id, what);
  return html`<section class="card message error" aria-labelledby="gone">
        <h2 id="gone">${say('source.gone', { vendor: connection.vendor })}</h2>
        <p>${say('source.gone-lead')}</p>
        ${
          isReader
            ? html`<ul>${refused.map((each) => html`<li>${deletionsInWords(each, messages)}.</li>`)}</ul>`
            : html`<p>${say('source.gone-withheld')}</p>`
        }
        <div class="buttons">
          <form method="post" action="${at('compare')}"><button class="button" type="submit">${say('source.compare')}</button></form>
          ${isReader && refused.map(({ listing, title }) => html`<a class="button danger" href="${at('gone')}?kind=${listing}">${say('source.delete-too', { what: rowsInWords(title, messages) })}</a>`)}
        </div>
      </section>`;
}

function questionsForm(
  action: string,
  questions: readonly AskedQuestion[],
  business: StoreView,
  messages: Messages,
): Html {
  const { say } = messages;
  return html`<form class="card stack" method="post" action="${action}">
        <p><strong>${say('source.answer-lead')}</strong> ${needsSubmit(questions) && say('source.remembered')}</p>
        ${questionFields(questions, business, messages)}
        ${needsSubmit(questions) && html`<div class="buttons"><button class="button primary" type="submit">${say('source.answer')}</button></div>`}
      </form>`;
}

function runCard(run: ReportedRun, { business, isReader, messages }: ConnectionPage): Html {
  const { say, number } = messages;
  const { started_at, ended_at, state, report } = run;
  const lang = quotedLang(messages);
  const seconds = Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000);
  const told = isReader || !asksOnPage(state) ? said(run, messages) : null;
  const title = say(STATE_WORDS[state as ConnectionState].title);
  const tables = report.imports
    .flatMap((each) => Object.entries(each.tables))
    .filter(([, { read }]) => read > 0);
  return html`
          <h3>${moment(started_at, messages, business.timezone)}</h3>
          <p>${say('source.after', { state: title, count: seconds })}</p>
          ${told !== null && html`<p class="detail">${told}</p>`}
          ${
            isReader &&
            html`<p class="detail">${say('source.came-went', { came: number(total(report.rows)), went: number(total(report.gone)) })}</p>
          ${report.notes.length > 0 && html`<ul class="detail"${lang}>${report.notes.map((note) => html`<li>${plainLine(note)}</li>`)}</ul>`}
          ${tables.length > 0 && html`<ul class="detail">${tables.map(([name, counts]) => html`<li>${say('source.counts', { rows: rowsInWords(name, messages), counts: tableCounts(counts, messages) })}</li>`)}</ul>`}`
          }`;
}

/** A message that the page asks about itself is left out, since it uses words of the command line. */
function said({ state, message, report }: ReportedRun, messages: Messages): Html | null {
  const english = (text: string) => html`${quoted(plainLine(text), messages)}`;
  const { refusal } = report;
  if (refusal?.kind === 'rejects') return html`${badRows(refusal, messages)}`;
  if (refusal?.kind === 'refused') return english(refusal.message);
  if (refusal !== null) return english(refusal.questions.map(({ text }) => text).join('; '));
  if (state !== 'deletions_refused') return message === null ? null : english(message);
  return html`${report.refused.map((each) => deletionsInWords(each, messages)).join('; ')}`;
}

function badRows(
  { rows }: Extract<Refusal, { readonly kind: 'rejects' }>,
  { say, number }: Messages,
): string {
  return say('source.bad-of', { rejected: number(rows.rejected), read: number(rows.read) });
}

function toldByVendor(
  { url, secret }: NonNullable<ConnectionPage['hook']>,
  vendor: string,
  { say }: Messages,
): Html {
  return html`<details class="card">
        <summary>${say('source.hook', { vendor })}</summary>
        <div class="stack">
          <p>${say('source.hook-text', { vendor, secret })}</p>
          <p class="copyable"><code>${url}</code></p>
        </div>
      </details>`;
}

export interface RemoveConnectionPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly connection: ConnectionView;
  readonly error: PageText | null;
  readonly messages: Messages;
}

/** Asks once more, saying what is deleted and what stays. */
export function removeConnectionPage(page: RemoveConnectionPage): Html {
  const { paths, account, business, connection, error, messages } = page;
  const { say, around } = messages;
  const { vendor } = connection;
  const store = storeName(business, messages);
  const name = html`<bdi>${plainLine(connection.name, 100)}</bdi>`;
  const body = html`
      <div class="card stack">
        <p>${around('source.of-vendor', { name, store, vendor })}</p>
        <ul class="cannot">
          <li>${say('source.key-goes')}</li>
          <li>${say('source.nothing-new')}</li>
        </ul>
        <ul class="can">
          <li>${say('source.imported-stays')}</li>
          <li>${say('source.key-works')}</li>
        </ul>
        <div class="buttons">
          <form method="post" action="${paths.connectionDo(business.business_id, connection.connection_id, 'remove')}"><button class="button danger" type="submit">${say('source.remove-it')}</button></form>
          <a class="button" href="${paths.connection(business.business_id, connection.connection_id)}">${say('settings.cancel')}</a>
        </div>
      </div>`;
  return layout({ title: say('source.remove-title'), paths, account, error, body, messages });
}
