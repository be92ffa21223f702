import { ImportError } from '../snapshot/import-errors.ts';
import { withoutEnd } from '../text/without-end.ts';
import type { Delimiter, SourceFile } from './find-files.ts';

const MOST_COLUMNS = 2000;

/**
 * The names of a CSV file's columns: RFC 4180 cells, which may hold line breaks, without blanks around them.
 *
 * @throws ImportError when there is no header, or a name stands in it twice
 */
export function readHeader(file: SourceFile, text: string | null): string[] {
  const header = headerCells(file, text);
  const repeated = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new ImportError(`${file.name}: the column ${repeated} stands there twice`);
  return header;
}

const CELLS: Readonly<Record<Delimiter, RegExp>> = {
  ',': /,(?: ?"((?:[^"]|"")*)"|([^,]*))/g,
  ';': /;(?: ?"((?:[^"]|"")*)"|([^;]*))/g,
  '\t': /\t(?: ?"((?:[^"]|"")*)"|([^\t]*))/g,
  '|': /\|(?: ?"((?:[^"]|"")*)"|([^|]*))/g,
};

/**
 * Reads the cells of a header as `readHeader` does. A name may stand there twice, as it does in some exports.
 *
 * @throws ImportError
 */
export function headerCells(file: Pick<SourceFile, 'name' | 'delimiter'>, text: string | null): string[] {
  if (text === null) throw new ImportError(`${file.name} is empty: its header row is missing`);
  const line = withoutEnd(text.replace(/^\uFEFF/, ''), /[\r\n]/);
  const delimiter = file.delimiter ?? ',';
  const cells = `${delimiter}${line}`.matchAll(CELLS[delimiter]);
  const header = [...cells].map((match) => (match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  if (header.length > MOST_COLUMNS)
    throw new ImportError(
      `${file.name} has more than ${MOST_COLUMNS} columns, which is the most that are read. Export it with fewer; if it has only some, are its cells parted by another sign than its header says?`,
    );
  return header;
}
