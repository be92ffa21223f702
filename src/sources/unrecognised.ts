import type { CanonicalTable } from '../store/canonical-table.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import { plural } from '../text/plural.ts';
import { columnName } from './column-name.ts';
import type { Beginning } from './files/inspect-text.ts';
import { isXml } from './files/xml.ts';
import type { RawColumn, Source } from './source.ts';
import { inEnglish } from './titles-in-languages.ts';

/**
 * A file that is no export that is known. Nothing of it is said but what kind of file it is: its cells and
 * names may be personal.
 */
export interface UnknownFile {
  readonly name: string;
  /** What it seems to be, by its content. */
  readonly is: string;
  /** What to do instead of importing it. */
  readonly instead: string;
}

type Described = Omit<UnknownFile, 'name'>;

const AS_TABLE = 'export the data itself, as CSV or JSON';

/** Documents by the bytes that they begin with, in Latin-1. */
const DOCUMENTS: readonly (readonly [beginning: string, is: string, instead: string])[] = [
  ['%PDF-', 'a PDF document', AS_TABLE],
  [
    '\u00d0\u00cf\u0011\u00e0',
    'an Excel workbook (.xls), one that is locked with a password, or another document of Office',
    'save it as .xlsx without a password, or its sheet as CSV',
  ],
  ['\u0089PNG', 'a picture', AS_TABLE],
  ['\u00ff\u00d8\u00ff', 'a picture', AS_TABLE],
  ['GIF8', 'a picture', AS_TABLE],
  ['SQLite format 3', 'an SQLite database', 'export its tables as CSV'],
  [
    '\u001f\u008b',
    'packed with gzip',
    'give it a name that ends with .gz; if it has one, it is packed twice: unpack it once',
  ],
  ['BZh', 'packed with bzip2', 'unpack it, or pack it as .zip or .gz'],
  ['\u00fd7zXZ', 'packed with xz', 'unpack it, or pack it as .zip or .gz'],
  ['\u0028\u00b5\u002f\u00fd', 'packed with Zstandard', 'unpack it, or pack it as .zip or .gz'],
  ['Rar!', 'a RAR archive', 'unpack it, or pack it as .zip'],
  ['7z\u00bc\u00af', 'a 7z archive', 'unpack it, or pack it as .zip'],
];

/** Null for what may be a table. */
export function documentIn(bytes: Buffer): Described | null {
  const start = bytes.toString('latin1', 0, 16);
  const found = DOCUMENTS.find(([beginning]) => start.startsWith(beginning));
  return found === undefined ? null : { is: found[1], instead: found[2] };
}

/**
 * What a file seems to be, and which known export is nearest.
 *
 * @param header the names of its columns in lower case; null where it is no table
 */
export function describeUnknown(
  { text }: Beginning,
  header: readonly string[] | null,
  known: readonly Source[],
): Described {
  if (/^\uFEFF?\s*<(?:!doctype html|html)/i.test(text))
    return {
      is: 'a web page (HTML)',
      instead: `it may be the page of a sign-in or an error, or a table that is called a workbook and is none: open that in a spreadsheet and save it as .xlsx. Else ${AS_TABLE}`,
    };
  if (header === null)
    return {
      is: `${isXml(text) ? 'XML' : 'JSON'}, with other things in it than a known export has`,
      instead: 'save it as the page of its system in docs/sources says',
    };
  if (text.includes('\0') && !text.startsWith('PAR1'))
    return { is: 'a binary file of an unknown kind', instead: AS_TABLE };
  const columns = header.filter((name) => name !== '').length;
  const nearest = partOf(header, known) ?? nearestTo(header, known);
  const mapping = 'describe its columns with a mapping, which `storesight source map FILE` begins';
  return {
    is: `a table of ${plural(columns, 'column', 'columns')}${nearest === null ? '' : `, nearest to ${nearest.title}, but without the ${nearest.missing.length === 1 ? 'column' : 'columns'} ${nearest.missing.join(', ')}`}`,
    instead: nearest === null ? mapping : (nearest.instead ?? `export it with these columns, or ${mapping}`),
  };
}

interface Nearest {
  readonly title: string;
  /** The columns by which it is told, that are not there. */
  readonly missing: readonly string[];
  readonly instead?: string;
}

function partOf(header: readonly string[], known: readonly Source[]): Nearest | null {
  for (const { title, lacks } of known) {
    const lacking = lacks?.(header) ?? null;
    if (lacking !== null) return { title, missing: lacking.columns, instead: lacking.instead };
  }
  return null;
}

interface Format {
  readonly title: string;
  /** The columns by which the export is recognised. */
  readonly needed: readonly Column[];
  readonly read: readonly Column[];
  readonly titles?: Source['titles'];
}

/** One of its names, or what it is found by, stands in the header of a file that has it. */
type Column = Pick<RawColumn, 'header' | 'find'>;

/**
 * The format that shares most columns with the header, where it has at least half of those that the format is
 * told by, and two.
 */
function nearestTo(written: readonly string[], known: readonly Source[]): Nearest | null {
  let nearest: (Nearest & { readonly shared: number }) | null = null;
  for (const format of [...known.map(formatOf), ...CANONICAL_TABLES.map(formatOfTable)]) {
    const { title, needed, read } = format;
    const header = inEnglish(format.titles, written).map(columnName);
    const missing = needed.filter((column) => placesIn(header, column).length === 0);
    const shared = new Set([...needed, ...read].flatMap((column) => placesIn(header, column))).size;
    if (missing.length === 0 || 2 * missing.length > needed.length || shared < 2) continue;
    if (nearest === null || shared > nearest.shared)
      nearest = { title, shared, missing: missing.map((column) => columnName(column.header[0] ?? '')) };
  }
  return nearest;
}

function placesIn(header: readonly string[], { header: names, find }: Column): readonly number[] {
  return (
    find?.(header) ?? names.map((name) => header.indexOf(columnName(name))).filter((place) => place >= 0)
  );
}

function formatOf({ title, signature, columns, records, titles }: Source): Format {
  const told = (signature ?? records?.signature ?? []).map((name) => ({ header: [name] }));
  const required = Object.values(columns).filter(({ isRequired }) => isRequired === true);
  const isTold = ({ header }: Column) => told.some(({ header: [name = ''] }) => header.includes(name));
  return {
    title,
    needed: [...told, ...required.filter((column) => !isTold(column))],
    read: Object.values(columns),
    titles,
  };
}

function formatOfTable({ name, columns }: CanonicalTable): Format {
  const required = Object.entries(columns).filter(([, { required }]) => required);
  return {
    title: `our own ${name} (docs/import-format.md)`,
    needed: required.map(([column]) => ({ header: [column] })),
    read: Object.keys(columns).map((column) => ({ header: [column] })),
  };
}

export function notRecognised({ name, is, instead }: UnknownFile): string {
  return `${name} is not recognised: it is ${is}. To import it, ${instead}`;
}
