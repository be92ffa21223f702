import type { Pieces } from '../main-thread/pieces.ts';

interface Corner {
  readonly point: readonly number[];
  readonly value: number;
}

/** More steps than any of our likelihoods of four numbers took; what has not settled by then is no result. */
const MOST_STEPS = 2000;

/**
 * Finds where a function without derivatives is least, from `start` on (Nelder and Mead, 1965, with their own
 * coefficients). Each value of the function is one piece of the work.
 *
 * @param size of the first steps, in each direction
 * @returns null when it did not settle
 */
export function* nelderMead(
  cost: (point: readonly number[]) => number,
  start: readonly number[],
  { size = 0.5, tolerance = 1e-10 } = {},
): Pieces<Corner | null> {
  function* cornersAt(points: readonly (readonly number[])[]): Pieces<Corner[]> {
    const found: Corner[] = [];
    for (const point of points) {
      found.push({ point, value: finite(cost(point)) });
      yield;
    }
    return found;
  }
  let corners = yield* cornersAt([
    start,
    ...start.map((_, moved) => start.map((value, index) => (index === moved ? value + size : value))),
  ]);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    corners = corners.toSorted((one, other) => one.value - other.value);
    const [best, worst] = [corners[0] as Corner, corners.at(-1) as Corner];
    if (isSettled(corners, tolerance)) return best;
    const others = corners.slice(0, -1);
    const centre = start.map(
      (_, index) => others.reduce((sum, { point }) => sum + (point[index] ?? 0), 0) / others.length,
    );
    /** A corner on the line from the worst one through the centre: 1 is its reflection. */
    function* along(factor: number): Pieces<Corner> {
      const point = centre.map((value, index) => value + factor * (value - (worst.point[index] ?? 0)));
      return (yield* cornersAt([point]))[0] as Corner;
    }
    const reflected = yield* along(1);
    const next = yield* nextCorner({ best, worst, second: others.at(-1) as Corner, reflected, along });
    corners =
      next === null
        ? [best, ...(yield* cornersAt(corners.slice(1).map(({ point }) => halfway(best.point, point))))]
        : [...others, next];
  }
  return null;
}

interface Choice {
  readonly best: Corner;
  readonly second: Corner;
  readonly worst: Corner;
  readonly reflected: Corner;
  readonly along: (factor: number) => Pieces<Corner>;
}

/** What takes the place of the worst corner; null when all shrink towards the best one. */
function* nextCorner({ best, second, worst, reflected, along }: Choice): Pieces<Corner | null> {
  if (reflected.value < best.value) {
    const expanded = yield* along(2);
    return expanded.value < reflected.value ? expanded : reflected;
  }
  if (reflected.value < second.value) return reflected;
  const contracted = yield* along(reflected.value < worst.value ? 0.5 : -0.5);
  return contracted.value < Math.min(reflected.value, worst.value) ? contracted : null;
}

function halfway(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, index) => (value + (other[index] ?? 0)) / 2);
}

/** All corners are about as low, and close together. */
function isSettled(corners: readonly Corner[], tolerance: number): boolean {
  const [best, worst] = [corners[0] as Corner, corners.at(-1) as Corner];
  const spread = Math.max(
    ...corners.flatMap(({ point }) =>
      point.map((value, index) => Math.abs(value - (best.point[index] ?? 0))),
    ),
  );
  return Math.abs(worst.value - best.value) <= tolerance * (1 + Math.abs(best.value)) && spread < 1e-5;
}

function finite(value: number): number {
  return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
}
