import { html } from 'hono/html';
import type { Upload, UploadFile, UploadWork } from '../../control/uploads.ts';
import { KEEP } from '../../sources/store-currency.ts';
import type { AskedQuestion } from '../../sources/unanswered.ts';
import { counted } from '../../text/counted.ts';
import type { UploadOutcome } from '../../uploads/outcome.ts';
import { describeBytes, type UploadLimits } from '../../uploads/upload-limits.ts';
import type { PagePaths } from '../paths.ts';
import { importReport } from './import-report.ts';
import { layout } from './layout.ts';
import { needsSubmit, questionFields } from './questions.ts';
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
  /** Why an outcome is not shown; null where there is none, or it is. */
  readonly notTold: string | null;
  /** How many imports come before it on this server; null where that is not known. */
  readonly before: number | null;
  /** Whether the browser asks again by itself. */
  readonly reloads: boolean;
  readonly limits: UploadLimits;
  readonly error: string | null;
}

export function uploadPage(page: UploadPage): Html {
  const { paths, account, upload, error } = page;
  const isBusy = upload.state === 'waiting' || upload.state === 'running';
  const isOfSettings = upload.work === 'settings';
  const body = isBusy
    ? busy(page)
    : isOfSettings
      ? settingsEnded(page)
      : upload.state === 'published'
        ? published(page)
        : open(page);
  return layout({ title: titleOf(page), paths, account, error, body });
}

/** Files for an upload that begins with them, or for one there is. */
export function filesForm(action: string, limits: UploadLimits, label: string): Html {
  return html`<form class="stack" method="post" enctype="multipart/form-data" action="${action}">
          <div class="field">
            <label for="files">${label}</label>
            <input id="files" name="files" type="file" multiple required aria-describedby="files-hint">
            <p class="hint" id="files-hint">As your shop exported them, also in a zip archive or gzipped (.gz). Up to ${describeBytes(limits.file)} a file, ${describeBytes(limits.upload)} together. Keep the page open until they have come; what came whole stays if the connection breaks.</p>
          </div>
          <div class="buttons"><button class="button primary" type="submit">Upload</button></div>
        </form>`;
}

function titleOf({ upload, outcome, before }: UploadPage): string {
  if (upload.state === 'waiting') return isNext(before) ? 'About to begin' : 'Waiting for other imports';
  if (upload.state === 'running') return RUNNING[upload.work ?? 'check'];
  if (upload.work === 'settings')
    return upload.state === 'published' ? 'Settings saved' : 'The settings were not changed';
  if (upload.state === 'published') return 'Published';
  if (outcome?.kind === 'questions') return 'A question before we continue';
  if (outcome?.kind === 'rejects') return 'Some rows are bad';
  if (outcome?.kind === 'checked') return 'Check and publish';
  return 'Uploaded files';
}

const RUNNING: Readonly<Record<UploadWork, string>> = {
  check: 'Checking the files',
  publish: 'Publishing',
  settings: 'Saving the settings',
};

function isNext(before: UploadPage['before']): before is 0 | null {
  return before === null || before === 0;
}

function busy({ paths, business, upload, before, reloads }: UploadPage): Html {
  const place = paths.upload(business.business_id, upload.upload_id);
  const percent = upload.done_percent ?? 0;
  return html`
      <p class="lead">For ${storeName(business)}. You may close this page: the work goes on, and the store's page leads back here.</p>
      <section class="card" role="status">
        ${
          upload.state === 'waiting'
            ? html`<p>${isNext(before) ? 'It begins in a moment.' : `${counted(before, 'import is', 'imports are')} before it.`}</p>`
            : html`<p>${percent} %: ${plainLine(upload.step ?? 'starting', 200)}</p>
        <progress max="100" value="${percent}" aria-label="How much is done"></progress>`
        }
      </section>
      <div class="buttons">
        ${
          reloads
            ? html`<a class="button" href="${place}?reload=no">Stop reloading this page by itself</a>`
            : html`<a class="button primary" href="${place}?reload=no">Look again</a>
        <a class="button" href="${place}">Reload by itself</a>`
        }
        ${act(paths, upload, 'stop', 'Stop the work', 'danger')}
      </div>`;
}

function published({ paths, business, upload, outcome, notTold }: UploadPage): Html {
  return html`
      <p class="message notice" role="status">Tools answer with these data from now on. The uploaded files are deleted here.</p>
      ${upload.trouble !== null && html`<p class="message warning" role="status"><strong>Not all has come:</strong> ${plainLine(upload.trouble)}. Bring what is missing in another upload.</p>`}
      ${outcome?.kind === 'published' && importReport(outcome.report)}
      ${withheld(notTold)}
      <div class="buttons">
        <a class="button primary" href="${paths.store(business.business_id)}">Back to the store</a>
        <a class="button" href="${paths.connect}">Connect an app</a>
      </div>`;
}

/** The data of the store were built anew with other settings, or could not be. */
function settingsEnded({ paths, business, upload, outcome }: UploadPage): Html {
  const { business_id } = business;
  const why =
    outcome?.kind === 'refused'
      ? outcome.message
      : outcome?.kind === 'stopped'
        ? 'The work was stopped.'
        : 'The work was interrupted: this server was stopped, or had too little memory.';
  return html`
      ${
        outcome?.kind === 'settings'
          ? changedSettings(outcome.before, outcome.now)
          : html`<section class="message error" role="alert"><p class="lines">${plainLines(why)}</p></section>`
      }
      <div class="buttons">
        <a class="button primary" href="${paths.settings(business_id)}">Settings</a>
        ${upload.state === 'open' && act(paths, upload, 'discard', 'Remove this message', 'danger')}
      </div>`;
}

function open(page: UploadPage): Html {
  const { paths, business, upload, outcome, limits } = page;
  return html`
      <p class="lead">For ${storeName(business)}. Nothing changes in the store until you publish. What is not published is deleted after ${limits.hours} hours.</p>
      ${
        upload.trouble !== null &&
        html`<p class="message warning" role="status"><strong>Not all has come:</strong> ${plainLine(upload.trouble)}. What stands below is here. Upload what is missing once more; a zip archive is smaller and faster.</p>`
      }
      ${outcome !== null && result(page, outcome)}
      ${tablesToMap(page)}
      ${withheld(page.notTold)}
      <section class="card" aria-labelledby="files-here">
        <h2 id="files-here">Files</h2>
        ${
          upload.files.length === 0
            ? html`<p>None yet.</p>`
            : html`<ul class="files">${upload.files.map((file) => html`<li>${uploadedFile(paths, upload, file)}</li>`)}</ul>`
        }
      </section>
      ${upload.files.length > 0 && outcome?.kind !== 'questions' && outcome?.kind !== 'rejects' && checkForm(page)}
      <section class="card" aria-labelledby="more-files">
        <h2 id="more-files">${upload.files.length === 0 ? 'Upload files' : 'Add files'}</h2>
        ${filesForm(paths.uploadDo(business.business_id, upload.upload_id, 'files'), limits, 'Files of this store')}
      </section>
      <div class="buttons">
        <a class="button" href="${paths.store(business.business_id)}">Back to the store</a>
        ${act(paths, upload, 'discard', 'Discard this upload', 'danger')}
      </div>`;
}

/** The way on for tables that nothing knows, and back for those that somebody mapped. */
function tablesToMap({ paths, upload, outcome }: UploadPage): Html | false {
  const { tables = [], kind = null } = outcome ?? {};
  if (tables.length === 0) return false;
  const place = paths.uploadDo(upload.business_id, upload.upload_id, 'map');
  return html`<section class="card" aria-labelledby="tables">
        <h2 id="tables">Tables with columns of their own</h2>
        <ul class="files">${tables.map(
          ({ file, fingerprint, chosen }) => html`<li><bdi>${plainLine(file, 200)}</bdi>
            <a class="button${chosen === null && kind === 'refused' && html` primary`}" href="${place}?table=${fingerprint}">${chosen === null ? 'Map this table' : 'Change its mapping'}<span class="visually-hidden">: ${plainLine(file, 200)}</span></a></li>`,
        )}</ul>
        <p class="hint">You choose from lists what each column is. That is remembered for this store, and the next file with the same columns is read by itself.</p>
      </section>`;
}

function withheld(why: string | null): Html | false {
  return why !== null && html`<p class="message warning" role="status">${why}</p>`;
}

function uploadedFile(paths: PagePaths, upload: Upload, { file_number, name, bytes }: UploadFile): Html {
  return html`<bdi>${plainLine(name, 200)}</bdi> <span class="detail">${describeBytes(bytes)}</span>
            <form method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'remove')}">
              <input type="hidden" name="file_number" value="${file_number}">
              <button class="link-button" type="submit">Remove<span class="visually-hidden"> ${plainLine(name, 200)}</span></button>
            </form>`;
}

function result(page: UploadPage, outcome: UploadOutcome): Html {
  const { paths, upload } = page;
  switch (outcome.kind) {
    case 'questions':
      return questionsForm(page, outcome.questions);
    case 'rejects':
      return rejectsForm(page, outcome.rows);
    case 'refused':
      return html`<section class="message error" role="alert">
        <p><strong>Nothing was imported.</strong></p>
        <p class="lines">${plainLines(outcome.message)}</p>
      </section>`;
    case 'checked':
      return html`<p class="message notice" role="status">This was a trial: nothing has changed yet. If it is right, publish it.</p>
      <div class="buttons">${act(paths, upload, 'publish', 'Publish', 'primary')}</div>
      ${importReport(outcome.report)}`;
    case 'uncertain':
      return html`<p class="message warning" role="alert">It is not known whether this import took effect: the database of this server went away at the very end. The store's page shows whether there is a newer import. If there is none, check the files again, and publish them. What was imported already is not counted twice.</p>`;
    case 'stopped':
      // It may have been stopped between being served and being written down as published.
      if (upload.work === 'publish')
        return html`<p class="message warning" role="status">The work was stopped. Unless the store's page shows a newer import, nothing was changed. The files are here: check them again when you like. What was imported already is not counted twice.</p>`;
      return html`<p class="message warning" role="status">The work was stopped, and nothing was changed. The files are here: check them again when you like.</p>`;
    default:
      return html`<p class="message warning" role="status">The work was interrupted: this server was stopped, or had too little memory. Unless the store's page shows a newer import, nothing was changed. The files are here: check them again. What was imported already is not counted twice.</p>`;
  }
}

function checkForm({ paths, upload, outcome }: UploadPage): Html {
  return html`<form class="card stack" method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'check')}">
        <p>Next, Storesight tells what the files are, asks what they do not say, and does a trial.</p>
        <details>
          <summary>More settings</summary>
          <div class="stack">
            <div class="field">
              <label for="exported-at">Day of the export, for facts without a date</label>
              <input id="exported-at" name="exported-at" type="text" inputmode="numeric" placeholder="2026-10-31" value="${upload.answers.settings['exported-at'] ?? ''}" aria-describedby="exported-at-hint">
              <p class="hint" id="exported-at-hint">Without, the day on which the files were uploaded.</p>
            </div>
            ${maxRejectsField(upload)}
            ${storeCurrencyField(upload)}
            <input type="hidden" name="has_field" value="exported-at">
            <input type="hidden" name="has_field" value="orders-from">
            <label class="choice"><input type="checkbox" name="orders-from" value="ga4"${upload.answers.settings['orders-from'] === 'ga4' && html` checked`}><span>No shop exports orders of this store: take the purchases that Google Analytics saw</span></label>
          </div>
        </details>
        <div class="buttons"><button class="button ${outcome?.kind === 'checked' ? '' : 'primary'}" type="submit">${outcome === null ? 'Check the files' : 'Check the files again'}</button></div>
      </form>`;
}

/** An answer can be taken back as long as nothing is published. */
function storeCurrencyField({ answers }: Upload): Html | false {
  const said = answers.settings['store-currency'];
  if (said === undefined) return false;
  return html`<input type="hidden" name="has_field" value="store-currency">
            <div class="field">
              <label for="store-currency">Currency of the store</label>
              <select id="store-currency" name="store-currency">
                <option value="${said}" selected>${said === KEEP ? 'As it is, without exchange rates' : `${said} from now on`}</option>
                <option value="">Ask me again</option>
              </select>
            </div>`;
}

function maxRejectsField({ answers }: Upload): Html {
  return html`<div class="field">
              <label for="max-rejects">Bad rows that may be left out</label>
              <input id="max-rejects" name="max_rejects" type="text" inputmode="numeric" value="${answers.max_rejects}" aria-describedby="max-rejects-hint">
              <p class="hint" id="max-rejects-hint">A number, or a share such as 1%. They are not imported.</p>
            </div>`;
}

function rejectsForm(
  { paths, upload }: UploadPage,
  { read, rejected, examples }: Extract<UploadOutcome, { readonly kind: 'rejects' }>['rows'],
): Html {
  return html`<form class="card stack" method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'check')}">
        <p><strong>${counted(read, `row is bad`, `rows are bad`, `${rejected} of ${read}`)}, so nothing was imported.</strong> Mend them in your shop and upload the files anew, or leave them out. The first:</p>
        <ul>${examples.map((example) => html`<li>${plainLine(example, 500)}</li>`)}</ul>
        ${maxRejectsField(upload)}
        <div class="buttons"><button class="button primary" type="submit">Check again</button></div>
      </form>`;
}

function questionsForm({ paths, upload, business }: UploadPage, questions: readonly AskedQuestion[]): Html {
  return html`<form class="card stack" method="post" action="${paths.uploadDo(upload.business_id, upload.upload_id, 'check')}">
        <p>${needsSubmit(questions) ? 'The files do not say it. Your answer is remembered for this store.' : 'This must be decided before anything is imported.'}</p>
        ${questionFields(questions, business)}
        ${needsSubmit(questions) && html`<div class="buttons"><button class="button primary" type="submit">Check again</button></div>`}
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
