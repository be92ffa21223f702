import type { Pieces } from '../../../../main-thread/pieces.ts';
import { firstSorted } from '../../../../main-thread/sort-in-pieces.ts';
import { addMoney, roundedPercent } from '../../../../statistics/rounded.ts';

/** What one part is, and how much of the difference. */
export interface Part {
  readonly name: string;
  /** What it was in the compared range, and is in the range; null where it is a change alone, as a mix. */
  readonly from: number | null;
  readonly to: number | null;
  readonly change: number;
}

/** One way to tell a difference apart: the parts add up to it. */
export interface Bridge {
  readonly name: string;
  readonly definition: string;
  readonly from: number;
  readonly to: number;
  readonly change: number;
  readonly parts: readonly (Part & {
    readonly change_percent: number | null;
    readonly share_of_change: number | null;
  })[];
}

/** The smallest amount of an answer: money has four decimals there. */
const UNITS = 10_000;

/**
 * The bridge of these parts. Their changes are rounded so that they add up to the change to the last digit;
 * what is left by rounding goes to those that were rounded furthest.
 *
 * @param parts whose changes add up to `to - from`, but for the dust of binary fractions
 * @throws Error where they do not
 */
export function bridgeOf(
  name: string,
  definition: string,
  [from, to]: readonly [number, number],
  parts: readonly Part[],
): Bridge {
  const change = addMoney(to, -from);
  const changes = roundedToSum(
    change,
    parts.map((part) => part.change),
  );
  return {
    name,
    definition,
    from,
    to,
    change,
    parts: parts.map((part, index) => {
      const own = changes[index] as number;
      return {
        name: part.name,
        from: part.from === null ? null : rounded(part.from),
        to: part.to === null ? null : rounded(part.to),
        change_percent: grownBy(part),
        change: own,
        share_of_change: roundedPercent(own, change),
      };
    }),
  };
}

/** By how much something itself grew, in percent. */
export function grownBy({ from, to }: Pick<Part, 'from' | 'to'>): number | null {
  return from === null || to === null ? null : roundedPercent(to - from, Math.abs(from));
}

function rounded(value: number): number {
  return awayFromZero(value * UNITS) / UNITS;
}

/** `Math.round` takes halves up, which is another way for negative numbers. Adding 0 makes -0 a plain 0. */
function awayFromZero(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value)) + 0;
}

/** The amounts to four decimals, so that they add up to the sum; the same of negatives is their negatives. */
export function roundedToSum(sum: number, amounts: readonly number[]): number[] {
  const exact = amounts.map((amount) => amount * UNITS);
  const units = exact.map(awayFromZero);
  const total = awayFromZero(sum * UNITS);
  const left = total - units.reduce((all, unit) => all + unit, 0);
  // Each part is off by half a unit at most; more than that is no dust.
  const dust = amounts.length + Math.abs(total) * 1e-9;
  if (Math.abs(left) > dust)
    throw new Error(`parts of ${sum} add up to ${(total - left) / UNITS}: a bridge has a hole`);
  const sign = Math.sign(left);
  const furthest = units
    .map((unit, index) => ({ index, off: sign * ((exact[index] as number) - unit) }))
    .toSorted((one, other) => other.off - one.off || one.index - other.index);
  for (let step = 0; step < Math.abs(left); step += 1) {
    const { index } = furthest[step % furthest.length] as { index: number };
    units[index] = (units[index] as number) + sign;
  }
  return units.map((unit) => (unit + 0) / UNITS);
}

/** A row of a dimension, in both ranges. */
export interface Row {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** This many rows stand by themselves. The others stand together in one row. */
const MOST_ROWS = 6;

/**
 * The parts of a difference by the values of a dimension, those that changed most first; what is not in rows
 * is in the last part.
 */
export function* partsOfRows(
  rows: readonly Row[],
  [from, to]: readonly [number, number],
  nameOf: (key: string) => string,
): Pieces<Part[]> {
  const first = yield* firstSorted(
    rows,
    (one, other) =>
      Math.abs(other.to - other.from) - Math.abs(one.to - one.from) || (one.key < other.key ? -1 : 1),
    MOST_ROWS,
  );
  const shown = first.filter((row) => row.from !== row.to);
  const parts = shown.map((row) => ({
    name: nameOf(row.key),
    from: row.from,
    to: row.to,
    change: addMoney(row.to, -row.from),
  }));
  const rest = {
    from: addMoney(from, ...shown.map((row) => -row.from)),
    to: addMoney(to, ...shown.map((row) => -row.to)),
  };
  if (rest.from === 0 && rest.to === 0) return parts;
  return [...parts, { name: '(rest)', ...rest, change: addMoney(rest.to, -rest.from) }];
}
