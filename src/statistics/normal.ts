/** The 97.5 % quantile of the standard normal distribution: 95 % lie within this distance of 0. */
export const Z_95 = 1.959963984540054;

/** The value from which the fraction takes over from the series: both are exact to about 15 digits there. */
const FAR = 3;
const TERMS = 60;

/**
 * How likely a standard normal value is at least as far from 0 as `z`.
 *
 * M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964): near 0 by the series 26.2.11,
 * far from it by the continued fraction 26.2.14.
 */
export function normalTails(z: number): number {
  const distance = Math.abs(z);
  const density = Math.exp((-distance * distance) / 2) / Math.sqrt(2 * Math.PI);
  if (distance < FAR) return 1 - 2 * density * nearSeries(distance);
  return 2 * density * farFraction(distance);
}

/**
 * The distance from 0 beyond which so much of the distribution lies, both sides together.
 *
 * @param tails more than 0, at most 1
 */
export function normalDistance(tails: number): number {
  let [near, far] = [0, 40];
  for (let step = 0; step < 80; step += 1) {
    const middle = (near + far) / 2;
    if (normalTails(middle) > tails) near = middle;
    else far = middle;
  }
  return (near + far) / 2;
}

/** x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + … */
function nearSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let index = 1; index <= TERMS; index += 1) {
    term *= (x * x) / (2 * index + 1);
    sum += term;
  }
  return sum;
}

/** 1/(x + 1/(x + 2/(x + 3/(x + …)))) */
function farFraction(x: number): number {
  let value = x;
  for (let index = TERMS; index >= 1; index -= 1) value = x + index / value;
  return 1 / value;
}
