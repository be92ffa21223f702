import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversionProbability, removalEffects, type Transitions } from '../queries/markov.ts';

/**
 * Worked by hand. Ten journeys over A (0) and B (1):
 *
 *   4 x A -> conversion      1 x A -> B -> conversion      2 x B -> conversion      2 x A -> exit      1 x B -> exit
 *
 * Start: A 7/10, B 3/10. From A (7 leave): conversion 4/7, B 1/7, exit 2/7. From B (4 leave): conversion 3/4,
 * exit 1/4. P = 7/10 (4/7 + 1/7 * 3/4) + 3/10 * 3/4 = 0.475 + 0.225 = 0.7, which is also 7 orders of 10
 * journeys. Without A: 3/10 * 3/4 = 0.225. Without B: 7/10 * 4/7 = 0.4. Effects: A (0.7 - 0.225) / 0.7 =
 * 19/28, B (0.7 - 0.4) / 0.7 = 3/7.
 */
const worked: Transitions = {
  starts: [7, 3],
  steps: [
    [0, 1],
    [0, 0],
  ],
  conversions: [4, 3],
  exits: [2, 1],
};

describe('the effect of removing a state', () => {
  it('is that of the example worked by hand', () => {
    expect(conversionProbability(worked, null)).toBeCloseTo(0.7, 12);
    const [a, b] = removalEffects(worked);
    expect(a).toBeCloseTo(19 / 28, 12);
    expect(b).toBeCloseTo(3 / 7, 12);
  });

  it('is 1 for the only channel, and unknown where nothing converts', () => {
    expect(removalEffects({ starts: [5], steps: [[9]], conversions: [2], exits: [3] })).toEqual([1]);
    expect(removalEffects({ starts: [5], steps: [[0]], conversions: [0], exits: [5] })).toEqual([null]);
    expect(removalEffects({ starts: [], steps: [], conversions: [], exits: [] })).toEqual([]);
  });

  it('knows a state in which no journey was ever', () => {
    const idle = {
      starts: [2, 0],
      steps: [
        [0, 0],
        [0, 0],
      ],
      conversions: [1, 0],
      exits: [1, 0],
    };
    expect(removalEffects(idle)).toEqual([1, 0]);
  });

  it('is that of walking the chain to its end, for whatever journeys', () => {
    const journeys = fc.array(
      fc.record({
        path: fc.array(fc.nat(5), { minLength: 1, maxLength: 7 }),
        converts: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(journeys, (all) => {
        const transitions = countedOf(all, 6);
        const whole = byWalking(transitions, null);
        // Every journey ends one way or the other, so the chain converts as often as the journeys did.
        expect(whole).toBeCloseTo(all.filter(({ converts }) => converts).length / all.length, 9);
        for (const [state, effect] of removalEffects(transitions).entries()) {
          if (whole === 0) expect(effect).toBeNull();
          else expect(effect).toBeCloseTo((whole - byWalking(transitions, state)) / whole, 9);
        }
      }),
      { numRuns: 60 },
    );
  });
});

function countedOf(journeys: { path: number[]; converts: boolean }[], states: number): Transitions {
  const zeros = () => new Array<number>(states).fill(0);
  const counts = {
    starts: zeros(),
    steps: Array.from({ length: states }, zeros),
    conversions: zeros(),
    exits: zeros(),
  };
  const add = (counted: number[] = [], state = 0) => {
    counted[state] = (counted[state] ?? 0) + 1;
  };
  for (const { path, converts } of journeys) {
    add(counts.starts, path[0]);
    for (const [index, state] of path.slice(0, -1).entries()) add(counts.steps[state], path[index + 1]);
    add(converts ? counts.conversions : counts.exits, path.at(-1));
  }
  return counts;
}

/** What arrives at a conversion of all who start, step by step (the powers of the matrix). */
function byWalking({ starts, steps, conversions, exits }: Transitions, removed: number | null): number {
  const states = starts.map((_, state) => state);
  const leaving = states.map(
    (state) =>
      (steps[state] ?? []).reduce((sum, count) => sum + count, 0) +
      (conversions[state] ?? 0) +
      (exits[state] ?? 0),
  );
  const all = starts.reduce((sum, count) => sum + count, 0);
  let here = states.map((state) => (state === removed ? 0 : (starts[state] ?? 0) / all));
  let converted = 0;
  for (let step = 0; step < 3000; step += 1) {
    converted += states.reduce(
      (sum, state) =>
        sum + (leaving[state] ? ((here[state] ?? 0) * (conversions[state] ?? 0)) / leaving[state] : 0),
      0,
    );
    here = states.map((to) =>
      to === removed
        ? 0
        : states.reduce(
            (sum, from) =>
              sum + (leaving[from] ? ((here[from] ?? 0) * (steps[from]?.[to] ?? 0)) / leaving[from] : 0),
            0,
          ),
    );
  }
  return converted;
}
