import { join } from 'node:path';
import { makeFolder } from '../control/make-folder.ts';
import { syncFile, syncFolder } from '../snapshot/durable.ts';
import { literal, type Session } from '../store/session.ts';

/** Writes all rejects to a CSV file (file, line, column, value, reason). */
export async function writeRejects(session: Session, folder: string, name: string): Promise<string> {
  makeFolder(folder);
  const path = join(folder, `${name}.csv`);
  await session.run(`
    copy (
      select shown_text(file) as file, line, column_name as "column", value, reason from rejects order by file, line, column_name
    ) to ${literal(path)} (format csv, header)`);
  await syncFile(path);
  await syncFolder(folder);
  return path;
}

/** The first few, as lines for a person: `orders.csv:3 total "10,50" must be …`. */
export async function firstRejects(session: Session): Promise<string[]> {
  const rows = await session.rows(`
    select concat_ws(' ', file || ':' || line, column_name, '"' || value || '"', reason) as text
    from rejects order by file, line, column_name limit 3`);
  return rows.map((row) => String(row.text));
}

/** How many rows an import may reject: a number, or a share of all rows read. */
export type MaxRejects = { readonly rows: number } | { readonly percent: number };

/** Reads `N` or `N%`. Null when it is neither. */
export function readMaxRejects(text: string): MaxRejects | null {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim());
  if (match === null) return null;
  const number = Number(match[1]);
  if (match[2] === '%') return number <= 100 ? { percent: number } : null;
  return Number.isSafeInteger(number) ? { rows: number } : null;
}

export function isWithin(
  max: MaxRejects,
  counts: { readonly read: number; readonly rejected: number },
): boolean {
  return 'rows' in max ? counts.rejected <= max.rows : counts.rejected * 100 <= counts.read * max.percent;
}
