import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WindowCounts } from '../../src/control/limits/window-counts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('counts several at once, and tells when the window ends', () => {
  const counts = new WindowCounts(5, { minutes: 1 });
  expect([counts.add('ada', 4), counts.add('bob'), counts.add('ada', 2)]).toEqual([0, 0, 60]);
  vi.advanceTimersByTime(59_500);
  expect([counts.add('ada'), counts.add('bob')]).toEqual([1, 0]);
  vi.advanceTimersByTime(500);
  expect(counts.add('ada', 5)).toBe(0);
});

it('remembers only so many keys, and none whose window is over', () => {
  const counts = new WindowCounts(5, { minutes: 1 });
  for (let key = 0; key < 60_000; key += 1) counts.add(String(key));
  expect(counts.size).toBe(50_000);
  vi.advanceTimersByTime(60_000);
  counts.add('ada');
  expect(counts.size).toBe(1);
});
