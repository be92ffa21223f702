import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { BREAKDOWNS, coverWithPeriods, periodsAfter } from '../../src/time/periods.ts';
import { readRange } from '../../src/time/range.ts';

const range = (from_date: string, to_date: string) => readRange({ from_date, to_date }, 'Europe/Prague');

/** The label is made by the calendar's own arithmetic. */
function label(start: string, breakdown: string): string {
  const date = Temporal.PlainDate.from(start);
  if (breakdown === 'day') return date.toString();
  if (breakdown === 'month') return date.toPlainYearMonth().toString();
  return `${String(date.yearOfWeek).padStart(4, '0')}-W${String(date.weekOfYear).padStart(2, '0')}`;
}

it.each([
  ['several years, leap days and weeks of two years', '2014-12-30T00:00:00', '2025-01-02T23:59:59'],
  ['the first years', '0001-01-01T00:00:00', '0006-02-03T00:00:00'],
  ['years of two digits', '0098-11-01T00:00:00', '0101-02-03T00:00:00'],
  ['a century that is no leap year', '1899-12-01T00:00:00', '1901-03-03T00:00:00'],
  ['the last years', '9995-05-05T00:00:00', '9999-12-31T23:59:59'],
])('periods are those of the calendar: %s', (_name, from, to) => {
  for (const breakdown of BREAKDOWNS) {
    const { list, firstDate } = coverWithPeriods(range(from, to), breakdown);
    let start = Temporal.PlainDate.from(firstDate);
    for (const { period, period_start } of list) {
      expect({ period, period_start }).toEqual({
        period: label(start.toString(), breakdown),
        period_start: start.toString(),
      });
      start = start.add({ [`${breakdown}s`]: 1 });
    }
    expect(list.length).toBeGreaterThan(10);
  }
});

it('go on behind the last year that is written with four digits', () => {
  const { list } = periodsAfter(Temporal.PlainDate.from('9999-12-01'), 'month', 2);
  expect(list).toEqual([
    { period: '+010000-01', period_start: '+010000-01-01' },
    { period: '+010000-02', period_start: '+010000-02-01' },
  ]);
});

it('periods are refused where an answer has room for fewer rows, and taken where it has for just as many', () => {
  const month = range('2025-01-01T00:00:00', '2025-01-31T23:59:59');
  expect(coverWithPeriods(month, 'day', 2, 62).list).toHaveLength(31);
  expect(() => coverWithPeriods(month, 'day', 2, 61)).toThrow(
    'the range gives 62 rows, and an answer has room for 61 with these fields; use a coarser breakdown',
  );
  expect(() => coverWithPeriods(month, 'day', 1000, 61)).toThrow('the range gives more than 5000 rows');
});
