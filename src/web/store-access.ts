import { type Business, isUuid } from '../business/business.ts';
import { readBusiness } from '../control/businesses/businesses.ts';
import { type Account, permissionsOn } from '../control/people/accounts.ts';
import { manages } from '../control/people/managers.ts';
import { type PageContext, type Pages, requireAccount } from './page-context.ts';
import { showMessage } from './show-message.ts';

export interface ManagedStore {
  readonly account: Account;
  readonly business: Business;
  /** Whether the account may see the numbers of the store; managing it is not reading it. */
  readonly isReader: boolean;
}

/**
 * The store of the path, if the signed-in account manages it. Somebody else's store is answered like one that
 * does not exist.
 *
 * @param readersTo the page for accounts that may read the store's numbers and do not manage it
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
  return showMessage(pages, context, { status: 404, account }, ({ say }) => ({
    title: say('refusal.no-store'),
    text: say('refusal.not-managed'),
    whatToDo: say('refusal.not-managed-do'),
    link: { href: paths.stores, label: say('layout.stores') },
  }));
}

export interface ReadableStore {
  readonly account: Account;
  readonly business: Business;
  /** Whether the account may change the store's data; reading it is not managing it. */
  readonly isManager: boolean;
}

/**
 * The store of the path, if the signed-in account may read its numbers. Somebody else's store is answered
 * like one that does not exist.
 */
export async function requireReader(pages: Pages, context: PageContext): Promise<ReadableStore | Response> {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response) return account;
  const id = context.req.param('business_id')?.toLowerCase() ?? '';
  const business = isUuid(id) ? await readBusiness(control, id) : null;
  const isManager = business !== null && (await manages(control, account.account_id, id));
  if (business !== null && (await mayReadNumbers(pages, account, business)))
    return { account, business, isManager };
  return showMessage(pages, context, { status: isManager ? 403 : 404, account }, ({ say }) => ({
    title: say(isManager ? 'refusal.no-numbers' : 'refusal.no-store'),
    text: say(isManager ? 'refusal.no-numbers-text' : 'refusal.not-read'),
    whatToDo: say('refusal.ask-to-read'),
    link: { href: paths.stores, label: say('layout.stores') },
  }));
}

async function mayReadNumbers(
  { control }: Pages,
  account: Account,
  { business_id }: Business,
): Promise<boolean> {
  const permissions = await permissionsOn(control, account.account_id, business_id);
  return permissions?.includes('DISPLAY_ANALYTICS_DASHBOARD') ?? false;
}

/**
 * Counts what an account does. Gives the page that refuses if it was too much in too short a time; else null.
 */
export async function refuseTooOften(
  pages: Pages,
  context: PageContext,
  account: Account,
  what: Parameters<Pages['storeLimits']['add']>[0],
): Promise<Response | null> {
  const seconds = pages.storeLimits.add(what, account.account_id);
  if (seconds === 0) return null;
  context.header('Retry-After', String(seconds));
  const minutes = Math.ceil(seconds / 60);
  return showMessage(pages, context, { status: 429, account }, ({ say }) => ({
    title: say('refusal.too-much'),
    text: say('refusal.too-much-text'),
    whatToDo: say('refusal.try-again', { minutes }),
    link: { href: pages.paths.stores, label: say('layout.stores') },
  }));
}
