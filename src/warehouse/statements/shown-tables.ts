import { MODEL_TABLES } from '../../snapshot/build/model-tables.ts';
import { type CanonicalTable, storedColumns } from '../../store/canonical-table.ts';
import { CANONICAL_TABLES } from '../../store/tables/all-tables.ts';
import { TABLE_BRIEFS } from './table-briefs.ts';

/**
 * - `shown`: as it is stored.
 * - `key`: names a person, or a row that only a person's system has: it becomes a key of the one answer.
 * - `shared`: as it is stored where enough people of the table share it, else `(other)`, a number null.
 * - `hidden`: is in no table that a statement sees.
 */
type Showing = 'shown' | 'key' | 'shared' | 'hidden';

export interface ShownColumn {
  readonly name: string;
  readonly type: string;
  readonly showing: Exclude<Showing, 'hidden'>;
}

/** A table that statements can read. */
export interface ShownTable {
  /** `orders` of the model, `store.orders` of what was imported. */
  readonly name: string;
  /** What a row is, and what the names of columns do not say. */
  readonly meaning: string;
  readonly columns: readonly ShownColumn[];
  /** It is null for a table of the model. */
  readonly canonical: CanonicalTable | null;
}

/** Keys that stay the same from import to import, and so would let a person be followed over answers. */
const PERSON_KEYS: ReadonlySet<string> = new Set(['customer_key', 'visitor_key']);

/**
 * What is made for conditions of segments alone, or tells more of one person than what they bought and read.
 */
const HIDDEN: ReadonlySet<string> = new Set([
  // The same for a person in every answer.
  'split_number',
  'birth_day',
  'birthday',
  // The domain of one mailbox is nearly the address.
  'email_domain',
  // Mail systems wrote this text about one mailbox.
  'reason_text',
]);

/**
 * Something of a person that many people have: a domain of mailboxes is a fact of the shop where it is, and
 * one of few is nearly their address.
 */
const SHARED: ReadonlySet<string> = new Set(['recipient_domain', 'mailbox_provider', 'birth_month']);

/** This table says how a profile is called elsewhere, and with which hashes. */
const HIDDEN_TABLES: ReadonlySet<string> = new Set(['identities']);

/** The shop's own numbers of its orders: they stand in its book (0184). */
const NUMBERS_OF_ORDERS: ReadonlySet<string> = new Set(['order_id', 'number', 'reference', 'refund_id']);

/** All, first those of the model, which have the numbers as tools count them. */
export const SHOWN_TABLES: ReadonlyMap<string, ShownTable> = new Map(
  [...MODEL_TABLES.map(ofModel), ...CANONICAL_TABLES.flatMap(ofStore)].map((table) => [table.name, table]),
);

function ofModel({ name, meaning, types }: (typeof MODEL_TABLES)[number]): ShownTable {
  const columns = Object.entries(types).map(([column, type]) => ({
    name: column,
    type,
    showing: showingInModel(column),
  }));
  return {
    name,
    meaning: briefOf(name, meaning),
    columns: withoutHidden(columns as Column[]),
    canonical: null,
  };
}

function showingInModel(column: string): Showing {
  if (HIDDEN.has(column)) return 'hidden';
  if (PERSON_KEYS.has(column)) return 'key';
  return SHARED.has(column) ? 'shared' : 'shown';
}

function ofStore(table: CanonicalTable): ShownTable | [] {
  if (HIDDEN_TABLES.has(table.name)) return [];
  const stored = storedColumns(table);
  const hasPersons = stored.some(({ text }) => text === 'personId' || text === 'hash');
  const columns = stored.map((column) => ({
    name: column.name,
    type: column.type,
    showing: showingOf(column, hasPersons),
  }));
  const name = `store.${table.name}`;
  return {
    name,
    meaning: briefOf(name, table.meaning),
    columns: withoutHidden(columns),
    canonical: table,
  };
}

function briefOf(name: string, meaning: string): string {
  return TABLE_BRIEFS[name] ?? meaning.replace(/\s+/g, ' ');
}

function showingOf({ name, text }: { name: string; text: string | null }, hasPersons: boolean): Showing {
  // The model has these of the same people.
  if (HIDDEN.has(name) || SHARED.has(name) || text === 'hash' || text === 'attributes') return 'hidden';
  // A person wrote this text, or somebody wrote it about a person.
  if (text === 'freeText' && hasPersons) return 'hidden';
  if (text === 'personId') return 'key';
  return text === 'recordId' && !NUMBERS_OF_ORDERS.has(name) ? 'key' : 'shown';
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly showing: Showing;
}

function withoutHidden(columns: readonly Column[]): ShownColumn[] {
  return columns.flatMap((column) => {
    const { showing } = column;
    if (showing === 'hidden') return [];
    return [{ ...column, type: showing === 'key' ? 'varchar' : column.type, showing }];
  });
}
