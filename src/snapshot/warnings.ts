import { listUnpriced, type UnpricedMoney } from '../domains/orders/definitions/unpriced.ts';
import { type CanonicalTable, haveSameKey } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import { nameSome } from '../text/name-some.ts';
import { plural } from '../text/plural.ts';
import { ImportError } from './import-errors.ts';
import { NAMES } from './incremental/person-names.ts';

/** The number of rows of the store with each doubt, by its name. */
export type Doubts = Readonly<Record<string, number>>;

interface LoadedStore {
  readonly currency: string | null;
  /** The canonical tables that have rows. */
  readonly loadedTables: readonly string[];
}

/**
 * What the merchant should know of the new snapshot's data although it is loaded.
 *
 * @throws ImportError when orders have several currencies and the business has none, since their sum means
 *   nothing
 */
export async function findWarnings(
  session: Session,
  store: LoadedStore,
  known: Doubts | null,
): Promise<{ readonly doubts: Doubts; readonly warnings: readonly string[] }> {
  if (store.currency === null) await refuseMixedCurrencies(session);
  const asked = DOUBTS.filter(({ name }) => known?.[name] === undefined);
  const doubts = { ...(await countDoubts(session, asked, store)), ...known };
  const warnings = DOUBTS.flatMap(({ name, says }) => {
    const count = doubts[name] ?? 0;
    return count > 0 ? [says(count)] : [];
  });
  return { doubts, warnings: [...(await unpricedWarnings(session, store)), ...warnings] };
}

async function unpricedWarnings(session: Session, { currency }: LoadedStore): Promise<string[]> {
  const rows = await session.rows(
    `select kind, currency, cast(sum(pieces_count) as integer) as pieces_count, cast(sum(amount) as double) as amount
      from unpriced_money group by kind, currency order by kind, currency`,
  );
  if (rows.length === 0) return [];
  const unpriced = listUnpriced(rows as unknown as readonly UnpricedMoney[]);
  return [
    `without an exchange rate to ${currency}: ${unpriced}. They are counted, and their money is in no amount. Give their rates in a ` +
      'table fx_rates (date, currency, rate), or import eurofxref-hist.csv of the European Central Bank as it is',
  ];
}

/**
 * The doubts of before, and how many more there are of each in the rows of affected persons than in those of
 * before: counting them all joins all lines with all orders. Those of tables that name nobody are left out.
 *
 * The session has the rows of affected persons in the schema `store`, all rows before in `before`, and the
 * changed ones in `changed`.
 */
export async function doubtsAfter(session: Session, before: Doubts): Promise<Doubts> {
  const ofPersons = DOUBTS.filter(({ table, name }) => table in NAMES && before[name] !== undefined);
  const views = CANONICAL_TABLES.map((table) => `create view former.${table.name} as ${formerRows(table)}`);
  await session.run(`attach ':memory:' as former; ${views.join('; ')}`);
  const store = { loadedTables: CANONICAL_TABLES.map(({ name }) => name) };
  const now = await countDoubts(session, ofPersons, store);
  const then = await countDoubts(session, ofPersons, store, 'former');
  return Object.fromEntries(
    ofPersons.map(({ name }) => [name, Number(before[name]) + Number(now[name]) - Number(then[name])]),
  );
}

/**
 * SQL: of a table that names persons the rows of affected ones as they were. Who is affected now was so
 * before.
 */
function formerRows(table: CanonicalTable): string {
  const { name } = table;
  if (!(name in NAMES)) return `from before.${name}`;
  return `
    select now.* from store.${name} as now
    anti join (from changed.${name} where is_new) as coming on ${haveSameKey(table, 'now', 'coming')}
    union all by name select * exclude (is_new) from changed.${name} where not is_new`;
}

async function countDoubts(
  session: Session,
  asked: readonly Doubt[],
  { loadedTables }: Pick<LoadedStore, 'loadedTables'>,
  schema = 'store',
): Promise<Doubts> {
  const none = Object.fromEntries(asked.map(({ name }) => [name, 0]));
  const doubts = asked.filter(({ table }) => loadedTables.includes(table));
  if (doubts.length === 0) return none;
  // Rows, not columns of one row: DuckDB looks longer for the best order to join that many columns than it
  // counts.
  const counts = await session.rows(
    doubts
      .map(
        ({ name, table, rows }) =>
          `select '${name}' as name, count(*) as count from ${schema}.${table} ${rows(schema)}`,
      )
      .join(' union all '),
  );
  return { ...none, ...Object.fromEntries(counts.map(({ name, count }) => [String(name), Number(count)])) };
}

interface Doubt {
  readonly name: string;
  readonly table: string;
  readonly rows: (schema: string) => string;
  readonly says: (count: number) => string;
}

/** Rows that belong to something of which nothing else is loaded. */
const without =
  (owner: string, key: string): Doubt['rows'] =>
  (schema) =>
    `anti join ${schema}.${owner} using (${key})`;

/** Rows of a canonical table that may not be what the merchant meant. */
export const DOUBTS: readonly Doubt[] = [
  {
    name: 'orders cancelled at a moment alone',
    table: 'orders',
    rows: () => `where cancelled_at is not null and status <> 'cancelled'`,
    says: (count) =>
      plural(
        count,
        'order has a cancelled_at and another status than cancelled: it counts as valid',
        'orders have a cancelled_at and another status than cancelled: they count as valid',
      ),
  },
  {
    name: 'order_items without orders',
    table: 'order_items',
    rows: without('orders', 'order_id'),
    says: belonging('order_item belongs to an order', 'order_items belong to orders'),
  },
  {
    name: 'refunds without orders',
    table: 'refunds',
    rows: without('orders', 'order_id'),
    says: belonging('refund belongs to an order', 'refunds belong to orders'),
  },
  {
    name: 'refund_lines without refunds',
    table: 'refund_lines',
    rows: without('refunds', 'refund_id, order_id'),
    says: belonging(
      'refund_line belongs to a refund of its order',
      'refund_lines belong to refunds of their order',
    ),
  },
  {
    name: 'messages without campaigns',
    table: 'messages',
    rows: without('campaigns', 'campaign_id'),
    says: belonging('message belongs to a campaign', 'messages belong to campaigns'),
  },
  {
    name: 'sends without messages',
    table: 'sends',
    rows: without('messages', 'message_id'),
    says: belonging('send belongs to a message', 'sends belong to messages'),
  },
  {
    name: 'message_events without sends',
    table: 'message_events',
    rows: without('sends', 'send_id'),
    says: belonging('message_event belongs to a send', 'message_events belong to sends'),
  },
];

function belonging(one: string, many: string): Doubt['says'] {
  return (count) =>
    plural(
      count,
      `${one} that is not loaded; it counts when that is`,
      `${many} that are not loaded; they count when those are`,
    );
}

async function refuseMixedCurrencies(session: Session): Promise<void> {
  const rows = await session.rows(
    'select distinct currency from store.orders where currency is not null order by 1',
  );
  if (rows.length < 2) return;
  throw new ImportError(
    `the orders have several currencies (${rows.map((row) => row.currency).join(', ')}) and the business has no primary ` +
      'currency, so they cannot be added up. Give it one with `business update --currency`, and the rates of the others in a table fx_rates, or in fx_rate of each order',
  );
}

/** Warns of snapshots that lie in the data folder and that nobody serves. */
export function warnOfUnknown(unknown: readonly string[], businessId: string): string[] {
  if (unknown.length === 0) return [];
  return [
    `the control database does not know ${unknown.length} of the snapshots in the data folder: ${nameSome(unknown)}; ` +
      `\`snapshot list ${businessId}\` shows them, \`snapshot adopt\` takes one up, \`snapshot remove\` removes one`,
  ];
}

/** Warns of personal data whose hashes do not meet. */
export function warnOfSecrets(secrets: readonly string[]): string[] {
  if (secrets.length < 2) return [];
  return [
    `e-mails and phones were hashed with ${secrets.length} different secrets, so a customer who is in files of before and ` +
      'after the change counts as two; import all files into a new business to mend that',
  ];
}
