import { createReadStream } from 'node:fs';
import type { SourceFile } from './files.ts';
import { unpacked } from './gzip.ts';

/** Where the records of a text file start, in file order, without blank lines. */
export interface RecordStarts {
  /** 1-based. */
  readonly lines: readonly number[];
  /** From the start of the unpacked file. */
  readonly bytes: readonly number[];
}

/**
 * Finds the records of a CSV or NDJSON file. Read only when rows were rejected: DuckDB itself does not tell the line of
 * a well-formed record.
 *
 * TRICKY: it must see records where DuckDB sees them, also behind broken quotes. To DuckDB a quote counts only at the
 * start of a cell (one blank may stand before it) or inside a quoted one, and text behind a closing quote breaks the
 * record up to the end of that line.
 */
export async function findRecords({ path, format }: SourceFile): Promise<RecordStarts> {
  const lines: number[] = [];
  const bytes: number[] = [];
  let line = 1;
  let position = 0;
  let isBlank = true;
  let state = CELL_START;
  let start = { line, position };
  const endRecord = () => {
    if (isBlank) return;
    lines.push(start.line);
    bytes.push(start.position);
  };
  for await (const chunk of unpacked(createReadStream(path), path)) {
    for (const byte of chunk) {
      position += 1;
      if (byte === LINE_FEED) line += 1;
      if (byte === LINE_FEED && state !== QUOTED) {
        endRecord();
        start = { line, position };
        isBlank = true;
        state = CELL_START;
      } else {
        if (byte !== CARRIAGE_RETURN) isBlank = false;
        if (format === 'csv') state = nextState(state, byte);
      }
    }
  }
  endRecord();
  return { lines, bytes };
}

const CELL_START = 0;
const UNQUOTED = 1;
const QUOTED = 2;
const QUOTE_IN_QUOTED = 3;
const BROKEN = 4;
const BLANK_AT_START = 5;

function nextState(state: number, byte: number): number {
  switch (state) {
    case CELL_START:
      if (byte === QUOTE) return QUOTED;
      if (byte === BLANK) return BLANK_AT_START;
      return byte === COMMA ? CELL_START : UNQUOTED;
    case BLANK_AT_START:
      if (byte === QUOTE) return QUOTED;
      return byte === COMMA ? CELL_START : UNQUOTED;
    case UNQUOTED:
      return byte === COMMA ? CELL_START : UNQUOTED;
    case QUOTED:
      return byte === QUOTE ? QUOTE_IN_QUOTED : QUOTED;
    case QUOTE_IN_QUOTED:
      if (byte === QUOTE) return QUOTED;
      if (byte === COMMA) return CELL_START;
      return byte === CARRIAGE_RETURN || byte === BLANK ? QUOTE_IN_QUOTED : BROKEN;
    default:
      return BROKEN;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BLANK = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
