import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { WindowCounts } from '../control/limits/window-counts.ts';
import type { TryKey } from '../live/try-key.ts';
import type { Vendor } from '../live/vendor.ts';
import { logRefusal, publicTexts } from '../mcp/public-error.ts';
import { hideUnexpected } from '../mcp/unexpected-error.ts';
import { askedLocale } from '../messages/languages.ts';
import { type Messages, messagesIn } from '../messages/messages.ts';
import { AuthorizationServer, issuerPath } from '../oauth/authorization-server.ts';
import type { RenderError } from '../oauth/configuration.ts';
import { createEndpoints } from '../oauth/endpoints.ts';
import { createDocumentFetch } from '../oauth/metadata-documents.ts';
import type { WarehouseCopier } from '../snapshot/warehouse-copier.ts';
import type { ImportQueue } from '../uploads/import-queue.ts';
import { Reception } from '../uploads/reception.ts';
import type { UploadLimits } from '../uploads/upload-limits.ts';
import { createPageApp, showNoSuchPage } from '../web/app.ts';
import { IdentityProvider, type IdentityProviderOptions } from '../web/identity-provider.ts';
import { KnownDevices } from '../web/known-devices.ts';
import type { Pages } from '../web/page-context.ts';
import { PageTurns } from '../web/page-turns.ts';
import { messagePage } from '../web/pages/message.ts';
import { type PagePaths, pagePaths } from '../web/paths.ts';
import { securityHeaders } from '../web/security-headers.ts';
import { BrowserSession } from '../web/session.ts';
import { SignInLimits } from '../web/sign-in-limits.ts';
import { StoreLimits } from '../web/store-limits.ts';
import { addressReader, type TrustedProxies } from './client-address.ts';
import { allowSlow } from './slow-requests.ts';

export interface SignInOptions {
  readonly control: ControlDatabase;
  readonly secret: Buffer;
  readonly data: DataFolder;
  readonly copier: WarehouseCopier | null;
  readonly uploadLimits: UploadLimits;
  readonly imports: ImportQueue;
  readonly vendors: readonly Vendor[];
  readonly allowsLoopback: boolean;
  readonly tryKey: TryKey;
  readonly salesOf: Pages['salesOf'];
  readonly overviewOf: Pages['overviewOf'];
  readonly findingsOf: Pages['findingsOf'];
  readonly messages: Pages['messages'];
  readonly log: Logger;
  /** The issuer; endpoints and pages are below it. */
  readonly authUrl: string;
  readonly mcpUrl: string;
  /** It is null when clients connect to this server itself. */
  readonly proxies: TrustedProxies | null;
  /** Another provider where people may sign in too; null when there is none. */
  readonly identityProvider: Omit<IdentityProviderOptions, 'redirectUri' | 'secret'> | null;
  /** Requests per minute and network address; without: as docs/sign-in.md says. */
  readonly limits?: typeof LIMITS;
  /** How what clients publish is fetched; without: from public addresses only. */
  readonly documentFetch?: typeof globalThis.fetch;
}

/**
 * These count per minute and network address. One of them may be a host in the cloud that serves very many
 * people. `registerInAll` is for all addresses together: who has many must not push out the clients whose
 * persons are about to answer.
 */
const LIMITS = { authorize: 120, token: 600, register: 30, registerInAll: 60 };

/** The authorization server and its pages, put together. */
export function createSignIn(options: SignInOptions) {
  const { control, data, copier, secret, log, authUrl, mcpUrl } = options;
  const { origin } = new URL(authUrl);
  const paths = pagePaths(issuerPath(authUrl));
  const showError: RenderError = (asked, error, description) =>
    renderError(paths, messagesIn(askedLocale(asked)), description ?? error);
  const authorizationServer = new AuthorizationServer({
    control,
    secret,
    issuer: authUrl,
    resource: mcpUrl,
    fetch: options.documentFetch ?? createDocumentFetch(),
    consentPath: paths.consent,
    renderError: showError,
    onError: (error) => log.error({ err: error }, 'the authorization server failed'),
  });
  const devices = new KnownDevices(secret, origin);
  const { authorize, token, register, registerInAll } = options.limits ?? LIMITS;
  const limits = {
    authorize: new WindowCounts(authorize, { minutes: 1 }),
    token: new WindowCounts(token, { minutes: 1 }),
    register: new WindowCounts(register, { minutes: 1 }),
  };
  const registrations = new WindowCounts(registerInAll, { minutes: 1 });
  const addressOf = addressReader(options.proxies, log);
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.route(
    '/',
    createEndpoints({
      issuer: authUrl,
      resource: mcpUrl,
      authorizationServer,
      headers: securityHeaders(origin),
      renderError: showError,
      secondsToWait: (context, what) => {
        const wait = limits[what].add(addressOf(context));
        return wait > 0 || what !== 'register' ? wait : registrations.add('all');
      },
    }),
  );
  app.route(
    '/',
    createPageApp({
      control,
      authorizationServer,
      identityProvider: options.identityProvider && createIdentityProvider(options),
      session: new BrowserSession(control, devices, origin),
      devices,
      limits: new SignInLimits(),
      storeLimits: new StoreLimits(),
      reception: new Reception({ control, data, secret, limits: options.uploadLimits }),
      imports: options.imports,
      salesOf: options.salesOf,
      overviewOf: options.overviewOf,
      findingsOf: options.findingsOf,
      messages: options.messages,
      turns: new PageTurns(),
      uploadPlace: { control, data },
      deletionPlace: { control, data, copier },
      secret,
      vendors: options.vendors,
      allowsLoopback: options.allowsLoopback,
      tryKey: options.tryKey,
      allowSlow,
      paths,
      origin,
      mcpUrl,
      addressOf,
      log,
      refusalOf: (error) => refusalOf(log, error),
      reportError: (error) => hideUnexpected(log, error, 'a page failed'),
    }),
  );
  const startUrl = `${origin}${paths.stores}`;
  app.get(issuerPath(authUrl) || '/', (context) => context.redirect(startUrl));
  return {
    app,
    /** What a browser gets where neither the pages nor the server have anything. */
    showNoSuchPage: (context: Context) => showNoSuchPage(context, { paths, origin }),
    /** Where a person begins. */
    startUrl,
    /** How to connect an app. */
    guideUrl: `${origin}${paths.connect}`,
  };
}

function createIdentityProvider({
  identityProvider,
  authUrl,
  secret,
}: SignInOptions): IdentityProvider | null {
  const { identityProviderReturn } = pagePaths(issuerPath(authUrl));
  const redirectUri = new URL(identityProviderReturn, authUrl).href;
  return identityProvider && new IdentityProvider({ ...identityProvider, secret, redirectUri });
}

function refusalOf(log: Logger, error: unknown): string | null {
  const texts = publicTexts(error);
  if (texts === null) return null;
  logRefusal(log, error, {}, 'a page was refused');
  return texts.join('. ');
}

async function renderError(paths: PagePaths, messages: Messages, why: string): Promise<string> {
  const { say } = messages;
  const page = await messagePage({
    paths,
    account: null,
    title: say('oauth.not-connected'),
    // The protocol says what the app did.
    text: { english: `It asked in a way that cannot be answered: ${why}.` },
    whatToDo: say('oauth.connect-again'),
    link: null,
    messages,
  });
  return String(page);
}
