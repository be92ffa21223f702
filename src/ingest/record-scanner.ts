import { ReasonError } from '../errors.ts';
import type { Delimiter, SourceFile } from './find-files.ts';

/** The longest row that is read, in bytes and in lines: a quote left open soon makes a longer one. */
export const LONGEST_ROW = { mebibytes: 16, lines: 10_000 } as const;

/** A stretch of a file that is no row, whatever its cells hold. */
export interface BrokenRecord {
  /** The line on which it starts, 1-based. */
  readonly line: number;
  /** The lines without blank ones: the rows that the record may have been. */
  readonly lines: number;
  /** The first byte of the record in the unpacked file, and the byte behind it. */
  readonly start: number;
  readonly end: number;
  /** How many of its cells have text behind a closing quote; and see `RecordSink`. */
  readonly brokenCells: number;
  readonly wrongCells: number;
  readonly fault: 'text behind a quote' | 'open quote' | 'too long';
}

/** The reason of a reject. */
export function faultText({ fault, lines }: BrokenRecord): string {
  const isOne = lines === 1;
  switch (fault) {
    case 'open quote':
      return isOne
        ? 'is malformed: a quote is never closed'
        : `is malformed: a quote is never closed, which takes in all ${lines} lines to the end of the file`;
    case 'text behind a quote':
      return isOne
        ? 'is malformed: text stands behind a closing quote; a quote within a cell is doubled'
        : `is malformed: a quote is left open and takes in ${lines} lines, up to one with text behind a quote`;
    case 'too long':
      return `is longer than a row may be (${LONGEST_ROW.mebibytes} MiB, ${LONGEST_ROW.lines} lines)${isOne ? '' : `: it takes in ${lines} lines; is a quote left open?`}`;
  }
}

/**
 * A sink that is given the records of a file in their order, without blank lines. The first record of a CSV
 * file is its header.
 */
export interface RecordSink {
  /**
   * @param lines the number of lines that it spans; `end` is the byte behind it
   * @param cells the number of its cells, in a CSV file
   * @param wrongCells missing cells, or extra ones counted from the first non-empty extra cell (DuckDB
   *   ignores empty ones). A lower bound: a quoted extra cell with inner quotes may be missed
   */
  record(line: number, start: number, end: number, lines: number, cells: number, wrongCells: number): void;
  broken(record: BrokenRecord): void;
  /** A record of several lines, each with as many commas as the header: a quote may have been left open. */
  looksLikeRows(line: number, lines: number): void;
}

/**
 * Finds the records of a CSV or NDJSON file in its bytes, apart from DuckDB, so that what DuckDB read can be
 * compared with what is there.
 *
 * TRICKY: it must see records where DuckDB sees them, also behind broken quotes. To DuckDB a quote counts
 * only at the start of a cell (one blank may stand before it) or inside a quoted one, and text behind a
 * closing quote breaks the record, but its next cells are read as any others: one in quotes may span lines. A
 * line ends with LF, CRLF or CR; all lines of one CSV file end alike.
 */
export class RecordScanner {
  readonly #sink: RecordSink;
  readonly #isCsv: boolean;
  readonly #transitions: Uint8Array;
  readonly #delimiter: number;
  /** The position of the chunk in the file. */
  #position = 0;
  /** The line of the byte that is read. */
  #line = 1;
  #lineEnd: LineEnd | undefined;
  #headerCommas: number | undefined;
  /** How many cells the header of a CSV file has. */
  #columns: number | undefined;
  #endsWithReturn = false;
  #record = newRecord(0, 1);

  constructor({ format, delimiter = ',' }: Pick<SourceFile, 'format' | 'delimiter'>, sink: RecordSink) {
    this.#sink = sink;
    this.#isCsv = format === 'csv';
    this.#delimiter = delimiter.charCodeAt(0);
    this.#transitions = this.#isCsv ? CSV_TRANSITIONS[delimiter] : NDJSON_TRANSITIONS;
  }

  /** @throws Error when the line ends of a CSV file differ */
  write(chunk: Buffer): void {
    const nextQuote = this.#isCsv ? finder(chunk, QUOTE) : () => Number.POSITIVE_INFINITY;
    const nextLineFeed = finder(chunk, LINE_FEED);
    const nextReturn = finder(chunk, CARRIAGE_RETURN);
    for (let i = this.#readBeginning(chunk); i < chunk.length; ) {
      const end = nextLineFeed(i);
      // Nearly all lines hold no quote, and are found without a look at each byte.
      const isPlain = end < nextQuote(i) && end <= nextReturn(i) + 1;
      if (isPlain && this.#isLineEnough) {
        const hasReturn = nextReturn(i) < end;
        if (this.#columns !== undefined) this.#readPlainCells(chunk, i, end, this.#columns);
        const bytes = this.#position + end - this.#record.lineStart - (hasReturn ? 1 : 0);
        this.#endRecord(bytes, this.#position + end + 1, hasReturn ? 'CRLF' : 'LF');
        i = end + 1;
      } else if (!this.#isCsv && Math.min(end, nextReturn(i)) > chunk.length) {
        i = chunk.length;
      } else {
        i = this.#readBytes(chunk, i);
      }
    }
    this.#position += chunk.length;
    this.#endsWithReturn = chunk.at(-1) === CARRIAGE_RETURN;
  }

  /** How many cells the header of a CSV file has; null before it has ended. */
  get columns(): number | null {
    return this.#columns ?? null;
  }

  /** The line that has not ended yet, and how many bytes of it were read. */
  get openLine(): { readonly line: number; readonly bytes: number } {
    return { line: this.#line, bytes: this.#position - this.#record.lineStart };
  }

  /** The end of the file. */
  end(): void {
    // A return at the very end only ends the last line, also when an open quote kept it from being read as
    // one.
    const lineEnd = this.#endsWithReturn ? 1 : 0;
    // The end of the last line is no sign of how the others end.
    this.#endRecord(this.#position - this.#record.lineStart - lineEnd, this.#position, undefined);
  }

  /**
   * Whether only the end of a line matters where no quote stands before it. That is so neither in a header
   * nor within a quoted cell.
   */
  get #isLineEnough(): boolean {
    const { state, lines } = this.#record;
    return (
      !this.#isCsv || (this.#headerCommas !== undefined && lines === 0 && WITHOUT_QUOTES.includes(state))
    );
  }

  /** Reads what belongs to the end of the chunk before, or to no line; returns the place behind. */
  #readBeginning(chunk: Buffer): number {
    if (this.#position === 0 && BYTE_ORDER_MARK.every((byte, index) => chunk[index] === byte)) {
      this.#record.lineStart = BYTE_ORDER_MARK.length;
      return BYTE_ORDER_MARK.length;
    }
    if (!this.#record.isAfterReturn || chunk.length === 0) return 0;
    const isPair = chunk[0] === LINE_FEED;
    const bytes = this.#position - 1 - this.#record.lineStart;
    this.#endRecord(bytes, this.#position + (isPair ? 1 : 0), isPair ? 'CRLF' : 'CR');
    return isPair ? 1 : 0;
  }

  /** Reads up to the end of a quoted cell, of the record or of the chunk; returns the place behind. */
  #readBytes(chunk: Buffer, from: number): number {
    const record = this.#record;
    const transitions = this.#transitions;
    const delimiter = this.#delimiter;
    const { length } = chunk;
    let { state, commas } = record;
    for (let i = from; i < length; i += 1) {
      const byte = chunk[i] as number;
      if (byte === delimiter) {
        commas += 1;
        if (state !== QUOTED) this.#endCell(this.#position + i, state);
        if (state === QUOTE_IN_QUOTED && chunk[i + 1] !== QUOTE) {
          record.state = CELL_START;
          record.commas = commas;
          return i + 1;
        }
      } else if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && state !== QUOTED)) {
        record.state = state;
        record.commas = commas;
        const place = this.#position + i;
        if (state === QUOTED) {
          this.#endLine(place, chunk[i - 1] === CARRIAGE_RETURN ? 'CRLF' : 'LF');
          commas = 0;
        } else {
          const isReturn = byte === CARRIAGE_RETURN;
          record.isAfterReturn = isReturn && i + 1 === length;
          if (record.isAfterReturn) return length;
          const isPair = isReturn && chunk[i + 1] === LINE_FEED;
          const lineEnd = isPair ? 'CRLF' : isReturn ? 'CR' : 'LF';
          const behind = i + (isPair ? 2 : 1);
          this.#endRecord(place - record.lineStart, this.#position + behind, lineEnd);
          return behind;
        }
      }
      state = transitions[(state << 8) | byte] as number;
    }
    record.state = state;
    record.commas = commas;
    return length;
  }

  /**
   * Counts the cells of the rest of a line without quotes. Only where they are too many, it matters which of
   * them are empty.
   */
  #readPlainCells(chunk: Buffer, from: number, end: number, columns: number): void {
    const delimiter = this.#delimiter;
    let ended = 0;
    for (let i = from; i < end; i += 1) if (chunk[i] === delimiter) ended += 1;
    if (this.#record.endedCells + ended < columns) {
      this.#record.endedCells += ended;
      return;
    }
    for (let i = from; i < end; i += 1)
      if (chunk[i] === delimiter) this.#endCell(this.#position + i, UNQUOTED);
  }

  /** @param place of the byte behind the cell */
  #endCell(place: number, state: number): void {
    const record = this.#record;
    record.endedCells += 1;
    if (state === BROKEN) record.brokenCells += 1;
    if (this.#columns !== undefined && record.endedCells > this.#columns) {
      const bytes = place - record.cellStart;
      // DuckDB takes a cell of two quotes for empty, except in a file with a single column.
      const isEmpty = bytes === 0 || (bytes === 2 && state === QUOTE_IN_QUOTED && this.#columns > 1);
      if (!isEmpty || record.surplusCells > 0) record.surplusCells += 1;
    }
    record.cellStart = place + 1;
  }

  /** A line end within a quoted cell. */
  #endLine(place: number, lineEnd: LineEnd): void {
    const record = this.#record;
    if (place - record.lineStart > (lineEnd === 'CRLF' ? 1 : 0)) record.lines += 1;
    record.fewestCommas = Math.min(record.fewestCommas, record.commas);
    record.lineStart = place + 1;
    this.#line += 1;
  }

  /** @param bytes of its last line, without the line end */
  #endRecord(bytes: number, end: number, lineEnd: LineEnd | undefined): void {
    const record = this.#record;
    if (this.#isCsv && lineEnd !== undefined) this.#compareLineEnds(lineEnd);
    const lines = record.lines + (bytes > 0 ? 1 : 0);
    if (lines > 0) {
      if (this.#isCsv) this.#endCell(record.lineStart + bytes, record.state);
      const wrongCells = Math.max((this.#columns ?? 0) - record.endedCells, record.surplusCells);
      const fault = faultOf(record, end - record.start, lines);
      const fewestCommas = Math.min(record.fewestCommas, record.commas);
      if (fault !== null) {
        this.#sink.broken({
          line: record.line,
          lines,
          start: record.start,
          end,
          brokenCells: record.brokenCells,
          wrongCells,
          fault,
        });
      } else {
        this.#sink.record(record.line, record.start, end, lines, record.endedCells, wrongCells);
        if (lines > 1 && fewestCommas >= Math.max(2, this.#headerCommas ?? 0))
          this.#sink.looksLikeRows(record.line, lines);
      }
      this.#headerCommas ??= record.commas;
      if (this.#isCsv) this.#columns ??= record.endedCells;
    }
    this.#line += 1;
    this.#record = newRecord(end, this.#line);
  }

  #compareLineEnds(lineEnd: LineEnd): void {
    this.#lineEnd ??= lineEnd;
    if (lineEnd === this.#lineEnd) return;
    throw new ReasonError(
      `some of its lines end with ${[this.#lineEnd, lineEnd].sort().toReversed().join(' and some with ')}; ` +
        `line ${this.#line} is the first that differs. Save it with one kind of line end`,
    );
  }
}

type LineEnd = 'LF' | 'CRLF' | 'CR';

/** What is known of the record that is being read. */
function newRecord(start: number, line: number) {
  return {
    start,
    line,
    state: CELL_START,
    /** Whether the chunk before ended with what may be half a line end. */
    isAfterReturn: false,
    /** Lines that ended within the record and were not blank; where the last one starts. */
    lines: 0,
    lineStart: start,
    /** The commas of the last line, and the fewest in a line before it. */
    commas: 0,
    fewestCommas: Number.POSITIVE_INFINITY,
    /**
     * The cells that have ended, those among them that are too many and not empty, and where the one that is
     * read starts.
     */
    endedCells: 0,
    surplusCells: 0,
    /** The cells with text behind a closing quote. */
    brokenCells: 0,
    cellStart: start,
  };
}

function faultOf(
  { state, brokenCells }: ReturnType<typeof newRecord>,
  bytes: number,
  lines: number,
): BrokenRecord['fault'] | null {
  if (state === QUOTED) return 'open quote';
  if (brokenCells > 0) return 'text behind a quote';
  return bytes > LONGEST_ROW.mebibytes * 2 ** 20 || lines > LONGEST_ROW.lines ? 'too long' : null;
}

/** The place of the next such byte at or behind a place; places may only grow. */
function finder(chunk: Buffer, byte: number): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      const place = chunk.indexOf(byte, from);
      found = place < 0 ? Number.POSITIVE_INFINITY : place;
    }
    return found;
  };
}

const QUOTE = 0x22;
const BLANK = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const CELL_START = 0;
const UNQUOTED = 1;
const QUOTED = 2;
const QUOTE_IN_QUOTED = 3;
const BROKEN = 4;
const BLANK_AT_START = 5;
/** States in which a cell is valid until a quote appears. */
const WITHOUT_QUOTES: readonly number[] = [CELL_START, UNQUOTED, BLANK_AT_START];
const STATES = [CELL_START, UNQUOTED, QUOTED, QUOTE_IN_QUOTED, BROKEN, BLANK_AT_START];

function nextState(state: number, byte: number, delimiter: number): number {
  switch (state) {
    case CELL_START:
      if (byte === QUOTE) return QUOTED;
      if (byte === BLANK) return BLANK_AT_START;
      return byte === delimiter ? CELL_START : UNQUOTED;
    case BLANK_AT_START:
      if (byte === QUOTE) return QUOTED;
      return byte === delimiter ? CELL_START : UNQUOTED;
    case UNQUOTED:
      return byte === delimiter ? CELL_START : UNQUOTED;
    case QUOTED:
      return byte === QUOTE ? QUOTE_IN_QUOTED : QUOTED;
    case QUOTE_IN_QUOTED:
      if (byte === QUOTE) return QUOTED;
      if (byte === delimiter) return CELL_START;
      return byte === BLANK ? QUOTE_IN_QUOTED : BROKEN;
    default:
      return byte === delimiter ? CELL_START : BROKEN;
  }
}

/** The next state by `state << 8 | byte`. */
const CSV_TRANSITIONS: Readonly<Record<Delimiter, Uint8Array>> = {
  ',': transitionsFor(','),
  ';': transitionsFor(';'),
  '\t': transitionsFor('\t'),
  '|': transitionsFor('|'),
};

function transitionsFor(delimiter: Delimiter): Uint8Array {
  return Uint8Array.from({ length: STATES.length << 8 }, (_, index) =>
    nextState(index >> 8, index & 0xff, delimiter.charCodeAt(0)),
  );
}

const NDJSON_TRANSITIONS = new Uint8Array(STATES.length << 8).fill(UNQUOTED);
