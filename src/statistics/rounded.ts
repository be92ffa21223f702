/**
 * Numbers that are computed from a query's exact sums and counts, to the same four decimals as in SQL. Null
 * when there is nothing to divide by.
 */
export function roundedRatio(dividend: number, divisor: number): number | null {
  return divisor === 0 ? null : round(dividend / divisor);
}

/**
 * The number itself where something is always there to divide by.
 *
 * @throws Error when there was nothing
 */
export function defined(value: number | null): number {
  if (value === null) throw new Error('divided by nothing');
  return value;
}

/** A share in percent, 0 to 100. */
export function roundedPercent(part: number, whole: number): number | null {
  return whole === 0 ? null : round((100 * part) / whole);
}

/** Adds amounts of money without the dust of binary fractions. */
export function addMoney(...amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * 10_000), 0) / 10_000;
}

/** The sum of two sums that may be unknown. It is null where what is known of them makes 0. */
export function addKnownMoney(one: number | null, other: number | null): number | null {
  const both = addMoney(one ?? 0, other ?? 0);
  return both === 0 && (one === null || other === null) ? null : both;
}

/** Null where either is unknown. */
export function ratioOfKnown(money: number | null, parts: number | null): number | null {
  return money === null || parts === null ? null : roundedRatio(money, parts);
}

/** A share in percent. It is null where either number is unknown. */
export function percentOfKnown(part: number | null, whole: number | null): number | null {
  return part === null || whole === null ? null : roundedPercent(part, whole);
}

/**
 * An amount of money in whole cents, that is times 100 in any currency, or one of equal parts of it; halves
 * away from zero.
 */
export function cents(amount: number, parts = 1): number {
  const exact = Math.round(amount * 10_000) / (100 * parts);
  return Math.sign(exact) * Math.round(Math.abs(exact)) + 0;
}

/** Halves away from zero, as in SQL; `Math.round` takes -0.5 to 0. Adding 0 makes -0 a plain 0. */
function round(value: number): number {
  return (Math.sign(value) * Math.round(Math.abs(value) * 10_000)) / 10_000 + 0;
}
