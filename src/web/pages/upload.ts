import { html } from 'hono/html';
import { currencies, timezones } from '../../business/countries.ts';
import type { Upload, UploadFile, UploadWork } from '../../control/businesses/uploads.ts';
import type { Messages } from '../../messages/messages.ts';
import type { RejectedCell } from '../../snapshot/import-errors.ts';
import type { ProposedStore } from '../../sources/proposed-store.ts';
import { KEEP } from '../../sources/store-currency.ts';
import type { AskedQuestion } from '../../sources/unanswered.ts';
import type { ShownReport, UploadOutcome } from '../../uploads/outcome.ts';
import type { UploadLimits } from '../../uploads/upload-limits.ts';
import type { PagePaths } from '../paths.ts';
import { headline, notCounted, whatIfNot } from './headline.ts';
import { importReport } from './import-report.ts';
import { layout, type PageText } from './layout.ts';
import { needsSubmit, questionFields } from './questions.ts';
import { quoted, quotedLang } from './quoted-sentences.ts';
import { changedSettings } from './store-settings.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine, plainLines } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface UploadPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly upload: Upload & { readonly files: readonly UploadFile[] };
  readonly outcome: UploadOutcome | null;
  /** Why an outcome is not shown; null if it is shown, or there is no outcome. */
  readonly notTold: string | null;
  /** The number of imports before it on this server; null if not known. */
  readonly before: number | null;
  /** Whether the browser reloads the page by itself. */
  readonly reloads: boolean;
  readonly limits: UploadLimits;
  /** Whether the reader uploaded the files: nobody else sees the content of bad rows. */
  readonly isUploader: boolean;
  readonly error: PageText | null;
  readonly messages: Messages;
}

export function uploadPage(page: UploadPage): Html {
  const { paths, account, upload, error, messages } = page;
  const isBusy = upload.state === 'waiting' || upload.state === 'running';
  const isOfSettings = upload.work === 'settings';
  const body = isBusy
    ? busy(page)
    : isOfSettings
      ? settingsEnded(page)
      : upload.state === 'published'
        ? published(page)
        : open(page);
  return layout({ title: titleOf(page), paths, account, error, body, messages });
}

/** The form for files, of a new upload or of an existing one. */
export function filesForm(action: string, limits: UploadLimits, { say, bytes }: Messages): Html {
  const most = { file: bytes(limits.file), upload: bytes(limits.upload) };
  return html`<form class="stack" method="post" enctype="multipart/form-data" action="${action}">
          <div class="field">
            <label class="visually-hidden" for="files">${say('steps.upload')}</label>
            <input id="files" name="files" type="file" multiple required aria-describedby="files-hint">
            <details class="hint"><summary>${say('files.which')}</summary><p id="files-hint">${say('files.hint', most)}</p></details>
          </div>
          <div class="buttons"><button class="button primary" type="submit">${say('files.upload')}</button></div>
        </form>`;
}

function titleOf({ upload, outcome, before, messages }: UploadPage): string {
  const { say } = messages;
  if (upload.state === 'waiting') return isNext(before) ? say('upload.beginning') : say('upload.waiting');
  if (upload.state === 'running') return runningTitle(upload.work ?? 'check', messages);
  if (upload.work === 'settings')
    return upload.state === 'published' ? say('upload.saved') : say('upload.not-saved');
  if (upload.state === 'published') return say('upload.published');
  if (outcome?.kind === 'questions' || outcome?.kind === 'store') return say('upload.question');
  if (outcome?.kind === 'rejects') return say('upload.bad-rows');
  if (outcome?.kind === 'checked') return say('upload.checked');
  return say('upload.files');
}

function runningTitle(work: UploadWork, { say }: Messages): string {
  if (work === 'check') return say('upload.checking');
  return work === 'publish' ? say('upload.publishing') : say('upload.saving');
}

function isNext(before: UploadPage['before']): before is 0 | null {
  return before === null || before === 0;
}

function busy({ paths, business, upload, before, reloads, messages }: UploadPage): Html {
  const { say } = messages;
  const place = paths.upload(business.business_id, upload.upload_id);
  const percent = upload.done_percent ?? 0;
  return html`
      <section class="card" role="status">
        ${
          upload.state === 'waiting'
            ? html`<p>${isNext(before) ? say('upload.begins') : say('upload.before', { count: before })}</p>`
            : html`<progress max="100" value="${percent}" aria-label="${say('upload.how-far')}"></progress> <span>${percent} %</span>`
        }
        <p class="detail">${say('upload.close')}</p>
      </section>
      <div class="buttons">
        ${
          reloads
            ? html`<a class="button" href="${place}?reload=no">${say('upload.stop-reload')}</a>`
            : html`<a class="button primary" href="${place}?reload=no">${say('upload.look')}</a>
        <a class="button" href="${place}">${say('upload.reload')}</a>`
        }
        ${act(paths, upload, 'stop', say('upload.stop'), 'danger')}
      </div>`;
}

function published({ paths, business, upload, outcome, notTold, messages }: UploadPage): Html {
  const { say } = messages;
  return html`
      <p class="message notice" role="status">${say('upload.in-use')}</p>
      ${upload.trouble !== null && html`<p class="message warning" role="status"><strong>${say('upload.not-all')}</strong> ${quoted(plainLine(upload.trouble), messages)}. ${say('upload.bring-rest')}</p>`}
      ${withheld(notTold)}
      <div class="buttons">
        <a class="button primary" href="${paths.overview(business.business_id)}">${say('upload.overview')}</a>
        <a class="button" href="${paths.connect}">${say('layout.connect')}</a>
      </div>
      ${outcome?.kind === 'published' && html`<details class="card"><summary>${say('upload.details')}</summary><div class="stack">${importReport(outcome.report, messages)}</div></details>`}`;
}

/** The page after the data of a store were built anew with other settings, or could not be. */
function settingsEnded({ paths, business, upload, outcome, messages }: UploadPage): Html {
  const { say } = messages;
  const { business_id } = business;
  const why =
    outcome?.kind === 'refused'
      ? html`<span${quotedLang(messages)}>${plainLines(outcome.message)}</span>`
      : say(outcome?.kind === 'stopped' ? 'upload.was-stopped' : 'upload.was-interrupted');
  return html`
      ${
        outcome?.kind === 'settings'
          ? changedSettings(outcome.before, outcome.now, messages)
          : html`<section class="message error" role="alert"><p class="lines">${why}</p></section>`
      }
      <div class="buttons">
        <a class="button primary" href="${paths.settings(business_id)}">${say('tabs.settings')}</a>
        ${upload.state === 'open' && act(paths, upload, 'discard', say('upload.remove-message'), 'danger')}
      </div>`;
}

function open(page: UploadPage): Html {
  const { paths, business, upload, outcome, limits, messages } = page;
  const { say } = messages;
  const asks = outcome?.kind === 'questions' || outcome?.kind === 'rejects' || outcome?.kind === 'store';
  // The headline is enough for what was understood; the rest is folded.
  const files = html`
      <section class="card" aria-labelledby="files-here">
        <h2 id="files-here">${say('upload.files-here')}</h2>
        ${
          upload.files.length === 0
            ? html`<p>${say('upload.no-files')}</p>`
            : html`<ul class="files">${upload.files.map((file) => html`<li>${uploadedFile(paths, upload, file, messages)}</li>`)}</ul>`
        }
      </section>
      ${upload.files.length > 0 && !asks && checkForm(page)}
      <section class="card" aria-labelledby="more-files">
        <h2 id="more-files">${say(upload.files.length === 0 ? 'upload.upload-files' : 'upload.add-files')}</h2>
        ${filesForm(paths.uploadDo(business.business_id, upload.upload_id, 'files'), limits, messages)}
      </section>
      <p class="detail">${say('upload.until', { hours: limits.hours })}</p>
      <div class="buttons">
        <a class="button" href="${paths.store(business.business_id)}">${say('upload.back')}</a>
        ${act(paths, upload, 'discard', say('upload.discard'), 'danger')}
      </div>`;
  return html`
      ${
        upload.trouble !== null &&
        html`<p class="message warning" role="status"><strong>${say('upload.not-all')}</strong> ${quoted(plainLine(upload.trouble), messages)}. ${say('upload.once-more')}</p>`
      }
      ${outcome !== null && result(page, outcome)}
      ${tablesToMap(page)}
      ${withheld(page.notTold)}
      ${asks || outcome?.kind === 'checked' ? html`<details${outcome?.kind === 'rejects' && html` open`}><summary>${say('upload.more')}</summary><div class="stack">${files}</div></details>` : files}`;
}

/** Leads on to map unknown tables, and back to those that somebody mapped. */
function tablesToMap({ paths, upload, outcome, messages }: UploadPage): Html | false {
  const { say } = messages;
  const { tables = [], kind = null } = outcome ?? {};
  if (tables.length === 0) return false;
  const place = paths.uploadDo(upload.business_id, upload.upload_id, 'map');
  return html`<section class="card" aria-labelledby="tables">
        <h2 id="tables">${say('upload.tables')}</h2>
        <ul class="files">${tables.map(
          ({ file, fingerprint, chosen }) => html`<li><bdi>${plainLine(file, 200)}</bdi>
            <a class="button${chosen === null && kind === 'refused' && html` primary`}" href="${place}?table=${fingerprint}">${say(chosen === null ? 'upload.map' : 'upload.map-again')}<span class="visually-hidden">: ${plainLine(file, 200)}</span></a></li>`,
        )}</ul>
        <p class="hint">${say('upload.map-hint')}</p>
      </section>`;
}

function withheld(why: string | null): Html | false {
  return why !== null && html`<p class="message warning" role="status">${why}</p>`;
}

function uploadedFile(
  paths: PagePaths,
  upload: Upload,
  { file_number, name, bytes }: UploadFile,
  messages: Messages,
): Html {
  const { say } = messages;
  return html`<bdi>${plainLine(name, 200)}</bdi> <span class="detail">${messages.bytes(bytes)}</span>
            <form method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'remove')}">
              <input type="hidden" name="file_number" value="${file_number}">
              <button class="link-button" type="submit">${say('upload.remove')}<span class="visually-hidden"> ${plainLine(name, 200)}</span></button>
            </form>`;
}

function result(page: UploadPage, outcome: UploadOutcome): Html {
  const { upload, messages } = page;
  const { say } = messages;
  switch (outcome.kind) {
    case 'questions':
      return questionsForm(page, outcome.questions);
    case 'store':
      return storeForm(page, outcome.proposed);
    case 'rejects':
      return rejectsForm(page, outcome.rows);
    case 'refused':
      return html`<section class="message error" role="alert">
        <p><strong>${say('upload.nothing-imported')}</strong></p>
        <p class="lines"${quotedLang(messages)}>${plainLines(outcome.message)}</p>
      </section>`;
    case 'checked':
      return checkedReport(page, outcome.report);
    case 'uncertain':
      return html`<p class="message warning" role="alert">${say('upload.uncertain')} ${say('upload.not-twice')}</p>`;
    case 'stopped':
      // The server may have stopped between serving the data and writing down that they are published.
      if (upload.work === 'publish')
        return html`<p class="message warning" role="status">${say('upload.was-stopped')} ${say('upload.unless-newer')} ${say('upload.here-still')} ${say('upload.not-twice')}</p>`;
      return html`<p class="message warning" role="status">${say('upload.stopped-unchanged')} ${say('upload.here-still')}</p>`;
    default:
      return html`<p class="message warning" role="status">${say('upload.was-interrupted')} ${say('upload.unless-newer')} ${say('upload.here-still')} ${say('upload.not-twice')}</p>`;
  }
}

function checkForm({ paths, upload, outcome, messages }: UploadPage): Html {
  const { say } = messages;
  return html`<form class="card stack" method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'check')}">
        <p>${say('upload.next')}</p>
        <details>
          <summary>${say('upload.more-settings')}</summary>
          <div class="stack">
            <div class="field">
              <label for="exported-at">${say('upload.exported-at')}</label>
              <input id="exported-at" name="exported-at" type="text" inputmode="numeric" placeholder="2026-10-31" value="${upload.answers.settings['exported-at'] ?? ''}" aria-describedby="exported-at-hint">
              <p class="hint" id="exported-at-hint">${say('upload.exported-at-hint')}</p>
            </div>
            ${maxRejectsField(upload, messages)}
            ${storeCurrencyField(upload, messages)}
            <input type="hidden" name="has_field" value="exported-at">
            <input type="hidden" name="has_field" value="orders-from">
            <label class="choice"><input type="checkbox" name="orders-from" value="ga4"${upload.answers.settings['orders-from'] === 'ga4' && html` checked`}><span>${say('upload.orders-from')}</span></label>
          </div>
        </details>
        <div class="buttons"><button class="button ${outcome?.kind === 'checked' ? '' : 'primary'}" type="submit">${say(outcome === null ? 'upload.check' : 'upload.check-again')}</button></div>
      </form>`;
}

/** An answer can be changed until the upload is published. */
function storeCurrencyField({ answers }: Upload, { say }: Messages): Html | false {
  const said = answers.settings['store-currency'];
  if (said === undefined) return false;
  return html`<input type="hidden" name="has_field" value="store-currency">
            <div class="field">
              <label for="store-currency">${say('upload.store-currency')}</label>
              <select id="store-currency" name="store-currency">
                <option value="${said}" selected>${said === KEEP ? say('upload.currency-kept') : say('upload.currency-new', { currency: said })}</option>
                <option value="">${say('upload.ask-again')}</option>
              </select>
            </div>`;
}

function maxRejectsField({ answers }: Upload, { say }: Messages): Html {
  return html`<div class="field">
              <label for="max-rejects">${say('upload.max-rejects')}</label>
              <input id="max-rejects" name="max_rejects" type="text" inputmode="numeric" value="${answers.max_rejects}" aria-describedby="max-rejects-hint">
              <p class="hint" id="max-rejects-hint">${say('upload.max-rejects-hint')}</p>
            </div>`;
}

/**
 * The choice that loses nothing is the first one: the rejected rows can be downloaded and mended. The other
 * leaves them out.
 */
function rejectsForm(
  { paths, upload, messages, isUploader }: UploadPage,
  rows: Extract<UploadOutcome, { readonly kind: 'rejects' }>['rows'],
): Html {
  const { say } = messages;
  const { read, rejected, examples, cells, list } = rows;
  const { business_id, upload_id } = upload;
  return html`<form class="card stack" method="post" action="${paths.uploadDo(business_id, upload_id, 'check')}">
        <p><strong>${say('upload.cannot-be-read', { count: rejected, read })}</strong> ${say('upload.mend')}</p>
        <ul>${cells === undefined ? examples.map((example) => html`<li${quotedLang(messages)}>${plainLine(example, 500)}</li>`) : cells.map((cell) => html`<li>${rejectedCell(cell, messages)}</li>`)}</ul>
        ${isUploader && list && html`<p><a class="link-button" href="${paths.rejectedRows(business_id, upload_id)}" download>${say('upload.download')}</a></p>`}
        <input type="hidden" name="max_rejects" value="${rejected}">
        <div class="buttons"><a class="button primary" href="#files-here">${say('upload.replace-file')}</a> <button class="button" type="submit">${say('upload.leave-out', { count: rejected })}</button></div>
      </form>`;
}

const MISSING_COLUMNS = /^is malformed: (?:missing|too many) columns \((\d+) instead of (\d+)\)$/;

/** `Line 5 of customers.csv has 18 of 20 columns` */
function rejectedCell({ file, line, column, value, reason }: RejectedCell, { say, around }: Messages): Html {
  const name = html`<bdi>${plainLine(file, 200)}</bdi>`;
  const place = line === null ? name : around('upload.bad-line', { line, file: name });
  const [, found, expected] = MISSING_COLUMNS.exec(reason) ?? [];
  if (found !== undefined && expected !== undefined)
    return html`${place} ${say('upload.columns', { found, expected })}`;
  return html`${place}: <span lang="en">${column !== null && html`${plainLine(column, 100)} `}${value !== null && html`“<bdi>${plainLine(value, 200)}</bdi>” `}${plainLine(reason, 500)}</span>`;
}

/** The questions about the store that the files do not answer, with what they propose. */
function storeForm({ paths, upload, messages }: UploadPage, proposed: ProposedStore): Html {
  const { say } = messages;
  return html`<form class="card stack" method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'check')}">
        ${storeFields(proposed, messages)}
        <div class="buttons"><button class="button primary" type="submit">${say('upload.continue')}</button></div>
      </form>`;
}

function storeFields({ timezone, primary_currency }: ProposedStore, { say, currency }: Messages): Html {
  const option = (value: string, label: string, chosen: string | null) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;
  const none = html`<option value="">${say('upload.choose')}</option>`;
  return html`<div class="field">
          <label for="store-timezone">${say('upload.timezone')}</label>
          <select id="store-timezone" name="store_timezone" required aria-describedby="store-timezone-hint">
            ${timezone === null && none}
            ${timezones().map((name) => option(name, name, timezone))}
          </select>
          <p class="hint" id="store-timezone-hint">${say('upload.timezone-hint')}</p>
        </div>
        <div class="field">
          <label for="store-own-currency">${say('upload.currency')}</label>
          <select id="store-own-currency" name="store_own_currency" required>
            ${primary_currency === null && none}
            ${currencies().map(({ code }) => option(code, `${code}: ${currency(code)}`, primary_currency))}
          </select>
        </div>`;
}

const FILES_NAMED = 3;

/** `orders.csv, products.csv, visits.csv …` */
function fileNames(files: readonly UploadFile[]): Html {
  const names = files.slice(0, FILES_NAMED).map(({ name }) => html`<bdi>${plainLine(name, 200)}</bdi>`);
  return html`${names.map((name, index) => html`${index > 0 && ', '}${name}`)}${files.length > FILES_NAMED && ' …'}`;
}

/**
 * The report of a trial: nothing has changed yet. The content of the files comes first, to be compared with
 * what the shop itself shows.
 */
function checkedReport(page: UploadPage, report: ShownReport): Html {
  const { paths, upload, business, messages } = page;
  const { say, around } = messages;
  const { store } = upload.answers;
  return html`<section class="card stack" role="status">
        <p class="headline">${headline(report, messages)}</p>
        <p class="detail">${around('upload.compare-store', { store: storeName(business, messages), files: fileNames(upload.files) })}</p>
        ${notCounted(report, messages)}
        ${
          store !== undefined &&
          html`<p class="detail">${say('upload.store-is', { timezone: store.timezone ?? 'UTC', currency: store.primary_currency ?? '' })}</p>
        <details><summary>${say('upload.change')}</summary>
          <form class="stack" method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'check')}">
            ${storeFields({ timezone: store.timezone ?? null, primary_currency: store.primary_currency ?? null }, messages)}
            <div class="buttons"><button class="button" type="submit">${say('upload.continue')}</button></div>
          </form>
        </details>`
        }
        <div class="buttons">${act(paths, upload, 'publish', say('upload.publish'), 'primary')}<span class="detail">${say('upload.who-sees')}</span></div>
        ${whatIfNot(report, messages)}
      </section>
      <details><summary>${say('upload.details')}</summary><div class="stack">${importReport(report, messages)}</div></details>`;
}

function questionsForm(
  { paths, upload, business, messages }: UploadPage,
  questions: readonly AskedQuestion[],
): Html {
  const { say } = messages;
  return html`<form class="card stack" method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'check')}">
        <p>${say(needsSubmit(questions) ? 'upload.answer-kept' : 'upload.decide')}</p>
        ${questionFields(questions, business, messages)}
        ${needsSubmit(questions) && html`<div class="buttons"><button class="button primary" type="submit">${say('upload.continue')}</button></div>`}
      </form>`;
}

function act(
  paths: PagePaths,
  upload: Upload,
  what: 'publish' | 'stop' | 'discard',
  label: string,
  kind: 'primary' | 'danger',
): Html {
  return html`<form method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, what)}">
          <button class="button ${kind}" type="submit">${label}</button>
        </form>`;
}
