/**
 * What an event did to a part of a whole, by the part's own past and by what was not affected. In each
 * window, the part beside its four weeks before (as a logarithm) is expected to have moved as the rest did,
 * as far as it did so in the other windows. The same is done for earlier dates on which nothing of the kind
 * happened: the rank of the event among these placebos is its p-value (Abadie, Diamond and Hainmueller 2010,
 * over time). All windows are treated alike, each told by all others, so that a quiet date has any rank
 * equally often.
 */

/** The days before a window that it is told by. */
export const BEFORE_DAYS = 28;
/** No effect can be found with fewer: one in 21 is the largest of 20 by chance. */
export const LEAST_PLACEBOS = 20;
/** More weeks ago, a shop was another one. */
export const MOST_PLACEBOS = 60;
const WEEK = 7;
/** The interval has 0 in it on this share of quiet dates. */
const COVERED = 0.95;

export interface EffectSeries {
  /** The affected part, by day, without gaps, to the last day of the event. */
  readonly affected: readonly number[];
  /** All that was not affected. */
  readonly rest: readonly number[];
  /** How many orders, pieces or visits the affected part is made of, by day. */
  readonly pieces: readonly number[];
  /** Days about which nothing is known are true. */
  readonly unknown: readonly boolean[];
}

export interface PlaceboEffect {
  readonly actual: number;
  readonly expected: number;
  readonly expectedLow: number;
  readonly expectedHigh: number;
  /** How many earlier dates there are, and how many of them were at least as far from what was expected. */
  readonly placebos: number;
  readonly asFar: number;
  readonly p: number;
  /** A smaller change, in percent up or down, would not have been told from chance. */
  readonly detectable: number;
  /** How far the part moves with the rest: a share of their move, as a logarithm. */
  readonly shared: number;
  /** The rest beside its four weeks before, as a ratio. */
  readonly restRatio: number;
  /**
   * What was to be expected had the part moved wholly as the rest, where that moved further than on any
   * earlier date; else null.
   */
  readonly expectedWithRest: number | null;
}

export type NoEffect =
  | { readonly reason: 'few placebos'; readonly placebos: number; readonly stepDays: number }
  | { readonly reason: 'few pieces'; readonly pieces: number }
  | { readonly reason: 'unknown days' | 'no rest' };

/** When fewer pieces are expected, most of what comes is chance. */
export const LEAST_PIECES = 20;

/** How far apart the windows of placebos lie: they do not overlap, and begin on the same day of the week. */
export function stepOf(days: number): number {
  return WEEK * Math.ceil(days / WEEK);
}

/** How many days must be known before the event. */
export function neededDays(days: number): number {
  return BEFORE_DAYS + LEAST_PLACEBOS * stepOf(days);
}

/** @param days how long the event lasts: the last days of the series */
export function placeboEffect(series: EffectSeries, days: number): PlaceboEffect | NoEffect {
  const start = series.affected.length - days;
  const step = stepOf(days);
  const unit = unitOf(series, start);
  const event = windowAt(series, start, days, unit);
  if (event === null) return { reason: 'unknown days' };
  const pieces = (sumOf(series.pieces, start - BEFORE_DAYS, start) * days) / BEFORE_DAYS;
  if (pieces < LEAST_PIECES) return { reason: 'few pieces', pieces };
  if (event.restBefore <= 0 || event.rest <= 0) return { reason: 'no rest' };
  const placebos: Window[] = [];
  for (let first = start - step; first >= BEFORE_DAYS && placebos.length < MOST_PLACEBOS; first -= step) {
    const one = windowAt(series, first, days, unit);
    if (one !== null && one.restBefore > 0 && one.rest > 0) placebos.push(one);
  }
  if (placebos.length < LEAST_PLACEBOS)
    return { reason: 'few placebos', placebos: placebos.length, stepDays: step };
  return effectOf(event, placebos, unit);
}

/** A time, beside the days before it. */
interface Window {
  readonly actual: number;
  /** What would have come, had nothing changed. */
  readonly before: number;
  readonly rest: number;
  readonly restBefore: number;
  /** The logarithms of both by what was before. */
  readonly own: number;
  readonly others: number;
}

function windowAt(
  { affected, rest, unknown }: EffectSeries,
  first: number,
  days: number,
  unit: number,
): Window | null {
  if (first < BEFORE_DAYS || unknown.slice(first - BEFORE_DAYS, first + days).includes(true)) return null;
  const share = days / BEFORE_DAYS;
  const [actual, others] = [affected, rest].map((values) => sumOf(values, first, first + days)) as [
    number,
    number,
  ];
  const [before, restBefore] = [affected, rest].map(
    (values) => share * sumOf(values, first - BEFORE_DAYS, first),
  ) as [number, number];
  const log = (one: number, other: number) => Math.log(Math.max(unit / 2, one) / Math.max(unit / 2, other));
  return {
    actual,
    before,
    rest: others,
    restBefore,
    own: log(actual, before),
    others: log(others, restBefore),
  };
}

function sumOf(values: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let place = from; place < to; place += 1) sum += values[place] as number;
  return sum;
}

/** What one order, piece or visit makes of the sums. */
function unitOf({ affected, pieces }: EffectSeries, start: number): number {
  const [sum, count] = [sumOf(affected, 0, start), sumOf(pieces, 0, start)];
  return sum > 0 && count > 0 ? sum / count : 1;
}

function effectOf(event: Window, placebos: readonly Window[], unit: number): PlaceboEffect {
  const windows = [event, ...placebos];
  const lines = linesWithoutEach(windows, unit);
  const left = windows.map((one, place) => one.own - (lines[place] as Line).at(one.others));
  // What is chance of counts, beside what moves the part of itself.
  const chance = windows.map(({ before }) => (CHANCE * unit) / Math.max(unit, before));
  const [squares, chances] = [mean(left.map((one) => one ** 2)), mean(chance)];
  const own = Math.max(LEAST_OWN, squares - chances);
  const spread = windows.map((_, place) => Math.sqrt(own + (chance[place] as number)));
  const distances = left.map((one, place) => Math.abs(one) / (spread[place] as number));
  const [distance = 0, ...others] = distances;
  const asFar = others.filter((one) => one >= distance - 1e-12).length;
  const width = quantileOf(others) * (spread[0] as number);
  const line = lines[0] as Line;
  const expected = event.before * Math.exp(line.at(event.others));
  return {
    actual: event.actual,
    expected,
    expectedLow: expected * Math.exp(-width),
    expectedHigh: expected * Math.exp(width),
    placebos: placebos.length,
    asFar,
    p: (1 + asFar) / (1 + placebos.length),
    detectable: 100 * (Math.exp(width) - 1),
    shared: line.slope,
    restRatio: event.rest / event.restBefore,
    expectedWithRest: isFurther(event, placebos)
      ? event.before *
        Math.exp(line.at(event.others) + (1 - line.slope) * (event.others - meanMove(placebos)))
      : null,
  };
}

function meanMove(windows: readonly Window[]): number {
  return mean(windows.map(({ others }) => others));
}

/** Whether the rest moved further than ever: how far the part follows it there, no earlier date tells. */
function isFurther(event: Window, placebos: readonly Window[]): boolean {
  return placebos.every(({ others }) => Math.abs(others) < Math.abs(event.others));
}

/** The variance of a count by its mean, also of one in money. */
const CHANCE = 1.5;
const LEAST_OWN = 1e-6;

interface Line {
  readonly slope: number;
  at(others: number): number;
}

/**
 * How far a part may move otherwise than the rest, before anything is known of it: the standard deviation of
 * its slope about 1.
 */
const SLOPE_SPREAD = 0.25;

/**
 * Fits for each window the line through all others. Its slope is drawn to 1, where a part moves as the rest,
 * as far as the windows do not tell another one, and it is not made flatter by the chance that is in the rest
 * itself.
 */
function linesWithoutEach(windows: readonly Window[], unit: number): Line[] {
  const add = (of: (one: Window) => number) => windows.reduce((sum, one) => sum + of(one), 0);
  const sums = {
    x: add(({ others }) => others),
    y: add(({ own }) => own),
    xx: add(({ others }) => others ** 2),
    xy: add(({ own, others }) => own * others),
  };
  const count = windows.length - 1;
  const apart = mean(windows.map(({ own, others }) => own - others));
  const pull =
    mean(windows.map(({ own, others }) => (own - others - apart) ** 2)) / SLOPE_SPREAD ** 2 / count;
  const chance = mean(windows.map(({ restBefore }) => unit / Math.max(unit, restBefore)));
  return windows.map(({ own, others }) => {
    const [x, y] = [(sums.x - others) / count, (sums.y - own) / count];
    const spread = Math.max(0, (sums.xx - others ** 2) / count - x ** 2 - chance);
    const both = (sums.xy - own * others) / count - x * y;
    const slope = spread + pull <= 0 ? 1 : Math.min(1, Math.max(0, (both + pull) / (spread + pull)));
    return { slope, at: (moved) => y + slope * (moved - x) };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** The distance within which a new one lies with the probability that is covered. */
function quantileOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = Math.min(sorted.length, Math.ceil(COVERED * (sorted.length + 1) - 1e-9));
  return sorted[place - 1] ?? 0;
}
