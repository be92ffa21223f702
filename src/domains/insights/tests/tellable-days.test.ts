import { expect, it } from 'vitest';
import { placeboEffect } from '../../../statistics/placebo-effect.ts';
import { nearestTellable } from '../queries/event/tellable-days.ts';

/** Five hundred quiet days, then an event of two weeks. */
const DAYS = 514;
const START = 500;
const all = <Value>(value: Value) => Array.from({ length: DAYS }, () => value);
const quiet = { affected: all(10), rest: all(100), pieces: all(10), unknown: all(false) };

it('proposes the length that is nearest to the one that was asked for', () => {
  // The first week is known, and of the days after it nothing is.
  const cutShort = { ...quiet, unknown: quiet.unknown.map((_, day) => day > START + 6) };
  expect(nearestTellable(cutShort, START, 14)).toBe(7);
});

it('never proposes the length that was refused, though a longer history would answer it', () => {
  const first = {
    affected: quiet.affected.slice(0, START + 7),
    rest: quiet.rest.slice(0, START + 7),
    pieces: quiet.pieces.slice(0, START + 7),
    unknown: quiet.unknown.slice(0, START + 7),
  };
  expect(placeboEffect(first, 7)).toHaveProperty('p');
  expect(nearestTellable(quiet, START, 7)).toBe(6);
});

it('proposes none where nothing is known', () => {
  expect(nearestTellable({ ...quiet, unknown: all(true) }, START, 7)).toBeNull();
});
