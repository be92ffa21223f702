import { beforeAll, expect, it } from 'vitest';
import { FROZEN_FOLDER } from '../../tools/made-shop/freeze.ts';
import { isMet, measureTargets } from '../../tools/made-shop/measure-targets.ts';
import { TARGETS } from '../../tools/made-shop/targets.ts';

/** The made shop as it is shipped, asked by SQL over its files, without any query of the product. */
let found: ReadonlyMap<string, number | null>;
beforeAll(async () => {
  found = await measureTargets(FROZEN_FOLDER);
}, 60_000);

it('every target has a name of its own', () => {
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length);
});

it.each(TARGETS.filter(({ notYet }) => notYet === undefined))('$name: from $from to $to', (target) => {
  const value = found.get(target.name) ?? null;
  expect([value, isMet(target, value)]).toEqual([value, true]);
});

// One that is met, or has moved, says so: take its `notYet` away, or write what is true today.
it.each(TARGETS.filter(({ notYet }) => notYet !== undefined))(
  'a target that is not met yet is $name: from $from to $to, today $notYet',
  (target) => {
    const value = found.get(target.name) ?? null;
    expect([value, isMet(target, value)]).toEqual([value, false]);
    expect(value === null ? null : Number(value.toPrecision(3))).toBe(target.notYet);
  },
);
