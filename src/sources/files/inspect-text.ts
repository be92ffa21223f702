import { isUtf8 } from 'node:buffer';
import { utf16Of } from '../../ingest/encoding.ts';
import type { Delimiter } from '../../ingest/find-files.ts';
import { type Reader, unpacked } from '../../ingest/gzip.ts';
import { ImportError } from '../../snapshot/import-errors.ts';
import type { Input } from './inputs.ts';
import { type Writer, writeCopy } from './write-copy.ts';

/** How much of a file is looked at to tell what it is. */
const BEGINNING = 2 ** 20;

export interface Beginning {
  readonly bytes: Buffer;
  /** The text. Where the encoding is not known, only the letters of ASCII are right. */
  readonly text: string;
}

/** @throws Error when it cannot be read */
export async function readBeginning(reader: Reader, input: Input): Promise<Beginning> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(reader, input)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= BEGINNING) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, BEGINNING);
  return { bytes, text: new TextDecoder(utf16Of(bytes) ?? 'utf-8').decode(bytes) };
}

/**
 * Encodings of one byte for each letter that exports come in; a title that is right in one of them tells a
 * file whose encoding nobody said.
 */
const GUESSED_ENCODINGS = ['windows-1252', 'windows-1250', 'windows-1251'];

/**
 * How a file begins, in each encoding that it may be in: as it is where that is UTF-8 or UTF-16.
 *
 * @param told the encoding that was told, if one was
 */
export function textsOf({ bytes, text }: Beginning, told: string | undefined): string[] {
  const isTold = utf16Of(bytes) !== null || isUtf8(bytes.subarray(0, endOfWholeCharacters(bytes)));
  if (isTold) return [text];
  return (told === undefined ? GUESSED_ENCODINGS : [told]).map((encoding) =>
    new TextDecoder(encoding).decode(bytes),
  );
}

/** What only all bytes of a text tell. */
interface WholeText {
  /** Null where its bytes do not tell. */
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | null;
  /** Whether its last line ends; of JSON and XML, also whether the last thing in it does. */
  readonly isEnded: boolean;
}

export async function inspectText(reader: Reader, input: Input, beginning: Beginning): Promise<WholeText> {
  const utf16 = utf16Of(beginning.bytes);
  let isValid = true;
  let rest: Buffer = Buffer.alloc(0);
  let end: Buffer = Buffer.alloc(0);
  for await (const chunk of unpacked(reader, input)) {
    end = Buffer.from(chunk.subarray(-2));
    if (utf16 !== null || !isValid) continue;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = endOfWholeCharacters(bytes);
    isValid = isUtf8(bytes.subarray(0, whole));
    rest = bytes.subarray(whole);
  }
  const encoding = utf16 ?? (isValid && isUtf8(rest) ? 'utf-8' : null);
  const isClosed = /^\uFEFF?\s*[[{<]/.test(beginning.text) && CLOSING.some((byte) => end.includes(byte));
  return { encoding, isEnded: isClosed || end.includes(0x0a) || end.at(-1) === 0x0d };
}

const CLOSING = Buffer.from(']}>');

/** Where the last character begins, if it may go on in the next chunk. */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

/**
 * A copy of a file in UTF-8, for the time of the import. @throws ImportError when it is not in that encoding
 */
export async function inUtf8(writer: Writer, input: Input, encoding: string): Promise<Input> {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return { ...input, path: await writeCopy(writer, '.csv', decoded(unpacked(writer, input), decoder)) };
  } catch (error) {
    // Other places tell of a damaged archive, and of what the import may not take.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new ImportError(
      `${input.name} is not text in the encoding ${encoding}. Is it damaged, or in another one? Save it as UTF-8`,
      undefined,
      error,
    );
  }
}

async function* decoded(
  bytes: AsyncIterable<Buffer>,
  decoder: InstanceType<typeof TextDecoder>,
): AsyncGenerator<string> {
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** The line that names the columns, and what parts them; of a text without one, its first line. */
export function findHeader(text: string): { readonly line: string; readonly delimiter: Delimiter } {
  const line = firstRecord(text.replace(/^\uFEFF/, ''));
  const outsideQuotes = line.replace(/"(?:[^"]|"")*"/g, '');
  const counts = ([',', ';', '\t', '|'] as const).map((delimiter) => ({
    delimiter,
    count: outsideQuotes.split(delimiter).length,
  }));
  const most = counts.reduce((best, each) => (each.count > best.count ? each : best));
  return { line, delimiter: most.delimiter };
}

/** The text up to the first line end outside quotes. */
function firstRecord(text: string): string {
  const record = /^(?:[^"\r\n]+|"(?:[^"]|"")*"?)*/.exec(text);
  return record?.[0] ?? '';
}
