import { parquetTypes } from '../ingest/file-relation.ts';
import { type SourceFile, tableOfFile } from '../ingest/find-files.ts';
import { headerCells } from '../ingest/header.ts';
import { unreadable } from '../ingest/unreadable.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import { type CanonicalTable, DELETED } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import { plural } from '../text/plural.ts';
import { REFUSED_REPORTS } from './all-sources.ts';
import { columnName } from './column-name.ts';
import { beginningInLines } from './files/beginning-in-lines.ts';
import { belowFirstLine, belowTitles, MOST_TITLES } from './files/below-titles.ts';
import type { Input } from './files/inputs.ts';
import {
  type Beginning,
  findHeader,
  inspectText,
  inUtf8,
  readBeginning,
  textsOf,
} from './files/inspect-text.ts';
import { documentsIn, isLineOfJson } from './files/json-documents.ts';
import { hasQuotedRows, unquoteRows } from './files/repair.ts';
import { declaredEncoding, isXml, itemsOfXml } from './files/xml.ts';
import { fivetranTable } from './fivetran/table-names.ts';
import { isOfMerchant } from './mapping/known-sources.ts';
import { titlesAbove } from './mapping/titles-above.ts';
import { refuseLacking } from './places.ts';
import { hasTables, type Settings, type Source, type SourceOfTables } from './source.ts';
import { inEnglish } from './titles-in-languages.ts';
import { UnansweredError } from './unanswered.ts';
import type { UnreadFiles } from './unread-files.ts';
import { describeUnknown, documentIn, type UnknownFile } from './unrecognised.ts';

/** A file of a source. */
export interface SourceInput {
  readonly file: SourceFile;
  /** `json`: documents that take several lines, as an API answers them. */
  readonly format: 'csv' | 'ndjson' | 'json' | 'parquet';
  readonly writtenAt: Date;
  /** The table whose rows a file has, where the source has tables. */
  readonly table?: string;
  /** The notes on repairs. */
  readonly notes: readonly string[];
}

/** The table of a source that a file holds. */
interface TableOfSource {
  readonly source: SourceOfTables;
  readonly table: string;
}

export interface Recognised {
  readonly sources: ReadonlyMap<Source, readonly SourceInput[]>;
  readonly canonical: ReadonlyMap<CanonicalTable, readonly SourceFile[]>;
  /** Files that are neither. */
  readonly unknown: readonly UnknownFile[];
  /** The files among them that are tables of text cells, which a mapping can describe. */
  readonly unknownTables: readonly Input[];
  /** Files that Fivetran wrote, of tables that are not read. */
  readonly unread: readonly string[];
}

/** The files of an import, and whose each of them is. */
export interface ReadFiles {
  readonly recognised: Recognised;
  readonly unread: UnreadFiles;
  /** What was seen on the way. */
  readonly notes: readonly string[];
}

/**
 * Tells what files are by what they hold; files of our own format also by their names. What has the name of a
 * table of ours and all columns that the table must have is ours, whatever other columns stand beside them.
 *
 * @param known sources in the order in which a file is compared with them
 * @param settingsOf what is known of a source
 * @param landedAs the names of the sources of files that need not be recognised, by their paths
 * @param tables which tables of a source files are that need not be recognised, by their paths
 * @param unreadFiles takes files that are reports which cannot be imported, or cannot be read
 */
export async function recognise(
  session: Session,
  inputs: readonly Input[],
  known: readonly Source[],
  settingsOf: (source: Source) => Settings,
  unreadFiles: UnreadFiles,
  landedAs: ReadonlyMap<string, string> = new Map(),
  tables: ReadonlyMap<string, TableOfSource> = new Map(),
): Promise<Recognised> {
  const sources = new Map<Source, SourceInput[]>();
  const canonical = new Map<CanonicalTable, SourceFile[]>();
  const unknown: UnknownFile[] = [];
  const unknownTables: Input[] = [];
  const unread: string[] = [];
  const addOwn = ({ table, format }: NamedTable, { path, name }: Input) =>
    canonical.set(table, [...(canonical.get(table) ?? []), { path, name, format }]);
  const take = async (input: Input): Promise<void> => {
    const beginning = await beginningOf(session, input);
    const document = documentIn(beginning.bytes);
    if (document !== null) {
      unknown.push({ name: input.name, ...document });
      return;
    }
    const header = await headerOfTable(session, input, beginning);
    const toldBefore = tables.has(input.path) || landedAs.has(input.path);
    const own = toldBefore ? null : ownTable(input, header ?? fieldsOf(beginning), known);
    if (own !== null) {
      addOwn(own, input);
      return;
    }
    const ofTables =
      tables.get(input.path) ?? (header === null ? null : tableAmong(input.name, header, known));
    if (ofTables === 'unread') {
      unread.push(input.name);
      return;
    }
    const landed = known.find(({ name }) => name === landedAs.get(input.path));
    const found =
      landed !== undefined
        ? { source: landed, titles: 0, others: [] }
        : ofTables !== null
          ? { ...ofTables, titles: 0, others: [] }
          : isParquet(beginning)
            ? await sourceOfParquet(session, input, known)
            : sourceOf(input, beginning, known, (source) => settingsOf(source).encoding);
    if (found !== null) {
      const { source } = found;
      const file = await prepareFile(session, input, beginning, found, settingsOf(source)).catch(
        (error: unknown) => {
          throw unreadable({ name: input.name, format: 'csv' }, error);
        },
      );
      const ofTable = ofTables === null ? file : { ...file, table: ofTables.table };
      sources.set(source, [...(sources.get(source) ?? []), ofTable]);
      return;
    }
    const named = namedTable(input);
    if (named !== null && seemsOwn(named, header ?? fieldsOf(beginning))) addOwn(named, input);
    else {
      unknown.push({ name: input.name, ...describeUnknown(beginning, header, known) });
      if (isTextTable(beginning) && beginning.text.trim() !== '') unknownTables.push(input);
    }
  };
  for (const input of inputs) await unreadFiles.attempt(() => take(input));
  return { sources, canonical, unknown, unknownTables, unread };
}

type NamedTable = NonNullable<ReturnType<typeof tableOfFile>>;

/** The table of our own format that a file is named for. */
function namedTable({ name }: Input): NamedTable | null {
  return tableOfFile(name.replace(/^.*\.zip\//i, ''), CANONICAL_TABLES);
}

/**
 * The table of our own format that a file is surely of. What the merchant has a mapping for is read by that.
 */
function ownTable(input: Input, fields: readonly string[], known: readonly Source[]): NamedTable | null {
  const named = namedTable(input);
  if (named === null) return null;
  const { key, columns } = named.table;
  const isNeeded = (name: string) =>
    fields.includes(DELETED) ? key.includes(name) : columns[name]?.required;
  const isOurs = Object.keys(columns)
    .filter(isNeeded)
    .every((name) => fields.includes(name));
  const isMapped = known.some((source) => isOfMerchant(source) && isHeaderOf(source, fields));
  return isOurs && !isMapped ? named : null;
}

/**
 * Whether a file that is named for a table of ours, and lacks columns of it, was meant to be one. Many
 * systems call a file `orders.csv`, with a column `total` or `email` in it: it has half of the columns that
 * the table must have, or it is empty.
 */
function seemsOwn({ table: { columns } }: NamedTable, fields: readonly string[]): boolean {
  const required = Object.keys(columns).filter((name) => columns[name]?.required);
  const found = required.filter((name) => fields.includes(name));
  return (
    fields.every((name) => name === '') || fields.includes(DELETED) || 2 * found.length >= required.length
  );
}

/** The fields of the first thing of a file of JSON. */
function fieldsOf({ text }: Beginning): string[] {
  const [first] = isJson(text) ? documentsIn(text) : [];
  return typeof first === 'object' && first !== null && !Array.isArray(first) ? Object.keys(first) : [];
}

async function beginningOf(session: Session, input: Input): Promise<Beginning> {
  try {
    return await readBeginning(session, input);
  } catch (error) {
    throw unreadable({ name: input.name, format: 'csv' }, error);
  }
}

/** A file that the merchant has a mapping for is read by that. */
function tableAmong(name: string, header: readonly string[], known: readonly Source[]) {
  const found = fivetranTable(name, header, known.filter(hasTables));
  if (found === null) return null;
  const before = found === 'unread' ? known : known.slice(0, known.indexOf(found.source));
  return before.some((source) => isHeaderOf(source, header)) ? null : found;
}

/** The names of the columns in lower case; null where the file is no table of text cells. */
async function headerOfTable(session: Session, input: Input, beginning: Beginning): Promise<string[] | null> {
  if (isParquet(beginning)) {
    const { path, name } = input;
    return [...(await parquetTypes(session, { path, name, format: 'parquet' })).keys()].map(columnName);
  }
  return isJson(beginning.text) || isXml(beginning.text) ? null : headerOf(input, beginning.text);
}

interface Found {
  readonly source: Source;
  /** Lines above the header, in which some reports have their title. */
  readonly titles: number;
  /** What else the file may be, which comes behind the source. */
  readonly others: readonly Source[];
}

/**
 * The beginning of a table of whatever columns, as it can be read, and what the table is known as.
 *
 * @throws ImportError when it is a report that cannot be imported, or cannot be read
 */
export async function openTable(
  session: Session,
  whole: Input,
  sources: readonly Source[],
  encoding: string | undefined,
): Promise<{ readonly known: string | null; readonly table: SourceInput }> {
  const input = await beginningInLines(session, whole).catch((error: unknown) => {
    throw unreadable({ name: whole.name, format: 'csv' }, error);
  });
  const beginning = await beginningOf(session, input);
  if (!isTextTable(beginning))
    throw new ImportError(
      `${input.name} is no table of text: give CSV, its cells parted by commas, semicolons or tabs`,
    );
  const found = sourceOf(input, beginning, sources, () => encoding);
  const titles = titlesAbove(beginning.text);
  const unknown = { source: { name: 'unknown', title: 'a table' }, titles, others: [] };
  const settings = encoding === undefined ? {} : { encoding };
  const table = await prepareFile(session, input, beginning, found ?? unknown, settings);
  return { known: found?.source.title ?? null, table };
}

function isTextTable({ text }: Beginning): boolean {
  const isPage = /^\uFEFF?\s*<(!doctype|html|table|svg)\b/i.test(text);
  return !isJson(text) && !isXml(text) && !isPage && !text.includes('\0') && !text.startsWith('PAR1');
}

function isParquet({ bytes }: Beginning): boolean {
  return bytes.toString('latin1', 0, 4) === 'PAR1';
}

async function sourceOfParquet(
  session: Session,
  input: Input,
  known: readonly Source[],
): Promise<Found | null> {
  const file = { path: input.path, name: input.name, format: 'parquet' as const };
  const columns = new Set([...(await parquetTypes(session, file)).keys()].map(columnName));
  const source = known.find(({ records }) => records?.signature.every((name) => columns.has(name)));
  if (source === undefined) refuseReport(input, [columns], '');
  return source === undefined ? null : { source, titles: 0, others: [] };
}

/**
 * The source whose columns stand in the header.
 *
 * @param encodingOf what was told of a source
 * @throws ImportError when it is a report that cannot be imported
 */
function sourceOf(
  input: Input,
  beginning: Beginning,
  known: readonly Source[],
  encodingOf: (source: Source) => string | undefined,
): Found | null {
  const { text } = beginning;
  if (isJson(text) || isXml(text)) {
    const documents = isJson(text) ? documentsIn(text) : [];
    const source = known.find(
      ({ beginsAs, items }) => (items !== undefined) === isXml(text) && beginsAs?.(text, documents),
    );
    if (source === undefined) refuseReport(input, [new Set()], text, documents);
    return source === undefined ? null : { source, titles: 0, others: [] };
  }
  const headers: ReadonlySet<string>[] = [];
  const translated = known.filter(({ titles }) => titles !== undefined);
  // Titles with accents are right in the encoding alone that the file is in. Nearly all files have one text.
  const told = [...new Set(known.map(encodingOf))];
  let texts = told.map((encoding) => ({ encoding, rests: textsOf(beginning, encoding) }));
  for (let titles = 0, rest = text; titles <= MOST_TITLES && rest !== ''; titles += 1) {
    const read = new Map(
      texts.map(({ encoding, rests }) => [
        encoding,
        [...new Set(rests)].map((each) => headerOf(input, each)),
      ]),
    );
    const [source, ...others] = known.filter((each) =>
      read.get(encodingOf(each))?.some((header) => isHeaderOf(each, header)),
    );
    if (source !== undefined) return { source, titles, others };
    const header = headerOf(input, rest);
    headers.push(
      new Set([header, ...translated.map(({ titles }) => inEnglish(titles, header).map(columnName))].flat()),
    );
    rest = belowFirstLine(rest);
    texts = texts.map(({ encoding, rests }) => ({ encoding, rests: rests.map(belowFirstLine) }));
  }
  refuseReport(input, headers, text);
  return null;
}

function refuseReport(
  { name }: Input,
  headers: readonly ReadonlySet<string>[],
  text: string,
  documents: readonly unknown[] = [],
): void {
  const report = REFUSED_REPORTS.find(({ isIt }) => headers.some((header) => isIt(header, text, documents)));
  if (report === undefined) return;
  throw new ImportError(`${name} is ${report.title}, which cannot be imported: ${report.instead}`);
}

function isHeaderOf({ signature, recognises, titles }: Source, written: readonly string[]): boolean {
  const header = inEnglish(titles, written).map(columnName);
  return recognises?.(header) ?? signature?.every((name) => header.includes(name)) ?? false;
}

function isJson(text: string): boolean {
  return /^\uFEFF?\s*[[{]/.test(text);
}

/** The names of the columns in lower case. */
function headerOf(input: Input, text: string): string[] {
  const { line, delimiter } = findHeader(text);
  return headerCells({ name: input.name, delimiter }, line).map(columnName);
}

/** The file as it can be read: a copy where its encoding is another one, or a spreadsheet damaged it. */
async function prepareFile(
  session: Session,
  input: Input,
  beginning: Beginning,
  {
    source,
    titles,
    others,
  }: Omit<Found, 'source'> & { readonly source: Source | Pick<Source, 'name' | 'title' | 'items'> },
  settings: Settings,
): Promise<SourceInput> {
  if (isParquet(beginning)) {
    const { path, name, writtenAt } = input;
    return { file: { path, name, format: 'parquet' }, format: 'parquet', writtenAt, notes: [] };
  }
  const notes = others.map(
    ({ title }) => `${input.name} was read as ${source.title} (${source.name}); it looks like ${title} too`,
  );
  let file = input;
  const text = await inspectText(session, input, beginning);
  const encoding = text.encoding ?? declaredEncoding(beginning.text) ?? settings.encoding;
  if (encoding === undefined)
    throw new UnansweredError(
      `${input.name} (${source.title}) is not UTF-8, and its encoding cannot be told from it. Save it as UTF-8, or say which ` +
        'it is, for example --encoding windows-1252 (Western Europe) or --encoding windows-1250 (Central Europe)',
      [
        {
          source: source.name,
          setting: 'encoding',
          text: `Which line of ${input.name} reads correctly?`,
          values: linesIn(beginning),
          said: null,
        },
      ],
    );
  if (!text.isEnded)
    notes.push(`the last line of ${input.name} does not end: if its download was cut off, export it again`);
  const [begins = beginning.text] = textsOf(beginning, encoding);
  if (encoding !== 'utf-8') {
    file = await inUtf8(session, file, encoding);
    notes.push(`${input.name} was read as ${encoding}`);
  }
  if (source.items !== undefined) {
    file = await itemsOfXml(session, file, source);
    return {
      // A reject names the item: where that stands in the XML, nobody counts lines.
      file: { path: file.path, name: `${input.name} (items)`, format: 'ndjson' },
      format: 'ndjson',
      writtenAt: input.writtenAt,
      notes,
    };
  }
  if (isJson(beginning.text)) {
    const format = isLineOfJson(beginning.text) ? 'ndjson' : 'json';
    return {
      file: { path: file.path, name: input.name, format: 'ndjson' },
      format,
      writtenAt: input.writtenAt,
      notes,
    };
  }
  if (titles > 0) {
    file = await belowTitles(session, file, titles);
    notes.push(
      `${plural(titles, 'line of titles in', 'lines of titles in')} ${input.name} ${titles === 1 ? 'was' : 'were'} left out`,
    );
  } else if (hasQuotedRows(begins)) {
    file = await unquoteRows(session, file, begins);
    notes.push(`${input.name} was repaired: a spreadsheet had put each row into one cell`);
  }
  let header = begins;
  for (let title = 0; title < titles; title += 1) header = belowFirstLine(header);
  const { line, delimiter } = findHeader(header);
  // Told before the rows of any file are read. Of a header that never ends only a part is here, and its
  // length is told by who reads it all.
  if ('columns' in source && !hasTables(source) && /[\r\n]/.test(header))
    refuseLacking(source, input.name, headerCells({ name: input.name, delimiter }, line));
  return {
    file: { path: file.path, name: input.name, format: 'csv', delimiter },
    format: 'csv',
    writtenAt: input.writtenAt,
    notes,
  };
}

/** Encodings of spreadsheets, the most likely ones first. */
const LIKELY_ENCODINGS = [
  ...['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'iso-8859-2'],
];
const MOST_CELLS = 6;
const SHOWN_LETTERS = 30;

/**
 * Cells with letters beyond ASCII, as each encoding reads them: `windows-1250: Škoda · Hrnek černý`. Each
 * cell has a letter that those before it do not have. Of encodings that read the beginning alike, the most
 * likely one stands for all. There are none where nothing tells them apart.
 */
function linesIn(beginning: Beginning): readonly string[] {
  const encodings = new Map<string, string>();
  for (const encoding of LIKELY_ENCODINGS) {
    const [text = ''] = textsOf(beginning, encoding);
    if (!encodings.has(text)) encodings.set(text, encoding);
  }
  const [first = ''] = encodings.keys();
  if (encodings.size < 2) return [];
  // All of them have one byte for each letter, so that a cell stands at the same place in each text.
  const places = cellsIn(first);
  return [...encodings].map(
    ([text, encoding]) => `${encoding}: ${places.map(([from, to]) => text.slice(from, to)).join(' · ')}`,
  );
}

function cellsIn(text: string): readonly (readonly [from: number, to: number])[] {
  const shown = new Set<string>();
  const places: [number, number][] = [];
  let start = 0;
  for (const cell of text.split(/[,;|\t\r\n"]/)) {
    const letters = cell.match(/[\u0080-\uffff]/g) ?? [];
    if (letters.some((letter) => !shown.has(letter))) {
      for (const letter of letters) shown.add(letter);
      const from = start + Math.max(0, cell.search(/[\u0080-\uffff]/) - SHOWN_LETTERS);
      places.push([from, Math.min(start + cell.length, from + 2 * SHOWN_LETTERS)]);
      if (places.length === MOST_CELLS) break;
    }
    start += cell.length + 1;
  }
  return places;
}
