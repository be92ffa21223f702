import { ReasonError } from '../../../errors.ts';
import type { Reader } from '../../../ingest/gzip.ts';
import { type Attributes, elementsOf, type Listener } from './elements.ts';
import { textOfNumber } from './numbers.ts';
import { CellText, type Part, type Workbook } from './parts.ts';

/** What a sheet of a spreadsheet has at most, and what a table may have. */
const MOST = { rows: 1_048_576, columns: 2000 } as const;

/** Titles and the header stand in these. */
const HEADER_ROWS = 6;

/**
 * The characters that 64 KB of a sheet may become. Cells refer to a text by its number, so that some bytes
 * can stand for a million characters, and the next ones for the same again.
 */
const MOST_OF_PIECE = 2 ** 26;

/** A cell, counted from 1. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/** Cells that are one. */
interface Merged {
  readonly from: Place;
  readonly to: Place;
}

/**
 * The rows of a sheet as CSV in UTF-8, each on its line. Of a formula the value counts that was saved with
 * it.
 *
 * @throws Error when it is damaged or too large, or a formula has no value
 */
export async function* csvOfSheet(reader: Reader, part: Part, workbook: Workbook): AsyncGenerator<string> {
  const { width, merged } = await measure(reader, part, workbook);
  if (width === 0) return;
  let csv = '';
  let line = 1;
  const above = new Map<string, string>();
  const rows = new SheetRows(workbook, (row, cells) => {
    for (const { from, to } of row > HEADER_ROWS ? [] : merged) {
      const key = `${from.row} ${from.column}`;
      if (from.row === row) above.set(key, cells[from.column - 1] ?? '');
      else if (row > from.row && row <= to.row) cells[from.column - 1] ??= above.get(key) ?? '';
    }
    if (!cells.some((cell) => cell !== '')) return;
    csv += '\n'.repeat(row - line);
    line = row + 1;
    const texts = Array.from({ length: width }, (_, index) => csvCell(cells[index] ?? ''));
    const characters = texts.reduce((sum, text) => sum + text.length, csv.length);
    if (characters > MOST_OF_PIECE)
      throw new ReasonError(
        'its cells repeat long texts more often than those of a table do. Save its sheet as CSV',
      );
    csv += `${texts.join(',')}\n`;
  });
  for await (const _ of elementsOf(reader, part, rows)) {
    if (csv !== '') yield csv;
    csv = '';
  }
}

function csvCell(text: string): string {
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** How many columns have cells, and which cells of a header are one: that stands behind the rows. */
async function measure(
  reader: Reader,
  part: Part,
  workbook: Workbook,
): Promise<{ readonly width: number; readonly merged: readonly Merged[] }> {
  let width = 0;
  const merged: Merged[] = [];
  const rows = new SheetRows(workbook, (_, cells) => {
    width = Math.max(width, cells.findLastIndex((cell) => cell !== undefined && cell !== '') + 1);
  });
  const listener: Listener = {
    opened: (name, attributes) => {
      rows.opened(name, attributes);
      const [from, to] = name === 'mergeCell' ? (attributes.ref ?? '').split(':').map(placeOf) : [];
      if (!from || !to || to.row === from.row) return;
      // Cells that are one in the rows below are as they are written: the first of them has the text.
      if (to.row <= HEADER_ROWS && merged.length < MOST.columns) merged.push({ from, to });
    },
    text: (text) => rows.text(text),
    closed: (name) => rows.closed(name),
  };
  for await (const _ of elementsOf(reader, part, listener));
  return { width, merged };
}

/**
 * Tells of the rows of a sheet: the texts of its cells, by their columns; those without a cell are undefined.
 */
class SheetRows implements Listener {
  readonly #workbook: Workbook;
  readonly #told: (row: number, cells: (string | undefined)[]) => void;
  readonly #inline = new CellText();
  #row = 0;
  #column = 0;
  #cells: (string | undefined)[] = [];
  #cell: { readonly type: string; readonly style: number } = { type: 'n', style: 0 };
  #value: string | null = null;
  #isValue = false;
  #isFormula = false;

  constructor(workbook: Workbook, told: (row: number, cells: (string | undefined)[]) => void) {
    this.#workbook = workbook;
    this.#told = told;
  }

  opened(name: string, attributes: Attributes): void {
    if (name === 'row') this.#beginRow(attributes);
    else if (name === 'c') this.#beginCell(attributes);
    else if (name === 'f') this.#isFormula = true;
    else if (name === 'v') {
      this.#isValue = true;
      this.#value = '';
    } else this.#inline.opened(name);
  }

  text(text: string): void {
    if (this.#isValue) this.#value = `${this.#value ?? ''}${text}`;
    else this.#inline.read(text);
  }

  closed(name: string): void {
    if (name === 'v') this.#isValue = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#told(this.#row, this.#cells);
    else this.#inline.closed(name);
  }

  #beginRow({ r }: Attributes): void {
    const row = r === undefined ? this.#row + 1 : Number(r);
    if (!(Number.isInteger(row) && row > this.#row && row <= MOST.rows))
      throw new ReasonError(
        `its rows are in no order, or more than ${MOST.rows}, which no spreadsheet writes. Save its sheet as CSV`,
      );
    this.#row = row;
    this.#column = 0;
    this.#cells = [];
  }

  #beginCell({ r, t = 'n', s }: Attributes): void {
    const place = r === undefined ? null : placeOf(r);
    this.#column = place?.column ?? this.#column + 1;
    this.#cell = { type: t, style: Number(s ?? 0) };
    this.#value = null;
    this.#isValue = false;
    this.#isFormula = false;
    this.#inline.begin();
  }

  #endCell(): void {
    const text = this.#textOfCell();
    if (text === '') return;
    if (this.#column > MOST.columns)
      throw new ReasonError(
        `it has cells beyond ${MOST.columns} columns, which is the most that are read. Delete what is not of the table`,
      );
    this.#cells[this.#column - 1] = text;
  }

  #textOfCell(): string {
    const { type, style } = this.#cell;
    const { texts, formats, from1904 } = this.#workbook;
    if (type === 'inlineStr') return this.#inline.take();
    const value = this.#value ?? '';
    if (this.#isFormula && value === '' && type !== 'str')
      throw new ReasonError(
        `the formula in row ${this.#row}, column ${this.#column} was saved without its value. Open it in a spreadsheet, save it, and import that`,
      );
    if (value === '') return '';
    if (type === 's') {
      const text = texts[Number(value)];
      if (text === undefined)
        throw new ReasonError('it refers to a text that it does not have. Save it anew');
      return text;
    }
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.replace('T', ' ');
    // Errors such as #N/A stay what they are, so that no amount is taken to be empty.
    if (type !== 'n') return value;
    return textOfNumber(value, formats[style] ?? { kind: 'number', digits: 1 }, from1904);
  }
}

/** The place of a cell such as `BC23`; null for any other text. */
function placeOf(name: string): Place | null {
  const [, letters = '', row = ''] = /^([A-Z]{1,3})([0-9]{1,7})$/.exec(name.replaceAll('$', '')) ?? [];
  if (letters === '') return null;
  const column = [...letters].reduce((before, letter) => before * 26 + letter.charCodeAt(0) - 64, 0);
  return { row: Number(row), column };
}
