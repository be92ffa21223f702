// Tails of distributions as integrals of their densities, by Simpson's rule.

function integral(density: (x: number) => number, from: number, to: number, steps: number): number {
  const width = (to - from) / steps;
  let sum = density(from) + density(to);
  for (let step = 1; step < steps; step += 1) sum += density(from + step * width) * (step % 2 === 0 ? 2 : 4);
  return (sum * width) / 3;
}

/** How likely a standard normal value is at least as far from 0. */
export function normalTailsOf(z: number): number {
  const inside = integral((x) => Math.exp((-x * x) / 2), 0, Math.min(Math.abs(z), 40), 4000);
  return 1 - inside / Math.sqrt(Math.PI / 2);
}

/**
 * The same of Student's, with t = √ν tan θ that of cos^(ν - 1) θ. Its ends are taken in shrinking steps: θ =
 * π/2 - u².
 */
export function studentTailsOf(t: number, degrees: number): number {
  const beyond = (angle: number) =>
    integral(
      (u) => 2 * u * Math.cos(Math.PI / 2 - u * u) ** (degrees - 1),
      0,
      Math.sqrt(Math.PI / 2 - angle),
      20_000,
    );
  return beyond(Math.atan(Math.abs(t) / Math.sqrt(degrees))) / beyond(0);
}
