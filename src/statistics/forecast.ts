import type { Pieces } from '../main-thread/pieces.ts';

/**
 * Forecasts of a series with a season, and how wrong they were before. The forecast is the mean of two simple
 * ones, which is less wrong than choosing one of them (Makridakis and others, The M4 Competition, 2020): the
 * last season again, with half of the growth since the season before it, and the theta method (Assimakopoulos
 * and Nikolopoulos, 2000) on the series without its season. Errors are those over rolling origins (Hyndman
 * and Athanasopoulos, Forecasting: Principles and Practice, 5.10).
 */

/** How a series repeats, in periods. */
export interface Season {
  readonly length: number;
  /** The number of last seasons that are averaged, and compared with the same number before them. */
  readonly averaged: number;
}

/** What came of a forecast that was made for periods which are over. */
interface Judged {
  /** Sum of absolute errors on the hold-out in percent of the sum of its values. */
  readonly error: number;
  /**
   * The same of errors with their signs, so that those of both sides cancel out: below 0 where forecasts were
   * too low.
   */
  readonly bias: number;
  /**
   * The share of the values that were forecast too low. One single value far off makes a bias, but it does
   * not put most of them on one side.
   */
  readonly lowShare: number;
  /** `error` of repeating the values of the season before. */
  readonly seasonalNaiveError: number;
}

export interface Forecast extends Judged {
  readonly periods: readonly Expected[];
  /**
   * All periods together, whose errors partly cancel out. Null where too few such sums were tried on the
   * hold-out.
   */
  readonly total: Expected | null;
  /**
   * What would have been forecast for the last values of the series, from those before them: from the first
   * of them on.
   */
  readonly heldOut: readonly number[];
}

interface Expected {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

interface Asked {
  readonly season: Season;
  /** This many last values are forecast from those before them, to tell how wrong forecasts are. */
  readonly holdout: number;
  /** How many values are forecast. */
  readonly horizon: number;
}

/** The share of what comes true that should lie within the interval. */
const COVERED = 0.8;

/**
 * Errors that an interval is made of: with fewer at one distance, those at shorter distances are taken too.
 */
const LEAST_ERRORS = 10;

/** More origins would tell little more, and take time. */
const MOST_ORIGINS = 73;

/** How many values a forecast of the past is shown for, at most. */
const MOST_HELD_OUT = 12;

/**
 * Forecasts the next values of a series.
 *
 * @param series without gaps, none below 0, at least a season longer than the hold-out
 * @returns null when the values of the hold-out are all 0: nothing tells then how wrong a forecast is
 */
export function* forecast(series: readonly number[], asked: Asked): Pieces<Forecast | null> {
  return judged(series, asked, yield* pathOf(series, asked));
}

/**
 * Forecasts of counts, of the mean value of what is counted, and of their product: they never contradict each
 * other.
 */
export function* forecastProduct(
  counts: readonly number[],
  sums: readonly number[],
  asked: Asked,
): Pieces<{ readonly counts: Forecast; readonly means: Forecast; readonly sums: Forecast } | null> {
  const means = meansOf(counts, sums);
  const [countPath, meanPath] = [yield* pathOf(counts, asked), yield* pathOf(means, asked)];
  const productPath: Path = (origin, horizon) => {
    const expected = meanPath(origin, horizon);
    return countPath(origin, horizon).map((count, index) => count * (expected[index] as number));
  };
  const ofCounts = judged(counts, asked, countPath);
  const ofMeans = judged(means, asked, meanPath);
  const ofSums = judged(sums, asked, productPath);
  if (ofCounts === null || ofMeans === null || ofSums === null) return null;
  return { counts: ofCounts, means: ofMeans, sums: ofSums };
}

/** The mean of each period; where nothing is counted, that of the period before, at first that of all. */
export function meansOf(counts: readonly number[], sums: readonly number[]): number[] {
  let last = total(counts) > 0 ? total(sums) / total(counts) : 0;
  return counts.map((count, index) => {
    if (count > 0) last = (sums[index] as number) / count;
    return last;
  });
}

/** A forecast of `horizon` values from the first `origin` ones. */
type Path = (origin: number, horizon: number) => readonly number[];

/**
 * The path of a series. The values of each origin are computed once, and each of them is one piece of the
 * work.
 */
function* pathOf(series: readonly number[], { season, holdout, horizon }: Asked): Pieces<Path> {
  const most = Math.max(horizon, MOST_HELD_OUT);
  const paths = new Map<number, readonly number[]>();
  const origins = [...originsOf(series.length, holdout), series.length, series.length - shownOf(holdout)];
  for (const origin of origins) {
    if (!paths.has(origin)) paths.set(origin, ahead(series.slice(0, origin), season, most));
    yield;
  }
  return (origin, wanted) => {
    const path = paths.get(origin);
    if (path === undefined) throw new Error(`nothing was forecast from period ${origin}`);
    return path.slice(0, wanted);
  };
}

/** The periods of the hold-out from which forecasts are tried. */
function originsOf(length: number, holdout: number): number[] {
  const step = stepBetween(holdout);
  return Array.from({ length: Math.ceil(holdout / step) }, (_, index) => length - holdout + index * step);
}

/** How many of the values held out are shown. */
function shownOf(holdout: number): number {
  return Math.min(MOST_HELD_OUT, holdout);
}

function judged(series: readonly number[], { season, holdout, horizon }: Asked, path: Path): Forecast | null {
  const known = series.length - holdout;
  const { error, bias, lowShare, byDistance, ofSums } = errorsOf(path, series, known, horizon);
  if (!Number.isFinite(error)) return null;
  const naive = errorsOf(lastSeason(series, season.length), series, known, horizon);
  const values = path(series.length, horizon);
  const widths = intervalWidths(byDistance, horizon);
  const shown = shownOf(holdout);
  return {
    error,
    bias,
    lowShare,
    seasonalNaiveError: naive.error,
    periods: values.map((value, index) => within(value, widths[index] as number)),
    total: ofSums.length < LEAST_ERRORS ? null : within(total(values), coveringWidth(ofSums)),
    heldOut: path(series.length - shown, shown),
  };
}

/** @param width as a share of the value */
function within(value: number, width: number): Expected {
  return { value, low: Math.max(0, value * (1 - width)), high: value * (1 + width) };
}

/**
 * The errors from each origin of the hold-out to the values asked for. Errors at a distance are shares of the
 * forecast.
 */
function errorsOf(path: Path, series: readonly number[], known: number, horizon: number) {
  const byDistance: number[][] = Array.from({ length: horizon }, () => []);
  const ofSums: number[] = [];
  let [missed, above, actual, low, tried] = [0, 0, 0, 0, 0];
  for (const origin of originsOf(series.length, series.length - known)) {
    const came = series.slice(origin, origin + horizon);
    const expected = path(origin, came.length);
    for (const [index, value] of came.entries()) {
      const surplus = (expected[index] as number) - value;
      const difference = Math.abs(surplus);
      byDistance[index]?.push(shareOf(difference, expected[index] as number));
      missed += difference;
      above += surplus;
      low += surplus < 0 ? 1 : 0;
      tried += 1;
      actual += value;
    }
    if (came.length === horizon)
      ofSums.push(shareOf(Math.abs(total(came) - total(expected)), total(expected)));
  }
  const inPercent = (sum: number) => (actual > 0 ? (100 * sum) / actual : Number.POSITIVE_INFINITY);
  return { byDistance, ofSums, error: inPercent(missed), bias: inPercent(above), lowShare: low / tried };
}

/**
 * The step between origins. Of a year of days every fifth is tried, which takes all weekdays in turn; of a
 * year of weeks or months every one.
 */
function stepBetween(origins: number): number {
  return origins > MOST_ORIGINS ? 5 : 1;
}

/** The share that was missed. Where nothing was expected and something came, the whole of it was missed. */
function shareOf(difference: number, expected: number): number {
  if (expected > 0) return difference / expected;
  return difference > 0 ? 1 : 0;
}

/**
 * The quantile of the errors at each distance, as in split conformal prediction; never narrower than at a
 * shorter one.
 */
function intervalWidths(byDistance: readonly (readonly number[])[], horizon: number): number[] {
  let widest = 0;
  return Array.from({ length: horizon }, (_, index) => {
    let errors: number[] = [];
    for (let nearer = index; nearer >= 0 && errors.length < LEAST_ERRORS; nearer -= 1) {
      errors = [...errors, ...(byDistance[nearer] ?? [])];
    }
    widest = Math.max(widest, coveringWidth(errors));
    return widest;
  });
}

function coveringWidth(errors: readonly number[]): number {
  const place = Math.min(errors.length, Math.ceil(COVERED * (errors.length + 1)));
  return errors.toSorted((one, other) => one - other)[place - 1] ?? 0;
}

/** The value of a season ago, the seasonal naive method. */
function lastSeason(series: readonly number[], length: number): Path {
  return (origin, horizon) =>
    Array.from({ length: horizon }, (_, index) => series[origin - length + (index % length)] as number);
}

/**
 * The values that follow a series: the mean of its last seasons with half their growth, and of the theta
 * method.
 */
function ahead(known: readonly number[], season: Season, horizon: number): number[] {
  const series = damped(known, season);
  const grown = lastSeasonsGrown(series, season, horizon);
  const leveled = theta(series, season, horizon);
  return grown.map((value, index) => (value + (leveled[index] as number)) / 2);
}

function lastSeasonsGrown(series: readonly number[], season: Season, horizon: number): number[] {
  const { length, averaged } = season;
  const growth = Math.sqrt(growthOf(series, season) ?? 1);
  return Array.from({ length: horizon }, (_, index) => {
    const same: number[] = [];
    for (let ago = 1; ago <= averaged; ago += 1) {
      const value = series[series.length - ago * length + (index % length)];
      if (value !== undefined) same.push(value);
    }
    return growth * mean(same);
  });
}

/**
 * The last seasons divided by the same number before them; null if there are none, or they sum to nothing.
 */
export function growthOf(series: readonly number[], { length, averaged }: Season): number | null {
  const span = length * averaged;
  if (series.length < 2 * span) return null;
  const [last, before] = [total(series.slice(-span)), total(series.slice(-2 * span, -span))];
  return last > 0 && before > 0 ? last / before : null;
}

/**
 * How much of the slope of a line through all values goes on: half in the theta method, less where two years
 * are all there is.
 */
const SLOPE_SHARE = 0.25;

const LEVEL_WEIGHTS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/**
 * Forecasts by the theta method. Without its season the series goes on from its smoothed level, with a part
 * of its slope.
 */
function theta(series: readonly number[], { length }: Season, horizon: number): number[] {
  const factors = seasonFactors(series, length);
  const factorAt = (index: number) => factors[index % length] as number;
  const level = series.map((value, index) => value / factorAt(index));
  const { weight, last } = smoothedLevel(level);
  const slope = SLOPE_SHARE * slopeOf(level);
  const lag = (1 - (1 - weight) ** level.length) / weight;
  return Array.from(
    { length: horizon },
    (_, index) => Math.max(0, last + slope * (index + lag)) * factorAt(series.length + index),
  );
}

/** Simple exponential smoothing with the weight that is least wrong one value ahead. */
function smoothedLevel(values: readonly number[]): { readonly weight: number; readonly last: number } {
  let best: { weight: number; last: number } = { weight: LEVEL_WEIGHTS[0], last: values[0] ?? 0 };
  let least = Number.POSITIVE_INFINITY;
  for (const weight of LEVEL_WEIGHTS) {
    let level = mean(values.slice(0, 6));
    let squares = 0;
    for (const value of values) {
      squares += (value - level) ** 2;
      level += weight * (value - level);
    }
    if (squares < least) [best, least] = [{ weight, last: level }, squares];
  }
  return best;
}

/** The slope of the least-squares line, per value. */
function slopeOf(values: readonly number[]): number {
  const [middle, average] = [(values.length - 1) / 2, mean(values)];
  let [together, alone] = [0, 0];
  for (const [index, value] of values.entries()) {
    together += (index - middle) * (value - average);
    alone += (index - middle) ** 2;
  }
  return alone > 0 ? together / alone : 0;
}

/** No part of a season is so small that dividing by it makes noise large. */
const LEAST_FACTOR = 0.02;

/**
 * How much of the mean each part of the season has, by ratios to centred moving averages. What was seen in
 * few seasons is believed in part, and neighbours of a long season share some of what was seen. Fewer than
 * two seasons tell nothing: all are 1.
 */
function seasonFactors(series: readonly number[], length: number): number[] {
  if (series.length < 2 * length) return new Array<number>(length).fill(1);
  const half = Math.floor(length / 2);
  const ratios: number[][] = Array.from({ length }, () => []);
  for (let index = half; index < series.length - half; index += 1) {
    const window = series.slice(index - half, index + half + 1);
    const ends = length % 2 === 0 ? ((window[0] as number) + (window.at(-1) as number)) / 2 : 0;
    const average = (total(window) - ends) / length;
    if (average > 0) ratios[index % length]?.push((series[index] as number) / average);
  }
  const seen = ratios.map((each) => 1 + ((mean(each) - 1) * each.length) / (each.length + 0.5));
  const factors = length <= 7 ? seen : seen.map((_, index) => smoothedAmongNeighbours(seen, index));
  const average = mean(factors);
  return factors.map((factor) => Math.max(LEAST_FACTOR, factor / average));
}

function smoothedAmongNeighbours(values: readonly number[], index: number): number {
  const at = (place: number) => values[(place + values.length) % values.length] as number;
  return (at(index - 1) + 2 * at(index) + at(index + 1)) / 4;
}

/** A value unlike those around it, and unlike that of the same part of other seasons. */
export interface Outlier {
  readonly index: number;
  readonly value: number;
  /** What the forecast learns from instead. */
  readonly used: number;
}

/** How far from the usual, as a factor, a value may lie at least; more where the series is noisy. */
const LEAST_DEVIATION = Math.log(1.8);

/** The noise in standard deviations, told by the median of deviations. */
const NOISE_DEVIATIONS = 4 * 1.4826;

/**
 * One large order, a day of a sale, a week of a closed shop: it says little of what comes, so its part beyond
 * the bound is cut.
 */
export function outliers(series: readonly number[], { length, averaged }: Season): Outlier[] {
  const half = Math.ceil((length * averaged) / 2);
  const levels = series.map((_, index) => median(series.slice(Math.max(0, index - half), index + half + 1)));
  const around = series.map((value, index) => logRatio(value, levels[index] as number));
  const usual = usualOf(around, length);
  const apart = around.map((ratio, index) => ratio - (usual[index] as number));
  const bound = Math.max(LEAST_DEVIATION, NOISE_DEVIATIONS * median(apart.map(Math.abs)));
  return series.flatMap((value, index) => {
    const [near, same] = [around[index] as number, apart[index] as number];
    const level = levels[index] as number;
    if (level <= 0 || Math.min(Math.abs(near), Math.abs(same)) <= bound || near * same < 0) return [];
    // Whichever explains more of it: its surroundings, or its part of the season.
    const explained = Math.abs(near) < Math.abs(same) ? 0 : (usual[index] as number);
    return [{ index, value, used: level * Math.exp(explained + Math.sign(near) * bound) }];
  });
}

/** A single value among this many seasons hardly moves the median, so that all have the same. */
const MANY_SEASONS = 8;

/** Each value has the median of the same part of other seasons. It is 0 where there is no other season. */
function usualOf(values: readonly number[], length: number): number[] {
  const parts = Array.from({ length }, (_, part) => values.filter((_, index) => index % length === part));
  const ofParts = parts.map((part) => (part.length > MANY_SEASONS ? median(part) : null));
  return values.map((_, index) => {
    const place = index % length;
    const others = () => (parts[place] as number[]).toSpliced(Math.floor(index / length), 1);
    return ofParts[place] ?? median(others());
  });
}

function damped(series: readonly number[], season: Season): readonly number[] {
  const found = outliers(series, season);
  if (found.length === 0) return series;
  const used = new Map(found.map((outlier) => [outlier.index, outlier.used]));
  return series.map((value, index) => used.get(index) ?? value);
}

/** A value of 0 is as far below as a thousandth. */
function logRatio(value: number, level: number): number {
  return level > 0 ? Math.log(Math.max(value / level, 0.001)) : 0;
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]) => (values.length === 0 ? 0 : total(values) / values.length);

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return sorted.length === 0 ? 0 : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
