import type { Account } from '../control/people/accounts.ts';
import { type AppGrant, changeAllowlist, listAppGrants, revokeGrant } from '../control/tokens/grants.ts';
import { InputError } from '../errors.ts';
import type { PlainKey } from '../messages/catalogue.ts';
import type { Messages } from '../messages/messages.ts';
import { allowlistOf, readableBusinesses, readChoice } from './consent-choice.ts';
import {
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
  requireAccount,
} from './page-context.ts';
import { appAccessPage } from './pages/app-access.ts';
import { appsPage } from './pages/apps.ts';
import { connectPage } from './pages/connect.ts';
import type { AppView, BusinessView } from './pages/views.ts';
import { showMessage } from './show-message.ts';

/**
 * Adds the pages about the apps that a person connected: what they may read, how to end that, and how to
 * connect one.
 */
export function addApps(app: PageApp, pages: Pages): void {
  const { paths, control, mcpUrl } = pages;

  app.get(paths.connect, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const messages = messagesOf(context);
    const notice = noticeOf(context, messages);
    return context.html(connectPage({ paths, account, mcpUrl, notice, messages }));
  });

  app.get(paths.apps, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const businesses = await readableBusinesses(control, account.account_id);
    const grants = await listAppGrants(control, account.account_id);
    const views = grants.map((grant) => viewOf(grant, businesses));
    const messages = messagesOf(context);
    const notice = noticeOf(context, messages);
    return context.html(appsPage({ paths, account, apps: views, notice, messages }));
  });

  app.get(paths.appAccess(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    const { account, businesses, grant } = found;
    const view = viewOf(grant, businesses);
    const messages = messagesOf(context);
    return context.html(appAccessPage({ paths, account, businesses, app: view, error: null, messages }));
  });

  app.post(paths.appAccess(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    const { account, businesses, grant } = found;
    const choice = readChoice(await readForm(context), businesses);
    if (choice === null) {
      const view = { ...viewOf(grant, businesses), businesses: [] };
      const messages = messagesOf(context);
      const error = messages.say('choice.nothing-chosen');
      return context.html(appAccessPage({ paths, account, businesses, app: view, error, messages }), 400);
    }
    await changeAllowlist(control, grant.grant_id, allowlistOf(choice));
    return context.redirect(`${paths.apps}?done=changed`, 303);
  });

  app.post(paths.revokeApp(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    // If two people click at the same moment, the second one finds the connection already ended.
    await revokeGrant(control, found.grant.grant_id).catch(ignoreInputError);
    return context.redirect(`${paths.apps}?done=disconnected`, 303);
  });
}

const NOTICES: ReadonlyMap<string, PlainKey> = new Map([
  ['changed', 'apps.done-changed'],
  ['password', 'apps.done-password'],
  ['disconnected', 'apps.done-disconnected'],
]);

/** What has just been done, if the address says so. */
function noticeOf(context: PageContext, { say }: Messages): string | null {
  const done = NOTICES.get(context.req.query('done') ?? '');
  return done === undefined ? null : say(done);
}

function ignoreInputError(error: unknown): void {
  if (!(error instanceof InputError)) throw error;
}

/** The connection of the path, if it belongs to the signed-in account. */
async function findOwn(
  pages: Pages,
  context: PageContext,
): Promise<Response | { account: Account; businesses: readonly BusinessView[]; grant: AppGrant }> {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response) return account;
  const grants = await listAppGrants(control, account.account_id);
  const grant = grants.find(({ grant_id }) => grant_id === context.req.param('grant_id'));
  if (grant !== undefined) {
    return { account, grant, businesses: await readableBusinesses(control, account.account_id) };
  }
  return showMessage(pages, context, { status: 404, account }, ({ say }) => ({
    title: say('apps.no-such'),
    text: say('apps.no-such-text'),
    whatToDo: say('apps.no-such-do'),
    link: { href: paths.apps, label: say('layout.apps') },
  }));
}

/** A business that the account lost is not shown: the connection cannot read it either. */
function viewOf(grant: AppGrant, businesses: readonly BusinessView[]): AppView {
  const { allowlist } = grant;
  return {
    ...grant,
    client_name: grant.client_id === null ? null : (grant.client_name ?? grant.client_id),
    businesses:
      allowlist === null ? 'all' : businesses.filter(({ business_id }) => allowlist.includes(business_id)),
  };
}
