import { isUtf8 } from 'node:buffer';
import { ReasonError } from '../errors.ts';
import { plural } from '../text/plural.ts';
import type { BrokenRecord } from './record-scanner.ts';

/**
 * What DuckDB keeps of a file's malformed rows may take this much. It holds them in no limit of its own, and
 * the process of an import is ended at 2.25 GiB or more, of which it needs the rest. It is enough for 200,000
 * rows of 300 bytes that lack a cell, twice as many as are listed.
 */
const MOST_KEPT_BYTES = 2 ** 29;

/**
 * What DuckDB 1.5.6 keeps of each cell that is missing or too many, of each row that is no UTF-8 and of each
 * broken quote: 1.1 to 1.4 KB, and the row three times up to 10,000 bytes, as measured with 50,000 and
 * 200,000 rows (`docs/decisions/0250-…`).
 */
const KEPT_BYTES = { fault: 1536, row: 10_000, times: 3 } as const;

/** Rows that have the same fault. */
interface Faulty {
  rows: number;
  /** The line of the first of them, and how many cells that has. */
  line: number;
  cells: number;
}

/** Counts what DuckDB will keep of the malformed rows of a text file, before it reads the file. */
export class MalformedLimit {
  readonly #ofWidth: Faulty = { rows: 0, line: 0, cells: 0 };
  readonly #ofEncoding: Faulty = { rows: 0, line: 0, cells: 0 };
  readonly #ofQuotes: Faulty = { rows: 0, line: 0, cells: 0 };
  #wrongCells = 0;
  #keptBytes = 0;
  /** The chunk in which rows end now, and its position in the file. */
  #chunk: Buffer = Buffer.alloc(0);
  #position = 0;
  #isText = true;

  /** The chunk in which the next rows end. */
  read(chunk: Buffer): void {
    this.#position += this.#chunk.length;
    this.#chunk = chunk;
    // A chunk that ends within a character only has its rows looked at one by one.
    this.#isText = isUtf8(chunk);
  }

  /** A row with `cells` cells, of which `wrongCells` are missing or too many. */
  row(line: number, start: number, end: number, cells: number, wrongCells: number): void {
    const isOtherEncoding = !this.#isText && !this.#isUtf8(start, end);
    if (wrongCells > 0) count(this.#ofWidth, line, cells);
    if (isOtherEncoding) count(this.#ofEncoding, line, cells);
    this.#wrongCells += wrongCells;
    this.#keep(wrongCells + (isOtherEncoding ? 1 : 0), end - start);
  }

  broken({ line, start, end, brokenCells, wrongCells }: BrokenRecord): void {
    count(this.#ofQuotes, line, 0);
    this.#keep(Math.max(1, brokenCells) + wrongCells, end - start);
  }

  /**
   * @param columns of the header; null where a file has none @throws ReasonError where it is more than may be
   *   kept
   */
  refuse(columns: number | null): void {
    if (this.#keptBytes <= MOST_KEPT_BYTES) return;
    const { rows, line, cells } = this.#ofWidth;
    const faults = [
      ...(rows === 0
        ? []
        : [
            `${plural(rows, 'row has', 'rows have')} more or fewer cells than its header, which has ${columns} (the first is on line ${line}, with ${plural(cells, 'cell', 'cells')}; ` +
              `${plural(this.#wrongCells, 'is', 'are')} missing or too many in all)`,
          ]),
      ...described(this.#ofEncoding, 'is no UTF-8', 'are no UTF-8'),
      ...described(this.#ofQuotes, 'has a broken quote or is too long', 'have broken quotes or are too long'),
    ];
    const advice = [
      ...(rows === 0
        ? []
        : ['Are its cells parted as its header says, and was it put together of files that fit?']),
      ...(this.#ofEncoding.rows === 0 ? [] : ['Save it as UTF-8.']),
      'Export it again, or give the table as Parquet',
    ];
    throw new ReasonError(
      `too many of its rows are malformed: ${faults.join('; ')}. To tell of each takes ${inMebibytes(this.#keptBytes)} of memory, and it may ` +
        `take ${inMebibytes(MOST_KEPT_BYTES)}. ${advice.join(' ')}`,
    );
  }

  #keep(faults: number, bytes: number): void {
    this.#keptBytes += faults * (KEPT_BYTES.fault + KEPT_BYTES.times * Math.min(bytes, KEPT_BYTES.row));
  }

  /**
   * Looks only at the end of a row that began in a chunk before. There is at most one such row in a chunk.
   */
  #isUtf8(start: number, end: number): boolean {
    let from = Math.max(0, start - this.#position);
    if (start < this.#position) while (isContinued(this.#chunk[from])) from += 1;
    return isUtf8(this.#chunk.subarray(from, Math.max(from, end - this.#position)));
  }
}

function count(faulty: Faulty, line: number, cells: number): void {
  faulty.rows += 1;
  if (faulty.rows > 1) return;
  faulty.line = line;
  faulty.cells = cells;
}

function described({ rows, line }: Faulty, one: string, many: string): string[] {
  return rows === 0 ? [] : [`${plural(rows, one, many)} (the first is on line ${line})`];
}

/** Whether a byte goes on with a character of UTF-8. */
function isContinued(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
