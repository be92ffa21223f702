import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { storeFolder } from '../control/data-folder/data-folder.ts';
import { type CanonicalTable, storedColumns, storedNames } from '../store/canonical-table.ts';
import { literal, type Session } from '../store/duckdb-session.ts';
import { GATE_VERSION } from '../store/personal-data/gate.ts';
import { gatedValue } from '../store/personal-data/session-gate.ts';
import type { Base } from './find-base.ts';
import { ImportError } from './import-errors.ts';

/**
 * A file with rows of a canonical table. It never changes: a later import writes other parts, and beside this
 * one the numbers of those of its rows that no longer count.
 */
export interface Part {
  /** Parts of a table have their numbers in the order in which they came. */
  readonly number: number;
  readonly file: string;
  readonly bytes: number;
  /** How many rows are in the file, also those that no longer count. */
  readonly rows: number;
  /** The columns that a row of the part holds, or held when it was written. */
  readonly columns: ReadonlySet<string>;
  /** Whether its rows passed the gate for personal data as it is now. */
  readonly isGated: boolean;
  readonly deleted: DeletedRows | null;
}

/**
 * The numbers of rows of a part that later imports replaced or deleted, in the column `row` of a file:
 * position deletes.
 */
interface DeletedRows {
  readonly file: string;
  readonly rows: number;
}

/** The parts of each canonical table that a snapshot has rows of. */
export type Parts = ReadonlyMap<string, readonly Part[]>;

export function partFile(snapshot: string, table: string, part: number): string {
  return join(storeFolder(snapshot), `${table}-${part}.parquet`);
}

export function deletedRowsFile(snapshot: string, table: string, part: number): string {
  return join(storeFolder(snapshot), `${table}-${part}.deleted.parquet`);
}

/** `orders-3.parquet`, `orders-3.deleted.parquet`; of versions before there were parts `orders.parquet`. */
const FILE_NAME = /^([a-z_]+)(?:-([0-9]+))?([.]deleted)?[.]parquet$/;

interface PartFile {
  readonly table: string;
  readonly number: number;
  readonly isOfDeleted: boolean;
  readonly file: string;
}

async function listFiles(snapshot: string): Promise<readonly PartFile[]> {
  const folder = storeFolder(snapshot);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, table, number = '1', deleted] = FILE_NAME.exec(name) ?? [];
    if (table === undefined) return [];
    return [{ table, number: Number(number), isOfDeleted: deleted !== undefined, file: join(folder, name) }];
  });
}

/** The canonical tables of which a snapshot has files. */
export async function storedTables(snapshot: string): Promise<ReadonlySet<string>> {
  return new Set((await listFiles(snapshot)).map(({ table }) => table));
}

/** What a snapshot has of the canonical tables. */
export async function readParts(session: Session, snapshot: string): Promise<Parts> {
  const files = await listFiles(snapshot);
  const contents = await readContents(
    session,
    files.map(({ file }) => file),
  );
  const parts = new Map<string, Part[]>();
  for (const { table, number, file } of files.filter(({ isOfDeleted }) => !isOfDeleted)) {
    const deleted = files.find(
      (other) => other.isOfDeleted && other.table === table && other.number === number,
    );
    const ofTable = parts.get(table) ?? [];
    parts.set(table, ofTable);
    ofTable.push({
      number,
      file,
      bytes: (await stat(file)).size,
      ...contentsOf(contents, file),
      deleted:
        deleted === undefined ? null : { file: deleted.file, rows: contentsOf(contents, deleted.file).rows },
    });
  }
  for (const ofTable of parts.values()) ofTable.sort((one, other) => one.number - other.number);
  return parts;
}

/** @throws ImportError when rows that were loaded are gone: going on would lose them for good */
export async function readPartsOf(
  session: Session,
  base: Pick<Base, 'folder' | 'tables'> | null,
): Promise<Parts> {
  if (base === null) return new Map();
  const parts = await readParts(session, base.folder);
  const missing = base.tables.find((table) => !parts.has(table));
  if (missing === undefined) return parts;
  throw new ImportError(
    `${storeFolder(base.folder)} has no file of the ${missing} that were loaded before. Restore it from a backup, or go ` +
      'back to another snapshot with `snapshot rollback`',
  );
}

const GATE_MARK = 'personal_data_gate';

/**
 * How parts are written. Collecting ids and numbers for a dictionary takes as long as all the rest, and
 * without one a file is hardly larger (bench/README.md): a column with more than 1000 values in a row group
 * gets none.
 */
export const PART_FORMAT = `format parquet, compression zstd, compression_level 1, dictionary_size_limit 1000,
  kv_metadata {${GATE_MARK}: '${GATE_VERSION}'}`;

type Contents = ReadonlyMap<string, Pick<Part, 'rows' | 'columns' | 'isGated'>>;

/**
 * One statement for all files, since opening each by itself would be most of a small import. What three
 * functions tell of them is put together here: to plan a join of it takes twice as long as to ask.
 */
async function readContents(session: Session, files: readonly string[]): Promise<Contents> {
  if (files.length === 0) return new Map();
  const list = `[${files.map(literal).join(', ')}]`;
  const told = await session.rows(`
    select file_name, 'rows' as what, num_rows as number, null as text from parquet_file_metadata(${list})
    union all
    select file_name, 'gate', null, decode(value) from parquet_kv_metadata(${list}) where decode(key) = '${GATE_MARK}'
    union all
    select file_name, 'node', column_id, concat(name, ' ', num_children) from parquet_schema(${list})`);
  const byFile = Map.groupBy(told, ({ file_name }) => String(file_name));
  return new Map(
    [...byFile].map(([file, rows]) => {
      const nodes = rows
        .filter(({ what }) => what === 'node')
        .toSorted((one, other) => Number(one.number) - Number(other.number));
      return [
        file,
        {
          rows: Number(rows.find(({ what }) => what === 'rows')?.number),
          columns: columnsAmong(nodes.map(({ text }) => String(text))),
          isGated: rows.some(({ what, text }) => what === 'gate' && text === `${GATE_VERSION}`),
        },
      ];
    }),
  );
}

/**
 * @param nodes of a Parquet schema, `name children`: the whole, then each column with all that it consists of
 *   behind it
 */
function columnsAmong(nodes: readonly string[]): ReadonlySet<string> {
  const columns = new Set<string>();
  let inside = 0;
  for (const node of nodes.slice(1)) {
    const [name, children] = node.split(' ') as [string, string];
    if (inside === 0) columns.add(name);
    inside = Math.max(0, inside - 1) + Number(children);
  }
  return columns;
}

function contentsOf(contents: Contents, file: string) {
  const found = contents.get(file);
  if (found === undefined) throw new Error(`nothing is known of ${file}`);
  return found;
}

/** How many of its rows count. */
export function liveRows({ rows, deleted }: Part): number {
  return rows - (deleted?.rows ?? 0);
}

interface Reading {
  /** Whether rows count that later rows replaced: everything that a file holds about somebody. */
  readonly withDeleted?: boolean;
  /** Whether the gate for personal data is asked about rows that have not passed it as it is now. */
  readonly isGated?: boolean;
}

/** SQL: the rows of a canonical table. */
export function rowsOf(table: CanonicalTable, parts: readonly Part[], reading: Reading = {}): string {
  if (parts.length === 0) {
    const columns = storedColumns(table).map(({ name, type }) => `cast(null as ${type}) as "${name}"`);
    return `select ${columns.join(', ')} where false`;
  }
  return joined(
    parts.map((part) => `select ${columnsOf(table, part, reading)} from ${rowsIn(part, reading)}`),
  );
}

/** SQL: the same rows, and where each lies: the number of its part in `_part`, its own in `_row`. */
export function rowsWithPlaces(
  table: CanonicalTable,
  parts: readonly Part[],
  columns: readonly string[] = storedNames(table),
): string {
  return joined(
    parts.map(
      (part) =>
        `select ${columnsOf(table, part, {}, columns)}, ${part.number} as _part, part.file_row_number as _row
        from ${rowsIn(part, {})}`,
    ),
  );
}

function joined(selects: readonly string[]): string {
  return selects.join(' union all ');
}

function rowsIn({ file, deleted }: Part, { withDeleted = false }: Reading): string {
  const all = `read_parquet(${literal(file)}, file_row_number = true) as part`;
  if (deleted === null || withDeleted) return all;
  return `${all} anti join read_parquet(${literal(deleted.file)}) as deleted on part.file_row_number = deleted.row`;
}

/** A column that a part lacks, since no row had it or it is newer, has what an empty cell stands for. */
function columnsOf(
  table: CanonicalTable,
  part: Part,
  { isGated = false }: Reading,
  names: readonly string[] = storedNames(table),
): string {
  return storedColumns(table)
    .filter(({ name }) => names.includes(name))
    .map((column) => {
      const { name, type, fallback } = column;
      if (!part.columns.has(name)) return `cast(${fallback ?? 'null'} as ${type}) as "${name}"`;
      if (!isGated || part.isGated) return `part."${name}"`;
      return `${gatedValue(table.name, column)} as "${name}"`;
    })
    .join(', ');
}
