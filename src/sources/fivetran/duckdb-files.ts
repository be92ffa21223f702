import { randomUUID } from 'node:crypto';
import { mkdtemp, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ReasonError } from '../../errors.ts';
import { cellAsText } from '../../ingest/file-relation.ts';
import { unpacked } from '../../ingest/gzip.ts';
import { unreadable } from '../../ingest/unreadable.ts';
import { ImportError } from '../../snapshot/import-errors.ts';
import { literal, type Session } from '../../store/duckdb-session.ts';
import { type DatabaseTable, quoted, UntrustedDatabase } from '../../store/untrusted-database.ts';
import { columnName } from '../column-name.ts';
import type { Input } from '../files/inputs.ts';
import { writeCopy } from '../files/write-copy.ts';
import { hasTables, type Settings, type Source, type SourceOfTables } from '../source.ts';
import { UnansweredError } from '../unanswered.ts';
import type { UnreadFiles } from '../unread-files.ts';
import {
  chooseSchemas,
  columnsRead,
  type FoundTable,
  mayBeRead,
  tablesOfFivetran,
  type UndecidedSchema,
  type WarehouseTable,
} from './choose-schemas.ts';

/**
 * The rows that are copied out of files take about as much room as there. More would be rows that were made
 * up to fill a disk.
 */
const LARGEST_COPY = { bytes: 2 ** 26, times: 50 } as const;

const WATCHING_MS = 500;

/** A note names at most this many tables. */
const NAMED_TABLES = 10;

/**
 * How much the copies of all files of an import may take: a table may have billions of rows that take no room
 * in its file.
 */
class Room {
  #left: number = LARGEST_COPY.bytes;

  addFor(fileBytes: number): void {
    this.#left += LARGEST_COPY.times * fileBytes;
  }

  /** @throws Error when the copy that `work` writes takes more than is left; `full` ends it then */
  async fill(path: string, full: AbortController, work: () => Promise<void>): Promise<void> {
    const look = async () => {
      const size = await sizeOf(path);
      if (size > this.#left)
        full.abort(new ReasonError(`its tables take more than ${LARGEST_COPY.times} times its size`));
      return size;
    };
    const watching = setInterval(() => void look(), WATCHING_MS);
    try {
      await work();
    } finally {
      clearInterval(watching);
    }
    this.#left -= await look();
    full.signal.throwIfAborted();
  }
}

interface OpenedFiles {
  /** The inputs, with a Parquet file for each table of a DuckDB file in its place. */
  readonly inputs: readonly Input[];
  /** What each such Parquet file is, by its path. */
  readonly tables: ReadonlyMap<string, Pick<FoundTable, 'source' | 'table'>>;
  /** The notes for the report. */
  readonly notes: readonly string[];
}

/**
 * Opens the DuckDB files among some files, which are told by what they hold, and copies Fivetran's tables out
 * of them. What is no table of Fivetran's is not read; of those that are, only columns that somebody reads
 * have cells in the copy.
 *
 * @throws ImportError when one cannot be read, or has several shops and nobody said which is meant
 */
export async function openDuckdbFiles(
  session: Session,
  given: readonly Input[],
  known: readonly Source[],
  settingsOf: (source: Source) => Settings,
  unread: UnreadFiles,
): Promise<OpenedFiles> {
  const inputs: Input[] = [];
  const room = new Room();
  const tables = new Map<string, FoundTable>();
  const notes: string[] = [];
  for (const input of given) {
    if (!(await isDuckdb(session, input))) {
      inputs.push(input);
      continue;
    }
    const copied = await unread.attempt(() => {
      refuseLogBeside(input, given);
      return copyTables(session, input, known.filter(hasTables), settingsOf, room);
    });
    if (copied === null) continue;
    for (const { table, ...file } of copied.files) {
      inputs.push(file);
      tables.set(file.path, table);
    }
    notes.push(...copied.notes);
  }
  return { inputs, tables, notes };
}

async function isDuckdb(session: Session, input: Input): Promise<boolean> {
  try {
    for await (const chunk of unpacked(session, input)) return chunk.toString('latin1', 8, 12) === 'DUCK';
  } catch (error) {
    // Damage is told where files are recognised.
    if (!(error instanceof Error) || error instanceof ImportError) throw error;
  }
  return false;
}

/**
 * Refuses a log beside the file, whose rows would be missing without a word. It lies there only where the
 * file was not closed.
 */
function refuseLogBeside({ name }: Input, given: readonly Input[]): void {
  const log = given.find((other) => other.name === `${name}.wal`);
  if (log === undefined) return;
  throw logBeside(name);
}

function logBeside(name: string): ImportError {
  return new ImportError(
    `${name} was copied while it was written: ${name}.wal has changes that are not in it yet. Open it in DuckDB, say CHECKPOINT, close it, ` +
      'and import it without the .wal file',
  );
}

async function copyTables(
  session: Session,
  input: Input,
  sources: readonly SourceOfTables[],
  settingsOf: (source: Source) => Settings,
  room: Room,
) {
  const folder = await mkdtemp(join(session.temporaryFolder, 'database-'));
  const path = await unpackedPath(session, input, folder);
  if ((await sizeOf(`${path}.wal`)) > 0) throw logBeside(input.name);
  const full = new AbortController();
  const { signal } = session;
  try {
    using database = await UntrustedDatabase.open(
      path,
      folder,
      signal === undefined ? full.signal : AbortSignal.any([signal, full.signal]),
    );
    const all = await database.tables();
    const described: WarehouseTable[] = [];
    const types = new Map<string, ReadonlyMap<string, string>>();
    for (const table of all.filter(({ name, isComputed }) => !isComputed && mayBeRead(name, sources))) {
      const columns = await database.columnsOf(table);
      types.set(keyOf(table), columns);
      described.push({ ...table, columns: [...columns.keys()] });
    }
    const found = tablesOfFivetran(described, sources);
    const { chosen, undecided } = chooseSchemas(found, (source) => settingsOf(source).schema);
    askForSchemas(input, undecided, settingsOf);
    room.addFor(await sizeOf(path));
    const files: (Input & { readonly table: FoundTable })[] = [];
    for (const table of chosen) {
      const target = join(folder, `${randomUUID()}.parquet`);
      const cells = cellsOf(table, types.get(keyOf(table)) ?? new Map(), session.meter.cellBytes);
      const name = `${input.name}/${table.schema}.${table.name}`;
      session.meter.rows({ path: target, name }, await database.countRows(table));
      await room.fill(target, full, () => database.copy(table, cells, target));
      files.push({ path: target, name, writtenAt: input.writtenAt, table });
    }
    return { files, notes: notesOf(input, all, found, chosen) };
  } catch (error) {
    const [, column] = (error as Error).message.split(TOO_LONG);
    if (column !== undefined) throw session.meter.cellTooLong(input.name, column.split('\n', 1)[0] ?? '');
    throw unreadable({ name: input.name, format: 'duckdb' }, ofItsMemory(error));
  }
}

/** An error of its memory, of which it has little: somebody else chose what is in the file. */
function ofItsMemory(error: unknown): unknown {
  if (!/^Out of Memory Error/.test((error as Error).message)) return error;
  return new ReasonError(
    `a row of it does not fit into the ${UntrustedDatabase.memory} in which a DuckDB file is read. Open it in DuckDB, leave out long lists and texts, and give its tables as Parquet`,
    { cause: error },
  );
}

async function unpackedPath(session: Session, input: Input, folder: string): Promise<string> {
  if (!input.path.endsWith('.gz')) return resolve(input.path);
  return writeCopy(session, '.duckdb', unpacked(session, input), folder);
}

/** The size of a file. It is 0 where there is no such file. */
async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

function keyOf({ schema, name }: DatabaseTable): string {
  return JSON.stringify([schema, name]);
}

/**
 * The same text as the cells of a Parquet file. One that is too long ends the copy before it is written for
 * every row that has it.
 */
function cellsOf(table: FoundTable, types: ReadonlyMap<string, string>, cellBytes: number): string[] {
  const read = columnsRead(table);
  return [...types].map(([name, type]) => {
    if (!read.has(columnName(name))) return `cast(null as varchar) as ${quoted(name)}`;
    const cell = cellAsText(name, type);
    // A list of a value of an enumeration may be as long as a text.
    const guarded = SHORT.test(type)
      ? cell
      : `case when strlen(${cell}) > ${cellBytes} then error(${literal(`${TOO_LONG}${name}`)}) else ${cell} end`;
    return `${guarded} as ${quoted(name)}`;
  });
}

/** Types whose values are short, whatever they are. */
const SHORT =
  /^(?:BOOLEAN|U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|DATE|TIME.*|INTERVAL|UUID)$/;

const TOO_LONG = 'a cell is too long in ';

/** @throws UnansweredError */
function askForSchemas(
  { name }: Input,
  undecided: readonly UndecidedSchema[],
  settingsOf: (source: Source) => Settings,
): void {
  if (undecided.length === 0) return;
  const questions = undecided.map(({ source, schemas }) => ({
    source: source.name,
    setting: 'schema' as const,
    text: `${name} has ${source.title} in ${schemas.length === 1 ? 'the schema' : 'several schemas:'} ${schemas.join(', ')}`,
    values: schemas,
    said: settingsOf(source).schema ?? null,
  }));
  const example = undecided.map(({ schemas }) => schemas[0]).join(',');
  throw new UnansweredError(
    `something must be known that the files do not say.\n${questions.map(({ text }) => `- ${text}`).join('\n')}\n` +
      `Say which is this business's: --schema ${example} (where all of several are, with commas between them). It is remembered for this business`,
    questions,
  );
}

function notesOf(
  { name }: Input,
  all: readonly DatabaseTable[],
  found: readonly FoundTable[],
  chosen: readonly FoundTable[],
): string[] {
  if (found.length === 0)
    return [
      `${name} is a DuckDB file without tables of Fivetran that are read, such as order with order_line and _fivetran_synced: give other tables as ` +
        'Parquet or CSV. Views are not read',
    ];
  const schemas = new Set(chosen.map(({ schema }) => schema));
  const others = new Set(found.map(({ schema }) => schema).filter((schema) => !schemas.has(schema)));
  const read = new Set(chosen.map(keyOf));
  const unread = all.filter((table) => schemas.has(table.schema) && !read.has(keyOf(table)));
  const named = unread.slice(0, NAMED_TABLES).map((table) => `${table.schema}.${table.name}`);
  const more = unread.length > NAMED_TABLES ? ` and ${unread.length - NAMED_TABLES} more` : '';
  return [
    ...(others.size === 0
      ? []
      : [`schemas of ${name} that are not read (--schema): ${[...others].join(', ')}`]),
    ...(unread.length === 0
      ? []
      : [
          `tables of ${name} that are not read: ${named.join(', ')}${more}; which are read: docs/sources/fivetran.md`,
        ]),
  ];
}
