import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/main-thread/turns.ts';
import { falseDiscoveryRates } from '../../src/statistics/false-discovery.ts';
import { judgeDays, LEAST_DAYS, type WatchedSeries } from '../../src/statistics/unusual-days.ts';
import { type Fault, madeList } from './made-days.ts';

const judgedAtOnce = (series: WatchedSeries, tested: number) => atOnce(judgeDays(series, tested));

const LISTS = 150;
const RATE = 0.05;

/** Raises days of a whole list of series as the tool does. */
function raised(seed: number, fault: Fault | null = null) {
  const { series, days } = madeList(seed, fault);
  const judged = Object.entries(series)
    .filter(([, { values, unit }]) => meanOf(values.slice(-63, -7)) / unit >= 5)
    .flatMap(([name, one]) => judgedAtOnce(one, 7).map((found) => ({ name, ...found })));
  const rates = falseDiscoveryRates(judged.map(({ p }) => p));
  return { days, tests: judged.length, found: judged.filter((_, place) => (rates[place] as number) <= RATE) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('series of made shops with trend, weekdays, December and noise of their own', () => {
  it('raises something in at most 5 % of the lists in which nothing happened', () => {
    let [quiet, tests] = [0, 0];
    for (let seed = 1; seed <= LISTS; seed += 1) {
      const list = raised(seed);
      tests += list.tests;
      if (list.found.length > 0) quiet += 1;
    }
    expect(tests).toBeGreaterThan(LISTS * 100);
    expect(quiet / LISTS).toBeLessThanOrEqual(RATE);
  });

  it.each<Fault['of']>(['tracking', 'product', 'channel'])('finds a lost %s within two days', (of) => {
    let found = 0;
    for (let seed = 1001; seed <= 1000 + LISTS; seed += 1) {
      const list = raised(seed, { of, days: 2 });
      const isOfFault = ({ place, days }: { place: number; days: number }) => place + days > list.days - 2;
      if (list.found.some((one) => isOfFault(one) && one.value < one.usual)) found += 1;
    }
    expect(found / LISTS).toBeGreaterThanOrEqual(0.9);
  });

  it('judges nothing with a history that is too short', () => {
    const { series } = madeList(1);
    const values = Array.from({ length: LEAST_DAYS + 6 }, () => 20);
    const short = { ...series.visits, values, unlike: values.map(() => false) } as never;
    expect(judgedAtOnce(short, 7)).toEqual([]);
    expect(
      judgedAtOnce(
        { ...(short as object), values: [...values, 20], unlike: [...values, 20].map(() => false) } as never,
        7,
      ),
    ).not.toEqual([]);
  });
});
