import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { routePath } from 'hono/route';
import { QueueFullError } from '../control/limits/fair-queue.ts';
import { addApps } from './apps.ts';
import { addConsent } from './consent.ts';
import { addTablesToMap } from './map-table.ts';
import { addOverview } from './overview.ts';
import type { PageApp, PageContext, Pages } from './page-context.ts';
import { ICON } from './pages/icon.ts';
import { STYLES } from './pages/styles.ts';
import { addPassword } from './password.ts';
import { addHistory } from './past-imports.ts';
import type { PagePaths } from './paths.ts';
import { addProviderSignIn } from './provider-sign-in.ts';
import { securityHeaders } from './security-headers.ts';
import { type ShownMessage, showMessage } from './show-message.ts';
import { addSignIn } from './sign-in.ts';
import { addStoreConnections } from './store-connections.ts';
import { addStoreSettings } from './store-settings.ts';
import { addStores } from './stores.ts';
import { addUploads, isUpload } from './uploads.ts';

const LARGEST_FORM = 256 * 1024;

/**
 * Makes the pages for people: sign-in, consent, connected apps and password; stores with their uploads,
 * imports and connections.
 */
export function createPageApp(given: Omit<Pages, 'isPage'>): PageApp {
  const { paths, origin } = given;
  const app: PageApp = new Hono();
  const pages: Pages = { ...given, isPage: (path) => isPageOf(app, paths, path) };
  const headers = Object.entries(securityHeaders(origin));

  const limited = bodyLimit({
    maxSize: LARGEST_FORM,
    onError: (context) => {
      // The rest of the body is not read.
      context.header('Connection', 'close');
      return showMessage(pages, context, { status: 413 }, tooLarge(pages));
    },
  });
  for (const start of [
    paths.signIn,
    paths.signOut,
    paths.connect,
    paths.apps,
    paths.stores,
    paths.password,
  ]) {
    guard(`${start}/*`);
  }
  guard(paths.consent('*'));

  /** Adds what holds for every page below a path, and for addresses that have no page. */
  function guard(path: string): void {
    app.use(path, async (context, next) => {
      await next();
      for (const [name, value] of headers) context.header(name, value);
      context.header('Cache-Control', 'no-store');
    });
    app.use(path, async (context, next) => {
      if (isFromElsewhere(context, origin))
        return showMessage(pages, context, { status: 403 }, fromElsewhere(pages));
      if (routePath(context, -1) === path) return showNoSuchPage(context, pages);
      return next();
    });
    app.use(path, (context, next) => (isUpload(pages, context) ? next() : limited(context, next)));
  }

  app.get(paths.styles, (context) =>
    context.body(STYLES, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'max-age=3600',
    }),
  );
  app.get(paths.icon, (context) =>
    context.body(ICON, 200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'max-age=86400' }),
  );
  addSignIn(app, pages);
  addProviderSignIn(app, pages);
  addConsent(app, pages);
  addApps(app, pages);
  addPassword(app, pages);
  addStores(app, pages);
  addOverview(app, pages);
  addStoreSettings(app, pages);
  addUploads(app, pages);
  addTablesToMap(app, pages);
  addHistory(app, pages);
  addStoreConnections(app, pages);
  app.onError((error, context) => {
    if (error instanceof QueueFullError) {
      context.header('Retry-After', '10');
      return showMessage(pages, context, { status: 503 }, busy(pages));
    }
    const refusal = pages.refusalOf(error);
    if (refusal === null)
      return showMessage(pages, context, { status: 500 }, failed(pages, pages.reportError(error)));
    context.header('Retry-After', '5');
    return showMessage(pages, context, { status: 503 }, notNow(pages, refusal));
  });
  return app;
}

/**
 * Whether a sign-in may lead to this path: to every page that is shown on its own, but not to the sign-in
 * itself, a link that sets somebody's password, or a file.
 */
function isPageOf(app: PageApp, paths: PagePaths, path: string): boolean {
  const others: readonly string[] = [
    paths.styles,
    paths.icon,
    paths.rejectedRows(':business_id', ':upload_id'),
    paths.signIn,
    paths.identityProviderReturn,
    paths.passwordLink(':link'),
    paths.overviewCsv(':business_id'),
    paths.overviewPicture(':business_id', ':name'),
  ];
  return app.routes.some(
    ({ method, path: route }) => method === 'GET' && !others.includes(route) && isAt(route, path),
  );
}

/** Whether a path fits a route, whose parts such as `:name` stand for any word. */
function isAt(route: string, path: string): boolean {
  const [wanted, parts] = [route.split('/'), path.split('/')];
  return (
    wanted.length === parts.length &&
    wanted.every((each, place) =>
      each.startsWith(':') ? /^[\w-]+$/.test(parts[place] ?? '') : each === parts[place],
    )
  );
}

/**
 * Whether a request that may change something comes from a page that is not ours. Browsers send one of these
 * headers with every form, and no page can forge them. `Origin` goes first: with a name that an attacker
 * pointed here, their page is on the same site. Every content type is checked, so that no form slips through.
 */
function isFromElsewhere({ req }: PageContext, origin: string): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(req.method)) return false;
  const from = req.header('Origin');
  return from === undefined ? req.header('Sec-Fetch-Site') !== 'same-origin' : from !== origin;
}

/** The message that says so, with the way on, in the reader's language. */
function fromElsewhere({ paths, origin }: Pages): ShownMessage {
  return ({ say }) => ({
    title: say('refusal.elsewhere'),
    text: say('refusal.elsewhere-text', { origin }),
    whatToDo: say('refusal.elsewhere-do'),
    link: { href: `${origin}${paths.stores}`, label: say('layout.stores') },
  });
}

/** Answers at an address that has no page. */
export function showNoSuchPage(
  context: Context,
  { paths, origin }: Pick<Pages, 'paths' | 'origin'>,
): Response | Promise<Response> {
  for (const [name, value] of Object.entries(securityHeaders(origin))) context.header(name, value);
  context.header('Cache-Control', 'no-store');
  return showMessage({ paths }, context, { status: 404 }, ({ say }) => ({
    title: say('refusal.no-page'),
    text: say('refusal.no-page-text'),
    whatToDo: say('refusal.no-page-do'),
    link: { href: paths.stores, label: say('layout.stores') },
  }));
}

function tooLarge({ paths }: Pages): ShownMessage {
  return ({ say }) => ({
    title: say('refusal.too-large'),
    text: say('refusal.too-large-text', { size: LARGEST_FORM / 1024 }),
    whatToDo: say('refusal.too-large-do'),
    link: { href: paths.stores, label: say('layout.stores') },
  });
}

function busy({ paths }: Pages): ShownMessage {
  return ({ say }) => ({
    title: say('refusal.passwords'),
    text: say('refusal.passwords-text'),
    whatToDo: say('refusal.passwords-do'),
    link: { href: paths.signIn, label: say('sign-in.do') },
  });
}

function notNow({ paths }: Pages, refusal: string): ShownMessage {
  return ({ say }) => ({
    title: say('refusal.not-now'),
    text: { english: `${refusal.slice(0, 1).toUpperCase()}${refusal.slice(1)}.` },
    whatToDo: say('refusal.not-now-do'),
    link: { href: paths.stores, label: say('layout.stores') },
  });
}

function failed({ paths }: Pages, report: string): ShownMessage {
  return ({ say }) => ({
    title: say('refusal.failed'),
    text: say('refusal.failed-text', { report }),
    whatToDo: say('refusal.failed-do'),
    link: { href: paths.stores, label: say('layout.stores') },
  });
}
