import { LEFT_OUT } from '../answers/rows-as-table.ts';
import type { Tool } from '../answers/tool.ts';
import { LONG_BYTES, waysToAskForLess } from '../asking/long-answer.ts';
import type { Pieces } from '../main-thread/pieces.ts';

/**
 * A long table where nobody says how it is to be sent: first the columns that fit, then the rows that fit.
 * A year by day of eleven RFM segments has 370 KB. No model reads that much, and hosts cut it somewhere. So
 * the answer is what fits, its first note says what is left out, and `format: "table"` has all of it.
 */

type Json = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly bytes: number;
  /** A name says what a row is about: without it nobody could read the row. */
  readonly kind: 'name' | 'list' | 'text' | 'number';
}

interface TableOf {
  /** Where it stands in the answer; null: it is the answer's own. */
  readonly key: string | null;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The note on the length has fewer bytes. */
const LONGEST_NOTE = 600;

interface FittingData {
  readonly data: Json;
  /** What is left out, and how to get it; null: nothing is. */
  readonly note: string | null;
}

/**
 * The data, with columns and rows left out until they fit.
 *
 * @param table the answer with its lists as tables
 * @param bytes its length as JSON
 * @param notes the notes that go with it
 */
export function* fittingData(
  tool: Tool,
  args: Json,
  table: Json,
  { bytes, notes }: { readonly bytes: number; readonly notes: readonly string[] },
): Pieces<FittingData> {
  const room = LONG_BYTES - LONGEST_NOTE - Buffer.byteLength(JSON.stringify(notes));
  const longest = yield* longestTable(tool, table);
  if (longest === null) return { data: table, note: null };
  const isChosen = ((args.fields ?? []) as readonly string[]).length > 0;
  const left = isChosen ? [] : leftOut(longest.columns, bytes - room);
  const kept = longest.columns.filter((column) => !left.includes(column));
  const thin = bytes - left.reduce((sum, column) => sum + column.bytes, 0);
  const rows = yield* withColumns(longest, kept);
  const count = thin <= room ? rows.length : rowsThatFit(rows, thin - room);
  const shown = { columns: kept.map(({ name }) => name), rows: rows.slice(0, count) };
  return {
    data: longest.key === null ? { ...table, ...shown } : { ...table, [longest.key]: shown },
    note: noteOf(tool, args, longest, { bytes, left, count }),
  };
}

function* longestTable(tool: Tool, table: Json): Pieces<TableOf | null> {
  const names = tool.rows?.uniqueBy ?? [];
  const tables: TableOf[] = [];
  for (const [key, value] of [[null, table] as const, ...Object.entries(table)]) {
    const { columns, rows } = Object(value) as { readonly columns?: unknown; readonly rows?: unknown };
    if (!Array.isArray(columns) || !Array.isArray(rows)) continue;
    tables.push({ key, rows, columns: yield* columnsOf(columns, rows, key === null ? names : []) });
  }
  const bytesOf = ({ columns }: TableOf) => columns.reduce((sum, { bytes }) => sum + bytes, 0);
  return tables.toSorted((one, other) => bytesOf(other) - bytesOf(one))[0] ?? null;
}

/**
 * @param names what tells the rows apart; where nothing says what does: what stands before the first number
 */
function* columnsOf(
  columns: readonly string[],
  rows: TableOf['rows'],
  names: readonly string[],
): Pieces<Column[]> {
  const measured: Column[] = [];
  for (const [place, name] of columns.entries()) {
    const cells = rows.map((row) => row[place]);
    const bytes = Buffer.byteLength(JSON.stringify(cells));
    const value = cells.find((cell) => cell !== null);
    const kind = Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : 'number';
    const isName =
      names.length > 0
        ? names.includes(name)
        : measured.every((one) => one.kind === 'name') && kind === 'text';
    measured.push({ name, bytes, kind: isName ? 'name' : kind });
    yield;
  }
  return measured;
}

/**
 * The columns without which the rest is short enough: lists within rows, then texts, then numbers but for the
 * first, of each the last ones.
 */
function leftOut(columns: readonly Column[], over: number): readonly Column[] {
  const ofKind = (kind: Column['kind']) => columns.filter((column) => column.kind === kind);
  const [, ...numbers] = ofKind('number');
  const lists = ofKind('list').toSorted((one, other) => other.bytes - one.bytes);
  const left: Column[] = [];
  let more = over;
  for (const column of [...lists, ...ofKind('text').reverse(), ...numbers.reverse()]) {
    if (more <= 0) break;
    left.push(column);
    more -= column.bytes;
  }
  return columns.filter((column) => left.includes(column));
}

const ROWS_OF_PIECE = 200;

function* withColumns({ columns, rows }: TableOf, kept: readonly Column[]): Pieces<TableOf['rows']> {
  const places = kept.map((column) => columns.indexOf(column));
  const thin: unknown[][] = [];
  for (const row of rows) {
    thin.push(places.map((place) => row[place]));
    if (thin.length % ROWS_OF_PIECE === 0) yield;
  }
  return thin;
}

/**
 * The number of first rows that fit if the rest must have `over` bytes or more. Rows of one period stay
 * together: sums of half a period would be wrong.
 */
function rowsThatFit(rows: TableOf['rows'], over: number): number {
  let more = over;
  let count = rows.length;
  while (more > 0 && count > 1) {
    count -= 1;
    more -= Buffer.byteLength(JSON.stringify(rows[count])) + ','.length;
  }
  const firstOfPeriod = rows.slice(0, count).findLastIndex(([name]) => name !== rows[count]?.[0]) + 1;
  return firstOfPeriod > 0 ? firstOfPeriod : count;
}

function noteOf(
  tool: Tool,
  args: Json,
  { key, rows }: TableOf,
  {
    bytes,
    left,
    count,
  }: { readonly bytes: number; readonly left: readonly Column[]; readonly count: number },
): string {
  const list = `\`${key ?? tool.rows?.list ?? 'rows'}\``;
  const names = left.map(({ name }) => name.split(': ')[0]).join(', ');
  const what = [
    ...(left.length > 0 ? [`of ${list} ${names}`] : []),
    ...(count < rows.length ? [`all ${list} but the first ${count} of ${rows.length}`] : []),
  ].join(', and ');
  const ways = waysToAskForLess(tool, { ...args, format: 'table' });
  return `${LEFT_OUT}: ${what}. All, which is ${Math.round(bytes / 1000)} KB: format "table". ${ways ?? ''}`.trimEnd();
}
