import { copyFile, link } from 'node:fs/promises';
import { storeFolder } from '../control/data-folder/data-folder.ts';
import { makeFolder } from '../control/data-folder/make-folder.ts';
import {
  areSame,
  type CanonicalTable,
  haveSameKey,
  haveSameList,
  type List,
  storedColumns,
  storedNames,
} from '../store/canonical-table.ts';
import { literal, type Session } from '../store/duckdb-session.ts';
import { orders } from '../store/tables/orders.ts';
import { plural } from '../text/plural.ts';
import {
  deletedRowsFile,
  liveRows,
  PART_FORMAT,
  type Part,
  type Parts,
  partFile,
  readParts,
  readPartsOf,
  rowsOf,
  rowsWithPlaces,
} from './canonical-parts.ts';
import type { Base } from './find-base.ts';
import type { RowChanges } from './import-report.ts';
import { tellOfOtherOrders } from './other-orders.ts';
import type { Batches, TableBatch } from './table-batches.ts';
import { writeChange } from './table-changes.ts';

export interface StoreChanges {
  /** Whether rows of a list are added to it instead of replacing it. */
  readonly addsLines?: boolean;
  /** The tables that lose rows: their keys are in `gone_<table>`. */
  readonly losing?: ReadonlySet<CanonicalTable>;
  /**
   * Whether what stays in them loses the contacts in `gone_names`, and nothing stays of the rows that no
   * longer count.
   */
  readonly forgets?: boolean;
  /** The folder that gets what the import changes; null where nobody asks. */
  readonly changes?: string | null;
}

/** What came of the rows that were merged. */
interface StoredRows {
  /** The changes of each table that was compared. */
  readonly changes: Record<string, RowChanges>;
  /** Whether a table has other rows than it had. */
  readonly isChanged: boolean;
  /** What the merchant may not expect of lists. */
  readonly warnings: readonly string[];
}

/**
 * Writes the canonical tables of a new snapshot: those of the previous one, in which the rows of the batch
 * replace those with the same key, and lists in the batch those with the same owner: an order that came again
 * has no other lines than it came with.
 *
 * The parts of the previous snapshot are shared, not copied. What the batch brings is a new part, and of the
 * rows that it replaces the numbers are written. A row that comes again as it is stays where it lies.
 */
export async function writeStore(
  session: Session,
  tables: readonly CanonicalTable[],
  batches: Batches,
  previous: Pick<Base, 'folder' | 'tables'> | null,
  next: string,
  { addsLines = false, losing = new Set(), forgets = false, changes = null }: StoreChanges = {},
): Promise<StoredRows> {
  makeFolder(storeFolder(next));
  const stored = await readPartsOf(session, previous);
  const warnings: string[] = [];
  const rowChanges: Record<string, RowChanges> = {};
  let isChanged = false;
  for (const table of tables) {
    const parts = stored.get(table.name) ?? [];
    const batch = batches.get(table) ?? null;
    const work = { session, table, parts, next, batch, loses: losing.has(table), addsLines };
    const hasDeleted = parts.some(({ deleted }) => deleted !== null);
    const isUngated = parts.some(({ isGated }) => !isGated);
    let going: string | null = `(${rowsOf(table, parts)})`;
    if (isUngated || (forgets && (work.loses || hasDeleted))) {
      await writeAnew(work, forgets);
      isChanged = true;
    } else if (batch !== null || work.loses) {
      const added = await addPart(work, changes);
      going = added.going;
      rowChanges[table.name] = added.changes;
      isChanged ||= added.isChanged;
    } else await shareParts(parts, next, table);
    if (batch !== null && parts.length > 0 && !addsLines)
      warnings.push(...(await tellOfLists(work, going, batches)));
    if (batch !== null && table === orders && going !== null)
      warnings.push(...(await tellOfOtherOrders(session, going)));
  }
  return { changes: rowChanges, isChanged, warnings };
}

/** Whether all rows passed the gate as it is now, so that those without a batch stay as they are. */
export async function isGated(
  session: Session,
  tables: readonly CanonicalTable[],
  previous: Pick<Base, 'folder' | 'tables'>,
): Promise<boolean> {
  const stored = await readPartsOf(session, previous);
  return tables.every(({ name }) => (stored.get(name) ?? []).every((part) => part.isGated));
}

interface TableWork {
  readonly session: Session;
  readonly table: CanonicalTable;
  /** The parts of the previous snapshot. */
  readonly parts: readonly Part[];
  readonly next: string;
  readonly batch: TableBatch | null;
  readonly loses: boolean;
  readonly addsLines: boolean;
}

/** Writes all rows as one part: nothing stays of rows that no longer count, or of what the gate takes out. */
async function writeAnew(
  { session, table, parts, next, batch, loses, addsLines }: TableWork,
  forgets: boolean,
): Promise<void> {
  const coming = `batch_${table.name}`;
  const gone = `gone_${table.name}`;
  const columns = heldColumns(table, parts, batch);
  const values = loses && forgets ? columns.map(withoutContacts) : columns.map((name) => `loaded."${name}"`);
  const staying = `select ${values.join(', ')} from (${rowsOf(table, parts, { isGated: true })}) as loaded
    ${loses ? `anti join ${gone} on ${haveSameKey(table, 'loaded', gone)}` : ''}
    ${batch === null ? '' : `anti join ${coming} as batch on ${isReplaced(table, 'loaded', addsLines)}`}`;
  const quoted = columns.map((name) => `"${name}"`).join(', ');
  const rows = batch === null ? staying : `${staying} union all select ${quoted} from ${coming}`;
  await writePart(session, rows, partFile(next, table.name, nextNumber(parts)));
}

async function writePart(session: Session, rows: string, file: string): Promise<void> {
  await session.run(`copy (${rows}) to ${literal(file)} (${PART_FORMAT})`);
}

function nextNumber(parts: readonly Part[]): number {
  return (parts.at(-1)?.number ?? 0) + 1;
}

/** What rows call people by beside the id of a profile, and as what it stands in `gone_names`. */
export const CONTACTS: Readonly<Record<string, string>> = {
  email_hash: 'email',
  phone_hash: 'phone',
  external_customer_id: 'external_customer_id',
};

/** A row is somebody else's that has such a contact beside their own. */
function withoutContacts(column: string): string {
  const kind = CONTACTS[column];
  return kind === undefined
    ? `loaded."${column}"`
    : `case when '${kind} ' || loaded."${column}" not in (from gone_names) then loaded."${column}" end as "${column}"`;
}

/**
 * The columns of the table that a row of one of the parts or of the batch holds, in the order of the
 * declaration.
 */
function heldColumns(table: CanonicalTable, parts: readonly Part[], batch: TableBatch | null): string[] {
  return storedNames(table).filter(
    (name) => batch?.held.includes(name) || parts.some((part) => part.columns.has(name)),
  );
}

/**
 * Writes what an import brings as a part, and the numbers of the rows that go; parts that have become small
 * go into it.
 *
 * @returns the name of a table with the rows that go, null where none do; and what came of the rows
 */
async function addPart(
  work: TableWork,
  changes: string | null,
): Promise<{ readonly going: string | null; readonly isChanged: boolean; readonly changes: RowChanges }> {
  const { session, table, parts, next, batch } = work;
  const { coming, comingRows, staying, going } = await findChange(work);
  if (changes !== null) {
    const columns = storedNames(table).map((name) => `"${name}"`);
    const left = going === null ? null : `select ${columns.join(', ')} from ${going}`;
    await writeChange(session, table, { coming, going: left }, changes);
  }
  const goingRows = going === null ? new Map<number, number>() : await countByPart(session, going);
  const changed = goingRows.size === 0 || comingRows === 0 ? 0 : await countChanged(work, `(${coming})`);
  const told = {
    going,
    isChanged: comingRows > 0 || goingRows.size > 0,
    changes: {
      added: comingRows - changed,
      changed,
      unchanged: staying,
      removed: [...goingRows.values()].reduce((sum, rows) => sum + rows, 0) - changed,
    },
  };
  const left = parts.map((part) => ({ part, rows: liveRows(part) - (goingRows.get(part.number) ?? 0) }));
  const merged = left.slice(firstToMerge(left, comingRows));
  const kept = left.slice(0, left.length - merged.length);
  await shareParts(
    kept.map(({ part }) => part),
    next,
    table,
    going === null ? null : { session, rows: going, counts: goingRows },
  );
  if (comingRows + merged.reduce((sum, { rows }) => sum + rows, 0) === 0) return told;
  const rows = merged.filter(({ rows }) => rows > 0).map(({ part }) => part);
  const file = partFile(next, table.name, nextNumber(parts));
  const written = batch?.file ?? null;
  if (written !== null && rows.length === 0 && staying === 0) await share(written, file);
  else {
    const columns = heldColumns(table, rows, batch);
    await writePart(session, withRowsOf(table, rows, going, coming, columns), file);
  }
  return told;
}

/** How many rows come with the key of one that goes. */
async function countChanged({ session, table }: TableWork, coming: string): Promise<number> {
  const { count } = await session.row(
    `select count(*) as count from ${coming} as coming semi join going on ${haveSameKey(table, 'coming', 'going')}`,
  );
  return Number(count);
}

interface Change {
  /** The rows to come, as SQL. */
  readonly coming: string;
  readonly comingRows: number;
  /** How many rows come that are there as they are. */
  readonly staying: number;
  /** The name of a table with the rows that go, each with its place; null where none do. */
  readonly going: string | null;
}

async function findChange(work: TableWork): Promise<Change> {
  const { session, table, parts, loses, addsLines } = work;
  const isImported = work.batch !== null;
  const batch = `batch_${table.name}`;
  const everything = {
    coming: isImported ? `select * from ${batch}` : rowsOf(table, []),
    comingRows: work.batch?.rows ?? 0,
    staying: 0,
  };
  if (parts.length === 0) return { ...everything, going: null };
  const gone = `gone_${table.name}`;
  const located = `from (${rowsWithPlaces(table, parts)}) as loaded`;
  const found = [
    ...(isImported
      ? [
          `select loaded.* ${located} semi join ${batch} as batch on ${isReplaced(table, 'loaded', addsLines)}`,
        ]
      : []),
    ...(loses
      ? [`select loaded.* ${located} semi join ${gone} on ${haveSameKey(table, 'loaded', gone)}`]
      : []),
  ];
  const { Count } = await session.row(`create or replace temp table going as ${found.join(' union ')}`);
  if (Number(Count) === 0) return { ...everything, going: null };
  if (!isImported) return { ...everything, going: 'going' };
  const columns = storedNames(table);
  const { Count: staying } = await session.row(`
    create or replace temp table staying as
    select going.* from going semi join ${batch} as batch on ${areSame(columns, 'going', 'batch')}`);
  await session.run('delete from going where (_part, _row) in (select (_part, _row) from staying)');
  const coming = `select batch.* from ${batch} as batch anti join staying on ${haveSameKey(table, 'batch', 'staying')}`;
  const { count } = await session.row(`select count(*) as count from (${coming})`);
  return { coming, comingRows: Number(count), staying: Number(staying), going: 'going' };
}

/** SQL: whether a row that was loaded goes where the batch comes. */
function isReplaced(table: CanonicalTable, loaded: string, addsLines: boolean): string {
  return table.list === undefined || addsLines
    ? haveSameKey(table, loaded, 'batch')
    : haveSameList(table, table.list, loaded, 'batch');
}

async function countByPart(session: Session, going: string): Promise<Map<number, number>> {
  const rows = await session.rows(`select _part, count(*) as count from ${going} group by _part`);
  return new Map(rows.map(({ _part, count }) => [Number(_part), Number(count)]));
}

/**
 * The first part from which on all are put together. So a part has more rows than all that come after it, of
 * which more than half count: a table of n rows has at most log2(n) + 1 parts, and a row is written anew
 * about as often in its life.
 *
 * @param coming how many rows the new part has without them
 */
function firstToMerge(
  parts: readonly { readonly part: Part; readonly rows: number }[],
  coming: number,
): number {
  let first = parts.length;
  let after = coming;
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const { part, rows } = parts[index] as (typeof parts)[number];
    if (rows <= after || 2 * rows <= part.rows) first = index;
    after += rows;
  }
  return first;
}

/** SQL: the rows that come, with those of parts that go into the same file. */
function withRowsOf(
  table: CanonicalTable,
  parts: readonly Part[],
  going: string | null,
  coming: string,
  columns: readonly string[],
): string {
  const quoted = columns.map((name) => `"${name}"`).join(', ');
  const brought = `select ${quoted} from (${coming})`;
  if (parts.length === 0) return brought;
  const kept =
    going === null
      ? rowsOf(table, parts)
      : `from (${rowsWithPlaces(table, parts)}) as loaded anti join ${going} using (_part, _row)`;
  return `select ${quoted} from (${kept}) union all ${brought}`;
}

interface Going {
  readonly session: Session;
  /** The name of the table with them. */
  readonly rows: string;
  /** How many there are of each part. */
  readonly counts: ReadonlyMap<number, number>;
}

/**
 * Second names for parts, which never change. Which of their rows no longer count is written anew where more
 * do.
 */
async function shareParts(
  parts: readonly Part[],
  next: string,
  { name }: CanonicalTable,
  going: Going | null = null,
): Promise<void> {
  for (const { number, file, deleted } of parts) {
    await share(file, partFile(next, name, number));
    const target = deletedRowsFile(next, name, number);
    if (going?.counts.has(number)) {
      const more = `select _row as row from ${going.rows} where _part = ${number}`;
      const rows = deleted === null ? more : `from read_parquet(${literal(deleted.file)}) union all ${more}`;
      await going.session.run(
        `copy (${rows} order by row) to ${literal(target)} (format parquet, compression zstd)`,
      );
    } else if (deleted !== null) {
      await share(deleted.file, target);
    }
  }
}

/**
 * Rows that go with the lists that a batch brings whole, and owners that come without a list although others
 * have one.
 *
 * @param going SQL of rows, among which are all that go; null where none do
 */
async function tellOfLists(
  { session, table, parts }: TableWork,
  going: string | null,
  batches: Batches,
): Promise<string[]> {
  const { list, name } = table;
  if (list === undefined) return [];
  const { gone } =
    going === null
      ? { gone: 0 }
      : await session.row(`
          select count(*) as gone from ${going} as previous
          semi join batch_${name} as again on ${haveSameList(table, list, 'previous', 'again')}
          anti join batch_${name} as kept on ${haveSameKey(table, 'previous', 'kept')}`);
  const hasOwners = [...batches.keys()].some((batch) => batch.name === list.owner);
  const { bare } = hasOwners ? await countBare(session, table, list, parts) : { bare: 0 };
  return [
    [
      Number(gone),
      `row of ${name} loaded before is gone`,
      `rows of ${name} loaded before are gone`,
      `: what came again of ${list.owner} came without them (--add-lines keeps them)`,
    ] as const,
    [
      Number(bare),
      `row of ${list.owner} came again without ${name} and keeps`,
      `rows of ${list.owner} came again without ${name} and keep`,
      ' those loaded before',
    ] as const,
  ].flatMap(([count, one, many, rest]) => (count > 0 ? [`${plural(count, one, many)}${rest}`] : []));
}

async function countBare(session: Session, table: CanonicalTable, list: List, parts: readonly Part[]) {
  const without = await session.row(`
    create or replace temp table owners_alone as
    select owner.* from batch_${list.owner} as owner
    anti join batch_${table.name} as again on ${haveSameList(table, list, 'owner', 'again')}`);
  // Mostly there are none, and then nobody needs to look through all lists.
  if (without.Count === 0) return { bare: 0 };
  return session.row(`
    select count(*) as bare from owners_alone
    semi join (${rowsOf(table, parts)}) as previous on ${haveSameList(table, list, 'owners_alone', 'previous')}`);
}

/** A second name for a file that never changes. */
export async function share(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    // Some file systems cannot hold one file under two names.
    await copyFile(source, target);
  }
}

/**
 * Makes the canonical tables of a snapshot readable in the session, as `<schema>.<table>`: those without rows
 * too.
 *
 * @returns how many rows the tables have that hold some
 */
export async function attachStore(
  session: Session,
  tables: readonly CanonicalTable[],
  snapshot: string,
  schema = 'store',
): Promise<ReadonlyMap<string, number>> {
  await session.run(`attach ':memory:' as ${schema}`);
  const stored: Parts = await readParts(session, snapshot);
  const loaded = new Map<string, number>();
  const statements: string[] = [];
  for (const table of tables) {
    const parts = (stored.get(table.name) ?? []).filter((part) => liveRows(part) > 0);
    // Each statement that reads a Parquet file opens it anew: for a small one that takes longer than reading
    // it.
    const isSmall = parts.reduce((sum, { bytes }) => sum + bytes, 0) <= SMALL_BYTES;
    const name = `${schema}.${table.name}`;
    if (parts.length === 0) {
      statements.push(`create table ${name} (${columnTypes(table)})`);
      continue;
    }
    statements.push(`create ${isSmall ? 'table' : 'view'} ${name} as ${rowsOf(table, parts)}`);
    loaded.set(
      table.name,
      parts.reduce((sum, part) => sum + liveRows(part), 0),
    );
  }
  await session.run(`begin; ${statements.join('; ')}; commit`);
  return loaded;
}

const SMALL_BYTES = 2 ** 20;

function columnTypes(table: CanonicalTable): string {
  return storedColumns(table)
    .map(({ name, type }) => `"${name}" ${type}`)
    .join(', ');
}
