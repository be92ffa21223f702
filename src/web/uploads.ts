import { currentSnapshot } from '../control/businesses/businesses.ts';
import {
  createUpload,
  readUpload,
  removeUploadFile,
  type Upload,
  type UploadFile,
  type UploadRun,
} from '../control/businesses/uploads.ts';
import type { Account } from '../control/people/accounts.ts';
import { InputError } from '../errors.ts';
import type { PlainKey } from '../messages/catalogue.ts';
import { checkAnswers } from '../uploads/check-answers.ts';
import type { NotBegun } from '../uploads/import-queue.ts';
import { readOutcome } from '../uploads/outcome.ts';
import { readAway } from '../uploads/receive-files.ts';
import type { ComingForm } from '../uploads/reception.ts';
import { readRejects } from '../uploads/rejected-rows.ts';
import { discardUpload, removeOneFile, settleInterrupted } from '../uploads/upload-folder.ts';
import { messagesOf, type PageApp, type PageContext, type Pages, readForm } from './page-context.ts';
import type { PageText } from './pages/layout.ts';
import { uploadPage } from './pages/upload.ts';
import { readAnswers } from './read-answers.ts';
import { showMessage } from './show-message.ts';
import { type ManagedStore, refuseTooOften, requireStore } from './store-access.ts';

const RELOAD_SECONDS = 3;

/** Whether a request sends files; such requests have limits of their own. */
export function isUpload({ paths }: Pages, { req }: PageContext): boolean {
  const rest = req.path.startsWith(paths.stores) ? req.path.slice(paths.stores.length) : '';
  return req.method === 'POST' && /^\/[^/]+\/uploads(\/[^/]+\/files)?\/?$/.test(rest);
}

/**
 * Adds the pages for files that a person uploads: what they are, what must be answered, what they would
 * become; then they are published.
 */
export function addUploads(app: PageApp, pages: Pages): void {
  addFiles(app, pages);
  addWork(app, pages);
}

const [business, upload] = [':business_id', ':upload_id'] as const;

/** Adds the pages on which files arrive, are shown, and are removed again. */
function addFiles(app: PageApp, pages: Pages): void {
  const { paths, control, uploadPlace } = pages;

  app.get(paths.uploads(business), (context) =>
    context.redirect(paths.store(context.req.param('business_id') ?? ''), 303),
  );

  app.post(paths.uploads(business), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    const reserved = await reserve(pages, context, store.account, null);
    if (reserved instanceof Response) return reserved;
    using form = reserved;
    form.upload_id = await createUpload(control, { ...store.account, ...store.business });
    await receive(pages, context, store, form.upload_id);
    return await checkAtOnce(pages, context, store, form.upload_id);
  });

  app.post(paths.uploadDo(business, upload, 'files'), async (context) => {
    const found = await findUpload(pages, context);
    if (found instanceof Response) return found;
    if (found.upload.state !== 'open') return showBusy(pages, context, found);
    const { upload_id } = found.upload;
    const form = await reserve(pages, context, found.account, upload_id);
    if (form instanceof Response) return form;
    using _form = form;
    await receive(pages, context, found, upload_id);
    return await checkAtOnce(pages, context, found, upload_id);
  });

  app.get(paths.upload(business, upload), async (context) => {
    const found = await findUpload(pages, context);
    if (found instanceof Response) return found;
    return show(pages, context, found, null, 200);
  });

  app.get(paths.rejectedRows(business, upload), async (context) => {
    const found = await findUpload(pages, context);
    if (found instanceof Response) return found;
    const outcome = readOutcome(found.upload.outcome);
    const list = outcome?.kind === 'rejects' ? (outcome.rows.list ?? null) : null;
    // Rejected rows are raw and may hold personal data: only the uploader gets them.
    const isUploader = found.upload.account_id === found.account.account_id;
    const rows =
      list === null || !isUploader
        ? null
        : await readRejects(uploadPlace.data, found.business.business_id, list);
    if (rows === null) return context.redirect(placeOf(pages, found), 303);
    context.header('Content-Type', 'text/csv; charset=utf-8');
    context.header('Content-Disposition', 'attachment; filename="rejected-rows.csv"');
    return context.body(rows);
  });

  app.post(paths.uploadDo(business, upload, 'remove'), async (context) => {
    const found = await findUpload(pages, context);
    if (found instanceof Response) return found;
    const number = Number((await readForm(context)).text('file_number'));
    const { upload_id } = found.upload;
    if (Number.isSafeInteger(number))
      await removeUploadFile(control, upload_id, number, (name) =>
        removeOneFile(uploadPlace.data, upload_id, name),
      );
    return context.redirect(placeOf(pages, found), 303);
  });
}

/** Adds the work on the files of an upload: they are checked, published, or discarded. */
function addWork(app: PageApp, pages: Pages): void {
  const { paths, imports, log, uploadPlace } = pages;

  app.post(paths.uploadDo(business, upload, 'check'), async (context) => {
    const found = await findUpload(pages, context);
    if (found instanceof Response) return found;
    const form = await readForm(context);
    try {
      const answers = readAnswers(form, found.upload);
      checkAnswers(answers);
      return await begin(pages, context, found, { work: 'check', answers, builds_on: null });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return show(pages, context, found, { english: error.message }, 400);
    }
  });

  app.post(paths.uploadDo(business, upload, 'publish'), async (context) => {
    const found = await findUpload(pages, context);
    if (found instanceof Response) return found;
    const { upload: current } = found;
    if (!maySeeOutcome(found))
      return show(pages, context, found, messagesOf(context).say('upload.withheld'), 403);
    const checked = readOutcome(current.outcome);
    if (checked?.kind !== 'checked')
      return show(pages, context, found, messagesOf(context).say('upload.check-first'), 409);
    // If another import has come since, the report is about the store as it was before that.
    const { builds_on } = checked.report;
    if ((await newestOf(pages, found)) !== builds_on)
      return show(pages, context, found, messagesOf(context).say('upload.changed-since'), 409);
    return begin(pages, context, found, { work: 'publish', answers: current.answers, builds_on });
  });

  app.post(paths.uploadDo(business, upload, 'stop'), async (context) => {
    const found = await findUpload(pages, context);
    if (found instanceof Response) return found;
    await imports.stop(found.upload.upload_id);
    return context.redirect(placeOf(pages, found), 303);
  });

  app.post(paths.uploadDo(business, upload, 'discard'), async (context) => {
    const found = await findUpload(pages, context);
    if (found instanceof Response) return found;
    const { upload_id, business_id } = found.upload;
    if (!(await discardUpload(uploadPlace, upload_id))) return showBusy(pages, context, found);
    log.info(
      { account: found.account.account_id, business: business_id, upload: upload_id },
      'an upload was discarded',
    );
    return context.redirect(`${paths.store(business_id)}?done=discarded`, 303);
  });
}

export interface FoundUpload extends ManagedStore {
  readonly upload: Upload & { readonly files: readonly UploadFile[] };
}

/** The upload of the path, if it belongs to a store that the account manages. */
export async function findUpload(pages: Pages, context: PageContext): Promise<FoundUpload | Response> {
  const { paths, control, uploadPlace } = pages;
  const store = await requireStore(pages, context);
  if (store instanceof Response) return store;
  const id = context.req.param('upload_id') ?? '';
  const read = async () => (/^[\w-]{1,64}$/.test(id) ? readUpload(control, id) : null);
  const upload = await read();
  if (upload !== null && upload.business_id === store.business.business_id) {
    if (context.req.method === 'POST') await pages.imports.ending(upload);
    const isSettled = await settleInterrupted(uploadPlace, upload);
    return { ...store, upload: (isSettled ? await read() : upload) ?? upload };
  }
  return showMessage(pages, context, { status: 404, account: store.account }, ({ say }) => ({
    title: say('upload.no-such'),
    text: say('upload.no-such-text'),
    whatToDo: say('upload.no-such-do'),
    link: { href: paths.store(store.business.business_id), label: say('upload.the-store') },
  }));
}

/** The uploader sees the outcome, even without permission to read the store's numbers. */
export function maySeeOutcome({ account, isReader, upload }: FoundUpload): boolean {
  return isReader || upload.account_id === account.account_id;
}

function placeOf({ paths }: Pages, { upload }: FoundUpload): string {
  return paths.upload(upload.business_id, upload.upload_id);
}

/** The snapshot on which an import would build now. */
async function newestOf({ control }: Pages, { upload }: FoundUpload): Promise<string | null> {
  return (await currentSnapshot(control, upload.business_id))?.snapshot_id ?? null;
}

/** Room for the files of a form; or the page that says why none of it is read. */
async function reserve(
  pages: Pages,
  context: PageContext,
  account: Account,
  upload_id: string | null,
): Promise<ComingForm | Response> {
  const { paths, reception } = pages;
  const tooOften = await refuseTooOften(pages, context, account, 'uploads');
  if (tooOften !== null) return tooOften;
  const length = context.req.header('Content-Length');
  const isForm = /^multipart\/form-data;.*boundary=/i.test(context.req.header('Content-Type') ?? '');
  const reserved =
    isForm && length !== undefined && /^\d+$/.test(length)
      ? await reception.reserve({ account_id: account.account_id, upload_id, bytes: Number(length) })
      : null;
  if (reserved !== null && typeof reserved !== 'string') return reserved;
  // A browser shows the answer only after sending the whole body; closing earlier shows its own error page.
  pages.allowSlow(context.env.incoming);
  await readAway(context.env.incoming);
  return showMessage(pages, context, { status: 413, account }, ({ say }) => ({
    title: say('upload.not-taken'),
    text: say('upload.not-taken-text'),
    whatToDo: reserved === null ? say('upload.choose-in-form') : { english: reserved },
    link: { href: paths.stores, label: say('layout.stores') },
  }));
}

async function receive(
  { reception, allowSlow, log }: Pages,
  context: PageContext,
  { account, business }: Pick<FoundUpload, 'account' | 'business'>,
  upload_id: string,
): Promise<void> {
  const { incoming } = context.env;
  allowSlow(incoming);
  const { account_id } = account;
  const { business_id } = business;
  const came = await reception.receive(incoming, upload_id, business);
  log.info({ account: account_id, business: business_id, upload: upload_id, ...came }, 'files were uploaded');
}

/** Checks at once if every file arrived; otherwise the page has a button. */
async function checkAtOnce(
  { paths, control, imports, storeLimits }: Pages,
  context: PageContext,
  { account, business }: ManagedStore,
  upload_id: string,
): Promise<Response> {
  const upload = await readUpload(control, upload_id);
  const isWhole = upload !== null && upload.files.length > 0 && upload.trouble === null;
  if (isWhole && storeLimits.add('imports', account.account_id) === 0)
    await imports.begin(upload, { work: 'check', answers: upload.answers, builds_on: null });
  return context.redirect(paths.upload(business.business_id, upload_id), 303);
}

export async function begin(
  pages: Pages,
  context: PageContext,
  found: FoundUpload,
  run: UploadRun,
): Promise<Response> {
  const { imports } = pages;
  const { account, upload } = found;
  const tooOften = await refuseTooOften(pages, context, account, 'imports');
  if (tooOften !== null) return tooOften;
  if (upload.files.length === 0)
    return show(pages, context, found, messagesOf(context).say('upload.file-first'), 400);
  const begun = await imports.begin(upload, run);
  if (begun === 'busy') return showBusy(pages, context, found);
  if (begun !== 'begun') {
    const { say } = messagesOf(context);
    return show(pages, context, found, `${say(NOT_BEGUN[begun])} ${say('upload.files-kept')}`, 503);
  }
  return context.redirect(placeOf(pages, found), 303);
}

/** Why work does not begin, and what may be done about it. */
export const NOT_BEGUN: Readonly<Record<NotBegun, PlainKey>> = {
  busy: 'upload.busy',
  yours: 'upload.yours-wait',
  of_store: 'upload.store-waits',
  full: 'upload.server-full',
};

function showBusy(pages: Pages, context: PageContext, found: FoundUpload): Promise<Response> {
  return show(pages, context, found, messagesOf(context).say(NOT_BEGUN.busy), 409);
}

export async function show(
  { paths, imports, reception }: Pages,
  context: PageContext,
  found: FoundUpload,
  error: PageText | null,
  status: 200 | 400 | 403 | 409 | 503,
): Promise<Response> {
  const { account, business, upload } = found;
  const messages = messagesOf(context);
  const isBusy = upload.state === 'waiting' || upload.state === 'running';
  const reloads = isBusy && context.req.query('reload') !== 'no';
  if (reloads) context.header('Refresh', String(RELOAD_SECONDS));
  return context.html(
    uploadPage({
      paths,
      account,
      business,
      upload,
      outcome: maySeeOutcome(found) ? readOutcome(upload.outcome) : null,
      notTold: maySeeOutcome(found) || upload.outcome === null ? null : messages.say('upload.withheld'),
      before: imports.before(upload.upload_id),
      reloads,
      limits: reception.limits,
      isUploader: upload.account_id === account.account_id,
      error,
      messages,
    }),
    status,
  );
}
