import { dateText, dayOf, momentOf, monthOf, weekdayOf } from './calendar.ts';
import { at, cumulative, firstAbove, type RandomStream } from './random-stream.ts';

/** When the shop is busy. */
export type Rhythm = {
  /** A day from `from` to `to` (both included, cut to the history), busy days more likely. */
  drawDay(stream: RandomStream, from: number, to: number): number;
  /** A moment on that day, busy hours more likely. */
  drawMoment(stream: RandomStream, day: number): number;
  /** A moment between 20:00 and 23:00. */
  drawEvening(stream: RandomStream, day: number): number;
};

/**
 * The rhythm of an online store: week, hours, season with a peak in November and December, growth of a half.
 */
export function shopRhythm(firstDay: number, lastDay: number, stream: RandomStream): Rhythm {
  const busyness: number[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    const growth = 1 + (0.5 * (day - firstDay)) / (lastDay - firstDay);
    const noise = 0.88 + 0.24 * stream.next();
    busyness.push(
      growth * noise * at(byWeekday, weekdayOf(day)) * at(byMonth, monthOf(day) - 1) * holiday(day),
    );
  }
  const sums = cumulative(busyness);
  const sumBefore = (day: number) => (day <= firstDay ? 0 : at(sums, day - firstDay - 1));
  return {
    drawDay: (draw, from, to) => {
      const first = Math.min(Math.max(from, firstDay), lastDay);
      const last = Math.min(Math.max(to, first), lastDay);
      const start = sumBefore(first);
      const target = start + draw.next() * (at(sums, last - firstDay) - start);
      return Math.min(firstDay + firstAbove(sums, target), last);
    },
    drawEvening: (draw, day) => momentOf(day, draw.int(20 * 3_600, 23 * 3_600 - 1)),
    drawMoment: (draw, day) => momentOf(day, draw.index(hours) * 3_600 + draw.int(0, 3_599)),
  };
}

const byWeekday = [1.12, 1.05, 1.02, 0.97, 0.84, 0.8, 1.16];
const byMonth = [0.82, 0.8, 0.9, 0.97, 1.02, 1, 0.95, 0.9, 0.92, 1, 1.5, 2];
const hours = cumulative([
  0.9, 0.4, 0.2, 0.15, 0.15, 0.4, 1.1, 2.2, 3.4, 4.4, 5, 5.2, 5.4, 5, 4.6, 4.5, 4.6, 4.8, 5.3, 6.2, 7, 6.8,
  4.6, 2.1,
]);

function holiday(day: number): number {
  const date = dateText(day);
  const monthAndDay = date.slice(5);
  if (monthAndDay >= '12-24' && monthAndDay <= '12-26') return 0.35;
  if (monthAndDay >= '12-20' && monthAndDay <= '12-31') return 0.6;
  const afterBlackFriday = day - blackFriday(date.slice(0, 4));
  return afterBlackFriday >= 0 && afterBlackFriday <= 3 ? 2.2 : 1;
}

/** The day after the fourth Thursday of November. */
export function blackFriday(year: string): number {
  const november = dayOf(`${year}-11-01`);
  return november + ((3 - weekdayOf(november) + 7) % 7) + 22;
}
