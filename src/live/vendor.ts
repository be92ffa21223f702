import type { Socket } from 'node:net';
import type { z } from 'zod';
import type { ListingName } from '../control/connections/other-origins.ts';
import type { MaxRejects } from '../ingest/rejects.ts';
import { shortText } from '../text/business-text.ts';

/** The values that JSON has. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** A system whose data can be read again and again. */
export interface Vendor {
  /** The name on the command line: `shopify`. */
  readonly name: string;
  /** The name for people: `Shopify`. */
  readonly title: string;
  /**
   * Settings that are no secrets, such as the domain of a shop. Each has a name in `camelCase`, a
   * `description`, and a `title` where a page asks for it, too.
   */
  readonly settings: z.ZodObject<Readonly<Record<string, z.ZodType<string | undefined>>>>;
  /**
   * The setting that says whose data it is, where one does: whatever a key opens there is the same account.
   */
  readonly addressSetting?: string;
  /** The secrets by their names, such as `accessToken`. */
  readonly secrets: Readonly<Record<string, VendorSecret>>;
  /**
   * How many seconds pass between two readings unless somebody chooses otherwise. Without it,
   * `INTERVAL_SECONDS` says so.
   */
  readonly usualInterval?: number;
  /** The streams in the order in which they are read: a stream that others refer to comes before them. */
  readonly streams: readonly Stream[];
  /** The listings that find what the vendor deletes without a word. */
  readonly listings?: readonly Listing[];
  /**
   * Tries the access, with as few requests as tell what may be read.
   *
   * @throws VendorError
   */
  check(access: Access): Promise<Check>;
  /** How the vendor tells of changes by itself, where it does. */
  readonly webhook?: Webhook;
}

/** How requests of a vendor are read that tell of changes. */
export interface Webhook {
  /** The name of the secret that they are signed with. */
  readonly secret: string;
  /** The header with the signature: of a request without it nothing is read. */
  readonly signedBy: string;
  /**
   * How many bytes the body of a request with these headers may have, which nobody has signed: what the
   * vendor sends has fewer.
   */
  mostBytes(headers: Headers): number;
  /**
   * @param settings of the connection. Some vendors sign for all shops of an app alike: what names another
   *   shop is not for us
   * @returns what the request says; null where the signature is not the vendor's
   */
  read(headers: Headers, body: Uint8Array, secret: string, settings: Access['settings']): Notice | null;
}

/** What a webhook says. The rows themselves are read as ever: what a request brings is not believed. */
export type Notice =
  /** A stream has something new. */
  | { readonly kind: 'changed'; readonly stream: string }
  /** Something was deleted for good; a page may say so, too. */
  | { readonly kind: 'gone'; readonly gone: Deletion }
  /**
   * A person must be forgotten: everybody with one of these ids, e-mail addresses or phone numbers, and these
   * orders.
   */
  | { readonly kind: 'forget'; readonly person: NamedPerson; readonly orders: readonly string[] }
  /** A person asked what is known of them; the merchant answers that. */
  | { readonly kind: 'asked'; readonly person: NamedPerson }
  /** All data of the connection must be removed. */
  | { readonly kind: 'forget_all' }
  /** The message has nothing that concerns us, such as the vendor's test of the address. */
  | { readonly kind: 'nothing' };

export interface NamedPerson {
  /** The id of the customer, as in the vendor's rows and in `external_customer_id`. */
  readonly customerId: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

export interface VendorSecret {
  /** The name of the field: `Consumer key`. */
  readonly title: string;
  /**
   * The words for a person who looks for it: `the consumer key (WooCommerce, Settings, Advanced, REST API)`.
   */
  readonly description: string;
  /** Whether a connection works without it. */
  readonly isOptional?: boolean;
  /** Whether few people have it. */
  readonly isRare?: boolean;
  /** Names the setting of the other kind of key, which no longer counts once this key is given. */
  readonly insteadOf?: string;
}

export interface Check {
  /** The owner of the data, as the vendor calls them: the name of a shop, and no person. */
  readonly account: string;
  /**
   * The id by which the vendor always knows the account, however it is named. Undefined if the vendor has no
   * such id, or the key may not read it.
   */
  readonly accountId?: string;
  /** Scopes that the access lacks. */
  readonly missing: readonly MissingScope[];
}

export interface MissingScope {
  readonly scope: string;
  /** What is missing without the scope: `only orders of the last 60 days`. */
  readonly costs: string;
}

/** One kind of a vendor's rows, and how to go on reading where one stopped. */
export interface Stream {
  /** The name in lower case with dashes: `orders`. It is part of a path. */
  readonly name: string;
  /** The name of the source in `src/sources` that understands the rows: `shopify-json`. */
  readonly landsAs: string;
  /**
   * Names of fields, wherever they stand in a row, that never reach the disk, beside those that no row keeps:
   * see `src/live/landing/without-persons.ts`. For texts that customers write, such as `customer_note`.
   */
  readonly dropped?: readonly string[];
  /**
   * Reads what came after a place, page by page, and ends where there is no more now. May be stopped after
   * any page, and asked again with the cursor of any page before: rows that come twice count once.
   *
   * @param cursor of the last page that is on the disk; null: everything
   * @throws VendorError
   */
  read(access: Access, cursor: Json): AsyncIterable<Page>;
}

/**
 * A page is imported as a whole or not at all, and two pages may be in two imports. So an order and its
 * lines, which mean something only together, stand in one page.
 */
export interface Page {
  /** The rows as the vendor sent them: each a document of the stream's source. */
  readonly rows: readonly Json[];
  /** The rows that the vendor has deleted. It is deleted here after the rows of the page are imported. */
  readonly gone?: readonly Deletion[];
  /**
   * Files instead of rows, such as a feed: imported together as they are, and not kept. The page is the only
   * one then.
   */
  readonly downloads?: readonly Download[];
  /** How many bad rows of such files are left out before the import is refused. Without it, none. */
  readonly mostBadRows?: MaxRejects;
  /**
   * The place from which to go on once the page is on the disk. It must hold no secrets, since the control
   * database keeps it in clear.
   */
  readonly cursor: Json;
  /**
   * The moment until which the stream is complete with this page, where the vendor or the question tells it.
   */
  readonly until?: Date;
}

/** All ids of a kind of rows. What a connection brought and the vendor has no more is found by comparing. */
export interface Listing {
  /** Unlike that of any stream: it is part of a path. */
  readonly name: ListingName;
  /** The name for people: `orders`. */
  readonly title: string;
  /** The stream that reads these rows. Where it fails, nothing is compared. */
  readonly stream: string;
  /** The table of our own format, with the one column of its key. */
  readonly table: string;
  readonly column: string;
  /**
   * The id of a row as any stream landed it, as it stands in that column; null where it is of another kind.
   */
  idOf(row: Json): string | null;
  /** Whether the vendor lists all that it has. Without: it does. @throws VendorError */
  listsAll?(access: Access): Promise<boolean>;
  /**
   * All ids, page by page. May be stopped after any page, and asked again with the cursor of any page before.
   *
   * @throws VendorError
   */
  list(access: Access, cursor: Json): AsyncIterable<IdPage>;
  /**
   * Asks for each of at most 100 ids by itself, and gives those that the vendor does not have. @throws
   * VendorError
   */
  missing(access: Access, ids: readonly string[]): Promise<readonly string[]>;
}

export interface IdPage {
  readonly ids: readonly string[];
  readonly cursor: Json;
}

/** A row of our own format that is deleted: docs/decisions/0048-deletions.md. */
export interface Deletion {
  /** The table, such as `orders`. */
  readonly table: string;
  /** The key as the source makes it: `{ order_id: '450789469' }`. */
  readonly key: Readonly<Record<string, string>>;
}

export interface Download {
  /** A name by which a reader recognises the file: `products.xml`. */
  readonly name: string;
  /** Fails where it is cut off, if that can be noticed. The files of a page are read one after the other. */
  readonly content: ReadableStream<Uint8Array>;
}

/** How a vendor is reached for one connection. */
export interface Access {
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** @throws VendorError when it is missing */
  secret(name: string): string;
  /** Null when it is missing. */
  secretIfAny(name: string): string | null;
  /**
   * Asks a public address over https (in tests and development also loopback), without following redirects:
   * an answer with any status, whose body ends with an error where it is longer than allowed, comes too
   * slowly or is cut off. Does not retry and does not wait for the vendor's limits: that is the client's, by
   * the vendor's own headers.
   *
   * @throws VendorError `vendor_down` when nothing answers
   */
  fetch(request: Request): Promise<Response>;
  /**
   * Fetches a file that is read piece by piece and may be large: nobody may hold its body in memory.
   * Otherwise it is like `fetch`.
   */
  fetchFile(request: Request): Promise<Response>;
  /**
   * A socket for a client that speaks no HTTP: it leads to the host alone, under the same rule for addresses.
   *
   * @throws VendorError when the host is an address that is not public
   */
  socketTo(host: string): Socket;
  now(): Date;
  /**
   * Waits, and throws when the run ends meanwhile. A wait of more than a minute is a `VendorError` with
   * `retryAt`.
   */
  sleep(milliseconds: number): Promise<void>;
  /** Ends the run: after it nothing is asked any more. */
  readonly signal: AbortSignal;
  /**
   * Writes to the operator's log. The message holds no secrets, no addresses of persons and no texts of the
   * vendor's rows.
   */
  log(message: string, details?: Readonly<Record<string, string | number>>): void;
}

/** Why a vendor could not be read, each a state that people see: docs/live.md says what to do. */
export type FailureState =
  /** The key is wrong, ended or was taken back. */
  | 'unauthorized'
  /** The key may not read what is asked for. */
  | 'missing_scope'
  /** The vendor does not answer, or says that it cannot now. */
  | 'vendor_down'
  /** The vendor gives no more answers until a moment. */
  | 'quota'
  /** The vendor does not have the version or the field that is asked for. */
  | 'api_changed'
  /** What it answered is not what it says it answers, or was cut off. */
  | 'bad_answer';

/**
 * The limit is in characters. Words of the vendor may stand in a message, and it is kept with each run and
 * shown on pages.
 */
const LONGEST_MESSAGE = 1000;

/**
 * A vendor could not be read. The message says what happened and what to do, without secrets: people see it.
 */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly state: FailureState;
  /** When the vendor may work again, where it says so. */
  readonly retryAt: Date | undefined;

  constructor(
    state: FailureState,
    message: string,
    options: { readonly retryAt?: Date; readonly cause?: unknown } = {},
  ) {
    super(shortText(message, LONGEST_MESSAGE), options.cause === undefined ? {} : { cause: options.cause });
    this.state = state;
    this.retryAt = options.retryAt;
  }
}
