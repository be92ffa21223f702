import type { Pieces } from './pieces.ts';

/** The number of elements that are sorted, or merged, in one piece. */
const ELEMENTS_OF_PIECE = 2000;

/** Texts in the order of `toSorted()`, in pieces: by runs that are sorted alone, and then merged by twos. */
export function* sortedTexts(texts: readonly string[]): Pieces<readonly string[]> {
  let runs: (readonly string[])[] = [];
  for (let from = 0; from < texts.length; from += ELEMENTS_OF_PIECE) {
    runs.push(texts.slice(from, from + ELEMENTS_OF_PIECE).toSorted());
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let run = 0; run < runs.length; run += 2)
      merged.push(yield* mergedTexts(runs[run] ?? [], runs[run + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedTexts(one: readonly string[], other: readonly string[]): Pieces<readonly string[]> {
  const merged: string[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const [mine, its] = [one[left], other[right]];
    if (its === undefined || (mine !== undefined && mine <= its)) {
      merged.push(mine as string);
      left += 1;
    } else {
      merged.push(its);
      right += 1;
    }
    if (merged.length % ELEMENTS_OF_PIECE === 0) yield;
  }
  return merged;
}

/** The first ones of `toSorted(compare)`, in pieces; the others are not sorted. */
export function* firstSorted<Element>(
  elements: readonly Element[],
  compare: (one: Element, other: Element) => number,
  most: number,
): Pieces<readonly Element[]> {
  let first: Element[] = [];
  for (let from = 0; from < elements.length; from += ELEMENTS_OF_PIECE) {
    first = [...first, ...elements.slice(from, from + ELEMENTS_OF_PIECE)].toSorted(compare).slice(0, most);
    yield;
  }
  return first;
}
