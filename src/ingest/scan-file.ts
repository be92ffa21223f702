import { ReasonError } from '../errors.ts';
import { utf16Of } from './encoding.ts';
import type { SourceFile } from './find-files.ts';
import { isGzip, type Reader, unpacked } from './gzip.ts';
import { MalformedLimit } from './malformed-limit.ts';
import { type BrokenRecord, RecordScanner } from './record-scanner.ts';
import { RepeatedNames } from './repeated-names.ts';
import { LONGEST_LINE, lineTooLong } from './too-long.ts';

/** What a text file holds by its own bytes. What DuckDB reads of it must add up to this. */
export interface Scan {
  /** The rows without the header. A broken stretch counts as the rows that it may have been: its lines. */
  readonly rows: number;
  readonly broken: readonly BrokenRecord[];
  /** Whether some row, broken or not, takes in several lines. */
  readonly hasRowsOfSeveralLines: boolean;
  /** The header of a CSV file, null when the file is empty. */
  readonly header: string | null;
  readonly warnings: readonly string[];
}

/** More broken rows than this, and the file is not what its name says. */
const MOST_BROKEN = 100_000;
const LONGEST_HEADER = 2 ** 20;
/** This many bytes tell whether it is text in UTF-8 at all. */
const BEGINNING = 256;
/** Rows that may hold others and are named one by one. */
const NAMED_SUSPECTS = 3;

/**
 * Counts the rows of a CSV or NDJSON file without DuckDB, in one pass and bounded memory. @throws Error when
 * it is damaged, TooLongError
 */
export async function scanFile(file: SourceFile, reader: Reader): Promise<Scan> {
  const isCsv = file.format === 'csv';
  const broken: BrokenRecord[] = [];
  const suspects: string[] = [];
  let suspectCount = 0;
  let records = 0;
  let header: { start: number; end: number } | undefined;
  let hasRowsOfSeveralLines = false;
  const malformed = new MalformedLimit();
  const scanner = new RecordScanner(file, {
    record(line, start, end, lines, cells, wrongCells) {
      if (isCsv && header === undefined) {
        refuseStrangeHeader(start, end);
        header = { start, end };
        return;
      }
      records += 1;
      malformed.row(line, start, end, cells, wrongCells);
      hasRowsOfSeveralLines ||= lines > 1;
    },
    broken(record) {
      if (isCsv && header === undefined)
        throw new ReasonError('its header row is malformed: is a quote in it left open?');
      if (broken.push(record) > MOST_BROKEN)
        throw new ReasonError(
          `more than ${MOST_BROKEN} of its rows are malformed, the first on line ${broken[0]?.line}`,
        );
      malformed.broken(record);
      hasRowsOfSeveralLines ||= record.lines > 1;
    },
    looksLikeRows(line, lines) {
      suspectCount += 1;
      if (suspectCount <= NAMED_SUSPECTS) suspects.push(`line ${line} with ${lines} lines`);
    },
  });
  const names = isCsv ? null : new RepeatedNames(true);
  const beginning: Buffer[] = [];
  let start: Buffer = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of unpacked(reader, file)) {
    if (size < BEGINNING) {
      start = Buffer.concat([start, chunk.subarray(0, BEGINNING)]);
      if (start.length >= BEGINNING) refuseForeign(start);
    }
    if (isCsv && header === undefined) beginning.push(chunk);
    malformed.read(chunk);
    scanner.write(chunk);
    names?.write(chunk);
    const { line, bytes } = scanner.openLine;
    if (bytes > LONGEST_LINE) throw lineTooLong(file, line);
    reader.meter.rows(file, records);
    size += chunk.length;
    if (isCsv && header === undefined) refuseStrangeHeader(0, size);
  }
  if (size < BEGINNING) refuseForeign(start);
  scanner.end();
  malformed.refuse(scanner.columns);
  const rows = records + broken.reduce((sum, { lines }) => sum + lines, 0);
  reader.meter.rows(file, rows);
  return {
    rows,
    broken,
    hasRowsOfSeveralLines,
    header: header === undefined ? null : textOf(beginning, header),
    warnings: suspectCount === 0 ? [] : [suspicion(file, suspects, suspectCount)],
  };
}

function refuseStrangeHeader(start: number, end: number): void {
  if (start > 0) throw new ReasonError('its first line is blank. Its header row must stand there');
  if (end > LONGEST_HEADER) throw new ReasonError('its first line, the header row, is longer than 1 MiB');
}

/** Refuses a beginning that rows of our own format never have. */
function refuseForeign(beginning: Buffer): void {
  if (isGzip(beginning))
    throw new ReasonError(
      'it is packed with gzip. Give it a name that ends with .gz; if it has one, it is packed twice: unpack it once',
    );
  if (utf16Of(beginning) !== null) throw new ReasonError('it is UTF-16. Save it as UTF-8');
}

function textOf(chunks: readonly Buffer[], { start, end }: { start: number; end: number }): string {
  return Buffer.concat(chunks).subarray(start, end).toString('utf8');
}

function suspicion(file: SourceFile, suspects: readonly string[], count: number): string {
  const others = count > suspects.length ? ` and ${count - suspects.length} others` : '';
  return (
    `${file.name}: in some rows each line looks like a row by itself: that on ${suspects.join(', on ')}${others}. ` +
    'Is a quote left open there?'
  );
}
