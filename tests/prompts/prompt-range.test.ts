import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { readComparedRanges, readPromptRange } from '../../src/prompts/prompt-range.ts';
import { readRange } from '../../src/time/range.ts';

const compared = (from_date: string, to_date: string, compare_from_date?: string, compare_to_date?: string) =>
  readComparedRanges({ from_date, to_date, compare_from_date, compare_to_date });

const day = (first: string, last: string, days: number) => ({
  from_date: `${first}T00:00:00`,
  to_date: `${last}T23:59:59`,
  days,
});

describe('the previous period', () => {
  it.each([
    ['of a month is the month before', '2024-05-01', '2024-05-31', '2024-04-01', '2024-04-30', 31, 30],
    ['of a leap February', '2024-02-01', '2024-02-29', '2024-01-01', '2024-01-31', 29, 31],
    ['of a March after a leap February', '2024-03-01', '2024-03-31', '2024-02-01', '2024-02-29', 31, 29],
    ['of a March after a common February', '2023-03-01', '2023-03-31', '2023-02-01', '2023-02-28', 31, 28],
    ['of a January', '2024-01-01', '2024-01-31', '2023-12-01', '2023-12-31', 31, 31],
    ['of a quarter', '2024-01-01', '2024-03-31', '2023-10-01', '2023-12-31', 91, 92],
    ['of three months that are no quarter', '2024-02-01', '2024-04-30', '2023-11-01', '2024-01-31', 90, 92],
    ['of a year', '2024-01-01', '2024-12-31', '2023-01-01', '2023-12-31', 366, 365],
    ['of a leap day', '2024-02-29', '2024-02-29', '2024-02-28', '2024-02-28', 1, 1],
    ['of the day after it', '2024-03-01', '2024-03-01', '2024-02-29', '2024-02-29', 1, 1],
    ['of the day on which clocks go forward', '2024-03-31', '2024-03-31', '2024-03-30', '2024-03-30', 1, 1],
    ['of a week over New Year', '2024-12-30', '2025-01-05', '2024-12-23', '2024-12-29', 7, 7],
    ['of days that are no whole month', '2024-02-01', '2024-02-28', '2024-01-04', '2024-01-31', 28, 28],
    [
      'of the end of one month to that of the next',
      '2024-01-31',
      '2024-02-29',
      '2024-01-01',
      '2024-01-30',
      30,
      30,
    ],
    ['of the first month that can be', '0002-01-01', '0002-01-31', '0001-12-01', '0001-12-31', 31, 31],
    ['of all that is left', '2024-01-01', '9999-12-31', null, null, 0, 0],
  ])('%s', (_name, from, to, previousFrom, previousTo, days, previousDays) => {
    if (previousFrom === null) {
      expect(() => compared(from, to)).toThrow('there is no period of this length before from_date');
      return;
    }
    expect(compared(from, to)).toEqual({
      range: day(from, to, days),
      compared: day(previousFrom, previousTo, previousDays),
    });
  });

  it('is as many hours directly before', () => {
    expect(compared('2024-03-10T08:00', '2024-03-10 11:59:59')).toEqual({
      range: { from_date: '2024-03-10T08:00:00', to_date: '2024-03-10T11:59:59', days: 1 },
      compared: { from_date: '2024-03-10T04:00:00', to_date: '2024-03-10T07:59:59', days: 1 },
    });
  });

  it('keeps the offset, and whole months under it', () => {
    expect(compared('2024-03-01T00:00:00Z', '2024-03-31T23:59:59Z').compared).toEqual({
      from_date: '2024-02-01T00:00:00Z',
      to_date: '2024-02-29T23:59:59Z',
      days: 29,
    });
    expect(compared('2024-03-01T00:00:00+01:00', '2024-03-31T23:59:59+02:00')).toEqual({
      range: { from_date: '2024-03-01T00:00:00+01:00', to_date: '2024-03-31T23:59:59+02:00', days: 31 },
      compared: { from_date: '2024-01-30T01:00:00+01:00', to_date: '2024-02-29T23:59:59+01:00', days: 31 },
    });
  });

  it('ends where the range begins, and is as long, whatever days these are', () => {
    const dates = fc.integer({ min: -10_000, max: 30_000 }).map((days) => {
      return Temporal.PlainDate.from('2000-01-01').add({ days });
    });
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 800 }), (first, length) => {
        const last = first.add({ days: length });
        const { range, compared: previous } = compared(first.toString(), last.toString());
        expect(range.days).toBe(length + 1);
        expect(previous.to_date).toBe(`${first.subtract({ days: 1 })}T23:59:59`);
        const isWholeMonths = first.day === 1 && last.add({ days: 1 }).day === 1;
        const start = Temporal.PlainDateTime.from(previous.from_date).toPlainDate();
        if (isWholeMonths) {
          expect(start.day).toBe(1);
          expect(start.until(first, { largestUnit: 'month' }).months).toBe(
            first.until(last.add({ days: 1 }), { largestUnit: 'month' }).months,
          );
        } else {
          expect(start.until(first).days).toBe(length + 1);
        }
        // What tools are called with, they take.
        for (const dates of [range, previous]) expect(() => readRange(dates, 'Europe/Prague')).not.toThrow();
      }),
    );
  });
});

it('a given period is compared with as it is', () => {
  expect(compared('2024-05-01', '2024-05-31', '2023-05-01', '2023-05-31').compared).toEqual(
    day('2023-05-01', '2023-05-31', 31),
  );
});

describe('is refused', () => {
  const messageOf = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      return (error as InputError).message;
    }
    return null;
  };

  it.each([
    '',
    'yesterday',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-1-1',
    '2024-01',
    '01.02.2024',
    '0000-01-01',
    '2024-01-01T25:00:00',
    '2024-01-01T00:00:00+99:00',
    '2024-01-01T00:00:00[Europe/Prague]',
    '2024-01-01"}',
  ])('what is no date: %j', (text) => {
    expect(messageOf(() => readPromptRange({ from_date: text, to_date: '2024-12-31' }))).toBe(
      'from_date is not a valid date',
    );
    expect(messageOf(() => readPromptRange({ from_date: '2020-01-01', to_date: text }))).toBe(
      'to_date is not a valid date',
    );
    expect(messageOf(() => compared('2024-05-01', '2024-05-31', text, '2024-04-30'))).toBe(
      'compare_from_date is not a valid date',
    );
  });

  it('a range that ends before it begins', () => {
    expect(messageOf(() => compared('2024-05-31', '2024-05-01'))).toBe('to_date is before from_date');
    expect(messageOf(() => compared('2024-05-01', '2024-05-31', '2024-04-30', '2024-04-01'))).toBe(
      'compare_to_date is before compare_from_date',
    );
    expect(messageOf(() => compared('2024-05-01T00:30:00Z', '2024-05-01T01:00:00+01:00'))).toBe(
      'to_date is before from_date',
    );
  });

  it('half a period to compare with, and half an offset', () => {
    const both = 'compare_from_date and compare_to_date must both be given, or none';
    expect(messageOf(() => compared('2024-05-01', '2024-05-31', '2024-04-01'))).toBe(both);
    expect(messageOf(() => compared('2024-05-01', '2024-05-31', undefined, '2024-04-30'))).toBe(both);
    expect(messageOf(() => compared('2024-05-01T00:00:00Z', '2024-05-31'))).toBe(
      'from_date and to_date must both have an offset, or none',
    );
  });
});
