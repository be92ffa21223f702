import { type SentenceValue, worded } from '../../../answers/sentences.ts';
import type { Range } from '../../../time/range.ts';
import { daysOf, type Question } from './question.ts';
import { WEEKDAYS } from './usual-weekdays.ts';

/** One more day is a small part of a longer range. */
const FEW_DAYS = 93;

/**
 * Days of the week of which a range has more than of others, or than the range that it is compared with:
 * their sums differ without any change of the shop.
 */
export function weekdayNotes({ dimensions, range, compared }: Question): string[] {
  const counts = weekdaysIn(range);
  if (dimensions.includes('weekday')) return unlikeRows(counts, range);
  if (compared === null || daysOf(range) !== daysOf(compared.range) || daysOf(range) > FEW_DAYS) return [];
  const before = weekdaysIn(compared.range);
  const other = counts.flatMap((count, day) =>
    count === before[day] ? [] : [`${count} ${WEEKDAYS[day]} beside ${before[day]}`],
  );
  return other.length === 0
    ? []
    : [
        worded(
          `The range has other days of the week than the compared one: ${other.join(', ')}. What differs by the day of the week changes by that alone.`,
          'note.unlike-weekdays',
          { weekdays: weekdaysInWords(before, counts) },
        ),
      ];
}

/** The days of the week of which there are not as many as before. */
export function weekdaysInWords(before: readonly number[], now: readonly number[]): SentenceValue {
  return {
    each: now.flatMap((count, weekday): SentenceValue[] =>
      count === before[weekday]
        ? []
        : [
            {
              sentence: {
                key: 'note.weekday-count',
                values: {
                  weekday: { weekday },
                  now: { number: count },
                  before: { number: before[weekday] ?? 0 },
                },
              },
            },
          ],
    ),
  };
}

function unlikeRows(counts: readonly number[], range: Range): string[] {
  const least = Math.min(...counts);
  const more = WEEKDAYS.filter((_, day) => (counts[day] ?? 0) > least);
  if (more.length === 0 || daysOf(range) > FEW_DAYS) return [];
  const rows = WEEKDAYS.map((name, day) => `${counts[day]} ${name}`).join(', ');
  return [`The range has ${rows}: divide sums by them before you compare rows.`];
}

/** How many Mondays, Tuesdays and so on the range has. */
function weekdaysIn(range: Range): number[] {
  const first = range.firstDate.dayOfWeek - 1;
  const days = daysOf(range);
  return WEEKDAYS.map((_, day) => Math.floor((days - 1 - ((day - first + 7) % 7)) / 7) + 1);
}
