import type { KeyTable } from '../../model-table/model-table.ts';
import { literal, type Session } from '../../store/duckdb-session.ts';

/** The files with the numbers that were given, part by part: each new part is added to those before. */
export interface KeyParts {
  /** Says whether texts that nothing has any more are taken out. Their numbers stay given. */
  readonly forgets: boolean;
  of(table: string): readonly string[];
  /** The file for a new part. */
  next(table: string): string;
  /** Takes away parts of which one file has taken the place. */
  remove(files: readonly string[]): Promise<void>;
}

/** The most parts. Each is one more file to read, so more of them are put together into one. */
const MOST_PARTS = 16;

/**
 * The numbers of this many names are held in a table. Those of more stay in the files, which take no memory.
 */
const MOST_HELD = 500_000;

/**
 * Gives numbers to what has none, and makes those of all that is named readable under the table's name.
 *
 * @returns false when nothing has a number, so that there is nothing to read
 */
export async function createKeys(session: Session, table: KeyTable, keys: KeyParts): Promise<boolean> {
  if (keys.forgets) await forgetUnnamed(session, table, keys);
  const parts = keys.of(table.name);
  return parts.length === 0 ? numberAll(session, table, keys) : numberNewcomers(session, table, keys, parts);
}

async function numberAll(session: Session, table: KeyTable, keys: KeyParts): Promise<boolean> {
  const count = await createNewcomers(session, table, `(${table.rows.text})`);
  if (count > 0) await writeNumbers(session, table, keys, { last: 0, before: [] });
  session.runLater('drop table newcomers');
  return readFiles(session, table, keys);
}

async function numberNewcomers(
  session: Session,
  table: KeyTable,
  keys: KeyParts,
  parts: readonly string[],
): Promise<boolean> {
  const identity = Object.keys(table.identity).join(', ');
  const { Count: named } = await session.row(`create temp table named as ${table.rows.text}`);
  const isHeld = Number(named) <= MOST_HELD;
  // Looked for among the numbered, not the other way round: most imports name few.
  const known = `from ${readParts(parts)} semi join named using (${identity})`;
  if (isHeld) await session.run(`create temp table ${table.name} as ${known}`);
  const without = isHeld ? table.name : `(${known})`;
  const count = await createNewcomers(session, table, `named anti join ${without} using (${identity})`);
  session.runLater('drop table named');
  if (count > 0) {
    const { last } = await session.row(`select max(${table.key}) as last from ${readParts(parts)}`);
    const isMerging = parts.length >= MOST_PARTS;
    await writeNumbers(session, table, keys, { last: Number(last), before: isMerging ? parts : [] });
    if (isHeld) session.runLater(`insert into ${table.name} ${numbered(table, Number(last))}`);
  }
  session.runLater('drop table newcomers');
  return isHeld || readFiles(session, table, keys);
}

/** @returns how many there are */
async function createNewcomers(session: Session, table: KeyTable, rows: string): Promise<number> {
  // TRICKY: numbered by the place in a table. Sorting into one works on all processors, `row_number()` on
  // one. `Count` is what DuckDB answers to `create table … as`: how many rows went into the table.
  const { Count } = await session.row(`
    create temp table newcomers as select ${Object.keys(table.identity).join(', ')} from ${rows} order by ${table.order}`);
  return Number(Count);
}

/** @param before parts whose place the new one takes */
async function writeNumbers(
  session: Session,
  table: KeyTable,
  keys: KeyParts,
  { last, before }: { readonly last: number; readonly before: readonly string[] },
): Promise<void> {
  const rows =
    before.length === 0
      ? numbered(table, last)
      : `from ${readParts(before)} union all ${numbered(table, last)}`;
  await session.run(`copy (${rows}) to ${literal(keys.next(table.name))} (format parquet, compression zstd)`);
  if (before.length > 0) await keys.remove(before);
}

function numbered({ identity, key }: KeyTable, last: number): string {
  return `select ${Object.keys(identity).join(', ')}, cast(${last} + 1 + rowid as integer) as ${key} from newcomers`;
}

function readFiles(session: Session, table: KeyTable, keys: KeyParts): boolean {
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
