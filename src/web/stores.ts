import { PERMISSIONS } from '../business/business.ts';
import { LOADED_SOURCES, type LoadedSource } from '../business/snapshot-facts.ts';
import { assignedBusinesses, createBusiness, currentSnapshot } from '../control/businesses/businesses.ts';
import { openUploads } from '../control/businesses/uploads.ts';
import { assignmentsOf, grantAccess } from '../control/people/accounts.ts';
import { addManager, managedBusinesses, mayCreateBusinesses } from '../control/people/managers.ts';
import type { PlainKey } from '../messages/catalogue.ts';
import type { Messages } from '../messages/messages.ts';
import type { SalesFigure } from '../overview/sales-figure.ts';
import { hasInk, visibleLine } from '../text/visible-line.ts';
import { addManagers } from './managers.ts';
import { inTurnOf, type NoNumbers, numbersOr } from './numbers-in-turn.ts';
import {
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
  requireAccount,
} from './page-context.ts';
import { newStorePage } from './pages/new-store.ts';
import { type StorePage, storePage } from './pages/store.ts';
import { storesPage } from './pages/stores.ts';
import { pastImports } from './past-imports.ts';
import { showMessage } from './show-message.ts';
import { type ManagedStore, refuseTooOften, requireStore } from './store-access.ts';
import { storeConnections } from './store-connections.ts';

/** Adds the pages about the stores that a person manages, and new ones. */
export function addStores(app: PageApp, pages: Pages): void {
  addList(app, pages);
  addCreation(app, pages);
  addStore(app, pages);
  addManagers(app, pages);
}

function addList(app: PageApp, pages: Pages): void {
  const { paths, control } = pages;

  app.get(paths.stores, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const [managed, assigned, assignments] = await Promise.all([
      managedBusinesses(control, account.account_id),
      assignedBusinesses(control, account.account_id),
      assignmentsOf(control, account.account_id),
    ]);
    const readable = assignments.flatMap(({ business_id, permissions }) =>
      permissions.includes('DISPLAY_ANALYTICS_DASHBOARD') ? [business_id] : [],
    );
    const managedIds = managed.map(({ business_id }) => business_id);
    const readOnly = assigned.filter(
      ({ business_id }) => readable.includes(business_id) && !managedIds.includes(business_id),
    );
    const views = await Promise.all(
      [...managed, ...readOnly].map(async (store) => {
        const snapshot = await currentSnapshot(control, store.business_id);
        return {
          ...store,
          imported_at: snapshot?.facts.loaded_tables.length ? snapshot.created_at : null,
          orders_until: snapshot?.facts.orders_until ?? null,
          isManaged: managedIds.includes(store.business_id),
          isReader: readable.includes(store.business_id),
        };
      }),
    );
    const mayCreate = await mayCreateBusinesses(control, account.account_id);
    const messages = messagesOf(context);
    const notice = context.req.query('done') === 'deleted' ? messages.say('stores.deleted') : null;
    return context.html(storesPage({ paths, account, stores: views, mayCreate, notice, messages }));
  });
}

function addCreation(app: PageApp, pages: Pages): void {
  const { paths } = pages;

  app.get(paths.newStore, async (context) => {
    const account = await requireCreator(pages, context);
    if (account instanceof Response) return account;
    const messages = messagesOf(context);
    return context.html(newStorePage({ paths, account, name: '', error: null, messages }));
  });

  app.post(paths.newStore, async (context) => {
    const account = await requireCreator(pages, context);
    if (account instanceof Response) return account;
    const messages = messagesOf(context);
    const name = (await readForm(context)).text('name').trim();
    const error = whatIsWrong(name, messages);
    if (error !== null) return context.html(newStorePage({ paths, account, name, error, messages }), 400);
    const tooOften = await refuseTooOften(pages, context, account, 'stores');
    if (tooOften !== null) return tooOften;
    const { business_id } = await createStore(pages, account.account_id, name);
    return context.redirect(paths.store(business_id), 303);
  });
}

function addStore(app: PageApp, pages: Pages): void {
  const { paths, control } = pages;

  app.get(paths.store(':business_id'), async (context) => {
    const store = await requireStore(pages, context, { readersTo: paths.overview });
    if (store instanceof Response) return store;
    const { account, business } = store;
    const snapshot = await currentSnapshot(control, business.business_id);
    const facts = snapshot?.facts ?? null;
    const untilOf = (kind: LoadedSource) => facts?.[`${kind}_until`] ?? null;
    const loaded = LOADED_SOURCES.map((kind) => ({ kind, until: untilOf(kind) }));
    const messages = messagesOf(context);
    const done = NOTICES.get(context.req.query('done') ?? '');
    const notice = done === undefined ? null : messages.say(done);
    const sales = await readSales(pages, context, store, messages);
    const page: StorePage = {
      paths,
      account,
      business,
      loaded,
      notice,
      limits: pages.reception.limits,
      imported_at: snapshot?.created_at ?? null,
      uploads: await openUploads(control, business.business_id),
      messages,
      imports: await pastImports(pages, store),
      connections: await storeConnections(pages, store),
      sales,
    };
    const written = await inTurnOf(account, () => storePage(page));
    return context.html(written, 'status' in sales ? sales.status : 200);
  });
}

async function readSales(
  pages: Pages,
  context: PageContext,
  { account, business, isReader }: ManagedStore,
  messages: Messages,
): Promise<SalesFigure | NoNumbers> {
  if (!isReader)
    return {
      why: messages.say('store.not-reader'),
      status: 200,
    };
  return numbersOr(
    pages,
    context,
    account,
    (signal) => pages.salesOf(account, business, messages, signal),
    messages,
  );
}

const NOTICES: ReadonlyMap<string, PlainKey> = new Map([
  ['back', 'store.back-done'],
  ['discarded', 'store.discarded'],
]);

const LONGEST_NAME = 100;

function whatIsWrong(name: string, { say }: Messages): string | null {
  if (name === '') return say('new-store.give-name');
  const isShown = visibleLine(name, LONGEST_NAME) === name.replace(/\s+/gu, ' ') && hasInk(name);
  return isShown && !/\p{Cc}/u.test(name) && name.length <= LONGEST_NAME
    ? null
    : say('new-store.bad-name', { most: LONGEST_NAME });
}

/**
 * Makes a store for this account, which may read and manage all of it. Its time zone and currency are those
 * of the first files with orders; its model is built when it is first asked.
 */
async function createStore({ control, log }: Pages, accountId: string, name: string) {
  const business = await createBusiness(control, { name });
  await grantAccess(control, accountId, business.business_id, PERMISSIONS);
  await addManager(control, accountId, business.business_id);
  log.info({ account: accountId, business: business.business_id }, 'a store was made in the browser');
  return business;
}

/** The signed-in account, if it may make stores. */
async function requireCreator(pages: Pages, context: PageContext) {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response || (await mayCreateBusinesses(control, account.account_id))) return account;
  return showMessage(pages, context, { status: 403, account }, ({ say }) => ({
    title: say('new-store.may-not'),
    text: say('new-store.may-not-text'),
    whatToDo: say('new-store.may-not-do'),
    link: { href: paths.stores, label: say('layout.stores') },
  }));
}
