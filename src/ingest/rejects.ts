import { join } from 'node:path';
import { makeFolder } from '../control/data-folder/make-folder.ts';
import type { RejectedCell } from '../snapshot/import-errors.ts';
import { syncFile, syncFolder } from '../snapshot/make-durable.ts';
import { removeOldRejects } from '../snapshot/old-rejects.ts';
import { literal, type Session } from '../store/duckdb-session.ts';

/** More are listed for no import: a list is there to be mended, and a disk has room for other things. */
export const MOST_LISTED = 100_000;

export interface RejectsList {
  readonly path: string;
  /** How many of the rejects are listed, the first ones of all by file and line. */
  readonly listed: number;
  readonly all: number;
}

/**
 * Writes the rejects to a CSV file (file, line, column, value, reason). Where it is cut, its last row says
 * how many are not in it. Of the lists of a store the newest ones stay.
 */
export async function writeRejects(
  session: Session,
  folder: string,
  name: string,
  most = MOST_LISTED,
): Promise<RejectsList> {
  makeFolder(folder);
  const path = join(folder, `${name}.csv`);
  const all = Number((await session.row('select count(*) as count from rejects')).count);
  const listed = Math.min(all, most);
  const rest = `union all select 2, null, null, null, null, '${all - listed} more bad cells are not listed'`;
  await session.run(`
    copy (
      select file, line, column_name as "column", value, reason
      from (
        select 1 as part, shown_text(file) as file, line, column_name, value, reason
        from (select * from rejects order by file, line, column_name limit ${most}) as listed
        ${listed === all ? '' : rest}
      ) as parts
      order by part, file, line, column_name
    ) to ${literal(path)} (format csv, header)`);
  await syncFile(path);
  await syncFolder(folder);
  await removeOldRejects(folder);
  return { path, listed, all };
}

/** Where rows are listed, for a person. */
export function whereListed({ path, listed, all }: RejectsList): string {
  return listed === all
    ? `Each is listed in ${path}`
    : `The first ${listed} bad cells of ${all} are listed in ${path}`;
}

/** The first few. */
export async function firstRejects(session: Session): Promise<RejectedCell[]> {
  const rows = await session.rows(
    'select file, line, column_name, value, reason from rejects order by file, line, column_name limit 3',
  );
  const text = (value: unknown) => (value === null ? null : String(value));
  return rows.map(({ file, line, column_name, value, reason }) => ({
    file: String(file),
    line: text(line),
    column: text(column_name),
    value: text(value),
    reason: String(reason),
  }));
}

/** A line for a person: `orders.csv:3 total "10,50" must be …`. */
export function describeReject({ file, line, column, value, reason }: RejectedCell): string {
  const place = line === null ? [] : [`${file}:${line}`];
  return [
    ...place,
    ...(column === null ? [] : [column]),
    ...(value === null ? [] : [`"${value}"`]),
    reason,
  ].join(' ');
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
