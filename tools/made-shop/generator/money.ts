/**
 * Money is whole hundredths (haléře, cents) in the generator and decimal text in the tables: 129900 →
 * `1299.00`.
 */
export function moneyText(hundredths: number): string {
  if (!Number.isSafeInteger(hundredths))
    throw new RangeError(`${hundredths} is no amount of whole hundredths`);
  const digits = String(Math.abs(hundredths)).padStart(3, '0');
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Exact decimal text of an integer that counts 10^-places: (24685n, 3) → `24.685`. */
export function scaledText(value: bigint, places: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Whole hundredths that a percentage of an amount makes, rounded half up. */
export function percentOf(hundredths: number, percent: number): number {
  return Math.floor((hundredths * percent + 50) / 100);
}

/** Hundredths × thousandths of a rate → units with five places, exact. */
export function revenueText(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError('revenue exceeds exact whole numbers');
  return scaledText(BigInt(value), 5);
}
