import { round4 } from './decimals.ts';

/**
 * The p-th percentile between its two neighbours, of money or of whole numbers times `scale`; null without
 * values.
 */
export function percentile(values: readonly bigint[], p: number, scale: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const hundredths = (sorted.length - 1) * p;
  const below = sorted[Math.floor(hundredths / 100)] ?? 0n;
  const above = sorted[Math.ceil(hundredths / 100)] ?? 0n;
  const part = BigInt(hundredths % 100);
  return round4(Number(below * (100n - part) + above * part) / scale / 100);
}

/** Quotient to 4 decimals; null when there is nothing to divide by. */
export function ratioOrNull(dividend: number, divisor: number): number | null {
  return divisor === 0 ? null : round4(dividend / divisor);
}

export function percentOrNull(part: number, whole: number): number | null {
  return whole === 0 ? null : round4((100 * part) / whole);
}
