import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TryPlaces } from '../../src/web/try-places.ts';

/** A vendor that never answers: its try ends after so long. */
const TRY_MS = 40_000;

let places: TryPlaces;
let tried: string[];

beforeEach(() => {
  vi.useFakeTimers();
  places = new TryPlaces();
  tried = [];
});

afterEach(() => {
  vi.useRealTimers();
});

/** Tries a key that takes so long. Gives why it was not tried, where it was not. */
async function tryKey(account: string, milliseconds = TRY_MS, store = `store of ${account}`) {
  const place = await places.take(account, store);
  if (typeof place === 'string') return place;
  tried.push(account);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  place[Symbol.dispose]();
  return 'tried';
}

const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

it('who comes while ten vendors do not answer waits, and is refused after some time', async () => {
  const slow = names('slow', 10).map((each) => tryKey(each));
  await vi.advanceTimersByTimeAsync(1000);
  const early = tryKey('early', 100);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await early).toBe('waited');
  const late = tryKey('late', 100);
  await vi.advanceTimersByTimeAsync(19_500);
  expect(await Promise.all([late, ...slow])).toEqual(Array.from({ length: 11 }, () => 'tried'));
});

it('accounts whose vendors never answer hold half of the places, however many they are and however often they try', async () => {
  const slow = names('slow', 10).map((each) => tryKey(each));
  await vi.advanceTimersByTimeAsync(TRY_MS);
  await Promise.all(slow);
  tried = [];
  for (let round = 0; round < 5; round += 1) {
    for (const each of names('slow', 10)) void tryKey(each);
    for (const [index, each] of names('good', 30).entries()) {
      await vi.advanceTimersByTimeAsync(500);
      expect(await Promise.race([tryKey(`${each} in ${round}`, 100), wait(150)])).toBe('tried');
      if (index === 0) expect(tried.filter((name) => name.startsWith('slow'))).toHaveLength(5);
    }
    await vi.advanceTimersByTimeAsync(TRY_MS);
    tried = [];
  }
});

it('a slow store is slow whoever tries its keys, and has one try at a time', async () => {
  const [one, two, third, fourth, fifth] = ['a', 'b', 'c', 'd', 'e'].map((each) =>
    tryKey(each, TRY_MS, 'shop'),
  );
  await vi.advanceTimersByTimeAsync(1000);
  expect(tried).toEqual(['a']);
  expect(await fifth).toBe('store');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await Promise.all([two, third, fourth])).toEqual(['waited', 'waited', 'waited']);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await one).toBe('tried');
  for (const each of names('slow', 5)) void tryKey(each);
  await vi.advanceTimersByTimeAsync(TRY_MS);
  for (const each of names('slow', 5)) void tryKey(each);
  const own = tryKey('f', 100, 'shop');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await own).toBe('waited');
});

it('an account tries one key at a time, and no more than some wait', async () => {
  const first = tryKey('a');
  expect(await tryKey('a', 100, 'another shop')).toBe('account');
  for (const each of names('slow', 9)) void tryKey(each);
  const waiting = names('b', 15).map((each) => tryKey(each, 100));
  await vi.advanceTimersByTimeAsync(100);
  expect(await tryKey('c')).toBe('all');
  await vi.advanceTimersByTimeAsync(TRY_MS);
  expect(await first).toBe('tried');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['waited']));
});

async function wait(milliseconds: number): Promise<string> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  return 'it waits';
}
