import { normalDistance } from './normal.ts';

/** The distance above which 20 % of a standard normal distribution lie: a power of 80 %. */
const POWER_80 = normalDistance(0.4);

/**
 * How many trials each of two samples needs to show that their shares differ, with a power of 80 %; null
 * where nothing differs. J. L. Fleiss, Statistical Methods for Rates and Proportions (1981), 3.14, without
 * correction.
 *
 * @param level how often chance alone may be taken for a difference
 */
export function neededForShares(base: number, other: number, level: number): number | null {
  if (base === other || other > 1) return null;
  const variance = (share: number) => share * (1 - share);
  const distance =
    normalDistance(level) * Math.sqrt(2 * variance((base + other) / 2)) +
    POWER_80 * Math.sqrt(variance(base) + variance(other));
  return Math.max(1, Math.ceil((distance / (base - other)) ** 2));
}

/** The same of means; `variances`: those of both together. */
export function neededForMeans(difference: number, variances: number, level: number): number | null {
  if (difference === 0 || variances === 0) return null;
  return Math.max(1, Math.ceil(((normalDistance(level) + POWER_80) ** 2 * variances) / difference ** 2));
}
