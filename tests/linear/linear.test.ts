import { describe, expect, it } from 'vitest';
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

describe.each(Object.entries(FUNCTIONS_OF_STRANGERS))('%s', (_, read) => {
  it('takes time linear in its length', () => {
    const tooLong = HOSTILE_TEXTS.flatMap((text) => growthOf(read, text) ?? []);
    expect(tooLong).toEqual([]);
  });
});

it('finds the square of the length', () => {
  const blanks = HOSTILE_TEXTS.filter(({ name }) => name.includes('" "'));
  expect(blanks.flatMap((text) => growthOf((each) => each.replace(/\s+$/, ''), text) ?? [])).toHaveLength(1);
});

/** Null where the time grows with the length; else what grew faster, and how fast. */
function growthOf(read: (text: string) => unknown, { name, ofLength }: HostileText): string | null {
  let shorter = { length: 0, text: '', least: 0 };
  for (const length of LENGTHS) {
    const text = ofLength(length);
    let least = cpuTime(read, text);
    // What else the machine does makes a run longer, never shorter: the least of several is compared.
    for (let tried = 1; tried < TRIES && isTooLong(); tried += 1) {
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
