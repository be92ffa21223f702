import { studentTails } from '../../../../statistics/student.ts';

/** A value of a dimension, or all of them, in the two ranges. */
export interface Change {
  readonly from: number;
  readonly to: number;
}

/** What a value would be, had it moved as all others did; null where there were no others before. */
export function expectedOf({ from, to }: Change, whole: Change): number | null {
  const others = whole.from - from;
  return others <= 0 ? null : (from * (whole.to - to)) / others;
}

/**
 * Weeks of the store's past: of one value, and of the whole. A week in which the whole is 0 does not count.
 */
export interface Weeks {
  readonly of: readonly number[];
  readonly all: readonly number[];
}

/** How much a share varies without a cause: times what it would if each order went its own way. */
export interface Spread {
  readonly ratio: number;
  /** Degrees of freedom behind it. */
  readonly degrees: number;
}

/** Before anything is known of a value, this many weeks of orders that vary by themselves are assumed. */
const BELIEVED_WEEKS = 4;

/** What single weeks told counts as this many blocks of weeks. */
const BELIEVED_OF_WEEKS = 8;

/** The fewest blocks of weeks that show whether a share also drifts over months. */
const LEAST_BLOCKS = 4;

/**
 * The spread of a share from week to week, and from block to block, whichever is more; a block has the length
 * of the ranges.
 *
 * @param unit what one order is worth: the smallest step in which the share can change
 * @param length of the ranges, in weeks
 */
export function spreadOf(groups: readonly Weeks[], unit: number, length: number): Spread {
  const weekly = spreadOfBlocks(groups, unit, 1);
  const block = Math.max(1, Math.round(length));
  const inBlocks = groups
    .filter(({ all }) => Math.floor(all.length / block) >= LEAST_BLOCKS)
    .map(({ of, all }) => ({ of: blocksOf(of, block), all: blocksOf(all, block) }));
  if (block === 1 || inBlocks.length === 0) return weekly;
  // Few blocks are little evidence, so they change the ratio of the weeks by their share of the degrees.
  const slow = spreadOfBlocks(inBlocks, unit, block);
  const ratio =
    (BELIEVED_OF_WEEKS * weekly.ratio + slow.degrees * slow.ratio) / (BELIEVED_OF_WEEKS + slow.degrees);
  return ratio > weekly.ratio ? { ratio, degrees: BELIEVED_OF_WEEKS + slow.degrees } : weekly;
}

function spreadOfBlocks(groups: readonly Weeks[], unit: number, block: number): Spread {
  const believed = BELIEVED_WEEKS / block;
  let squares = believed;
  let degrees = believed;
  for (const { of, all } of groups) {
    const total = sum(all);
    const share = total === 0 ? 0 : sum(of) / total;
    if (share <= 0 || share >= 1) continue;
    for (const [week, whole] of all.entries()) {
      if (whole <= 0) continue;
      const off = (of[week] ?? 0) - share * whole;
      squares += (off * off) / (share * (1 - share) * whole * unit);
      degrees += 1;
    }
    degrees -= 1;
  }
  // No store is steadier than chance.
  return { ratio: Math.max(1, squares / degrees), degrees: Math.max(1, degrees) };
}

function blocksOf(weeks: readonly number[], length: number): number[] {
  return Array.from({ length: Math.floor(weeks.length / length) }, (_, block) =>
    sum(weeks.slice(block * length, (block + 1) * length)),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/**
 * How likely a share changes this much by chance: its difference, by the variance of shares of the same
 * number of orders, times the spread.
 *
 * @param unit what one order is worth
 */
export function chanceOfShare(change: Change, whole: Change, unit: number, spread: Spread): number {
  const pooled = (change.from + change.to) / (whole.from + whole.to);
  if (whole.from <= 0 || whole.to <= 0 || pooled <= 0 || pooled >= 1 || unit <= 0) return 1;
  const difference = change.to / whole.to - change.from / whole.from;
  const variance = unit * spread.ratio * pooled * (1 - pooled) * (1 / whole.from + 1 / whole.to);
  return studentTails(difference / Math.sqrt(variance), spread.degrees);
}

/** The fewest weeks of a price or rate that show how it varies. */
const LEAST_WEEKS = 4;

/**
 * How likely a price or rate changes this much by chance: the difference of its logarithms beside those from
 * week to week, or from block to block; a block has the length of the ranges.
 *
 * @param weeks of the past, each without a value where it was 0 or nothing to divide by
 * @param least what a logarithm varies by in a week at least, by the counts that it is made of
 * @returns null where the past tells nothing
 */
export function chanceOfFactor(
  { from, to }: Change,
  weeks: readonly number[],
  least: number,
  lengths: readonly [number, number],
): number | null {
  if (from <= 0 || to <= 0) return null;
  const logs = weeks.filter((value) => value > 0).map(Math.log);
  if (logs.length < LEAST_WEEKS) return null;
  const block = Math.max(1, Math.round((lengths[0] + lengths[1]) / 2));
  const blocks = Array.from(
    { length: Math.floor(logs.length / block) },
    (_, place) => sum(logs.slice(place * block, (place + 1) * block)) / block,
  );
  const perWeek = Math.max(varianceOf(logs), least * least);
  const fast = perWeek / Math.max(1 / 7, lengths[0]) + perWeek / Math.max(1 / 7, lengths[1]);
  const isDrifting = block > 1 && blocks.length >= LEAST_BLOCKS && 2 * varianceOf(blocks) > fast;
  const [variance, degrees] = isDrifting
    ? [2 * varianceOf(blocks), blocks.length - 1]
    : [fast, logs.length - 1];
  return studentTails(Math.log(to / from) / Math.sqrt(variance), degrees);
}

function varianceOf(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
}
