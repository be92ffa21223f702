import { type MockInstance, vi } from 'vitest';

/** Longer than any test lasts. */
export const NEVER = 2 ** 31 - 1;

const { setTimeout: original } = globalThis;

/**
 * Timers of `milliseconds` ring after `instead`, and all others as they were set: so a test does not wait for
 * a limit, and does not look at the clock to see whether it was reached. It ends with the block that uses it.
 */
export function replaceTimers(milliseconds: number, instead: number): MockInstance<typeof setTimeout> {
  const replaced = (run: () => void, delay?: number) =>
    original(run, delay === milliseconds ? instead : delay);
  return vi.spyOn(globalThis, 'setTimeout').mockImplementation(replaced as typeof setTimeout);
}
