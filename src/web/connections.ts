import type { Account } from '../control/accounts.ts';
import {
  type ClientConnection,
  changeAllowlist,
  listClientConnections,
  revokeGrant,
} from '../control/grants.ts';
import { InputError } from '../errors.ts';
import { allowlistOf, NOTHING_CHOSEN, readableBusinesses, readChoice } from './choice.ts';
import { type PageApp, type PageContext, type Pages, readForm, requireAccount } from './page-context.ts';
import { connectPage } from './pages/connect.ts';
import { connectionPage } from './pages/connection.ts';
import { connectionsPage } from './pages/connections.ts';
import { messagePage } from './pages/message.ts';
import type { BusinessView, ConnectionView } from './pages/views.ts';

/** The apps that a person connected: what they may read, and their end; and how to connect one. */
export function addConnections(app: PageApp, pages: Pages): void {
  const { paths, control, mcpUrl } = pages;

  app.get(paths.connect, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const notice = NOTICES.get(context.req.query('done') ?? '') ?? null;
    return context.html(connectPage({ paths, account, mcpUrl, notice }));
  });

  app.get(paths.connections, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const businesses = await readableBusinesses(control, account.account_id);
    const connections = await listClientConnections(control, account.account_id);
    const views = connections.map((connection) => viewOf(connection, businesses));
    const notice = NOTICES.get(context.req.query('done') ?? '') ?? null;
    return context.html(connectionsPage({ paths, account, connections: views, notice }));
  });

  app.get(paths.connection(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    const { account, businesses, connection } = found;
    const view = viewOf(connection, businesses);
    return context.html(connectionPage({ paths, account, businesses, connection: view, error: null }));
  });

  app.post(paths.connection(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    const { account, businesses, connection } = found;
    const choice = readChoice(await readForm(context), businesses);
    if (choice === null) {
      const view = { ...viewOf(connection, businesses), businesses: [] };
      const page = connectionPage({ paths, account, businesses, connection: view, error: NOTHING_CHOSEN });
      return context.html(page, 400);
    }
    await changeAllowlist(control, connection.grant_id, allowlistOf(choice));
    return context.redirect(`${paths.connections}?done=changed`, 303);
  });

  app.post(paths.revokeConnection(':grant_id'), async (context) => {
    const found = await findOwn(pages, context);
    if (found instanceof Response) return found;
    // Of two clicks at the same moment, the second one finds the connection ended already.
    await revokeGrant(control, found.connection.grant_id).catch(ignoreInputError);
    return context.redirect(`${paths.connections}?done=disconnected`, 303);
  });
}

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['changed', 'The app reads the stores that you chose from its next question on.'],
  ['password', 'Your password is saved, and you are signed in.'],
  ['disconnected', 'The app is disconnected. It can read nothing more.'],
]);

function ignoreInputError(error: unknown): void {
  if (!(error instanceof InputError)) throw error;
}

/** The connection of the path, if it is one of the account that is signed in. */
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
  const page = messagePage({
    paths,
    account,
    title: 'No such connection',
    text: 'It was disconnected, has ended, or is of another account.',
    whatToDo: 'See which apps are connected now.',
    link: { href: paths.connections, label: 'Connected apps' },
  });
  return context.html(page, 404);
}

/** A business that the account lost is not shown: the connection does not read it either. */
function viewOf(connection: ClientConnection, businesses: readonly BusinessView[]): ConnectionView {
  const { allowlist } = connection;
  return {
    ...connection,
    client_name: connection.client_id === null ? null : (connection.client_name ?? connection.client_id),
    businesses:
      allowlist === null ? 'all' : businesses.filter(({ business_id }) => allowlist.includes(business_id)),
  };
}
