import type { Source } from './source.ts';

/** The name of a source within SQL. */
export function relationName(source: Pick<Source, 'name'>): string {
  return source.name.replaceAll('-', '_');
}

/**
 * SQL: the raw rows of one of its tables, none where no file is of it; `_file` and `rowid` are those among
 * all files of the source.
 */
export function relationOf(source: Pick<Source, 'name'>, table: string): string {
  return `${relationName(source)}_${table}`;
}
