import { createReadStream } from 'node:fs';
import { ImportError } from './errors.ts';
import type { SourceFile } from './files.ts';
import { unpacked } from './gzip.ts';

/**
 * The names of a CSV file's columns: RFC 4180 cells of its first line, without a byte order mark and blanks around them.
 *
 * @throws ImportError when there is no header, or a name stands in it twice
 */
export async function readHeader(file: SourceFile): Promise<string[]> {
  const line = await firstLineOf(file);
  if (line.trim() === '') throw new ImportError(`${file.name} is empty: its header row is missing`);
  const cells = `,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g);
  const header = [...cells].map((match) => (match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  const repeated = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new ImportError(`${file.name}: the column ${repeated} stands there twice`);
  return header;
}

async function firstLineOf(file: SourceFile): Promise<string> {
  const stream = createReadStream(file.path);
  const chunks: Buffer[] = [];
  for await (const chunk of unpacked(stream, file.path)) {
    const end = chunk.indexOf('\n');
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0) break;
  }
  stream.destroy();
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r$/, '');
}
