import type { Temporal } from 'temporal-polyfill';

/**
 * The same dates a year before. Whole months stay whole, so that February 2025 is beside all 29 days of
 * February 2024.
 *
 * @example yearBefore(PlainDate.from('2025-02-01'), PlainDate.from('2025-02-28')) // 2024-02-01, 2024-02-29
 */
export function yearBefore(
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
): readonly [first: Temporal.PlainDate, last: Temporal.PlainDate] {
  const end = last.subtract({ years: 1 });
  const isWhole = first.day === 1 && last.day === last.daysInMonth;
  return [first.subtract({ years: 1 }), isWhole ? end.with({ day: end.daysInMonth }) : end];
}
