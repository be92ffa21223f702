/**
 * What is usual on the days of a series, told by the days before them alone: its level of the last weeks with
 * a part of their trend, the days of the week, the season of the year where a year is known, and holidays by
 * what they were a year before.
 */

export interface DaySeries {
  /** One value for each day, without gaps. */
  readonly values: readonly number[];
  /** What each value is a part of, as visits of orders; null: nothing. Days without any say nothing. */
  readonly exposures: readonly number[] | null;
  /** Days from which nothing usual is learned, as holidays, and those on which nothing is known. */
  readonly unlike: readonly boolean[];
  /**
   * A holiday has the place of the same one a year before, or null where there is none; other days are
   * undefined.
   */
  readonly holidays?: readonly (number | null | undefined)[];
}

/** What is usual on one day: a value, or, on a holiday, all from `low` to `high`. */
interface Usual {
  readonly low: number;
  readonly high: number;
}

const WEEK = 7;
/** A year in whole weeks, so that a day of last year is the same day of the week. */
const YEAR = 52 * WEEK;
const LEVEL_DAYS = 4 * WEEK;
const TREND_DAYS = 8 * WEEK;
const WEEKDAY_DAYS = 16 * WEEK;

/**
 * Nothing is known of days that have fewer days before them: each day of the week must have come some times.
 */
export const LEAST_LEARNED_DAYS = 8 * WEEK;

/**
 * What is usual on some days after an origin, learned from those before it.
 *
 * @returns asked with the place of the first day that is not learned from, at least `LEAST_LEARNED_DAYS`;
 *   null for a day of which that is not known: nothing to be a part of, or a holiday that was never seen
 */
export function usualDaysOf(series: DaySeries): (origin: number, days: number) => (Usual | null)[] {
  const known = { ...series, ...addedUp(series) };
  return (origin, days) => usualDays(known, origin, days);
}

/** The series with what its days make up to each of them, so that the rate of some days is told at once. */
interface Added extends DaySeries {
  readonly sums: Float64Array;
  readonly exposed: Float64Array;
}

function addedUp(series: DaySeries): Pick<Added, 'sums' | 'exposed'> {
  const sums = new Float64Array(series.values.length + 1);
  const exposed = new Float64Array(sums.length);
  for (const [place, value] of series.values.entries()) {
    const isKnown = rateAt(series, place) !== null;
    sums[place + 1] = (sums[place] as number) + (isKnown ? value : 0);
    exposed[place + 1] = (exposed[place] as number) + (isKnown ? exposureAt(series, place) : 0);
  }
  return { sums, exposed };
}

function usualDays(series: Added, origin: number, days: number): (Usual | null)[] {
  const year = yearFactors(series, origin, days);
  const weekdays = weekdayFactors(series, origin);
  const level = levelOf(series, origin, (place) => (weekdays[place % WEEK] as number) * year(place));
  if (level === null) return new Array<null>(days).fill(null);
  return Array.from({ length: days }, (_, ahead) => {
    const place = origin + ahead;
    const exposure = exposureAt(series, place);
    if (exposure <= 0) return null;
    const factor = (weekdays[place % WEEK] as number) * year(place);
    const plain = level.at(ahead) * factor * exposure;
    const holiday = series.holidays?.[place];
    if (holiday === undefined) return { low: plain, high: plain };
    const before = holiday === null ? null : holidayFactor(series, holiday, weekdays);
    if (before === null) return null;
    const then = plain * before;
    return { low: Math.min(plain, then), high: Math.max(plain, then) };
  });
}

function exposureAt({ exposures }: DaySeries, place: number): number {
  return exposures === null ? 1 : (exposures[place] ?? 0);
}

/** The value by exposure; null of a day that says nothing. */
function rateAt(series: DaySeries, place: number): number | null {
  const exposure = exposureAt(series, place);
  if (exposure <= 0 || series.unlike[place] !== false) return null;
  return (series.values[place] as number) / exposure;
}

/** The rate of some days together. */
function rateOf({ sums, exposed }: Added, from: number, to: number): number | null {
  const [first, last] = [Math.max(0, from), Math.min(to, sums.length - 1)];
  const exposure = (exposed[last] as number) - (exposed[first] as number);
  return exposure > 0 ? ((sums[last] as number) - (sums[first] as number)) / exposure : null;
}

/** The rate of the week around a day, in which each day of the week is. */
function weekAround(series: Added, place: number, end: number): number | null {
  const from = Math.min(place - 3, end - WEEK);
  return from < 0 ? null : rateOf(series, from, from + WEEK);
}

/** What each day of the week is beside the week around it. */
function weekdayFactors(series: Added, origin: number): number[] {
  const ratios: number[][] = Array.from({ length: WEEK }, () => []);
  for (let place = Math.max(0, origin - WEEKDAY_DAYS); place < origin; place += 1) {
    const [rate, around] = [rateAt(series, place), weekAround(series, place, origin)];
    if (rate !== null && around !== null && around > 0) ratios[place % WEEK]?.push(rate / around);
  }
  const factors = ratios.map((each) => trimmedMean(each) ?? 1);
  const mean = factors.reduce((sum, factor) => sum + factor, 0) / WEEK;
  return factors.map((factor) => (mean > 0 ? factor / mean : 1));
}

/** No day of the week, season or holiday makes so little of a day, that nothing could be told of it. */
const LEAST_FACTOR = 0.02;

/** One day far off is left out on both sides. */
function trimmedMean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length * TRIMMED);
  const kept = sorted.subarray(cut, sorted.length - cut);
  return Math.max(LEAST_FACTOR, kept.reduce((sum, value) => sum + value, 0) / kept.length);
}

const TRIMMED = 0.1;

/** The season of the year is believed at most so far. */
const MOST_BELIEVED = 0.9;

/**
 * What the same days of last year were, as far as they differed by more than by chance (James and Stein's way
 * to shrink): a factor for each day, 1 where no year is known.
 */
function yearFactors(series: Added, origin: number, days: number): (place: number) => number {
  const first = origin - TREND_DAYS;
  if (first - YEAR < 3) return () => 1;
  const lasts = new Map<number, number>();
  for (let place = first; place < origin + days; place += 1) {
    const rate = weekAround(series, place - YEAR, origin);
    if (rate !== null && rate > 0) lasts.set(place, Math.log(rate));
  }
  const logs = [...lasts.values()];
  if (logs.length < LEVEL_DAYS) return () => 1;
  const middle = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const variance = logs.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (logs.length - 1);
  const chance = chanceOfWeek(series, first - YEAR, origin + days - YEAR);
  const believed = variance > 0 ? Math.min(MOST_BELIEVED, Math.max(0, 1 - chance / variance)) : 0;
  return (place) => Math.exp(believed * ((lasts.get(place) ?? middle) - middle));
}

/**
 * The variance that the logarithm of the rate of a week has by chance, by how its days differ from those a
 * week later.
 */
function chanceOfWeek(series: Added, from: number, to: number): number {
  const squares: number[] = [];
  for (let place = Math.max(0, from); place < to - WEEK; place += 1) {
    const [one, other] = [rateAt(series, place), rateAt(series, place + WEEK)];
    if (one === null || other === null || one + other <= 0) continue;
    squares.push(((2 * (one - other)) / (one + other)) ** 2);
  }
  const mean = trimmedMean(squares);
  return mean === null ? Number.POSITIVE_INFINITY : mean / 2 / WEEK;
}

/** How much of the trend of the last weeks goes on. */
const TREND_SHARE = 0.75;

interface Level {
  at(ahead: number): number;
}

/** The level without weekdays and season, with the part of its trend that is more than chance. */
function levelOf(series: Added, origin: number, factorAt: (place: number) => number): Level | null {
  const levelBetween = (from: number, to: number) => {
    const rates: number[] = [];
    for (let place = Math.max(0, from); place < to; place += 1) {
      const rate = rateAt(series, place);
      if (rate !== null) rates.push(rate / factorAt(place));
    }
    // A level is never nothing: all would be unusual beside it.
    return rates.length < WEEK / 2 ? null : trimmedLevel(rates);
  };
  const level = levelBetween(origin - LEVEL_DAYS, origin);
  if (level === null) return null;
  const weeks = Array.from({ length: TREND_DAYS / WEEK }, (_, week) => {
    const from = origin - TREND_DAYS + week * WEEK;
    return levelBetween(from, from + WEEK);
  });
  const slope = TREND_SHARE * certainSlope(weeks);
  return { at: (ahead) => level * Math.exp((slope * (LEVEL_DAYS / 2 + ahead)) / WEEK) };
}

function trimmedLevel(rates: readonly number[]): number | null {
  const sorted = Float64Array.from(rates).sort();
  const cut = Math.floor(sorted.length * TRIMMED);
  const kept = sorted.subarray(cut, sorted.length - cut);
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  return mean > 0 ? mean : null;
}

/** The slope of the logarithms by week, shrunk by how uncertain it is. */
function certainSlope(levels: readonly (number | null)[]): number {
  const points = levels.flatMap((level, week) => (level === null ? [] : [[week, Math.log(level)] as const]));
  const count = points.length;
  if (count < 5) return 0;
  const meanWeek = points.reduce((sum, [week]) => sum + week, 0) / count;
  const mean = points.reduce((sum, [, value]) => sum + value, 0) / count;
  const spread = points.reduce((sum, [week]) => sum + (week - meanWeek) ** 2, 0);
  const slope = points.reduce((sum, [week, value]) => sum + (week - meanWeek) * (value - mean), 0) / spread;
  const left = points.reduce(
    (sum, [week, value]) => sum + (value - mean - slope * (week - meanWeek)) ** 2,
    0,
  );
  const variance = left / (count - 2) / spread;
  return slope === 0 ? 0 : slope * Math.max(0, 1 - (2 * variance) / slope ** 2);
}

/** What a holiday of the past was beside its week. */
function holidayFactor(series: Added, place: number, weekdays: readonly number[]): number | null {
  const exposure = exposureAt(series, place);
  const around = rateOf(series, place - 10, place + 11);
  if (place < 10 || exposure <= 0 || around === null || around <= 0) return null;
  const rate = (series.values[place] as number) / exposure;
  return rate / (around * Math.max(LEAST_FACTOR, weekdays[place % WEEK] as number));
}
