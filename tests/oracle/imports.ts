// What imports one after the other leave in the store, and what each says of its rows, in plain TypeScript.
import { cell } from './loaded-rows.ts';

/**
 * A row of an import file: good ones by column, an empty cell is null; `bad` ones only by how many rows they
 * stand for.
 */
export type ImportedRow = { readonly good: Readonly<Record<string, string>> } | { readonly bad: number };

/** The rows of a table in one import, in the order of the files. */
export interface ImportedTable {
  readonly key: readonly string[];
  /** The rows of a list have here the part of the key that says which list. It is replaced whole. */
  readonly list?: readonly string[];
  readonly rows: readonly ImportedRow[];
}

interface Counts {
  read: number;
  loaded: number;
  rejected: number;
  replaced: number;
  ignored: number;
  deleted: number;
}

/** The rows of one table after an import on top of those before. */
export function afterImport(
  before: readonly Readonly<Record<string, string>>[],
  { key, list, rows }: ImportedTable,
): { rows: Readonly<Record<string, string>>[]; counts: Counts } {
  const counts = { read: 0, loaded: 0, rejected: 0, replaced: 0, ignored: 0, deleted: 0 };
  const good = rows.flatMap((row) => {
    const stands = 'bad' in row ? row.bad : 1;
    counts.read += stands;
    if ('bad' in row) counts.rejected += stands;
    return 'good' in row ? [row.good] : [];
  });
  const last = new Map(good.map((row, index) => [textOf(row, key), { row, index }]));
  for (const [index, row] of good.entries()) {
    const counting = last.get(textOf(row, key));
    if (counting?.index === index) {
      if (!isDeletion(row)) counts.loaded += 1;
      else if (before.some((one) => textOf(one, key) === textOf(row, key))) counts.deleted += 1;
      else counts.ignored += 1;
    } else if (isDeletion(row) && isDeletion(counting?.row ?? {})) counts.ignored += 1;
    else if (areEqual(row, counting?.row ?? {})) counts.ignored += 1;
    else counts.replaced += 1;
  }
  const kept = [...last.values()].map(({ row }) => row);
  const live = kept.filter((row) => !isDeletion(row));
  const gone = new Set(kept.filter(isDeletion).map((row) => textOf(row, key)));
  const replacing = list ?? key;
  const replaced = new Set(live.map((row) => textOf(row, replacing)));
  const staying = before.filter(
    (row) => !replaced.has(textOf(row, replacing)) && !gone.has(textOf(row, key)),
  );
  return { rows: [...staying, ...live], counts };
}

function isDeletion(row: Readonly<Record<string, string>>): boolean {
  return row._deleted === 'true';
}

function textOf(row: Readonly<Record<string, string>>, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => cell(row[column])));
}

function areEqual(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const columns = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => name !== '_deleted',
  );
  if (isDeletion(one) !== isDeletion(other)) return false;
  return textOf(one, columns) === textOf(other, columns);
}
