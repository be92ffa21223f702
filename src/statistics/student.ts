import { normalDistance } from './normal.ts';

/**
 * Student's t distribution.
 *
 * @param degrees of freedom, more than 0; not always whole
 * @returns how likely a value is at least as far from 0 as `t`
 *
 * NIST Digital Library of Mathematical Functions: both tails are the incomplete beta function I(x; ν/2, 1/2)
 * at x = ν / (ν + t²) (8.17), by its continued fraction 8.17.22, or that of 1 − I(1 − x; 1/2, ν/2) where it
 * converges faster (8.17.4).
 */
export function studentTails(t: number, degrees: number): number {
  const square = t * t;
  if (!Number.isFinite(square)) return 0;
  const half = degrees / 2;
  const x = degrees / (degrees + square);
  const rest = square / (degrees + square);
  // x^(ν/2), where the logarithm of 1 / (1 + a little) must not lose its digits.
  const power = Math.exp(-half * Math.log1p(square / degrees));
  const front = (power * Math.sqrt(rest)) / betaWithHalf(half);
  return x < (half + 1) / (half + 2.5)
    ? (front * betaFraction(x, half, 0.5)) / half
    : 1 - (front * betaFraction(rest, 0.5, half)) / 0.5;
}

/**
 * The distance from 0 beyond which so much of the distribution lies, both sides together.
 *
 * By Newton's method from the distance of the normal distribution, which is shorter: the tails are a convex
 * function of the distance, so no step goes too far.
 */
export function studentDistance(tails: number, degrees: number): number {
  let distance = normalDistance(tails);
  for (let step = 0; step < 100; step += 1) {
    const further = (studentTails(distance, degrees) - tails) / (2 * density(distance, degrees));
    distance += further;
    if (further < 1e-14 * distance) break;
  }
  return distance;
}

function density(t: number, degrees: number): number {
  const power = Math.exp((-(degrees + 1) / 2) * Math.log1p((t * t) / degrees));
  return power / (Math.sqrt(degrees) * betaWithHalf(degrees / 2));
}

/**
 * The beta function B(a, 1/2) = √π Γ(a) / Γ(a + 1/2).
 *
 * ln(Γ(a + 1/2) / Γ(a)) = ½ ln a − 1/(8a) + 1/(192a³) − 1/(640a⁵) + 17/(14336a⁷) − …, from Stirling's series
 * (DLMF 5.11.8), good to 16 digits from a = 20 on. Up to there Γ(a + 1) = a Γ(a) leads.
 */
function betaWithHalf(a: number): number {
  let argument = a;
  let factor = 1;
  while (argument < 20) {
    factor *= (argument + 0.5) / argument;
    argument += 1;
  }
  const inverse = 1 / (argument * argument);
  const series = -1 / 8 + inverse * (1 / 192 + inverse * (-1 / 640 + (inverse * 17) / 14_336));
  return (Math.sqrt(Math.PI / argument) / Math.exp(series / argument)) * factor;
}

/**
 * 1/(1 + d₁/(1 + d₂/(1 + …))) of DLMF 8.17.22, by Lentz's method, which needs no number of terms beforehand.
 */
function betaFraction(x: number, a: number, b: number): number {
  let value = 1;
  let numerator = 1;
  let denominator = 0;
  for (let term = 1; term <= 100_000; term += 1) {
    const m = Math.floor(term / 2);
    const coefficient =
      term % 2 === 0
        ? (m * (b - m) * x) / ((a + term - 1) * (a + term))
        : (-(a + m) * (a + b + m) * x) / ((a + term - 1) * (a + term));
    denominator = 1 / (1 + coefficient * denominator);
    numerator = 1 + coefficient / numerator;
    const step = numerator * denominator;
    value *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return 1 / value;
}
