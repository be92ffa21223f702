import { describe, expect, it } from 'vitest';
import { readQuestion } from '../queries/question.ts';
import { weekdayNotes } from '../queries/weekday-notes.ts';

/** Days of the week, counted by a loop over the calendar. */
const ZONE = 'Europe/Prague';

function notesOf(from_date: string, to_date: string, more: object = {}) {
  const asked = {
    ...{ metrics: ['revenue'], group_by: [], filters: [], having: [], limit: 50, from_date, to_date },
    ...{ compare: 'none', compare_from_date: null, compare_to_date: null, sort_by: null, sort_order: null },
    ...more,
  };
  return weekdayNotes(readQuestion(asked as never, ZONE));
}

/** How many of each day of the week lie from one day to another, Monday first. */
function counted(from: string, to: string): number[] {
  const counts = new Array<number>(7).fill(0);
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000) {
    const weekday = (new Date(day).getUTCDay() + 6) % 7;
    counts[weekday] = (counts[weekday] ?? 0) + 1;
  }
  return counts;
}

const NAMES = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];
const listed = (counts: readonly number[]) => counts.map((count, day) => `${count} ${NAMES[day]}`).join(', ');

describe('days of the week', () => {
  it('are told beside rows of weekdays of which the range has unlike numbers', () => {
    const group_by = ['weekday'];
    for (const [from, to] of [
      ['2026-09-01', '2026-09-30'],
      ['2026-07-15', '2026-08-02'],
      ['2026-09-06', '2026-09-07'],
    ] as const)
      expect(notesOf(from, to, { group_by })).toEqual([
        `The range has ${listed(counted(from, to))}: divide sums by them before you compare rows.`,
      ]);
    expect(notesOf('2026-09-07', '2026-09-27', { group_by })).toEqual([]);
    expect(notesOf('2026-01-01', '2026-09-30', { group_by })).toEqual([]);
    expect(notesOf('2026-09-01', '2026-09-30')).toEqual([]);
  });

  it('are told where a range is compared that has others', () => {
    const september = ['2026-09-01', '2026-09-30'] as const;
    const [now, before] = [counted(...september), counted('2026-08-02', '2026-08-31')];
    const other = NAMES.flatMap((name, day) =>
      now[day] === before[day] ? [] : [`${now[day]} ${name} beside ${before[day]}`],
    );
    expect(other.length).toBeGreaterThan(1);
    expect(notesOf(...september, { compare: 'previous_period' })).toEqual([
      `The range has other days of the week than the compared one: ${other.join(', ')}. What differs by the day of the week changes by that alone.`,
    ]);
    expect(notesOf('2026-09-07', '2026-09-13', { compare: 'previous_period' })).toEqual([]);
  });
});
