import { expect, it } from 'vitest';
import { isQuick } from '../support/runs.ts';
import { FUNCTIONS_OF_STRANGERS } from './functions-of-strangers.ts';
import { HOSTILE_TEXTS, type HostileText } from './hostile-texts.ts';

/** In characters. The first is short, so that what takes the cube of the length is found in a second. */
const LENGTHS = [600, 3000, 10_000, 100_000];

/**
 * How many times as long a character may take in the longer text. Linear work takes once to twice as long, since longer texts leave the
 * caches of the processor and wake the garbage collector; the square of the length takes ten times as long.
 */
const MOST_TIMES = 4;

/** In milliseconds of processor time: below it a text does no harm, and there is too little to compare. */
const TOO_SHORT = 8;

const TRIES = 4;
/** In milliseconds. What takes so long in the processor was not held up by others. */
const MOST_TRIED_AGAIN = 1000;

/** Texts by which functions were slow once. */
const ALWAYS = ['" "', '"1 "', '"a@b.cz "', '"\\r\\n"', '"~"'];

/** In `npm test` each function gets a third of the others, the next one the next third. */
function textsFor(place: number): readonly HostileText[] {
  if (!isQuick) return HOSTILE_TEXTS;
  return HOSTILE_TEXTS.filter(
    ({ name }, index) => (index + place) % 3 === 0 || ALWAYS.some((part) => name.includes(part)),
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
    for (let step = text.length ** 2 / 100; step > 0; step -= 1) sum += step;
  };
  expect(firstGrowth(square, HOSTILE_TEXTS)).toMatch(/^" " again and again: 10000 characters took/);
  expect(sum).toBeGreaterThan(0);
});

/** Of the first text of which it is one: the others may take minutes each. */
function firstGrowth(read: (text: string) => unknown, texts: readonly HostileText[]): string | null {
  for (const text of texts) {
    const growth = growthOf(read, text);
    if (growth !== null) return growth;
  }
  return null;
}

/** Null where the time grows with the length; else what grew faster, and how fast. */
function growthOf(read: (text: string) => unknown, { name, ofLength }: HostileText): string | null {
  let shorter = { length: 0, text: '', least: 0 };
  for (const length of LENGTHS) {
    const text = ofLength(length);
    let least = cpuTime(read, text);
    // What else the machine does makes a run longer, never shorter: the least of several is compared.
    for (let tried = 1; tried < TRIES && least < MOST_TRIED_AGAIN && isTooLong(); tried += 1) {
      least = Math.min(least, cpuTime(read, text));
      shorter.least = Math.max(shorter.least, cpuTime(read, shorter.text));
    }
    if (isTooLong())
      return `${name}: ${shorter.length} characters took ${shorter.least.toFixed(2)} ms, ${length} ${least.toFixed(0)} ms`;
    shorter = { length, text, least };

    function isTooLong(): boolean {
      return (
        shorter.length > 0 &&
        least > TOO_SHORT &&
        least / length > (MOST_TIMES * shorter.least) / shorter.length
      );
    }
  }
  return null;
}

/** Of this thread, in milliseconds. */
function cpuTime(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  try {
    read(text);
  } catch (error) {
    // A text that is refused in words is well; one that exhausts the stack is not.
    if (error instanceof RangeError && error.message.includes('stack')) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
