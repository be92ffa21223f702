/**
 * Forecasts of a series with a season, and how wrong they were before. The methods are those of Hyndman and
 * Athanasopoulos, Forecasting: Principles and Practice (3rd edition): the seasonal naive method and drift (5.2), Holt-Winters'
 * additive method with a damped trend (8.3), errors over rolling origins (5.10).
 */

/** The value some periods (from 1) after the first `origin` values of a series, from those values alone. */
type Method = (origin: number, ahead: number) => number;

export interface Forecast {
  readonly method: 'seasonal_naive_with_drift' | 'exponential_smoothing';
  /** Sum of absolute errors on the hold-out in percent of the sum of its values. */
  readonly error: number;
  readonly seasonalNaiveError: number;
  readonly periods: readonly Expected[];
  /** All periods together, whose errors partly cancel out. Null where too few such sums were tried on the hold-out. */
  readonly total: Expected | null;
}

interface Expected {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The share of what comes true that should lie within the interval. */
const COVERED = 0.8;

/** Errors that an interval is made of: with fewer at one distance, those at shorter distances are taken too. */
const LEAST_ERRORS = 10;

/**
 * Forecasts the next `horizon` values by whichever method was less wrong on the last `holdout` values, each forecast there
 * from the values before it alone.
 *
 * @param series without gaps, none below 0, at least `season` longer than `holdout`
 * @returns null when the values of the hold-out are all 0: nothing tells then how wrong a forecast is
 */
export function forecast(
  series: readonly number[],
  season: number,
  holdout: number,
  horizon: number,
): Forecast | null {
  const known = series.length - holdout;
  const test = (method: Method) => errorsOf(method, series, known, horizon);
  const candidates = [
    { name: 'seasonal_naive_with_drift' as const, method: seasonalNaive(series, season, true) },
    {
      name: 'exponential_smoothing' as const,
      method: holtWinters(series, season, bestSmoothing(series, season, known)),
    },
  ].map((candidate) => ({ ...candidate, ...test(candidate.method) }));
  const naive = test(seasonalNaive(series, season, false));
  const [drift, smoothing] = candidates as [(typeof candidates)[0], (typeof candidates)[0]];
  const best = smoothing.error < drift.error ? smoothing : drift;
  if (!Number.isFinite(best.error)) return null;
  const final =
    best === smoothing
      ? holtWinters(series, season, bestSmoothing(series, season, series.length))
      : best.method;
  const widths = intervalWidths(best.byDistance, horizon);
  const values = widths.map((_, index) => Math.max(0, final(series.length, index + 1)));
  return {
    method: best.name,
    error: best.error,
    seasonalNaiveError: naive.error,
    periods: values.map((value, index) => within(value, widths[index] as number)),
    total:
      best.ofSums.length < LEAST_ERRORS
        ? null
        : within(
            values.reduce((sum, value) => sum + value, 0),
            coveringWidth(best.ofSums),
          ),
  };
}

function within(value: number, width: number): Expected {
  return { value, low: Math.max(0, value - width), high: value + width };
}

/** From each origin of the hold-out to as many values of it as are asked for. */
function errorsOf(method: Method, series: readonly number[], known: number, horizon: number) {
  const byDistance: number[][] = Array.from({ length: horizon }, () => []);
  const ofSums: number[] = [];
  let [missed, actual] = [0, 0];
  for (let origin = known; origin < series.length; origin += 1) {
    let difference = 0;
    for (let ahead = 1; ahead <= horizon && origin + ahead <= series.length; ahead += 1) {
      const value = series[origin + ahead - 1] as number;
      const signed = value - Math.max(0, method(origin, ahead));
      byDistance[ahead - 1]?.push(Math.abs(signed));
      missed += Math.abs(signed);
      actual += value;
      difference += signed;
    }
    if (origin + horizon <= series.length) ofSums.push(Math.abs(difference));
  }
  return { byDistance, ofSums, error: actual > 0 ? (100 * missed) / actual : Number.POSITIVE_INFINITY };
}

/** The quantile of the errors at each distance, as in split conformal prediction; never narrower than at a shorter one. */
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

/** The value of a season ago; with drift moved by the mean change of the last season against the one before. */
function seasonalNaive(series: readonly number[], season: number, hasDrift: boolean): Method {
  return (origin, ahead) => {
    const seasons = Math.ceil(ahead / season);
    const last = series[origin + ahead - 1 - seasons * season] as number;
    return last + (hasDrift ? seasons * drift(series, season, origin) : 0);
  };
}

function drift(series: readonly number[], season: number, origin: number): number {
  const pairs = Math.min(season, origin - season);
  let change = 0;
  for (let index = origin - pairs; index < origin; index += 1) {
    change += (series[index] as number) - (series[index - season] as number);
  }
  return pairs > 0 ? change / pairs : 0;
}

/** How fast level, trend and season follow, and how fast the trend fades. */
interface Smoothing {
  readonly level: number;
  readonly trend: number;
  readonly season: number;
  readonly damping: number;
}

/** Coarse: with two or three seasons there is not more to tell them apart by. */
const SMOOTHINGS: readonly Smoothing[] = [0.05, 0.1, 0.2, 0.35, 0.5, 0.8].flatMap((level) =>
  [0, 0.1, 0.3].flatMap((share) =>
    [0, 0.05, 0.1, 0.2, 0.4].flatMap((season) =>
      (share === 0 ? [1] : [0.8, 0.95]).map((damping) => ({ level, trend: level * share, season, damping })),
    ),
  ),
);

/** Those with the least squared error one period ahead after the first season, by which they start. */
function bestSmoothing(series: readonly number[], season: number, known: number): Smoothing {
  let [best, least] = [SMOOTHINGS[0] as Smoothing, Number.POSITIVE_INFINITY];
  for (const smoothing of SMOOTHINGS) {
    const method = holtWinters(series.slice(0, known), season, smoothing);
    let squares = 0;
    for (let origin = season; origin < known; origin += 1) {
      squares += ((series[origin] as number) - method(origin, 1)) ** 2;
    }
    if (squares < least) [best, least] = [smoothing, squares];
  }
  return best;
}

/** Starts with the mean of the first season as level, and its differences from that as season. */
function holtWinters(series: readonly number[], season: number, smoothing: Smoothing): Method {
  const first = series.slice(0, season);
  let level = first.reduce((sum, value) => sum + value, 0) / season;
  let trend = 0;
  const seasonal = first.map((value) => value - level);
  const states: { level: number; trend: number }[] = [];
  for (let index = season; index < series.length; index += 1) {
    states.push({ level, trend });
    const value = series[index] as number;
    const before = seasonal[index - season] as number;
    const expected = level + smoothing.damping * trend;
    const next = smoothing.level * (value - before) + (1 - smoothing.level) * expected;
    trend = smoothing.trend * (next - level) + (1 - smoothing.trend) * smoothing.damping * trend;
    level = next;
    seasonal.push(smoothing.season * (value - level) + (1 - smoothing.season) * before);
  }
  states.push({ level, trend });
  return (origin, ahead) => {
    const state = states[origin - season] as { level: number; trend: number };
    let faded = 0;
    for (let step = 1; step <= ahead; step += 1) faded += smoothing.damping ** step;
    const seasons = Math.ceil(ahead / season);
    return state.level + faded * state.trend + (seasonal[origin + ahead - 1 - seasons * season] as number);
  };
}
