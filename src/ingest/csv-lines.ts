import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/**
 * The line on which each record of a CSV file starts, by the record's ordinal. The header is ordinal 1 and blank
 * lines count, as DuckDB counts them in its list of malformed records; quoted line breaks do not start a record.
 * Read only when rows were rejected: DuckDB itself does not tell the line of a well-formed record.
 */
export async function startLines(path: string): Promise<{ line: number; isBlank: boolean }[]> {
  const records: { line: number; isBlank: boolean }[] = [];
  let line = 1;
  let start = { line, isBlank: true };
  let isQuoted = false;
  const file = createReadStream(path);
  for await (const chunk of path.endsWith('.gz') ? file.pipe(createGunzip()) : file) {
    for (const byte of chunk as Buffer) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      if (byte === LINE_FEED) line += 1;
      if (byte === LINE_FEED && !isQuoted) {
        records.push(start);
        start = { line, isBlank: true };
      } else if (byte !== CARRIAGE_RETURN) {
        start.isBlank = false;
      }
    }
  }
  if (!start.isBlank) records.push(start);
  return records;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
