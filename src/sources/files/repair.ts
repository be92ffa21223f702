import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ReasonError } from '../../errors.ts';
import { ImportError, ownWords } from '../../snapshot/import-errors.ts';
import { literal, type Session } from '../../store/duckdb-session.ts';
import type { Input } from './inputs.ts';
import { findHeader } from './inspect-text.ts';

/** A row with one filled cell is a whole row in quotes if it parses to more cells than this. */
const CELLS_OF_A_ROW = 10;

/**
 * This many lines are looked at where a header ends with what the spreadsheet put there: rows without a quote
 * stand in no quotes.
 */
const LINES_LOOKED_AT = 200;

/**
 * Whether a spreadsheet put each row of a CSV file into one cell, as in `"#1001,ann@example.com,…,;",;` or
 * `"#1001,ann@example.com,…";` below a header of many cells.
 */
export function hasQuotedRows(text: string): boolean {
  return quotedRow(text) !== null;
}

/** What stands behind the quotes of such rows; null where there are none. */
function quotedRow(text: string): { readonly behind: string } | null {
  const { line, delimiter } = findHeader(text);
  if (cellsOf(line, delimiter) <= CELLS_OF_A_ROW) return null;
  const rows = text
    .replace(/^\uFEFF/, '')
    .slice(line.length)
    .replace(/^\s+/, '');
  const isDamaged = /[;,]$/.test(line) && !line.endsWith(delimiter);
  const others = isDamaged ? rows.split(/\r\n|\r|\n/, LINES_LOOKED_AT) : [];
  for (const row of [rows, ...others.map((each) => `${each}\n`)]) {
    const [, cell = '', behind = ''] = /^"((?:[^"]|"")*)"([;,]*)[\r\n]/.exec(row) ?? [];
    if (cellsOf(cell, delimiter) > CELLS_OF_A_ROW) return { behind };
  }
  return null;
}

function cellsOf(line: string, delimiter: string): number {
  return line
    .replaceAll('""', '"')
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(delimiter).length;
}

/** A copy of such a file with the rows out of their cells. @throws ImportError when some row is not in one */
export async function unquoteRows(session: Session, input: Input, text: string): Promise<Input> {
  const path = join(session.temporaryFolder, `${randomUUID()}.csv`);
  const delimiter = quotedRow(text)?.behind.startsWith(';') ? ';' : ',';
  const rows = `read_csv(${literal(input.path)}, columns = {'c0': 'varchar', 'c1': 'varchar', 'c2': 'varchar'}, skip = 1,
    header = false, auto_detect = false, delim = '${delimiter}', quote = '"', escape = '"', null_padding = true, parallel = false)`;
  try {
    const { others } = await session.row(
      `select count(*) as others from ${rows} where trim(concat(c1, c2), '; ') <> ''`,
    );
    if (Number(others) > 0)
      throw new ReasonError(`a spreadsheet put most rows into one cell each, and ${others} of them not`);
    await session.run(
      `copy (select ${literal(findHeader(text).line)} as line union all select c0 from ${rows})
        to ${literal(path)} (format csv, header false, quote '', escape '', delimiter '\u0001')`,
    );
  } catch (error) {
    throw new ImportError(
      `${input.name} was damaged by a spreadsheet and cannot be repaired: ${ownWords(error) ?? 'what it put into cells are no rows'}. Export it again, and ` +
        'import the file without opening it',
      undefined,
      error,
    );
  }
  return { ...input, path };
}
