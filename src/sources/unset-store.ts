import type { Business } from '../business/business.ts';
import type { Base } from '../snapshot/find-base.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import type { Batches } from '../snapshot/table-batches.ts';
import type { Session } from '../store/duckdb-session.ts';
import { orders } from '../store/tables/orders.ts';
import type { StoreClues } from './proposed-store.ts';
import type { Settings } from './source.ts';

/** The first orders of a store have come, and nobody said yet what its time zone and its currency are. */
export class UnsetStoreError extends ImportError {
  readonly clues: StoreClues;
  /** The zone in which times without one are read; null where none was asked for. */
  readonly timezone: string | null;

  constructor(clues: StoreClues, timezone: string | null) {
    super('the time zone and the currency of the store must be known before its orders are counted');
    this.clues = clues;
    this.timezone = timezone;
  }
}

/**
 * Asks for the time zone and currency of a store without orders along with its first ones.
 *
 * @throws UnsetStoreError
 */
export async function askForStore(
  session: Session,
  batches: Batches,
  base: Base | null,
  { timezone, primary_currency }: Business,
  said: Settings,
): Promise<void> {
  const batch = batches.get(orders);
  if (batch === undefined || batch.rows === 0 || base?.tables.includes(orders.name) === true) return;
  // A store that has one of them was made by somebody who said what it is to have.
  if (timezone !== null || primary_currency !== null) return;
  const [currency, country] = [
    await mostOften(session, batch.held, 'currency'),
    await mostOften(session, batch.held, 'country'),
  ];
  throw new UnsetStoreError(
    {
      currency: currency ?? said.currency?.toUpperCase() ?? null,
      country,
      moments: await momentsOf(session),
    },
    said.timezone ?? null,
  );
}

async function mostOften(session: Session, held: readonly string[], column: string): Promise<string | null> {
  if (!held.includes(column)) return null;
  const [row] = await session.rows(
    `select cast(${column} as varchar) as text from batch_orders where ${column} is not null group by text order by count(*) desc, text limit 1`,
  );
  return row === undefined ? null : String(row.text);
}

const WITH_OFFSET =
  '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)? ?[+-][0-9]{2}:?[0-9]{2}';

/** Some rows of each table are enough to see summer and winter. */
const MOST_ROWS = 2000;

/** One time of each month and offset, as the raw rows have it. */
async function momentsOf(session: Session): Promise<readonly string[]> {
  const columns = await session.rows(
    `select table_name, column_name from duckdb_columns() where starts_with(table_name, 'raw_') and data_type = 'VARCHAR' order by table_name, column_index`,
  );
  const tables = Map.groupBy(columns, ({ table_name }) => String(table_name));
  const moments: string[] = [];
  for (const [table, ofTable] of tables) {
    const { count } = await session.row(`select count(*) as count from "${table}"`);
    const step = Math.max(1, Math.ceil(Number(count) / MOST_ROWS));
    const names = ofTable.map(({ column_name }) => `"${String(column_name)}"`).join(', ');
    const rows = await session.rows(
      `select min(text) as text from (select unnest([${names}]) as text from "${table}" where rowid % ${step} = 0)
      where regexp_full_match(text, '${WITH_OFFSET}') group by left(text, 7), right(replace(text, ':', ''), 5)`,
    );
    moments.push(...rows.map(({ text }) => String(text)));
  }
  return moments;
}
