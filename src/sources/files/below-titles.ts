import { unpacked } from '../../ingest/gzip.ts';
import type { Input } from './inputs.ts';
import { type Writer, writeCopy } from './write-copy.ts';

/** Reports have a title and the days that they are of above their header; none was seen with more lines. */
export const MOST_TITLES = 5;

export function belowFirstLine(text: string): string {
  return text.replace(/^[^\r\n]*(\r\n|\r|\n)?/, '');
}

/** How many bytes titles and header may have. */
const LONGEST = 2 ** 20;

/**
 * A copy of a file in UTF-8 that begins with its header. The lines above it become blank lines below it, so
 * that every row stays on its line.
 */
export async function belowTitles(writer: Writer, input: Input, titles: number): Promise<Input> {
  const content = withHeaderFirst(unpacked(writer, input), titles);
  return { ...input, path: await writeCopy(writer, '.csv', content) };
}

async function* withHeaderFirst(chunks: AsyncIterable<Buffer>, titles: number): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (start === null) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < LONGEST) continue;
    yield headerFirst(start, titles);
    start = null;
  }
  if (start !== null) yield headerFirst(start, titles);
}

function headerFirst(bytes: Buffer, titles: number): Buffer {
  const text = bytes.toString('latin1').replace(/^\u00EF\u00BB\u00BF/, '');
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/, titles + 1);
  const header = lines[titles] ?? '';
  const above = lines.slice(0, titles);
  const rest = text.slice(above.join('').length + header.length);
  const blank = above.map((line) => line.replace(/[^\r\n]/g, '')).join('');
  return Buffer.from(header + blank + rest, 'latin1');
}
