import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Account } from '../control/accounts.ts';
import type { ControlDatabase } from '../control/database.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { PagePaths } from './paths.ts';
import type { BrowserSession } from './session.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export type PageApp = Hono<{ Bindings: HttpBindings }>;
export type PageContext = Context<{ Bindings: HttpBindings }>;

/** What the pages work with. */
export interface Pages {
  readonly control: ControlDatabase;
  readonly authorizationServer: AuthorizationServer;
  readonly identityProvider: IdentityProvider | null;
  readonly session: BrowserSession;
  readonly limits: SignInLimits;
  readonly paths: PagePaths;
  /** Of the pages, from configuration. */
  readonly origin: string;
  readonly mcpUrl: string;
  /** The network address that a request came from. */
  addressOf(context: Context): string;
}

/** The account that is signed in; else the way to the sign-in page and back. */
export async function requireAccount(pages: Pages, context: PageContext): Promise<Account | Response> {
  const account = await pages.session.account(context);
  if (account !== null) return account;
  const returnTo = context.req.method === 'GET' ? new URL(context.req.url).pathname : pages.paths.connections;
  return context.redirect(`${pages.paths.signIn}?return_to=${encodeURIComponent(returnTo)}`, 303);
}

/**
 * Where a sign-in leads: one of our own pages, so that no link to the sign-in page sends a person elsewhere.
 *
 * @param asked from a form or a link
 */
export function readReturnTo(pages: Pages, asked: unknown): string {
  const { paths, origin } = pages;
  const url = typeof asked === 'string' ? URL.parse(asked, origin) : null;
  const pageStarts = [paths.consent(''), paths.connections, paths.connect, paths.password];
  const isOurs = url?.origin === origin && pageStarts.some((start) => url.pathname.startsWith(start));
  return isOurs ? url.pathname : paths.connections;
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
