import {
  countParquetRows,
  openCsvCells,
  openJsonDocuments,
  openParquetCells,
  unreadableDocuments,
} from '../ingest/file-relation.ts';
import type { Origin } from '../ingest/find-files.ts';
import { refuseLostRows, rejectMalformed } from '../ingest/malformed.ts';
import { findLines, findRejectLines } from '../ingest/reject-lines.ts';
import { TooLongError } from '../ingest/too-long.ts';
import { unreadable } from '../ingest/unreadable.ts';
import { literal, type Session } from '../store/duckdb-session.ts';
import { filled } from '../store/white-space.ts';
import { columnName } from './column-name.ts';
import { defineRecords, type RecordFile } from './define-records.ts';
import { placesOf, type ReadSource, refuseMissing } from './places.ts';
import type { SourceInput } from './recognise.ts';
import { relationName } from './relations.ts';
import type { RawColumn, RawRows, Settings, Source } from './source.ts';
import { inEnglish } from './titles-in-languages.ts';
import type { UnreadFiles } from './unread-files.ts';

/** Raw rows, and what became of the files' other rows and columns. */
export interface LandedRows extends RawRows {
  readonly read: number;
  readonly malformed: number;
  readonly columnsIgnored: number;
  /** Notes on columns that stand there twice. */
  readonly notes: readonly string[];
}

/**
 * Reads the files of a source into the temporary table `raw_<source>`: the columns that it reads, as text.
 *
 * @throws ImportError when a column is missing without which the rows mean nothing
 */
export async function landRows(
  session: Session,
  source: ReadSource,
  inputs: readonly SourceInput[],
  settings: Settings,
  makesOrders: boolean,
  unread: UnreadFiles,
): Promise<LandedRows> {
  const relation = `raw_${relationName(source)}`;
  const table = source.records === undefined ? relation : `${relation}_documents`;
  const columns = source.beginsAs === undefined ? Object.keys(source.columns) : ['document'];
  await session.run(
    `create temp table "${table}" (_file integer, ${columns.map((name) => `"${name}" varchar`).join(', ')})`,
  );
  const origins: Origin[] = [];
  const present = new Set<string>();
  const presentIn: ReadonlySet<string>[] = [];
  const parquetFiles: RecordFile[] = [];
  const notes: string[] = [];
  let [read, malformed, columnsIgnored, rowsInParquet] = [0, 0, 0, 0];
  for (const [index, input] of inputs.entries()) {
    const { file } = input;
    if (input.format === 'parquet' && source.records !== undefined) {
      const firstRow = origins.at(-1)?.endRow ?? 0;
      const rows = await countParquetRows(session, file, columnsOf(source.records));
      parquetFiles.push({ file, index, firstRow });
      presentIn.push(new Set());
      origins.push({ file, firstRow, endRow: firstRow + rows });
      rowsInParquet += rows;
      read += rows;
      continue;
    }
    const firstRow = origins.at(-1)?.endRow ?? 0;
    const opened = await unread.attempt(async () => {
      const found = await openInput(session, source, input).catch((error: unknown) => {
        throw error instanceof TooLongError ? error.of(source.title) : error;
      });
      try {
        await session.run(
          `insert into "${table}" select ${[index, ...found.values].join(', ')} from ${found.relation}`,
        );
      } catch (error) {
        throw input.format === 'json' ? unreadableDocuments(file, error) : unreadable(file, error);
      }
      return found;
    }, file.name);
    if (opened === null) {
      // No row of it came in: its number stays, as that of a file without rows.
      presentIn.push(new Set());
      origins.push({ file, firstRow, endRow: firstRow });
      continue;
    }
    for (const name of opened.present) present.add(name);
    presentIn.push(new Set(opened.present));
    columnsIgnored = Math.max(columnsIgnored, opened.ignored);
    notes.push(...opened.notes);
    const { count } = await session.row(`select count(*) as count from "${table}"`);
    const endRow = Number(count) + rowsInParquet;
    const { scan } = opened;
    session.meter.rows(file, endRow - firstRow);
    if (scan !== null) {
      const malformedHere = await rejectMalformed(session, source.name, file, scan, endRow - firstRow);
      await findRejectLines(session, source.name, file);
      refuseLostRows(file, scan.rows, endRow - firstRow + malformedHere);
      malformed += malformedHere;
    }
    origins.push({ file, firstRow, endRow });
    read += scan?.rows ?? endRow - firstRow;
  }
  if (source.records !== undefined) {
    const documents = { table, shifts: rowsBefore(origins, parquetFiles) };
    for (const name of await defineRecords(session, source, relation, documents, parquetFiles))
      present.add(name);
  }
  const written = inputs.map(({ writtenAt }) => writtenAt);
  return {
    relation,
    present,
    settings,
    written,
    origins,
    makesOrders,
    read,
    malformed,
    columnsIgnored,
    presentIn,
    notes,
  };
}

/** The columns of a Parquet file of which fields are read. */
function columnsOf({ fields }: NonNullable<Source['records']>): string[] {
  return Object.values(fields).flatMap(({ paths, entry }) =>
    [...paths, ...(entry === undefined ? [] : [entry.list])].map((path) => path.split('.', 1)[0] ?? path),
  );
}

/**
 * The number of rows of Parquet files before each file, by its number. There are none where all files are of
 * Parquet.
 */
function rowsBefore(origins: readonly Origin[], parquetFiles: readonly RecordFile[]): number[] {
  if (parquetFiles.length === origins.length) return [];
  let rows = 0;
  return origins.map(({ firstRow, endRow }, index) => {
    const before = rows;
    if (parquetFiles.some((file) => file.index === index)) rows += endRow - firstRow;
    return before;
  });
}

async function openInput(session: Session, source: ReadSource, { file, format }: SourceInput) {
  if (format === 'ndjson' || format === 'json') {
    const { relation, scan } = await openJsonDocuments(session, file, format === 'ndjson');
    return { relation, scan, values: ['document'], present: [], ignored: 0, notes: [] };
  }
  const { header, relation, scan } =
    format === 'csv'
      ? await openCsvCells(session, file)
      : { ...(await openParquetCells(session, file)), scan: null };
  const places = placesOf(source, header);
  refuseMissing(source, file.name, places);
  if (format === 'parquet') {
    const read = [...places.values()].flat().flatMap((place) => header[place] ?? []);
    await countParquetRows(session, file, read);
  }
  const english = inEnglish(source.titles, header);
  const values = Object.entries(source.columns).map(([name, column]) =>
    cellOf(column, places.get(name) ?? [], header, english),
  );
  const ignored = header.length - new Set([...places.values()].flat()).size;
  const notes = repeatedColumns(file.name, header, places);
  return { relation, scan, values, present: [...places.keys()], ignored, notes };
}

/** The columns that are read and stand there once more: a later one may be what was meant. */
function repeatedColumns(
  file: string,
  header: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
): string[] {
  const names = header.map(columnName);
  const read = new Set([...places.values()].flat());
  const repeated = [...read].filter((place) =>
    names.some((name, other) => name === names[place] && other > place && !read.has(other)),
  );
  return [...new Set(repeated.map((place) => header[place]))].map(
    (title) => `the column "${title}" stands twice in ${file}: the first of them is read`,
  );
}

function cellOf(
  column: RawColumn,
  places: readonly number[],
  header: readonly string[],
  english: readonly string[],
): string {
  if (column.inHeader !== undefined) {
    const text = places
      .map((place) => column.inHeader?.(english[place] ?? ''))
      .find((each) => each !== undefined);
    return text === undefined ? 'null' : literal(text);
  }
  return places.length === 0
    ? 'null'
    : `coalesce(${places.map((place) => cellAt(place, header)).join(', ')})`;
}

/** The last cell of a line may end with what a spreadsheet put there. */
function cellAt(place: number, header: readonly string[]): string {
  const isDamaged = place === header.length - 1 && header[place]?.endsWith(';');
  const cell = isDamaged ? `rtrim(c${place}, ';')` : `c${place}`;
  return filled(cell);
}

/** Where a raw row stands: `orders.csv line 3`. */
export async function placeOf(session: Session, { origins }: RawRows, row: number): Promise<string> {
  const origin = origins.find(({ firstRow, endRow }) => row >= firstRow && row < endRow);
  if (origin === undefined) throw new Error(`no file has the row ${row}`);
  const record = row - origin.firstRow + 1;
  const lines = await findLines(session, origin.file, [record]);
  return `${origin.file.name} line ${lines.get(record)}`;
}
