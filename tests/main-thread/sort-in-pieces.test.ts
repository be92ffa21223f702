import { expect, it } from 'vitest';
import type { Pieces } from '../../src/main-thread/pieces.ts';
import { firstSorted, sortedTexts } from '../../src/main-thread/sort-in-pieces.ts';

function counted<Result>(pieces: Pieces<Result>): { readonly result: Result; readonly yields: number } {
  for (let yields = 0; ; yields += 1) {
    const { done, value } = pieces.next();
    if (done === true) return { result: value, yields };
  }
}

/** The same texts in every run, in no order, some of them equal. */
const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => `${(index * 7919) % Math.max(1, count - 3)} č`);

it.each([0, 1, 2, 1999, 2000, 2001, 9000])('sorts %d texts as toSorted does', (count) => {
  expect(counted(sortedTexts(texts(count))).result).toEqual(texts(count).toSorted());
});

it('sorts in pieces', () => {
  expect(counted(sortedTexts(texts(20_000))).yields).toBeGreaterThan(30);
});

it('finds the first ones as toSorted does, also of equals', () => {
  const values = Array.from({ length: 9000 }, (_, index) => ({ index, size: (index * 31) % 100 }));
  const compare = (one: { size: number }, other: { size: number }) => one.size - other.size;
  const { result, yields } = counted(firstSorted(values, compare, 150));
  expect(result).toEqual(values.toSorted(compare).slice(0, 150));
  expect(yields).toBe(5);
});
