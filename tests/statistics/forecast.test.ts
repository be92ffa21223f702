import { describe, expect, it } from 'vitest';
import { forecastSeries } from '../../src/answers/forecast.ts';
import { forecast } from '../../src/statistics/forecast.ts';

/** Repeats a week, `times` times, each higher by `growth` than the one before. */
const weeks = (times: number, growth = 0) =>
  Array.from({ length: 7 * times }, (_, day) => 10 + 5 * (day % 7) + growth * Math.floor(day / 7));

describe('a forecast', () => {
  it('of what repeats exactly is that again, without error', () => {
    const made = forecast(weeks(10), 7, 28, 9);
    expect(made?.error).toBeCloseTo(0, 6);
    expect(made?.periods.map(({ value }) => Math.round(value))).toEqual([10, 15, 20, 25, 30, 35, 40, 10, 15]);
    for (const { low, value, high } of made?.periods ?? []) {
      expect(low).toBeCloseTo(value, 6);
      expect(high).toBeCloseTo(value, 6);
    }
  });

  it('of steady growth goes on growing, which the seasonal naive one does not', () => {
    const made = forecast(weeks(12, 4), 7, 28, 7);
    expect(made?.method).toBe('seasonal_naive_with_drift');
    expect(made?.error).toBeCloseTo(0, 6);
    expect(made?.seasonalNaiveError).toBeGreaterThan(5);
    expect(made?.periods[0]?.value).toBeCloseTo(10 + 4 * 12, 6);
  });

  it('knows nothing of what comes after it begins', () => {
    const jumps = [...weeks(8), ...weeks(4).map((value) => value * 3)];
    const [early, late] = [forecast(weeks(8), 7, 28, 7), forecast(jumps.slice(0, 56), 7, 28, 7)];
    expect(early).toEqual(late);
    // Its hold-out has the jump, which nobody could foresee.
    expect(forecast(jumps, 7, 28, 7)?.error).toBeGreaterThan(10);
  });

  it('is none where nothing happens on the hold-out', () => {
    expect(forecast([...weeks(4), ...new Array(28).fill(0)], 7, 28, 3)).toBeNull();
  });

  it('is never below nothing', () => {
    const falling = weeks(12, -4).map((value) => Math.max(0, value));
    for (const { low, value } of forecast(falling, 7, 28, 12)?.periods ?? []) {
      expect(low).toBeGreaterThanOrEqual(0);
      expect(value).toBeGreaterThanOrEqual(low);
    }
  });

  it.each([
    ['month', 23, 24],
    ['week', 103, 104],
    ['day', 55, 56],
  ] as const)('by %s is refused with %i periods, not with %i', (breakdown, few, enough) => {
    const series = Array.from({ length: enough }, (_, index) => 10 + (index % 3));
    expect(forecastSeries(series.slice(0, few), breakdown, 3).refused).toContain(`${few} are loaded`);
    expect(forecastSeries(series, breakdown, 3).refused).toBeNull();
  });
});

it('tells what other breakdowns need, not that finer ones need less', () => {
  const short = [10, 11];
  expect(forecastSeries(short, 'month', 3).refused).toBe(
    'it needs 24 whole months, and 2 are loaded up to the end of the range; weeks need 104, days 56 (they reach 12 days and know no season of the year)',
  );
  expect(forecastSeries(short, 'week', 3).refused).toContain(
    '104 whole weeks, and 2 are loaded up to the end of the range; months need 24, days 56',
  );
  expect(forecastSeries(short, 'day', 3).refused).toContain('months need 24, weeks 104');
});

it('of a sum has an interval of its own, and none where too few such sums were tried', () => {
  const year = Array.from({ length: 24 }, (_, month) => 100 + 10 * (month % 12) + month);
  // 12 months held out: ten sums of three of them, one of all twelve.
  expect(forecast(year, 12, 12, 3)?.total).not.toBeNull();
  expect(forecast(year, 12, 12, 4)?.total).toBeNull();
  expect(forecast(year, 12, 12, 12)?.total).toBeNull();
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  let [within, narrower] = [0, 0];
  const RUNS = 200;
  for (let run = 0; run < RUNS; run += 1) {
    const series = weeks(20, 1).map((value) => value * (0.7 + 0.6 * random()));
    const made = forecast(series.slice(0, -7), 7, 60, 7);
    const came = series.slice(-7).reduce((sum, value) => sum + value, 0);
    const { value = 0, low = 0, high = 0 } = made?.total ?? {};
    expect(value).toBeCloseTo(made?.periods.reduce((sum, one) => sum + one.value, 0) ?? 0, 6);
    within += came >= low && came <= high ? 1 : 0;
    narrower +=
      high - value < (made?.periods.reduce((sum, one) => sum + one.high - one.value, 0) ?? 0) ? 1 : 0;
  }
  expect(within / RUNS).toBeGreaterThan(0.7);
  expect(within / RUNS).toBeLessThan(0.9);
  // Errors of single days cancel out.
  expect(narrower / RUNS).toBeGreaterThan(0.9);
});

it('intervals of 80 % hold about 80 % of what comes, over many noisy series', () => {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  let [within, count] = [0, 0];
  for (let run = 0; run < 60; run += 1) {
    const series = weeks(20, 1).map((value) => value * (0.7 + 0.6 * random()));
    const made = forecast(series.slice(0, -7), 7, 60, 7);
    for (const [index, { low, high }] of made?.periods.entries() ?? []) {
      const came = series[series.length - 7 + index] as number;
      within += came >= low && came <= high ? 1 : 0;
      count += 1;
    }
  }
  expect(count).toBe(420);
  expect(within / count).toBeGreaterThan(0.7);
  expect(within / count).toBeLessThan(0.9);
});
