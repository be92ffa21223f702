import type { Called } from '../../answers/chart.ts';
import type { DescribedCharts, Sort } from '../described-chart.ts';
import type { DrawnStore } from '../drawn-store.ts';

type Json = Readonly<Record<string, unknown>>;

/** An answer with the question that it answers. */
export interface Asked {
  readonly described: DescribedCharts;
  readonly args: Json;
  /** The answer as clients get it, with rows as objects or as a table. */
  readonly answer: Json;
  readonly store: DrawnStore;
  /** A page's own names for numbers, by the field of a row. */
  readonly names?: Readonly<Record<string, string>>;
  /** The chart's own names for its numbers, and for texts of its rows. */
  readonly called?: Readonly<Record<string, Called>>;
  readonly texts?: Readonly<Record<string, string>>;
  /** A page's own meanings of numbers, likewise; else the definition of the field. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The same question about other days, drawn next to it. */
  readonly compared?: { readonly args: Json; readonly answer: Json };
}

/**
 * The moment until which data are loaded. The answer's own value counts, even null: nothing of its kind is
 * loaded.
 */
export function dataUntil(answer: Json, store: DrawnStore): string | null {
  if (!('data_until' in answer)) return store.data_until;
  return typeof answer.data_until === 'string' ? answer.data_until : null;
}

/**
 * The field that sorts the list of the answer, as asked or by default; null for other lists, and where the
 * caller cannot sort.
 */
export function sortOf({ described, args }: Asked, path: string | null): Sort | null {
  const { list, sort } = described;
  if (sort === undefined || path !== list) return null;
  const asked = (name: keyof Sort) => {
    const value = args[name];
    return typeof value === 'string' ? value : sort[name];
  };
  return { sort_by: asked('sort_by'), sort_order: asked('sort_order') };
}
