import { expect, it } from 'vitest';
import { isQuick } from '../support/runs.ts';
import { FUNCTIONS_OF_STRANGERS } from './functions-of-strangers.ts';
import { HOSTILE_TEXTS, type HostileText } from './hostile-texts.ts';

/**
 * The lengths are in characters. The first is short, so that what takes the cube of the length is found in a
 * second.
 */
const LENGTHS = [600, 3000, 10_000, 100_000];

/**
 * How many times as long a text may take as its parts, each alone. Linear work takes once to twice as long,
 * since longer texts leave the caches of the processor and wake the garbage collector; the square of the
 * length takes ten times as long.
 */
const MOST_TIMES = 4;

/**
 * This is in milliseconds of processor time: the system tells it in steps of up to 10, so that less cannot be
 * compared.
 */
const TOO_SHORT = 40;

const TRIES = 4;
/** This is in milliseconds. What takes so long in the processor was not held up by others. */
const MOST_TRIED_AGAIN = 1000;

/** Texts by which functions were slow once. */
const ALWAYS = ['" "', '"1 "', '"a@b.cz "', '"\\r\\n"', '"~"'];

/**
 * Each function gets a part of the others in `npm test`, the next one the next part. The full tests try all
 * on each.
 */
const PARTS = 32;

function textsFor(place: number): readonly HostileText[] {
  if (!isQuick) return HOSTILE_TEXTS;
  return HOSTILE_TEXTS.filter(
    ({ name }, index) => (index + place) % PARTS === 0 || ALWAYS.some((part) => name.includes(part)),
  );
}

const functions = Object.entries(FUNCTIONS_OF_STRANGERS).map(([name, read], place) => ({
  name,
  read,
  place,
}));

it.each(functions)('$name takes time linear in its length', ({ read, place }) => {
  expect(firstGrowth(read, textsFor(place))).toBeNull();
});

it('finds the square of the length', () => {
  let sum = 0;
  const square = (text: string) => {
    for (let step = text.length ** 2 / 500; step > 0; step -= 1) sum += step;
  };
  expect(firstGrowth(square, HOSTILE_TEXTS)).toMatch(/^" " again and again: 100000 characters took/);
  expect(sum).toBeGreaterThan(0);
});

/** The growth for the first text that has any: the others may take minutes each. */
function firstGrowth(read: (text: string) => unknown, texts: readonly HostileText[]): string | null {
  for (const text of texts) {
    const growth = growthOf(read, text);
    if (growth !== null) return growth;
  }
  return null;
}

/** Null where the time grows with the length; else of which text it grew faster, and how fast. */
function growthOf(read: (text: string) => unknown, { name, ofLength }: HostileText): string | null {
  let shorter = '';
  for (const length of LENGTHS) {
    const text = ofLength(length);
    const times = shorter === '' ? 0 : Math.round(length / shorter.length);
    let least = cpuTime(read, text);
    let asShort = 0;
    // What else the machine does makes a run longer, never shorter.
    for (let tried = 0; times > 0 && isTooLong() && tried < TRIES; tried += 1) {
      if (tried > 0 && least < MOST_TRIED_AGAIN) least = Math.min(least, cpuTime(read, text));
      asShort = Math.max(asShort, cpuTime(read, shorter, times));
    }
    if (times > 0 && isTooLong())
      return `${name}: ${length} characters took ${least.toFixed(0)} ms, and in ${times} parts ${asShort.toFixed(0)} ms`;
    shorter = text;

    function isTooLong(): boolean {
      return least > TOO_SHORT && least > MOST_TIMES * asShort;
    }
  }
  return null;
}

/** The processor time of this thread, in milliseconds. */
function cpuTime(read: (text: string) => unknown, text: string, times = 1): number {
  const before = process.threadCpuUsage();
  for (let time = 0; time < times; time += 1) {
    try {
      read(text);
    } catch (error) {
      // A text that is refused in words is well; one that exhausts the stack is not.
      if (error instanceof RangeError && error.message.includes('stack')) throw error;
    }
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
