import type { Pieces } from '../main-thread/pieces.ts';
import { studentDistance, studentTails } from './student.ts';
import { type DaySeries, LEAST_LEARNED_DAYS, usualDaysOf } from './usual-days.ts';

/**
 * How unusual days are. A day is as far from what is usual as the signed root of its deviance says, by a
 * negative binomial distribution whose variance is that of the series itself. How far days are by chance, the
 * same computation tells of the past: it is done for each week of the last year, from the days before that
 * week alone, and the tails are fitted to what came of it.
 */

export interface WatchedSeries extends DaySeries {
  /** The values come in steps of this: 1 for counts, and for money about what an order brings. */
  readonly unit: number;
}

export interface Judged {
  /** Place of the first day. */
  readonly place: number;
  /** How many days are judged together. */
  readonly days: number;
  readonly value: number;
  readonly usual: number;
  /** 95 of 100 such days lie between these. */
  readonly low: number;
  readonly high: number;
  readonly p: number;
  /** The share of days (weeks) of the past that the same computation found at least as unusual. */
  readonly seenShare: number;
  /** How many of them there are. */
  readonly seen: number;
}

const WEEK = 7;
/** The past that says what is chance, in weeks: a year of it, and no less than that. */
const MOST_WEEKS = 52;
const LEAST_WEEKS = 8;

/** The fewest days before the tested ones. */
export const LEAST_DAYS = LEAST_LEARNED_DAYS + LEAST_WEEKS * WEEK;

/** What came on a day, and what was expected of it. */
interface Pair {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Judges the last days of a series: each by itself, the last two together, and all together.
 *
 * @param tested how many
 * @returns those of which it is known what is usual; none where fewer than `LEAST_DAYS` lie before them
 */
export function* judgeDays(series: WatchedSeries, tested: number): Pieces<Judged[]> {
  const origin = series.values.length - tested;
  if (origin < LEAST_DAYS) return [];
  const pairsFrom = pairsOf(series);
  const past: (Pair | null)[][] = [];
  // The days of the past lie as far behind what is known as those that are judged.
  const span = WEEK * Math.ceil(tested / WEEK);
  const earliest = Math.max(LEAST_LEARNED_DAYS, origin - MOST_WEEKS * WEEK);
  for (let first = origin - span; first >= earliest; first -= span) {
    past.push(pairsFrom(first, span));
    yield;
  }
  const now = pairsFrom(origin, tested);
  const all: Judged[] = [];
  for (const length of new Set([1, 2, tested])) {
    yield;
    if (length <= tested) all.push(...judgeSums({ past, now, length, origin }, series.unit));
  }
  return all;
}

interface AskedSums {
  readonly past: readonly (readonly (Pair | null)[])[];
  readonly now: readonly (Pair | null)[];
  /** Each sum covers this many days. */
  readonly length: number;
  readonly origin: number;
}

function judgeSums({ past, now, length, origin }: AskedSums, unit: number): Judged[] {
  const scale = scaleOf(
    past.flatMap((week) => sumsOf(week, length)),
    unit,
  );
  if (scale === null) return [];
  // Each day, but of longer times the last one alone.
  const asked = length === 1 ? now.map((_, ahead) => ahead) : [now.length - length];
  return asked.flatMap((ahead) => {
    const sum = sumOf(now.slice(ahead, ahead + length));
    return sum === null ? [] : [{ place: origin + ahead, days: length, ...judged(sum, scale, unit) }];
  });
}

/** What came on some days, and what those before the first of them made usual. */
function pairsOf(series: DaySeries): (first: number, days: number) => (Pair | null)[] {
  const usualDays = usualDaysOf(series);
  return (first, days) =>
    usualDays(first, days).map((usual, ahead) => {
      const place = first + ahead;
      const isKnown = series.unlike[place] === false || series.holidays?.[place] !== undefined;
      return usual === null || !isKnown ? null : { value: series.values[place] as number, ...usual };
    });
}

/** Sums of `length` days each, the last ones first. */
function sumsOf(pairs: readonly (Pair | null)[], length: number): Pair[] {
  const sums: Pair[] = [];
  for (let end = pairs.length; end >= length; end -= length) {
    const sum = sumOf(pairs.slice(end - length, end));
    if (sum !== null) sums.push(sum);
  }
  return sums;
}

/** The sum of days; null where some of them are not known. */
function sumOf(pairs: readonly (Pair | null)[]): Pair | null {
  let sum: Pair = { value: 0, low: 0, high: 0 };
  for (const pair of pairs) {
    if (pair === null) return null;
    sum = { value: sum.value + pair.value, low: sum.low + pair.low, high: sum.high + pair.high };
  }
  return pairs.length === 0 ? null : sum;
}

/** How far what is found lies from what is usual by chance, on each side. */
interface Side {
  readonly scale: number;
  readonly degrees: number;
}

interface Scale {
  /** The variance is usual + dispersion × usual², in units. */
  readonly dispersion: number;
  /** The middle of the past, which is not quite 0. */
  readonly centre: number;
  readonly below: Side;
  readonly above: Side;
  /** How unusual each of the past was. */
  readonly past: Float64Array;
}

const LEAST_PAIRS = 8;

function scaleOf(pairs: readonly Pair[], unit: number): Scale | null {
  if (pairs.length < LEAST_PAIRS) return null;
  const dispersion = dispersionOf(pairs, unit);
  const raw = pairs.map((pair) => deviation(pair, unit, dispersion));
  const centre = quantile(Float64Array.from(raw).sort(), 0.5);
  const centred = raw.map((value) => value - centre);
  const [below, above] = [sideOf(centred, -1), sideOf(centred, 1)];
  const past = Float64Array.from(centred, (value) => tails(value, below, above)).sort();
  return { dispersion, centre, below, above, past };
}

/** Half of a normal distribution lies within this distance. */
const HALF = 0.6744897501960817;

/**
 * The dispersion with which half of the past is as near as half of a normal distribution; 0 where it is
 * nearer without any.
 */
function dispersionOf(pairs: readonly Pair[], unit: number): number {
  const isNear = (dispersion: number) => {
    const near = pairs.filter((pair) => Math.abs(deviation(pair, unit, dispersion)) <= HALF);
    return 2 * near.length >= pairs.length;
  };
  if (isNear(0)) return 0;
  let [low, high] = [Math.log(1e-6), Math.log(MOST_DISPERSED)];
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (isNear(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return Math.exp(high);
}

const MOST_DISPERSED = 10;

/** Signed root of the deviance, by a negative binomial distribution; whole numbers by their nearer edge. */
function deviation({ value, low, high }: Pair, unit: number, dispersion: number): number {
  if (value >= low && value <= high) return 0;
  const isBelow = value < low;
  const mean = Math.max(LEAST_USUAL, (isBelow ? low : high) / unit);
  const edge = unit === 1 ? 0.5 : 0;
  const found = value / unit;
  const nearer = isBelow ? Math.min(mean, found + edge) : Math.max(mean, found - edge);
  const root = Math.sqrt(Math.max(0, deviance(nearer, mean, dispersion)));
  return isBelow ? -root : root;
}

const LEAST_USUAL = 0.01;

function deviance(value: number, mean: number, dispersion: number): number {
  const first = value > 0 ? value * Math.log(value / mean) : 0;
  if (dispersion === 0) return 2 * (first - value + mean);
  const second = Math.log((1 + dispersion * value) / (1 + dispersion * mean));
  return 2 * (first - (value + 1 / dispersion) * second);
}

/** Tails that are tried, from about those of a normal distribution to heavy ones. */
const DEGREES = [30, 15, 10] as const;
/** The past must not lie beyond these of its tails. */
const PLACES = [0.5, 0.8, 0.9, 0.95, 0.975, 0.99] as const;
/** Tails fit if no place asks for a scale so much larger than another. */
const FITTING = 1.35;
/** Fewer on one side say nothing by themselves. */
const LEAST_OF_SIDE = 50;

/**
 * Student's distribution with the lightest tails that fit, so wide that the past does not lie further out.
 */
function sideOf(values: readonly number[], sign: 1 | -1): Side {
  const own = values.filter((value) => value * sign > 0);
  const distances = Float64Array.from(own.length < LEAST_OF_SIDE ? values : own, Math.abs).sort();
  const sides = DEGREES.map((degrees) => {
    const scales = PLACES.filter((place) => distances.length * (1 - place) >= 1).map(
      (place) => quantile(distances, place) / distanceOf(1 - place, degrees),
    );
    const widest = Math.max(...scales);
    return { scale: Math.max(1, widest), degrees, misfit: widest / Math.min(...scales) };
  });
  const best = sides.reduce((one, other) => (other.misfit < one.misfit ? other : one));
  return sides.find(({ misfit }) => misfit <= FITTING) ?? best;
}

const distances = new Map<string, number>();

/** `studentDistance`, which is asked for a few numbers again and again. */
function distanceOf(tail: number, degrees: number): number {
  const key = `${tail.toFixed(6)} ${degrees}`;
  const known = distances.get(key) ?? studentDistance(tail, degrees);
  distances.set(key, known);
  return known;
}

function tails(distance: number, below: Side, above: Side): number {
  const { scale, degrees } = distance < 0 ? below : above;
  return studentTails(distance / scale, degrees);
}

function judged(pair: Pair, { dispersion, centre, below, above, past }: Scale, unit: number) {
  const p = tails(deviation(pair, unit, dispersion) - centre, below, above);
  const bound = (side: Side, sign: 1 | -1) =>
    valueAt(pair, unit, dispersion, centre + sign * side.scale * distanceOf(0.05, side.degrees));
  const usual = (pair.low + pair.high) / 2;
  return {
    value: pair.value,
    usual,
    low: Math.min(usual, bound(below, -1)),
    high: Math.max(usual, bound(above, 1)),
    p,
    seenShare: countUpTo(past, p) / past.length,
    seen: past.length,
  };
}

/** The value that lies so far from what is usual. */
function valueAt({ low, high }: Pair, unit: number, dispersion: number, wanted: number): number {
  let [least, most] = [0, Math.max(high, unit) * 2];
  const at = (value: number) => deviation({ value, low, high }, unit, dispersion);
  for (let doubled = 0; doubled < 20 && at(most) < wanted; doubled += 1) most *= 2;
  for (let step = 0; step < 50; step += 1) {
    const middle = (least + most) / 2;
    if (at(middle) < wanted) least = middle;
    else most = middle;
  }
  return (least + most) / 2;
}

function countUpTo(sorted: Float64Array, value: number): number {
  let count = 0;
  while (count < sorted.length && (sorted[count] as number) <= value) count += 1;
  return count;
}

/**
 * The value at a place between 0 and 1 of sorted values; between two of them, what lies there on a line.
 *
 * @example quantile(Float64Array.of(1, 2), 0.5) // 1.5
 */
export function quantile(sorted: Float64Array, place: number): number {
  const at = place * (sorted.length - 1);
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}
