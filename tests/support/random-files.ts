import * as fc from 'fast-check';
import type { ImportedRow } from '../oracle/imports.ts';

/** Files of one table as hostile exports write them, and what their rows are. */
export interface RandomFile {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly ImportedRow[];
}

type Row = Readonly<Record<string, string>>;

/** How a CSV file is written. */
interface Style {
  readonly lineEnd: string;
  readonly hasMark: boolean;
  readonly hasLastLineEnd: boolean;
  readonly quotesAll: boolean;
}

/** One line of a file, or several: text for CSV, for NDJSON, and the rows that it is. */
interface Piece {
  csv(style: Style, header: readonly string[]): string;
  readonly ndjson: string;
  readonly rows: readonly ImportedRow[];
}

/**
 * Texts that begin and end with something visible: what is around is trimmed, which has a test of its own.
 */
export function hostileText(): fc.Arbitrary<string> {
  const part = fc.constantFrom(
    '"',
    '""',
    ',',
    '\n',
    '\r\n',
    '\r',
    ';',
    '\t',
    '\\',
    "'",
    ' ',
    '{',
    '|',
    '\u00a0',
    'ž',
    '🐴',
    'a,b,1',
  );
  return fc.array(part, { maxLength: 6 }).map((parts) => `x${parts.join('')}x`);
}

/** @param bad rows with a cell that does not fit its column */
export function randomFiles(
  table: string,
  header: readonly string[],
  good: fc.Arbitrary<Row>,
  bad: fc.Arbitrary<Row>,
): fc.Arbitrary<RandomFile[]> {
  const piece = fc.oneof(
    { weight: 12, arbitrary: good.map((row) => written(row, { good: row })) },
    { weight: 2, arbitrary: bad.map((row) => written(row, { bad: 1 })) },
    { weight: 1, arbitrary: fc.constantFrom(BLANK, TOO_FEW_CELLS, TEXT_BEHIND_QUOTE) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }).map(openQuote) },
  );
  const style = fc.record({
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    hasMark: fc.boolean(),
    hasLastLineEnd: fc.boolean(),
    quotesAll: fc.boolean(),
  });
  const file = fc.record({
    format: fc.constantFrom('csv', 'csv.gz', 'ndjson', 'ndjson.gz'),
    style,
    pieces: fc.array(piece, { maxLength: 30 }),
    /** Many rows at the beginning, so that DuckDB reads more than one vector. */
    repeats: fc.constantFrom(1, 1, 1, 200),
    columns: fc.shuffledSubarray([...header], { minLength: header.length }),
    endsInQuote: fc.nat({ max: 9 }).map((number) => number === 0),
  });
  return fc.array(file, { minLength: 1, maxLength: 3 }).map((files) =>
    files.map(({ format, style, pieces, repeats, columns, endsInQuote }, index) => {
      const all = Array.from({ length: repeats }, () => pieces).flat();
      const isCsv = format.startsWith('csv');
      if (isCsv && endsInQuote) all.push(NEVER_CLOSED);
      const texts = isCsv
        ? [columns.map((name) => quoted(name, style)).join(','), ...all.map((one) => one.csv(style, columns))]
        : all.map((one) => one.ndjson);
      const text = texts.join(style.lineEnd) + (style.hasLastLineEnd ? style.lineEnd : '');
      return {
        name: `${table}-${index}.${format}`,
        text: `${style.hasMark ? '\uFEFF' : ''}${text}`,
        // A line that is broken in CSV alone is a blank one in NDJSON.
        rows: all.flatMap((one) => (isCsv || one.ndjson !== '' ? one.rows : [])),
      };
    }),
  );
}

function written(row: Row, as: ImportedRow): Piece {
  return {
    csv: (style, header) => header.map((name) => quoted(row[name] ?? '', style)).join(','),
    ndjson: JSON.stringify(row),
    rows: [as],
  };
}

const BLANK: Piece = { csv: () => '', ndjson: '', rows: [] };
const TOO_FEW_CELLS: Piece = { csv: () => 'only', ndjson: '{"only":', rows: [{ bad: 1 }] };
const TEXT_BEHIND_QUOTE: Piece = {
  csv: (_style, header) => header.map(() => '"a"b').join(','),
  ndjson: '[]',
  rows: [{ bad: 1 }],
};
const NEVER_CLOSED: Piece = { csv: () => 'x,"never\nclosed\n\n', ndjson: '', rows: [{ bad: 2 }] };

/** A quote that takes in lines, the last of which has text behind a quote; in NDJSON nothing. */
function openQuote(lines: number): Piece {
  return {
    csv: ({ lineEnd }, header) =>
      [
        `x,"open${',1'.repeat(header.length)}`,
        // Only LF is a line end that counts in a cell, so that CR alone makes them one.
        ...Array.from({ length: lines }, (_, i) => `y${i},a${',1'.repeat(header.length - 2)}`),
        'z,"text",1',
      ].join(lineEnd === '\r' ? '\n' : lineEnd),
    ndjson: '',
    rows: [{ bad: lines + 2 }],
  };
}

/** A cell, in quotes where it must be or all are; others hold quotes as they stand. */
function quoted(cell: string, { quotesAll }: Style): string {
  return quotesAll || /[,\r\n]|^[" ]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
