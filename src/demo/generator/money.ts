/** Money is whole hundredths (haléře, cents) in the generator and decimal text in the tables: 129900 → `1299.00`. */
export function moneyText(hundredths: number): string {
  return scaledText(BigInt(hundredths), 2);
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
