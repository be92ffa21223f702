import { type Comparison, SIGNIFICANCE } from './comparison.ts';
import { studentDistance, studentTails } from './student.ts';

export interface Sample {
  readonly size: number;
  readonly mean: number;
  /** The estimated variance of the population: divided by one less than the size. */
  readonly variance: number;
}

/**
 * Two means, of values that vary differently: the t-test, two-sided, and interval of B. L. Welch, The
 * generalization of "Student's" problem when several different population variances are involved, Biometrika
 * 34 (1947).
 *
 * @param level how often chance alone may be taken for a difference
 */
export function compareMeans(first: Sample, second: Sample, level = SIGNIFICANCE): Comparison {
  const difference = first.mean - second.mean;
  if (Math.min(first.size, second.size) < 2) return { difference, low: null, high: null, pValue: null };
  const own = first.variance / first.size;
  const other = second.variance / second.size;
  const variance = own + other;
  // Constants differ or they do not.
  if (variance === 0) {
    return { difference, low: difference, high: difference, pValue: difference === 0 ? 1 : 0 };
  }
  const degrees = variance ** 2 / (own ** 2 / (first.size - 1) + other ** 2 / (second.size - 1));
  const distance = studentDistance(level, degrees) * Math.sqrt(variance);
  return {
    difference,
    low: difference - distance,
    high: difference + distance,
    pValue: studentTails(difference / Math.sqrt(variance), degrees),
  };
}

/** The 95 % interval of a mean, of two values at least. */
export function meanInterval({ size, mean, variance }: Sample) {
  const distance = studentDistance(SIGNIFICANCE, size - 1) * Math.sqrt(variance / size);
  return { low: mean - distance, high: mean + distance };
}

/**
 * Amounts of money, of which all but a few may be 0, by how many they are, their sum and the sum of their
 * squares.
 */
export interface Sums {
  readonly size: number;
  /** Decimal with at most four places. */
  readonly sum: string;
  /** Decimal with at most eight places. */
  readonly squares: string;
}

/**
 * The mean and variance of a sample. The sums are exact, and so is the difference of the two large numbers
 * that the variance is made of: amounts that are all equal have a variance of 0.
 */
export function sampleOf({ size, sum, squares }: Sums): Sample {
  const total = units(sum, 4);
  const scatter = BigInt(size) * units(squares, 8) - total * total;
  return {
    size,
    mean: Number(total) / (1e4 * size),
    variance: Number(scatter) / (1e8 * size * (size - 1)),
  };
}

/** A decimal number in units of its last place. */
function units(decimal: string, places: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}
