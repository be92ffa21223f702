import { utf16Of } from '../../ingest/encoding.ts';
import { type Reader, unpacked } from '../../ingest/gzip.ts';
import type { Input } from './inputs.ts';
import { type Writer, writeCopy } from './write-copy.ts';

/** This much of a table tells what its columns are: some tens of thousands of rows. */
export const MOST_LOOKED_AT = 2 ** 23;

const [LINE_FEED, QUOTE] = [0x0a, 0x22];

/**
 * A file itself where it is short; of a longer one a copy of its beginning, which ends with a whole row. Only
 * the beginning is read.
 */
export async function beginningInLines(
  session: Reader & Writer,
  input: Input,
  most = MOST_LOOKED_AT,
): Promise<Input> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(session, input)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) break;
  }
  if (size <= most) return input;
  const bytes = Buffer.concat(chunks).subarray(0, most);
  return { ...input, path: await writeCopy(session, '.csv', once(bytes.subarray(0, endOfRow(bytes)))) };
}

/** The place behind the last line end outside quotes; all of it where there is none. */
function endOfRow(bytes: Buffer): number {
  const encoding = utf16Of(bytes);
  const width = encoding === null ? 1 : 2;
  const low = encoding === 'utf-16be' ? 1 : 0;
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at + width <= bytes.length; at += width) {
    if (width === 2 && bytes[at + 1 - low] !== 0) continue;
    const byte = bytes[at + low];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === LINE_FEED && !isQuoted) end = at + width;
  }
  return end === 0 ? bytes.length : end;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
