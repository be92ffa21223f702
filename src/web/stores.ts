import { PERMISSIONS } from '../business/business.ts';
import { LOADED_SOURCES, type LoadedSource, SOURCE_NAMES } from '../business/snapshot-facts.ts';
import { isTimezone } from '../business/timezone.ts';
import type { NotedFigure } from '../charts/figure.ts';
import { assignmentsOf, grantAccess } from '../control/accounts.ts';
import {
  assignedBusinesses,
  createBusiness,
  currentSnapshot,
  type NewBusiness,
} from '../control/businesses.ts';
import { addManager, managedBusinesses, mayCreateBusinesses } from '../control/managers.ts';
import { openUploads } from '../control/uploads.ts';
import { currencies, usualOf } from './countries.ts';
import { pastImports } from './history.ts';
import { addManagers } from './managers.ts';
import { type NoNumbers, numbersOr } from './numbers.ts';
import {
  type Form,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
  requireAccount,
} from './page-context.ts';
import { messagePage } from './pages/message.ts';
import { chosenStorePage, newStorePage } from './pages/new-store.ts';
import { storePage } from './pages/store.ts';
import { storesPage } from './pages/stores.ts';
import { storeSources } from './sources.ts';
import { type ManagedStore, refuseTooOften, requireStore } from './store-access.ts';

/** The stores that a person manages, and new ones. */
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
          isManaged: managedIds.includes(store.business_id),
          isReader: readable.includes(store.business_id),
        };
      }),
    );
    const mayCreate = await mayCreateBusinesses(control, account.account_id);
    const notice = context.req.query('done') === 'deleted' ? 'The store is deleted.' : null;
    return context.html(storesPage({ paths, account, stores: views, mayCreate, notice }));
  });
}

function addCreation(app: PageApp, pages: Pages): void {
  const { paths } = pages;

  app.get(paths.newStore, async (context) => {
    const account = await requireCreator(pages, context);
    if (account instanceof Response) return account;
    return context.html(newStorePage({ paths, account, given: NOTHING_GIVEN, error: null }));
  });

  // The country first; what is usual there is proposed, and made only when it comes back.
  app.post(paths.newStore, async (context) => {
    const account = await requireCreator(pages, context);
    if (account instanceof Response) return account;
    const given = readStore(await readForm(context));
    const usual = usualOf(given.country);
    const wrong = whatIsWrong(given) ?? (usual === null ? 'Choose the country of the store.' : null);
    if (wrong !== null || usual === null)
      return context.html(newStorePage({ paths, account, given, error: wrong }), 400);
    const view = { paths, account, given, usual };
    if (given.timezone === '' && given.currency === '')
      return context.html(chosenStorePage({ ...view, error: null }));
    const missing = whatIsNotChosen(given);
    if (missing !== null) return context.html(chosenStorePage({ ...view, error: missing }), 400);
    const tooOften = await refuseTooOften(pages, context, account, 'stores');
    if (tooOften !== null) return tooOften;
    const { business_id } = await createStore(pages, account.account_id, given);
    return context.redirect(`${paths.store(business_id)}?done=created`, 303);
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
    const loaded = LOADED_SOURCES.map((kind) => ({ name: SOURCE_NAMES[kind], until: untilOf(kind) }));
    const notice = NOTICES.get(context.req.query('done') ?? '') ?? null;
    const sales = await readSales(pages, context, store);
    return context.html(
      storePage({
        paths,
        account,
        business,
        loaded,
        notice,
        limits: pages.reception.limits,
        imported_at: snapshot?.created_at ?? null,
        uploads: await openUploads(control, business.business_id),
        imports: await pastImports(pages, store),
        sources: await storeSources(pages, store),
        sales,
      }),
      'status' in sales ? sales.status : 200,
    );
  });
}

async function readSales(
  pages: Pages,
  context: PageContext,
  { account, business, isReader }: ManagedStore,
): Promise<NotedFigure | NoNumbers> {
  if (!isReader)
    return {
      why: 'Managing a store is not reading it: your account may not see its numbers. Whoever runs this Storesight can allow it.',
      status: 200,
    };
  return numbersOr(pages, context, account, (signal) => pages.salesOf(account, business, signal));
}

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['back', 'Tools answer with the import that you chose from now on.'],
  ['discarded', 'The upload and its files are deleted here. The store is as it was.'],
  ['created', 'The store is made, and empty. You may read it in connected apps, and manage it here.'],
]);

const NOTHING_GIVEN = { name: '', link: '', country: '', timezone: '', currency: '' };

type GivenStore = typeof NOTHING_GIVEN;

function readStore(form: Form): GivenStore {
  const text = (name: string) => form.text(name).trim();
  return {
    name: text('name'),
    link: text('link'),
    country: text('country'),
    timezone: text('timezone'),
    currency: text('currency'),
  };
}

const LONGEST_NAME = 100;

function whatIsWrong({ name, link }: GivenStore): string | null {
  if (name === '') return 'Give the store a name.';
  if (/\p{Cc}/u.test(name) || name.length > LONGEST_NAME)
    return `The name may have at most ${LONGEST_NAME} letters, on one line.`;
  if (link !== '' && !/^https?:$/.test(URL.parse(link)?.protocol ?? ''))
    return 'The address of the store must begin with https:// or http://, for example https://shop.example. It may be left out.';
  return null;
}

function whatIsNotChosen({ timezone, currency }: GivenStore): string | null {
  if (!isTimezone(timezone)) return 'Choose the time zone of the store.';
  if (!currencies().some(({ code }) => code === currency)) return 'Choose the currency of the store.';
  return null;
}

/** A store of whoever makes it: they may read all of it, and manage it. Its model is built when it is first asked. */
async function createStore(
  { control, log }: Pages,
  accountId: string,
  { name, link, timezone, currency }: GivenStore,
) {
  const options: NewBusiness = { name, timezone, currency, link: link === '' ? undefined : link };
  const business = await createBusiness(control, options);
  await grantAccess(control, accountId, business.business_id, PERMISSIONS);
  await addManager(control, accountId, business.business_id);
  log.info({ account: accountId, business: business.business_id }, 'a store was made in the browser');
  return business;
}

/** The account that is signed in, if it may make stores. */
async function requireCreator(pages: Pages, context: PageContext) {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response || (await mayCreateBusinesses(control, account.account_id))) return account;
  const page = messagePage({
    paths,
    account,
    title: 'You cannot make stores',
    text: 'Your account may not make new stores here.',
    whatToDo:
      'Ask whoever runs this Storesight to allow it (manager add --new-stores), or to make the store for you.',
    link: { href: paths.stores, label: 'Stores' },
  });
  return context.html(page, 403);
}
