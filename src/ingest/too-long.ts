import { ImportError } from '../snapshot/import-errors.ts';
import type { SourceFile } from './find-files.ts';
import { type Reader, unpacked } from './gzip.ts';
import { RepeatedNames } from './repeated-names.ts';

/**
 * The longest line, in bytes. A row may have less; but of a longer line DuckDB fills all memory before it
 * says so. It is also the most that a JSON document over several lines may have.
 */
export const LONGEST_LINE = 2 ** 27;

interface Place {
  readonly file: string;
  readonly line: number;
  /** What is too long, such as `a row`. */
  readonly what: string;
  readonly bytes: number;
  /** What the reader can do about it. */
  readonly advice: string;
}

/** Something in a file is longer than it can be read. It is told before memory is used up for it. */
export class TooLongError extends ImportError {
  readonly #place: Place;

  /** @param source whose file it is, where that is known */
  constructor(place: Place, source?: string) {
    const { file, line, what, bytes, advice } = place;
    const of = source === undefined ? '' : ` (${source})`;
    super(
      `${file}${of}: on line ${line} stands ${what} of more than ${bytes / 2 ** 20} MiB, which is the most that is read of one, so nothing was imported. ${advice}`,
    );
    this.#place = place;
  }

  of(source: string): TooLongError {
    return new TooLongError(this.#place, source);
  }
}

/** The error of a line of a CSV or NDJSON file that is too long. */
export function lineTooLong(
  { name, format }: Pick<SourceFile, 'name' | 'format'>,
  line: number,
): TooLongError {
  const isCsv = format === 'csv';
  return new TooLongError({
    file: name,
    line,
    bytes: LONGEST_LINE,
    what: isCsv ? 'a row' : 'an object',
    advice: isCsv
      ? 'Is a line end missing there? Export it again'
      : 'Write one object a line, and only one: export it again',
  });
}

/**
 * Checks a file of JSON documents in one pass. @throws TooLongError, ReasonError when a name stands twice in
 * an object
 */
export async function checkDocuments(file: SourceFile, reader: Reader): Promise<void> {
  let line = 1;
  let length = 0;
  const names = new RepeatedNames(false);
  for await (const chunk of unpacked(reader, file)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      [line, length, from] = [line + 1, 0, end + 1];
    }
    length += chunk.length - from;
    if (length > LONGEST_LINE) throw documentTooLong(file.name, line);
    names.write(chunk);
  }
}

const LINE_FEED = 0x0a;

function documentTooLong(file: string, line: number): TooLongError {
  const advice = 'Save what it lists in several files, or as one object a line (.ndjson)';
  return new TooLongError({ file, line, what: 'a JSON document', bytes: LONGEST_LINE, advice });
}
