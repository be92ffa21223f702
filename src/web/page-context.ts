import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Logger } from 'pino';
import type { Business } from '../business/business.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import type { WindowCounts } from '../control/limits/window-counts.ts';
import type { Account } from '../control/people/accounts.ts';
import type { TryKey } from '../live/try-key.ts';
import type { Vendor } from '../live/vendor.ts';
import { askedLocale } from '../messages/languages.ts';
import { type Messages, messagesIn } from '../messages/messages.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { AskedOverview } from '../overview/asked-overview.ts';
import type { Findings } from '../overview/findings.ts';
import type { Overview } from '../overview/overview.ts';
import type { SalesFigure } from '../overview/sales-figure.ts';
import type { DeletionPlace } from '../snapshot/delete-business.ts';
import type { ImportQueue } from '../uploads/import-queue.ts';
import type { Reception } from '../uploads/reception.ts';
import type { UploadPlace } from '../uploads/upload-folder.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { KnownDevices } from './known-devices.ts';
import type { PageTurns } from './page-turns.ts';
import type { PagePaths } from './paths.ts';
import type { BrowserSession } from './session.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import type { StoreLimits } from './store-limits.ts';

export type PageApp = Hono<{ Bindings: HttpBindings }>;
export type PageContext = Context<{ Bindings: HttpBindings }>;

/** Everything that the pages work with. */
export interface Pages {
  readonly control: ControlDatabase;
  readonly authorizationServer: AuthorizationServer;
  readonly identityProvider: IdentityProvider | null;
  readonly session: BrowserSession;
  readonly devices: KnownDevices;
  readonly limits: SignInLimits;
  readonly storeLimits: StoreLimits;
  readonly reception: Reception;
  readonly imports: ImportQueue;
  readonly uploadPlace: UploadPlace;
  /** The places of all data of a store, for its deletion. */
  readonly deletionPlace: DeletionPlace;
  /** The secret that seals the keys of connections. */
  readonly secret: Buffer;
  /** The vendors that a store can be connected to. */
  readonly vendors: readonly Vendor[];
  /** Whether vendors may run on this machine, as in development. */
  readonly allowsLoopback: boolean;
  /** Tries a key at its vendor. */
  readonly tryKey: TryKey;
  /**
   * The sales of a store as the account may read them; null where no orders are loaded.
   *
   * @throws InputError
   */
  salesOf(
    account: Account,
    business: Business,
    messages: Messages,
    signal: AbortSignal,
  ): Promise<SalesFigure | null>;
  /**
   * What a store sold in some days, as the account may read it; null where no orders are loaded.
   *
   * @throws InputError
   */
  overviewOf(
    account: Account,
    business: Business,
    asked: AskedOverview,
    messages: Messages,
    signal: AbortSignal,
  ): Promise<Overview | null>;
  /**
   * Why it sold more or less, and what is unusual; null where no orders are loaded.
   *
   * @throws InputError
   */
  findingsOf(
    account: Account,
    business: Business,
    asked: AskedOverview,
    messages: Messages,
    signal: AbortSignal,
  ): Promise<Findings | null>;
  /**
   * Counts the messages of an account in a minute, of pages and of connected apps together, up to a limit.
   */
  readonly messages: WindowCounts;
  /** Makes pages with numbers one after the other for each account. */
  readonly turns: PageTurns;
  /** Lets the body of a request arrive as slowly as it will. */
  allowSlow(incoming: IncomingMessage): void;
  readonly paths: PagePaths;
  /** Whether a path is one of the pages at which a person may begin. */
  isPage(path: string): boolean;
  /** The origin of the pages, from configuration. */
  readonly origin: string;
  readonly mcpUrl: string;
  /** The network address that a request came from. */
  addressOf(context: Context): string;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /**
   * What a person may read about why something cannot be done now, such as too many other questions; it is
   * logged as a refusal. Null for an unexpected error.
   */
  refusalOf(error: unknown): string | null;
  /** Logs an unexpected error, and gives what a person may know about it. */
  reportError(error: unknown): string;
}

/** The texts of a page in the language that its browser asks for. */
export function messagesOf(context: Pick<Context, 'req'>): Messages {
  return messagesIn(askedLocale(context.req.header('Accept-Language')));
}

/** The signed-in account; else the way to the sign-in page and back. */
export async function requireAccount(pages: Pages, context: PageContext): Promise<Account | Response> {
  const account = await pages.session.account(context);
  if (account !== null) return account;
  const returnTo = readReturnTo(pages, new URL(context.req.url).pathname);
  return context.redirect(`${pages.paths.signIn}?return_to=${encodeURIComponent(returnTo)}`, 303);
}

/**
 * Where a sign-in leads: one of our own pages, so that no link to the sign-in page sends a person elsewhere.
 *
 * @param asked from a form or a link
 */
export function readReturnTo({ paths, origin, isPage }: Pages, asked: unknown): string {
  const url = typeof asked === 'string' ? URL.parse(asked, origin) : null;
  return url?.origin === origin && isPage(url.pathname) ? url.pathname : paths.stores;
}

/** The fields of a form, as text. */
export interface Form {
  /** Empty when it is missing. */
  text(name: string): string;
  all(name: string): string[];
}

export async function readForm(context: PageContext): Promise<Form> {
  const fields = await context.req.formData().catch(() => new FormData());
  const all = (name: string) => fields.getAll(name).filter((value) => typeof value === 'string');
  return { all, text: (name) => all(name)[0] ?? '' };
}
