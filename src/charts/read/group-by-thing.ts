import type { Label } from '../../answers/chart.ts';
import { labelText, type Row } from './answer-rows.ts';
import type { Asked } from './asked-question.ts';

/**
 * Two things may share a name, and `fields` may leave names out, so rows are told apart by their identity.
 */

/** The fields that identify the rows of a list. */
function identityOf({ described }: Asked, path: string): readonly string[] {
  return path === described.list ? described.identity : [];
}

/**
 * The rows of each thing along time, at most one for each period. Rows that nothing tells apart belong to
 * several things rather than one, since one thing could show only one of them.
 */
export function groupByThing(
  asked: Asked,
  path: string,
  { by = [], along }: { readonly by?: Label; readonly along: string },
  rows: readonly Row[],
): Row[][] {
  const keys = [...identityOf(asked, path), ...by.flat()].filter((key) => !isOfPeriod(key, along));
  const seen = new Map<string, number>();
  const things = Map.groupBy(rows, ({ row }) => {
    const thing = keys.length === 0 ? '' : JSON.stringify(keys.map((key) => row[key] ?? null));
    const place = `${thing} ${row[along]}`;
    const before = seen.get(place) ?? 0;
    seen.set(place, before + 1);
    return `${thing} ${before}`;
  });
  return [...things.values()];
}

function isOfPeriod(key: string, along: string): boolean {
  return key === along || key === `${along}_start`;
}

/**
 * The name of each row, all different: an id is added to a name that is empty or that several rows have.
 *
 * @param along the field of time, which is no part of the id
 */
export function distinctNames(
  asked: Asked,
  path: string,
  label: Label,
  rows: readonly Row['row'][],
  along = '',
): string[] {
  const names = rows.map((row) => labelText(asked, path, label, row));
  const counts = Map.groupBy(names, (name) => name);
  const keys = identityOf(asked, path).filter((key) => !isOfPeriod(key, along));
  const seen = new Map<string, number>();
  return names.map((name, index) => {
    const isClear = name !== '' && counts.get(name)?.length === 1;
    const full = isClear ? name : withId(name, idOf(keys, rows[index] ?? {}, name));
    const before = seen.get(full) ?? 0;
    seen.set(full, before + 1);
    return before === 0 ? full : withId(full, String(before + 1));
  });
}

function idOf(keys: readonly string[], row: Row['row'], name: string): string {
  return keys
    .flatMap((key) => row[key] ?? [])
    .map(String)
    .filter((part) => part !== name)
    .join(' · ');
}

function withId(name: string, id: string): string {
  if (name === '' || id === '') return name || id;
  return `${name} (${id})`;
}
