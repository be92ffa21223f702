import type { Called } from '../../answers/chart.ts';
import type { DescribedCharts, Sort } from '../described-chart.ts';
import type { DrawnStore } from '../drawn-store.ts';

type Json = Readonly<Record<string, unknown>>;

/** An answer, and what it answers. */
export interface Asked {
  readonly described: DescribedCharts;
  readonly args: Json;
  /** The answer as clients get it, with rows as objects or as a table. */
  readonly answer: Json;
  readonly store: DrawnStore;
  /** What a page calls its numbers, by the field of a row. */
  readonly names?: Readonly<Record<string, string>>;
  /** What the chart that is read calls its numbers, and texts of its rows. */
  readonly called?: Readonly<Record<string, Called>>;
  readonly texts?: Readonly<Record<string, string>>;
  /** The same question about other days, drawn beside. */
  readonly compared?: { readonly args: Json; readonly answer: Json };
}

/** What an answer itself says holds, null too: nothing of its kind is loaded, whatever else is. */
export function dataUntil(answer: Json, store: DrawnStore): string | null {
  if (!('data_until' in answer)) return store.data_until;
  return typeof answer.data_until === 'string' ? answer.data_until : null;
}

/** What the list of the answer is sorted by, as asked or by default; null of any other rows, and where nobody can ask. */
export function sortOf({ described, args }: Asked, path: string | null): Sort | null {
  const { list, sort } = described;
  if (sort === undefined || path !== list) return null;
  const asked = (name: keyof Sort) => {
    const value = args[name];
    return typeof value === 'string' ? value : sort[name];
  };
  return { sort_by: asked('sort_by'), sort_order: asked('sort_order') };
}
