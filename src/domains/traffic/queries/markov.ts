/** How often journeys went on from where to where; states are numbered from 0. */
export interface Transitions {
  /** The journeys that began in each state. */
  readonly starts: readonly number[];
  /** The steps from each state to each next state. */
  readonly steps: readonly (readonly number[])[];
  /** The journeys that ended in each state, with a conversion or without. */
  readonly conversions: readonly number[];
  readonly exits: readonly number[];
  /** Conversions without any state between. */
  readonly direct?: number;
}

/**
 * The share of conversions that would be lost without each state, between 0 and 1: (P - P of the chain in
 * which every way into the state leads out) / P, where P is the probability that a journey ends in a
 * conversion (Anderl et al., "Mapping the customer journey", 2016). Null when no journey does.
 */
export function removalEffects(transitions: Transitions): (number | null)[] {
  const all = conversionProbability(transitions, null);
  return transitions.starts.map((_, removed) =>
    all === 0 ? null : (all - conversionProbability(transitions, removed)) / all,
  );
}

/** The probability to be absorbed in a conversion from the start. */
export function conversionProbability(transitions: Transitions, removed: number | null): number {
  const { starts, steps, conversions, exits, direct = 0 } = transitions;
  const kept = starts.flatMap((_, state) => (state === removed ? [] : [state]));
  const matrix = kept.map((state) => {
    const leaving = sum(steps[state] ?? []) + at(conversions, state) + at(exits, state);
    const share = (count: number) => (leaving === 0 ? 0 : count / leaving);
    // One equation of (I - Q) x = r: x is the probability from this state.
    return [
      ...kept.map((next) => (next === state ? 1 : 0) - share(at(steps[state] ?? [], next))),
      share(at(conversions, state)),
    ];
  });
  const fromState = solve(matrix);
  const journeys = direct + sum(starts);
  return journeys === 0
    ? 0
    : direct / journeys +
        sum(kept.map((state, index) => (at(starts, state) / journeys) * at(fromState, index)));
}

/**
 * Solves linear equations, each its coefficients and then the right side, by Gaussian elimination with
 * partial pivoting. There is always one solution: from each state every journey ends at last.
 */
function solve(equations: readonly number[][]): number[] {
  const rows = equations.map((row) => [...row]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    const pivot = largestBelow(rows, column);
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    for (let below = column + 1; below < size; below += 1) subtract(rows[below], rows[column], column);
  }
  const solution = new Array<number>(size).fill(0);
  for (let column = size - 1; column >= 0; column -= 1) {
    const row = rows[column] ?? [];
    const known = sum(solution.slice(column + 1).map((value, index) => value * at(row, column + 1 + index)));
    solution[column] = (at(row, size) - known) / at(row, column);
  }
  return solution;
}

function largestBelow(rows: readonly (readonly number[])[], column: number): number {
  let pivot = column;
  for (let row = column + 1; row < rows.length; row += 1) {
    if (Math.abs(at(rows[row] ?? [], column)) > Math.abs(at(rows[pivot] ?? [], column))) pivot = row;
  }
  return pivot;
}

/** Takes as much of one row from another as makes its column 0. */
function subtract(row: number[] = [], pivot: readonly number[] = [], column: number): void {
  const factor = at(row, column) / at(pivot, column);
  if (factor === 0) return;
  for (let index = column; index < row.length; index += 1)
    row[index] = at(row, index) - factor * at(pivot, index);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
