import { expect, it } from 'vitest';
import { atOnce } from '../../src/main-thread/turns.ts';
import { judgeDays, type WatchedSeries } from '../../src/statistics/unusual-days.ts';
import { drawsOf } from './made-days.ts';

const judgedAtOnce = (series: WatchedSeries, tested: number) => atOnce(judgeDays(series, tested));

const draw = drawsOf(7);
/** 20 to 60 a day of the week, and a tenth more or less by chance. */
const usual = (day: number) => 20 + 40 * ((day % 7) / 6);

function seriesOf(
  days: number,
  of: (day: number) => number,
  more: Partial<WatchedSeries> = {},
): WatchedSeries {
  const values = Array.from({ length: days }, (_, day) => Math.round(of(day) * (0.9 + 0.2 * draw())));
  return { values, exposures: null, unlike: values.map(() => false), unit: 1, ...more };
}

const day = (judged: ReturnType<typeof judgedAtOnce>, place: number, days = 1) =>
  judged.find((one) => one.place === place && one.days === days);

it('knows the days of the week: the day that is always high is not unusual, half of it is', () => {
  const series = seriesOf(371, usual);
  const quiet = judgedAtOnce(series, 7);
  expect(quiet).toHaveLength(9);
  for (const { p } of quiet) expect(p).toBeGreaterThan(0.001);
  const broken = { ...series, values: series.values.with(370, 10) };
  const last = day(judgedAtOnce(broken, 7), 370);
  expect(last?.usual).toBeGreaterThan(0.85 * usual(370));
  expect(last?.usual).toBeLessThan(1.15 * usual(370));
  expect(last?.p).toBeLessThan(1e-4);
  expect(last?.value).toBeLessThan(last?.low as number);
  expect(last?.seenShare).toBe(0);
});

it('learns nothing of the days that are judged', () => {
  const series = seriesOf(371, usual);
  const other = { ...series, values: series.values.map((value, place) => (place >= 364 ? 0 : value)) };
  expect(judgedAtOnce(other, 7).map((one) => one.usual)).toEqual(
    judgedAtOnce(series, 7).map((one) => one.usual),
  );
});

it('expects the rush of a season that was there a year before', () => {
  const rush = (place: number) => (place % 364 >= 330 && place % 364 < 351 ? 2.5 : 1);
  const rushing = (place: number) => 200 * rush(place);
  const series = seriesOf(364 + 340, rushing);
  expect(day(judgedAtOnce(series, 7), 364 + 338)?.p).toBeGreaterThan(1e-3);
  const none = { ...series, values: series.values.with(364 + 338, 200) };
  expect(day(judgedAtOnce(none, 7), 364 + 338)?.usual).toBeGreaterThan(350);
});

it('does not judge a holiday that was never seen, and takes one as before', () => {
  const isHoliday = (place: number) => place === 369 || place === 5;
  const series = seriesOf(371, (place) => (isHoliday(place) ? 2 : 200), {
    unlike: Array.from({ length: 371 }, (_, place) => isHoliday(place)),
  });
  const holidays = (before: number | null) =>
    series.values.map((_, place) => (place === 369 ? before : undefined));
  expect(day(judgedAtOnce({ ...series, holidays: holidays(null) }, 7), 369)).toBeUndefined();
  const seen = seriesOf(371 + 364, (place) => (place === 369 || place === 733 ? 2 : 200), {
    unlike: Array.from({ length: 735 }, (_, place) => place === 369 || place === 733),
  });
  const known = seen.values.map((_, place) => (place === 733 ? 369 : undefined));
  expect(day(judgedAtOnce({ ...seen, holidays: known }, 7), 733)?.p).toBeGreaterThan(0.01);
});

it('tells a share from what it is a part of: few visits with their share of orders are usual', () => {
  const visits = Array.from({ length: 371 }, (_, place) => (place > 368 ? 200 : 1000));
  const series = seriesOf(371, (place) => 0.05 * (visits[place] as number), { exposures: visits });
  for (const { p } of judgedAtOnce(series, 7)) expect(p).toBeGreaterThan(0.001);
});
