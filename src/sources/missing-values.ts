import type { MissingColumns, RawRows } from './source.ts';

/** Columns where a null says that nothing is known, and not that there is nothing. */
export function areNull(...columns: readonly string[]): MissingColumns {
  return Object.fromEntries(columns.map((name) => [name, `"${name}" is null`]));
}

/**
 * Columns that are made of a JSON object: those without a value, whose keys the object does not have. A key
 * with null says that there is no value.
 */
export function areMissing(
  keys: string,
  tellers: Readonly<Record<string, readonly string[]>>,
): MissingColumns {
  const conditions = Object.entries(tellers).map(([name, any]) => [
    name,
    `"${name}" is null and not ${hasAny(keys, any)}`,
  ]);
  return Object.fromEntries(conditions);
}

/** SQL: whether one of the names is among the keys. */
export function hasAny(keys: string, names: readonly string[]): string {
  return `list_has_any(${keys}, [${names.map((name) => `'${name}'`).join(', ')}])`;
}

/** The numbers of the files that have all of some columns. */
export function filesWith({ presentIn }: RawRows, ...columns: readonly string[]): number[] {
  return presentIn.flatMap((present, file) => (columns.every((name) => present.has(name)) ? [file] : []));
}

/** SQL over a row with its `_file`: whether that file has all of some columns. */
export function isInFileWith(raw: RawRows, ...columns: readonly string[]): string {
  const files = filesWith(raw, ...columns);
  if (files.length === raw.presentIn.length) return 'true';
  return files.length === 0 ? 'false' : `(_file in (${files.join(', ')}))`;
}
