/** What the days of the week usually have, and which days have nothing. */

export const WEEKDAYS = [
  ...['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'],
];

/** 0 stands for Monday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

type Count = (date: string) => number;

/** The median of the days of each weekday. */
export function usualByWeekday(past: readonly string[], of: Count): number[] {
  return WEEKDAYS.map((_, day) => medianOf(past.filter((date) => weekdayOf(date) === day).map(of)));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** From this usual number on, a day without any is rare. */
const USUAL_ONES = 5;

/** The days without any, though their weekday usually has some: a shop may be closed on Saturdays. */
export function daysWithout(dates: readonly string[], past: readonly string[], of: Count): string[] {
  const usual = usualByWeekday(past, of);
  return dates.filter((date) => of(date) === 0 && (usual[weekdayOf(date)] ?? 0) >= USUAL_ONES);
}
