import { isUuid } from '../business/business.ts';
import {
  type Connection,
  listConnections,
  makeDue,
  pauseConnection,
  readConnection,
} from '../control/connections/connections.ts';
import { InputError } from '../errors.ts';
import { answerQuestions } from '../live/answer-questions.ts';
import { type ConnectContext, type Connected, changeKey, connect, type Naming } from '../live/connect.ts';
import { disconnect } from '../live/disconnect.ts';
import {
  askToCompare,
  type RefusedDeletions,
  refusedDeletions,
} from '../live/reconcile/refused-deletions.ts';
import { type ReportedRun, reportedRuns } from '../live/run-report.ts';
import type { Vendor } from '../live/vendor.ts';
import type { PlainKey } from '../messages/catalogue.ts';
import type { Messages } from '../messages/messages.ts';
import type { Refusal } from '../sources/refusal.ts';
import { checkAnsweredSettings } from '../uploads/check-answers.ts';
import {
  type Form,
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
} from './page-context.ts';
import { confirmDeletionsPage } from './pages/confirm-deletions.ts';
import {
  connectionKeyPage,
  keySettings,
  newConnectionPage,
  secretField,
  settingField,
  shownSettings,
  triedPage,
} from './pages/connection-form.ts';
import { type ConnectionView, connectionView } from './pages/connection-views.ts';
import type { PageText } from './pages/layout.ts';
import { connectionPage, removeConnectionPage } from './pages/store-connection.ts';
import { connectionsPage } from './pages/store-connections.ts';
import { readSettings } from './read-answers.ts';
import { showMessage } from './show-message.ts';
import { type ManagedStore, refuseTooOften, requireStore } from './store-access.ts';
import type { TryRefusal } from './try-places.ts';

const RELOAD_SECONDS = 5;

interface FoundConnection extends ManagedStore {
  readonly connection: Connection;
  readonly vendor: Vendor;
}

const [business, connectionId] = [':business_id', ':connection_id'] as const;

/** Adds the pages about the connections of a store. */
export function addStoreConnections(app: PageApp, pages: Pages): void {
  addNewConnection(app, pages);
  addReading(app, pages);
  addDeletions(app, pages);
  addAnswers(app, pages);
  addAnotherKey(app, pages);
  addRemoval(app, pages);
}

/** Adds the list of connections, and the form for a new one. */
function addNewConnection(app: PageApp, pages: Pages): void {
  const { paths, vendors } = pages;

  app.get(paths.connections(business), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    const connections = await storeConnections(pages, store);
    const messages = messagesOf(context);
    const notice = noticeOf(context, messages);
    return context.html(connectionsPage({ paths, ...store, connections, vendors, notice, messages }));
  });

  app.get(paths.newConnection(business, ':vendor'), async (context) => {
    const store = await requireVendor(pages, context);
    if (store instanceof Response) return store;
    return context.html(
      newConnectionPage({ paths, ...store, given: {}, error: null, messages: messagesOf(context) }),
    );
  });

  app.post(paths.newConnection(business, ':vendor'), async (context) => {
    const store = await requireVendor(pages, context);
    if (store instanceof Response) return store;
    const { vendor } = store;
    const messages = messagesOf(context);
    const form = await readForm(context);
    const typed = ['name', 'minutes', ...shownSettings(vendor).map(({ name }) => settingField(name))];
    const given = Object.fromEntries(typed.map((name) => [name, form.text(name).trim()]));
    const { name = '', minutes = '' } = given;
    const tried = await tryKey(pages, context, store, vendor, async (connecting) => {
      const { connection, check } = await connect(connecting, store.business, {
        vendor,
        name: name === '' ? undefined : name,
        settings: settingsOf(shownSettings(vendor), form),
        secrets: secretsOf(vendor, form),
        intervalSeconds: minutes === '' ? undefined : 60 * Number(minutes),
      });
      tell(pages, store, connection, 'a source was connected in the browser');
      return { connection, check };
    });
    if (tried instanceof Response) return tried;
    if ('error' in tried)
      return context.html(newConnectionPage({ paths, ...store, given, error: tried.error, messages }), 400);
    return context.html(triedPage({ paths, ...store, isNew: true, ...shownTry(tried, vendor), messages }));
  });
}

/** Adds the page of one connection, and what decides when it is read. */
function addReading(app: PageApp, pages: Pages): void {
  const { paths, control } = pages;

  app.get(paths.connection(business, connectionId), async (context) => {
    const found = await findConnection(pages, context);
    if (found instanceof Response) return found;
    return show(pages, context, found, null, 200);
  });

  app.post(paths.connectionDo(business, connectionId, 'sync'), (context) =>
    change(pages, context, 'asked', 'a source was asked to be read', ({ connection_id }) =>
      makeDue(control, connection_id),
    ),
  );

  app.post(paths.connectionDo(business, connectionId, 'pause'), (context) =>
    change(pages, context, 'paused', 'a source was paused', ({ connection_id }) =>
      pauseConnection(control, connection_id, true),
    ),
  );

  app.post(paths.connectionDo(business, connectionId, 'resume'), (context) =>
    change(pages, context, 'asked', 'a source was resumed', ({ connection_id }) =>
      pauseConnection(control, connection_id, false),
    ),
  );
}

/**
 * Adds the deletion of rows that the vendor lists no more: it needs somebody who has seen how many there are.
 */
function addDeletions(app: PageApp, pages: Pages): void {
  const { paths, control } = pages;

  app.post(paths.connectionDo(business, connectionId, 'compare'), (context) =>
    change(pages, context, 'compared', 'a source was asked to compare ids', async (connection) => {
      const kinds = (await refusedOf(pages, connection)).map(({ listing }) => listing);
      await askToCompare(control, connection, kinds, null);
    }),
  );

  app.get(paths.connectionDo(business, connectionId, 'gone'), async (context) => {
    const found = await findRefused(pages, context, context.req.query('kind') ?? '');
    if (found instanceof Response) return found;
    return context.html(
      confirmDeletionsPage({ paths, ...found, connection: viewOf(found), messages: messagesOf(context) }),
    );
  });

  app.post(paths.connectionDo(business, connectionId, 'gone'), async (context) => {
    const form = await readForm(context);
    const found = await findRefused(pages, context, form.text('kind'));
    if (found instanceof Response) return found;
    const tooOften = await refuseTooOften(pages, context, found.account, 'connections');
    if (tooOften !== null) return tooOften;
    const { connection, refused } = found;
    // Only the rows that somebody has seen are deleted.
    if (form.text('count') !== String(refused.gone))
      return show(pages, context, found, messagesOf(context).say('source.changed'), 409);
    await askToCompare(control, connection, [refused.listing], refused.gone);
    tell(pages, found, connection, 'deletions of a source were confirmed');
    return context.redirect(`${placeOf(pages, found)}?done=deleting`, 303);
  });
}

/** Adds the answers to the questions of an import. */
function addAnswers(app: PageApp, pages: Pages): void {
  const { paths, control } = pages;

  app.post(paths.connectionDo(business, connectionId, 'answer'), async (context) => {
    const found = await findConnection(pages, context);
    if (found instanceof Response) return found;
    const tooOften = await refuseTooOften(pages, context, found.account, 'connections');
    if (tooOften !== null) return tooOften;
    const { connection } = found;
    const refusal = refusalOf(connection, await reportedRuns(control, connection.connection_id));
    const questions = refusal?.kind === 'questions' ? refusal.questions : [];
    const said = readSettings(await readForm(context), {}, questions);
    const settings = Object.fromEntries(
      Object.entries(said).filter(([name]) => questions.some(({ setting }) => setting === name)),
    );
    try {
      checkAnsweredSettings(settings);
      if (settings['orders-from'] === 'ga4') throw new InputError(NOT_OFFERED);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return show(pages, context, found, { english: error.message }, 400);
    }
    await answerQuestions(control, connection, questions, settings);
    tell(pages, found, connection, 'questions of a source were answered');
    return context.redirect(`${placeOf(pages, found)}?done=answered`, 303);
  });
}

function addAnotherKey(app: PageApp, pages: Pages): void {
  const { paths, control } = pages;

  app.get(paths.connectionDo(business, connectionId, 'key'), async (context) => {
    const found = await findConnection(pages, context);
    if (found instanceof Response) return found;
    return context.html(
      connectionKeyPage({
        paths,
        ...found,
        error: null,
        messages: messagesOf(context),
      }),
    );
  });

  app.post(paths.connectionDo(business, connectionId, 'key'), async (context) => {
    const found = await findConnection(pages, context);
    if (found instanceof Response) return found;
    const { connection, vendor } = found;
    const messages = messagesOf(context);
    const form = await readForm(context);
    const secrets = secretsOf(vendor, form);
    const settings = settingsOf(keySettings(vendor), form);
    const tried = await tryKey(pages, context, found, vendor, async (connecting) => {
      const check = await changeKey(connecting, connection, vendor, { secrets, settings });
      await makeDue(control, connection.connection_id);
      tell(pages, found, connection, 'a source was given another key');
      return { connection, check };
    });
    if (tried instanceof Response) return tried;
    if ('error' in tried)
      return context.html(connectionKeyPage({ paths, ...found, error: tried.error, messages }), 400);
    return context.html(triedPage({ paths, ...found, isNew: false, ...shownTry(tried, vendor), messages }));
  });
}

function addRemoval(app: PageApp, pages: Pages): void {
  const { paths, uploadPlace } = pages;

  app.get(paths.connectionDo(business, connectionId, 'remove'), async (context) => {
    const found = await findConnection(pages, context);
    if (found instanceof Response) return found;
    return context.html(
      removeConnectionPage({
        paths,
        ...found,
        connection: viewOf(found),
        error: null,
        messages: messagesOf(context),
      }),
    );
  });

  app.post(paths.connectionDo(business, connectionId, 'remove'), async (context) => {
    const found = await findConnection(pages, context);
    if (found instanceof Response) return found;
    const tooOften = await refuseTooOften(pages, context, found.account, 'connections');
    if (tooOften !== null) return tooOften;
    try {
      await disconnect(uploadPlace, found.connection);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const view = { connection: viewOf(found), error: { english: error.message } };
      return context.html(
        removeConnectionPage({ paths, ...found, ...view, messages: messagesOf(context) }),
        409,
      );
    }
    tell(pages, found, found.connection, 'a source was removed');
    return context.redirect(`${paths.connections(found.business.business_id)}?done=removed`, 303);
  });
}

const NOTICES: ReadonlyMap<string, PlainKey> = new Map([
  ['asked', 'source.done-asked'],
  ['paused', 'source.done-paused'],
  ['answered', 'source.done-answered'],
  ['compared', 'source.done-compared'],
  ['deleting', 'source.done-deleting'],
  ['removed', 'source.done-removed'],
]);

/** What has just been done, if the address says so. */
function noticeOf(context: PageContext, { say }: Messages): string | null {
  const done = NOTICES.get(context.req.query('done') ?? '');
  return done === undefined ? null : say(done);
}

const NOT_OFFERED =
  'The orders of a source are those of the shop: beside them, purchases that Google Analytics saw would count twice.';

/** The names on a page: settings and secrets are named as their fields. */
const ON_PAGE: Naming = {
  setting: (vendor, name) => shownSettings(vendor).find((each) => each.name === name)?.title ?? name,
  secret: (vendor, name) => vendor.secrets[name]?.title ?? name,
};

function settingsOf(shown: ReturnType<typeof shownSettings>, form: Form): Record<string, string> {
  return filled(
    shown.map(({ name }) => name),
    (name) => form.text(settingField(name)),
  );
}

function secretsOf(vendor: Vendor, form: Form): Record<string, string> {
  return filled(Object.keys(vendor.secrets), (name) => form.text(secretField(name)));
}

function filled(names: readonly string[], read: (name: string) => string): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, read(name).trim()] as const).filter(([, text]) => text !== ''),
  );
}

const BUSY = { title: 'try.busy', text: 'try.busy-text', whatToDo: 'try.busy-do' } as const;

/** The messages to a person whose key is not tried. */
const NOT_TRIED: Readonly<Record<TryRefusal, Record<'title' | 'text' | 'whatToDo', PlainKey>>> = {
  account: { title: 'try.account', text: 'try.account-text', whatToDo: 'try.account-do' },
  store: { title: 'try.store', text: 'try.store-text', whatToDo: 'try.store-do' },
  all: BUSY,
  waited: BUSY,
};

/** Tries a key at its vendor, within the limits of the account. */
async function tryKey(
  pages: Pages,
  context: PageContext,
  { account, business }: ManagedStore,
  vendor: Vendor,
  attempt: (connecting: ConnectContext) => Promise<Connected>,
): Promise<Connected | { readonly error: PageText } | Response> {
  const { paths, control, secret, log, allowsLoopback, tryKey: trying, storeLimits } = pages;
  const tooOften = await refuseTooOften(pages, context, account, 'tries');
  if (tooOften !== null) return tooOften;
  const taken = await storeLimits.tries.take(account.account_id, business.business_id);
  if (typeof taken === 'string') {
    const { title, text, whatToDo } = NOT_TRIED[taken];
    context.header('Retry-After', '60');
    return showMessage(pages, context, { status: 429, account }, ({ say }) => ({
      title: say(title),
      text: say(text),
      whatToDo: say(whatToDo),
      link: { href: paths.connections(business.business_id), label: say('store.sources') },
    }));
  }
  using _place = taken;
  try {
    // Not aborted when the person closes the page or sends its form twice: the try is then found done.
    const { signal } = new AbortController();
    return await attempt({ control, secret, log, signal, allowsLoopback, tryKey: trying, naming: ON_PAGE });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { account_id } = account;
    log.info(
      { account: account_id, business: business.business_id, vendor: vendor.name },
      'a key of a source was not taken',
    );
    return { error: { english: `${error.message}.` } };
  }
}

function shownTry({ connection, check }: Connected, vendor: Vendor) {
  const { is_paused: isPaused } = connection;
  const untried = check.untried.map((name) => ON_PAGE.secret(vendor, name));
  return { connection, isPaused, accountName: check.account, missing: check.missing, untried };
}

/** The store and the vendor of the path, for a new connection. */
async function requireVendor(
  pages: Pages,
  context: PageContext,
): Promise<(ManagedStore & { readonly vendor: Vendor }) | Response> {
  const store = await requireStore(pages, context);
  if (store instanceof Response) return store;
  const vendor = pages.vendors.find(({ name }) => name === context.req.param('vendor'));
  return vendor === undefined ? noSuchConnection(pages, context, store) : { ...store, vendor };
}

/** The connection of the path, if it belongs to a store that the account manages. */
async function findConnection(pages: Pages, context: PageContext): Promise<FoundConnection | Response> {
  const { control, vendors } = pages;
  const store = await requireStore(pages, context);
  if (store instanceof Response) return store;
  const id = context.req.param('connection_id')?.toLowerCase() ?? '';
  const connection = isUuid(id) ? await readConnection(control, id) : null;
  const vendor = vendors.find(({ name }) => name === connection?.vendor);
  if (connection?.business_id !== store.business.business_id || vendor === undefined)
    return noSuchConnection(pages, context, store);
  return { ...store, connection, vendor };
}

async function noSuchConnection(
  pages: Pages,
  context: PageContext,
  { account, business }: ManagedStore,
): Promise<Response> {
  return showMessage(pages, context, { status: 404, account }, ({ say }) => ({
    title: say('source.no-such'),
    text: say('source.no-such-text'),
    whatToDo: say('source.no-such-do'),
    link: { href: pages.paths.connections(business.business_id), label: say('store.sources') },
  }));
}

/** Makes a change that has no answer to show, and leads back to the connection. */
async function change(
  pages: Pages,
  context: PageContext,
  done: string,
  what: string,
  work: (connection: Connection) => Promise<void>,
): Promise<Response> {
  const found = await findConnection(pages, context);
  if (found instanceof Response) return found;
  const tooOften = await refuseTooOften(pages, context, found.account, 'connections');
  if (tooOften !== null) return tooOften;
  await work(found.connection);
  tell(pages, found, found.connection, what);
  return context.redirect(`${placeOf(pages, found)}?done=${done}`, 303);
}

async function show(
  pages: Pages,
  context: PageContext,
  found: FoundConnection,
  error: PageText | null,
  status: 200 | 400 | 409,
): Promise<Response> {
  const { paths, control, mcpUrl } = pages;
  const { account, business, connection, vendor, isReader } = found;
  const view = viewOf(found);
  const isAtWork = view.next.kind === 'now' || view.next.kind === 'soon';
  const reloads = isAtWork && error === null && context.req.query('reload') !== 'no';
  // Reloads without the notice, which is about an earlier action.
  if (reloads) context.header('Refresh', `${RELOAD_SECONDS}; url=${placeOf(pages, found)}`);
  const messages = messagesOf(context);
  const notice = error === null ? noticeOf(context, messages) : null;
  const { connection_id } = connection;
  const runs = await reportedRuns(control, connection_id);
  return context.html(
    connectionPage({
      paths,
      account,
      business,
      connection: view,
      reloads,
      notice,
      error,
      runs,
      refusal: refusalOf(connection, runs),
      refused: await refusedOf(pages, connection),
      isReader,
      messages,
      hook:
        vendor.webhook === undefined
          ? null
          : {
              url: new URL(`/hooks/${vendor.name}/${connection_id}`, mcpUrl).href,
              secret: ON_PAGE.secret(vendor, vendor.webhook.secret),
            },
    }),
    status,
  );
}

/** Why the last rows read are not imported; null if they are. */
function refusalOf({ state, message }: Connection, runs: readonly ReportedRun[]): Refusal | null {
  if (state !== 'import_refused') return null;
  // Not always the last run: one that met another import changed nothing.
  return (
    runs.find(({ report }) => report.refusal !== null)?.report.refusal ?? {
      kind: 'refused',
      message: message ?? '',
    }
  );
}

/**
 * The rows that the vendor lists no more and that were not deleted; none while the connection is paused,
 * since nobody compares then.
 */
async function refusedOf({ control, vendors }: Pages, connection: Connection): Promise<RefusedDeletions[]> {
  const vendor = vendors.find(({ name }) => name === connection.vendor);
  return vendor === undefined || connection.is_paused ? [] : refusedDeletions(control, connection, vendor);
}

/** A kind of rows that were not deleted, for an account that may see how many there are. */
async function findRefused(
  pages: Pages,
  context: PageContext,
  kind: string,
): Promise<(FoundConnection & { readonly refused: RefusedDeletions }) | Response> {
  const found = await findConnection(pages, context);
  if (found instanceof Response) return found;
  const all = found.isReader ? await refusedOf(pages, found.connection) : [];
  const refused = all.find(({ listing }) => listing === kind);
  if (refused !== undefined) return { ...found, refused };
  return showMessage(
    pages,
    context,
    { status: found.isReader ? 409 : 403, account: found.account },
    ({ say }) => ({
      title: say('gone.nothing'),
      text: say(found.isReader ? 'gone.nothing-text' : 'gone.not-reader'),
      whatToDo: say('gone.see'),
      link: { href: placeOf(pages, found), label: say('gone.the-source') },
    }),
  );
}

function viewOf({ connection, vendor }: FoundConnection) {
  return connectionView(connection, vendor.title);
}

/** The connections of a store, sorted by name. */
export async function storeConnections(
  { control, vendors }: Pages,
  { business }: ManagedStore,
): Promise<ConnectionView[]> {
  const connections = await listConnections(control, business.business_id);
  return connections.map((connection) => {
    const vendor = vendors.find(({ name }) => name === connection.vendor);
    return connectionView(connection, vendor?.title ?? connection.vendor);
  });
}

function placeOf({ paths }: Pages, { business, connection }: FoundConnection): string {
  return paths.connection(business.business_id, connection.connection_id);
}

function tell(
  { log }: Pages,
  { account, business }: ManagedStore,
  { connection_id, vendor }: Connection,
  what: string,
): void {
  const { account_id } = account;
  log.info({ account: account_id, business: business.business_id, connection_id, vendor }, what);
}
