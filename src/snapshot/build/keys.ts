import type { KeyTable } from '../../model-table/model-table.ts';
import { literal, type Session } from '../../store/session.ts';

/** The files with the numbers that were given, part by part: each new part is added to those before. */
export interface KeyParts {
  /** Whether the texts are taken out that nothing has any more. Their numbers stay given. */
  readonly forgets: boolean;
  of(table: string): readonly string[];
  /** The file for a new part. */
  next(table: string): string;
  /** Takes away parts of which one file has taken the place. */
  remove(files: readonly string[]): Promise<void>;
}

/** Each part is one more file to read; so many are put together into one. */
const MOST_PARTS = 16;

/**
 * Gives numbers to what has none, and makes all of them readable under the table's name.
 *
 * @returns false when nothing has a number, so that there is nothing to read
 */
export async function createKeys(session: Session, table: KeyTable, keys: KeyParts): Promise<boolean> {
  const identity = Object.keys(table.identity).join(', ');
  if (keys.forgets) await forgetUnnamed(session, table, keys);
  const parts = keys.of(table.name);
  const isFirst = parts.length === 0;
  if (!isFirst) await session.run(`create temp table named as ${table.rows.text}`);
  // Looked for among the numbered, not the other way round: most imports name few.
  const without = isFirst
    ? ''
    : `anti join (from ${readParts(parts)} semi join named using (${identity})) using (${identity})`;
  // TRICKY: numbered by the place in a table. Sorting into one works on all processors, `row_number()` on one.
  // `Count` is what DuckDB answers to `create table … as`: how many rows went into the table.
  const { Count } = await session.row(`
    create temp table newcomers as
    select ${identity} from ${isFirst ? `(${table.rows.text})` : 'named'} ${without} order by ${table.order}`);
  if (!isFirst) session.runLater('drop table named');
  const { last } = isFirst
    ? { last: 0 }
    : await session.row(`select max(${table.key}) as last from ${readParts(parts)}`);
  if (Number(Count) > 0) {
    const numbered = `select ${identity}, cast(${last} + 1 + rowid as integer) as ${table.key} from newcomers`;
    const isMerging = parts.length >= MOST_PARTS;
    const rows = isMerging ? `from ${readParts(parts)} union all ${numbered}` : numbered;
    await session.run(
      `copy (${rows}) to ${literal(keys.next(table.name))} (format parquet, compression zstd)`,
    );
    if (isMerging) await keys.remove(parts);
  }
  session.runLater('drop table newcomers');
  const all = keys.of(table.name);
  if (all.length === 0) return false;
  session.runLater(`create temp view ${table.name} as from ${readParts(all)}`);
  return true;
}

/** The names are empty then, which equals nothing. */
async function forgetUnnamed(session: Session, table: KeyTable, keys: KeyParts): Promise<void> {
  const parts = keys.of(table.name);
  if (parts.length === 0) return;
  const names = Object.keys(table.identity);
  const kept = names.map((name) => `case when is_named then ${name} end as ${name}`);
  await session.run(
    `copy (
      select ${kept.join(', ')}, ${table.key} from ${readParts(parts)}
      left join (select ${names.join(', ')}, true as is_named from (${table.rows.text})) using (${names.join(', ')})
      order by ${table.key}
    ) to ${literal(keys.next(table.name))} (format parquet, compression zstd)`,
  );
  await keys.remove(parts);
}

function readParts(files: readonly string[]): string {
  return `read_parquet([${files.map(literal).join(', ')}])`;
}

/** All numbers that were ever given, as SQL. */
export function everyKey({ name, types }: KeyTable, keys: KeyParts): string {
  const parts = keys.of(name);
  if (parts.length > 0) return readParts(parts);
  const columns = Object.entries(types).map(([column, type]) => `cast(null as ${type}) as "${column}"`);
  return `(select ${columns.join(', ')} where false)`;
}
