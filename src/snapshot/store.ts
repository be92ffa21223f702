import { existsSync, statSync } from 'node:fs';
import { copyFile, link, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storeFile } from '../control/data-folder.ts';
import { GATE_VERSION } from '../store/personal-data/gate.ts';
import { gatedValue } from '../store/personal-data/session-gate.ts';
import { literal, type Session } from '../store/session.ts';
import { areSame, type CanonicalTable, haveSameKey, listKey, storedColumns } from '../store/table.ts';
import type { Base } from './base.ts';
import { writeChanges } from './changes.ts';
import { ImportError } from './errors.ts';

export interface StoreChanges {
  /** Whether rows of a list are added to it instead of replacing it. */
  readonly addsLines?: boolean;
  /** The tables that lose rows. */
  readonly losing?: ReadonlySet<CanonicalTable>;
  /** Whether what stays in them loses the contacts in `gone_names`. */
  readonly forgets?: boolean;
  /** The folder that gets which rows change; null where nobody asks. */
  readonly changes?: string | null;
}

/**
 * Writes the canonical tables of a new snapshot: those of the previous one, in which the rows of the batch replace
 * those with the same key, and lists in the batch those with the same owner: an order that came again has no other lines
 * than it came with. A table without a batch is shared with the previous snapshot, not copied, unless it was written when
 * the gate for personal data did not find what it finds now.
 *
 * Rows whose keys are in `gone_<table>` are left out.
 *
 * @returns what became of lists that the merchant may not expect
 */
export async function writeStore(
  session: Session,
  tables: readonly CanonicalTable[],
  batches: ReadonlySet<CanonicalTable>,
  previous: Pick<Base, 'folder' | 'tables'> | null,
  next: string,
  { addsLines = false, losing = new Set(), forgets = false, changes = null }: StoreChanges = {},
): Promise<string[]> {
  const warnings: string[] = [];
  const stays = (table: CanonicalTable): Staying => ({ loses: losing.has(table), forgets });
  for (const table of tables) {
    const target = storeFile(next, table.name);
    const source = previous === null ? null : previousFile(previous, table);
    await mkdir(dirname(target), { recursive: true });
    const isImported = batches.has(table);
    const loses = losing.has(table);
    if (changes !== null && (isImported || (loses && source !== null))) {
      const before = source === null ? null : await rowsOf(session, table, source);
      await writeChanges(session, table, { before, isImported, loses }, changes);
    }
    if (isImported) {
      if (source !== null && !addsLines)
        warnings.push(...(await tellOfLists(session, table, batches, source)));
      const rows =
        source === null ? allOf(table) : await merged(session, table, source, addsLines, stays(table));
      await writeRows(session, rows, target);
    } else if (source !== null) {
      if (loses) await writeRows(session, await stayingRowsOf(session, table, source, stays(table)), target);
      else if (await passedGate(session, source)) await share(source, target);
      else await writeRows(session, await gatedRowsOf(session, table, source), target);
    }
  }
  return warnings;
}

/** Whether all rows passed the gate as it is now, so that those without a batch stay as they are. */
export async function isGated(
  session: Session,
  tables: readonly CanonicalTable[],
  previous: Pick<Base, 'folder' | 'tables'>,
): Promise<boolean> {
  for (const table of tables) {
    const file = previousFile(previous, table);
    if (file !== null && !(await passedGate(session, file))) return false;
  }
  return true;
}

const GATE_MARK = 'personal_data_gate';

async function writeRows(session: Session, rows: string, target: string): Promise<void> {
  await session.run(
    `copy (${rows}) to ${literal(target)}
      (format parquet, compression zstd, kv_metadata {${GATE_MARK}: '${GATE_VERSION}'})`,
  );
}

/** Whether the rows of a stored file passed the gate as it is now. */
async function passedGate(session: Session, file: string): Promise<boolean> {
  const [mark] = await session.rows(
    `select decode(value) as version from parquet_kv_metadata(${literal(file)}) where decode(key) = '${GATE_MARK}'`,
  );
  return mark?.version === String(GATE_VERSION);
}

/** @throws ImportError when rows that were loaded are gone: going on would lose them for good */
function previousFile(
  { folder, tables }: Pick<Base, 'folder' | 'tables'>,
  table: CanonicalTable,
): string | null {
  const file = storeFile(folder, table.name);
  if (existsSync(file)) return file;
  if (!tables.includes(table.name)) return null;
  throw new ImportError(
    `${file} is missing, with the ${table.name} that were loaded before. Restore it from a backup, or go back to ` +
      'another snapshot with `snapshot rollback`',
  );
}

function allOf(table: CanonicalTable): string {
  return `select * from batch_${table.name}`;
}

async function merged(
  session: Session,
  table: CanonicalTable,
  previous: string,
  addsLines: boolean,
  staying: Staying,
): Promise<string> {
  const batch = `batch_${table.name}`;
  const replaced =
    table.list === undefined || addsLines
      ? haveSameKey(table, 'previous', batch)
      : areSame(listKey(table, table.list), 'previous', batch);
  return `select previous.* from (${await stayingRowsOf(session, table, previous, staying)}) as previous
      anti join ${batch} on ${replaced}
    union all by name
    ${allOf(table)}`;
}

/** What rows call people by beside the id of a profile, and as what it stands in `gone_names`. */
export const CONTACTS: Readonly<Record<string, string>> = {
  email_hash: 'email',
  phone_hash: 'phone',
  external_customer_id: 'external_customer_id',
};

/** A row is somebody else's that has such a contact beside their own. */
function columnsWithoutContacts(table: CanonicalTable): string[] {
  return storedColumns(table).map(({ name }) => {
    const kind = CONTACTS[name];
    return kind === undefined
      ? `loaded."${name}"`
      : `case when '${kind} ' || loaded."${name}" not in (from gone_names) then loaded."${name}" end as "${name}"`;
  });
}

interface Staying {
  readonly loses: boolean;
  readonly forgets: boolean;
}

async function stayingRowsOf(
  session: Session,
  table: CanonicalTable,
  previous: string,
  { loses, forgets }: Staying,
): Promise<string> {
  const rows = await gatedRowsOf(session, table, previous);
  if (!loses) return rows;
  const gone = `gone_${table.name}`;
  const columns = forgets ? columnsWithoutContacts(table).join(', ') : 'loaded.*';
  return `select ${columns} from (${rows}) as loaded anti join ${gone} on ${haveSameKey(table, 'loaded', gone)}`;
}

/** A select of the rows that were loaded before; null when there are none. */
export async function rowsBefore(
  session: Session,
  table: CanonicalTable,
  previous: Pick<Base, 'folder' | 'tables'> | null,
): Promise<string | null> {
  const source = previous === null ? null : previousFile(previous, table);
  return source === null ? null : await gatedRowsOf(session, table, source);
}

/** Rows that go with the lists that a batch brings whole, and owners that come without a list although others have one. */
async function tellOfLists(
  session: Session,
  table: CanonicalTable,
  batches: ReadonlySet<CanonicalTable>,
  previous: string,
): Promise<string[]> {
  const { list, name } = table;
  if (list === undefined) return [];
  const key = listKey(table, list);
  const before = `(${await rowsOf(session, table, previous)})`;
  const { gone } = await session.row(`
    select count(*) as gone from ${before} as previous
    semi join batch_${name} as again on ${areSame(key, 'previous', 'again')}
    anti join batch_${name} as kept on ${haveSameKey(table, 'previous', 'kept')}`);
  const hasOwners = [...batches].some((batch) => batch.name === list.owner);
  const { bare } = hasOwners
    ? await session.row(`
        select count(*) as bare from batch_${list.owner} as owner
        semi join ${before} as previous on ${areSame(key, 'owner', 'previous')}
        anti join batch_${name} as again on ${areSame(key, 'owner', 'again')}`)
    : { bare: 0 };
  return [
    [
      gone,
      `${name} loaded before are gone: their ${list.owner} came again without them (--add-lines keeps them)`,
    ],
    [bare, `${list.owner} came again without ${name} and keep those loaded before`],
  ].flatMap(([count, text]) => (Number(count) > 0 ? [`${count} ${text}`] : []));
}

/** A second name for a file that never changes. */
export async function share(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    // Not every file system can hold one file under two names.
    await copyFile(source, target);
  }
}

/**
 * Makes the canonical tables readable as `store.<table>`, or in another schema, without rows where none were ever imported.
 *
 * @returns the tables that hold rows
 */
export async function attachStore(
  session: Session,
  tables: readonly CanonicalTable[],
  snapshot: string,
  schema = 'store',
): Promise<string[]> {
  await session.run(`attach ':memory:' as ${schema}`);
  const files = tables.map((table) => storeFile(snapshot, table.name));
  const counts = await countRows(session, files.filter(existsSync));
  const loaded: string[] = [];
  const statements: string[] = [];
  for (const table of tables) {
    const file = storeFile(snapshot, table.name);
    if (!counts.get(file)) {
      statements.push(`create table ${schema}.${table.name} (${columnTypes(table)})`);
      continue;
    }
    // Each statement that reads a Parquet file opens it anew: for a small one that takes longer than reading it.
    const kind = statSync(file).size <= SMALL_FILE_BYTES ? 'table' : 'view';
    statements.push(`create ${kind} ${schema}.${table.name} as ${await rowsOf(session, table, file)}`);
    loaded.push(table.name);
  }
  await session.run(`begin; ${statements.join('; ')}; commit`);
  return loaded;
}

const SMALL_FILE_BYTES = 2 ** 20;

async function countRows(session: Session, files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (files.length === 0) return new Map();
  const rows = await session.rows(
    `select file_name, num_rows from parquet_file_metadata([${files.map(literal).join(', ')}])`,
  );
  return new Map(rows.map(({ file_name, num_rows }) => [String(file_name), Number(num_rows)]));
}

function columnTypes(table: CanonicalTable): string {
  return storedColumns(table)
    .map(({ name, type }) => `"${name}" ${type}`)
    .join(', ');
}

async function gatedRowsOf(session: Session, table: CanonicalTable, file: string): Promise<string> {
  const rows = await rowsOf(session, table, file);
  if (await passedGate(session, file)) return rows;
  const columns = storedColumns(table).map(
    (column) => `${gatedValue(table.name, column)} as "${column.name}"`,
  );
  return `select ${columns.join(', ')} from (${rows})`;
}

/** The rows of a stored file. In columns that are newer than the file, each has what an empty cell stands for. */
async function rowsOf(session: Session, table: CanonicalTable, file: string): Promise<string> {
  const parquet = `read_parquet(${literal(file)})`;
  const described = await session.rows(`describe from ${parquet}`);
  const present = new Set(described.map((row) => row.column_name));
  const columns = storedColumns(table).map(({ name, type, fallback }) =>
    present.has(name) ? `"${name}"` : `cast(${fallback ?? 'null'} as ${type}) as "${name}"`,
  );
  return `select ${columns.join(', ')} from ${parquet}`;
}
