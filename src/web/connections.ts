import type { Account } from '../control/people/accounts.ts';
import {
  type ClientConnection,
  changeAllowlist,
  listClientConnections,
  revokeGrant,
} from '../control/tokens/grants.ts';
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
import { connectPage } from './pages/connect.ts';
import { connectionPage } from './pages/connection.ts';
import { connectionsPage } from './pages/connections.ts';
import type { BusinessView, ConnectionView } from './pages/views.ts';
import { showMessage } from './show-message.ts';

/**
 * Adds the pages about the apps that a person connected: what they may read, how to end that, and how to
 * connect one.
 */
export function addConnections(app: PageApp, pages: Pages): void {
  const { paths, control, mcpUrl } = pages;

  app.get(paths.connect, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const messages = messagesOf(context);
    const notice = noticeOf(context, messages);
    return context.html(connectPage({ paths, account, mcpUrl, notice, messages }));
  });

  app.get(paths.connections, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const businesses = await readableBusinesses(control, account.account_id);
    const connections = await listClientConnections(control, account.account_id);
    const views = connections.map((connection) => viewOf(connection, businesses));
    const messages = messagesOf(context);
    const notice = noticeOf(context, messages);
    return context.html(connectionsPage({ paths, account, connections: views, notice, messages }));
  });

  app.get(paths.connection(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    const { account, businesses, connection } = found;
    const view = viewOf(connection, businesses);
    const messages = messagesOf(context);
    return context.html(
      connectionPage({ paths, account, businesses, connection: view, error: null, messages }),
    );
  });

  app.post(paths.connection(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    const { account, businesses, connection } = found;
    const choice = readChoice(await readForm(context), businesses);
    if (choice === null) {
      const view = { ...viewOf(connection, businesses), businesses: [] };
      const messages = messagesOf(context);
      const error = messages.say('choice.nothing-chosen');
      return context.html(
        connectionPage({ paths, account, businesses, connection: view, error, messages }),
        400,
      );
    }
    await changeAllowlist(control, connection.grant_id, allowlistOf(choice));
    return context.redirect(`${paths.connections}?done=changed`, 303);
  });

  app.post(paths.revokeConnection(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    // Of two clicks at the same moment, the second finds the connection already ended.
    await revokeGrant(control, found.connection.grant_id).catch(ignoreInputError);
    return context.redirect(`${paths.connections}?done=disconnected`, 303);
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
): Promise<
  Response | { account: Account; businesses: readonly BusinessView[]; connection: ClientConnection }
> {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response) return account;
  const connections = await listClientConnections(control, account.account_id);
  const connection = connections.find(({ grant_id }) => grant_id === context.req.param('grant_id'));
  if (connection !== undefined) {
    return { account, connection, businesses: await readableBusinesses(control, account.account_id) };
  }
  return showMessage(pages, context, { status: 404, account }, ({ say }) => ({
    title: say('apps.no-such'),
    text: say('apps.no-such-text'),
    whatToDo: say('apps.no-such-do'),
    link: { href: paths.connections, label: say('layout.apps') },
  }));
}

/** A business that the account lost is not shown: the connection cannot read it either. */
function viewOf(connection: ClientConnection, businesses: readonly BusinessView[]): ConnectionView {
  const { allowlist } = connection;
  return {
    ...connection,
    client_name: connection.client_id === null ? null : (connection.client_name ?? connection.client_id),
    businesses:
      allowlist === null ? 'all' : businesses.filter(({ business_id }) => allowlist.includes(business_id)),
  };
}
