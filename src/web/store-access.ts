import { type Business, isUuid } from '../business/business.ts';
import { type Account, permissionsOn } from '../control/accounts.ts';
import { readBusiness } from '../control/businesses.ts';
import { manages } from '../control/managers.ts';
import { type PageContext, type Pages, requireAccount } from './page-context.ts';
import { messagePage } from './pages/message.ts';

export interface ManagedStore {
  readonly account: Account;
  readonly business: Business;
  /** Managing a store is not reading it: whether the account may see numbers of it. */
  readonly isReader: boolean;
}

/**
 * The store of the path, if the account that is signed in manages it. A store of others is answered as one that does not exist.
 *
 * @param readersTo the page for whoever may read the store's numbers and does not manage it
 */
export async function requireStore(
  pages: Pages,
  context: PageContext,
  { readersTo }: { readonly readersTo?: (businessId: string) => string } = {},
): Promise<ManagedStore | Response> {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response) return account;
  const id = context.req.param('business_id')?.toLowerCase() ?? '';
  const isTheirs = isUuid(id) && (await manages(control, account.account_id, id));
  const business = isTheirs ? await readBusiness(control, id) : null;
  if (business !== null)
    return { account, business, isReader: await mayReadNumbers(pages, account, business) };
  if (readersTo !== undefined && isUuid(id)) {
    const read = await readBusiness(control, id);
    if (read !== null && (await mayReadNumbers(pages, account, read)))
      return context.redirect(readersTo(read.business_id), 303);
  }
  const page = messagePage({
    paths,
    account,
    title: 'No such store',
    text: 'There is none at this address, or you do not manage it.',
    whatToDo:
      'See which stores you manage. If one is missing, ask whoever runs this Storesight, or another manager of it.',
    link: { href: paths.stores, label: 'Stores' },
  });
  return context.html(page, 404);
}

export interface ReadableStore {
  readonly account: Account;
  readonly business: Business;
  /** Reading a store is not managing it: whether the account may change its data. */
  readonly isManager: boolean;
}

/** The store of the path, if the account that is signed in may read its numbers. A store of others is answered as one that does not exist. */
export async function requireReader(pages: Pages, context: PageContext): Promise<ReadableStore | Response> {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response) return account;
  const id = context.req.param('business_id')?.toLowerCase() ?? '';
  const business = isUuid(id) ? await readBusiness(control, id) : null;
  const isManager = business !== null && (await manages(control, account.account_id, id));
  if (business !== null && (await mayReadNumbers(pages, account, business)))
    return { account, business, isManager };
  const page = messagePage({
    paths,
    account,
    title: isManager ? 'You cannot see the numbers of this store' : 'No such store',
    text: isManager
      ? 'You may bring data into this store, but not read its numbers.'
      : 'There is none at this address, or you may not read it.',
    whatToDo: 'Ask whoever runs this Storesight, or a manager of the store, to let you read it.',
    link: { href: paths.stores, label: 'Stores' },
  });
  return context.html(page, isManager ? 403 : 404);
}

async function mayReadNumbers(
  { control }: Pages,
  account: Account,
  { business_id }: Business,
): Promise<boolean> {
  const permissions = await permissionsOn(control, account.account_id, business_id);
  return permissions?.includes('DISPLAY_ANALYTICS_DASHBOARD') ?? false;
}

/** Counts what an account does. Gives the page that says so where it was too much in too short a time; else null. */
export async function refuseTooOften(
  { paths, storeLimits }: Pages,
  context: PageContext,
  account: Account,
  what: Parameters<Pages['storeLimits']['add']>[0],
): Promise<Response | null> {
  const seconds = storeLimits.add(what, account.account_id);
  if (seconds === 0) return null;
  context.header('Retry-After', String(seconds));
  const minutes = Math.ceil(seconds / 60);
  const page = messagePage({
    paths,
    account,
    title: 'Too much at once',
    text: 'You have done this many times in a short time. Nothing was changed.',
    whatToDo: `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    link: { href: paths.stores, label: 'Stores' },
  });
  return context.html(page, 429);
}
