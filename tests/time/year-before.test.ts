import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { yearBefore } from '../../src/time/year-before.ts';

it.each([
  ['2026-09-01', '2026-09-30', '2025-09-01', '2025-09-30'],
  // A whole February stays whole, whichever year is the longer one.
  ['2025-02-01', '2025-02-28', '2024-02-01', '2024-02-29'],
  ['2024-02-01', '2024-02-29', '2023-02-01', '2023-02-28'],
  ['2024-12-01', '2025-02-28', '2023-12-01', '2024-02-29'],
  // Days that are no whole months are the same dates.
  ['2025-02-15', '2025-02-28', '2024-02-15', '2024-02-28'],
  ['2024-02-29', '2024-02-29', '2023-02-28', '2023-02-28'],
])('the year before %s to %s is %s to %s', (first, last, ...expected) => {
  const before = yearBefore(Temporal.PlainDate.from(first), Temporal.PlainDate.from(last));
  expect(before.map(String)).toEqual(expected);
});
