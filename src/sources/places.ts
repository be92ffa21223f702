import { ImportError } from '../snapshot/import-errors.ts';
import { columnName } from './column-name.ts';
import type { Source } from './source.ts';
import { inEnglish } from './titles-in-languages.ts';

/** What files are read by. */
export type ReadSource = Pick<Source, 'name' | 'title' | 'columns' | 'titles' | 'beginsAs' | 'records'>;

/**
 * The place in the header of each column that is read. Where a name stands there twice, the first one counts.
 */
export function placesOf(source: ReadSource, written: readonly string[]): Map<string, readonly number[]> {
  const header = inEnglish(source.titles, written);
  const names = header.map(columnName);
  const places = Object.entries(source.columns).flatMap(([name, column]) => {
    const first = column.header.map((title) => names.indexOf(title)).find((place) => place >= 0);
    const found = column.find?.(header) ?? (first === undefined ? [] : [first]);
    return found.length === 0 ? [] : [[name, found] as const];
  });
  return new Map(places);
}

/** @throws ImportError when a column is missing without which the rows mean nothing */
export function refuseLacking(source: ReadSource, file: string, header: readonly string[]): void {
  refuseMissing(source, file, placesOf(source, header));
}

export function refuseMissing(source: ReadSource, file: string, places: ReadonlyMap<string, unknown>): void {
  const missing = Object.entries(source.columns).filter(
    ([name, { isRequired }]) => isRequired && !places.has(name),
  );
  if (missing.length === 0) return;
  const columns = missing.map(([, { header, absent }]) => `"${header[0]}" (${absent})`);
  throw new ImportError(
    `${file} (${source.title}) lacks ${columns.join(', ')}; its rows mean nothing without. Export it again with all columns`,
  );
}
