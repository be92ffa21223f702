import type { html } from 'hono/html';
import type { Permission } from '../../business/business.ts';

/** Escaped text, or a promise of it; hono's `context.html` takes both. */
export type Html = ReturnType<typeof html>;

export interface AccountView {
  readonly email: string;
}

/** An app that asks for access. It chose its own name, so nobody vouches for it. */
export interface ClientView {
  readonly client_name: string | null;
  /**
   * The host that gets the answer: `claude.ai`, `127.0.0.1:3000`. For an app with its own scheme it is the
   * scheme, `cursor:`.
   */
  readonly redirect_host: string | null;
  /** Host of the document that describes the app; null when the app registered itself. */
  readonly metadata_host: string | null;
}

export interface BusinessView {
  readonly business_id: string;
  readonly name: string;
  /** Public storefront URL. */
  readonly link: string | null;
  /** What the account may read of the business. */
  readonly permissions: readonly Permission[];
}

export interface AppView {
  readonly grant_id: string;
  /** Null: a token made on the command line. */
  readonly client_name: string | null;
  /** The same as in `ClientView`. */
  readonly redirect_host: string | null;
  /** `all` includes businesses that are assigned later. */
  readonly businesses: 'all' | readonly { readonly business_id: string; readonly name: string }[];
  /** ISO 8601, as are the other two. */
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string;
}

/** The ticked businesses: all, including later ones; those with these ids; or null, nothing chosen yet. */
export type ChosenBusinesses = 'all' | readonly string[] | null;
