// Calendar periods of the business timezone; dates are texts such as `2026-10-05`.
import { Temporal } from 'temporal-polyfill';
import { localDate, type Range } from './moments.ts';

export type Breakdown = 'day' | 'week' | 'month';
export type Period = { period: string; period_start: string; lastDay: string };

/** The period that holds a local date. */
export function periodOf(date: string, breakdown: Breakdown): Period {
  const day = Temporal.PlainDate.from(date);
  if (breakdown === 'day') return { period: date, period_start: date, lastDay: date };
  if (breakdown === 'month') {
    const first = day.with({ day: 1 });
    const last = first.add({ months: 1 }).subtract({ days: 1 });
    return { period: date.slice(0, 7), period_start: first.toString(), lastDay: last.toString() };
  }
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  const week = String(day.weekOfYear).padStart(2, '0');
  const last = monday.add({ days: 6 });
  return { period: `${day.yearOfWeek}-W${week}`, period_start: monday.toString(), lastDay: last.toString() };
}

/** All periods from the one that holds the start of the range to the one that holds its end. */
export function periodsOf(range: Range, breakdown: Breakdown, timezone: string): Period[] {
  const last = periodOf(localDate(range.to, timezone), breakdown);
  const periods = [periodOf(localDate(range.from, timezone), breakdown)];
  for (;;) {
    const latest = periods.at(-1);
    if (latest === undefined || latest.period_start >= last.period_start) return periods;
    periods.push(periodOf(addDays(latest.lastDay, 1), breakdown));
  }
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

export function daysBetween(earlier: string, later: string): number {
  return Temporal.PlainDate.from(earlier).until(Temporal.PlainDate.from(later), { largestUnit: 'day' }).days;
}
