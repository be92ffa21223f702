interface Corner {
  readonly point: readonly number[];
  readonly value: number;
}

/** More steps than any of our likelihoods of four numbers took; what has not settled by then is no result. */
const MOST_STEPS = 2000;

/**
 * Finds where a function without derivatives is least, from `start` on (Nelder and Mead, 1965, with their own
 * coefficients).
 *
 * @param size of the first steps, in each direction
 * @returns null when it did not settle
 */
export function nelderMead(
  cost: (point: readonly number[]) => number,
  start: readonly number[],
  { size = 0.5, tolerance = 1e-10 } = {},
): Corner | null {
  const corner = (point: readonly number[]): Corner => ({ point, value: finite(cost(point)) });
  let corners = [
    corner(start),
    ...start.map((_, moved) => corner(start.map((value, index) => (index === moved ? value + size : value)))),
  ];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    corners = corners.toSorted((one, other) => one.value - other.value);
    const [best, worst] = [corners[0] as Corner, corners.at(-1) as Corner];
    if (isSettled(corners, tolerance)) return best;
    const others = corners.slice(0, -1);
    const centre = start.map(
      (_, index) => others.reduce((sum, { point }) => sum + (point[index] ?? 0), 0) / others.length,
    );
    /** A corner on the line from the worst one through the centre: 1 is its reflection. */
    const along = (factor: number) =>
      corner(centre.map((value, index) => value + factor * (value - (worst.point[index] ?? 0))));
    const reflected = along(1);
    const next = nextCorner({ best, worst, second: others.at(-1) as Corner, reflected, along });
    corners =
      next === null
        ? [best, ...corners.slice(1).map(({ point }) => corner(halfway(best.point, point)))]
        : [...others, next];
  }
  return null;
}

interface Choice {
  readonly best: Corner;
  readonly second: Corner;
  readonly worst: Corner;
  readonly reflected: Corner;
  readonly along: (factor: number) => Corner;
}

/** What takes the place of the worst corner; null when all shrink towards the best one. */
function nextCorner({ best, second, worst, reflected, along }: Choice): Corner | null {
  if (reflected.value < best.value) {
    const expanded = along(2);
    return expanded.value < reflected.value ? expanded : reflected;
  }
  if (reflected.value < second.value) return reflected;
  const contracted = along(reflected.value < worst.value ? 0.5 : -0.5);
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
