import { addMoney, defined, roundedPercent, roundedRatio } from '../../../statistics/rounded.ts';
import { NO_TOUCH } from './journey-touches.ts';
import { removalEffects } from './markov.ts';
import {
  MOST_STATES,
  type NoTouchOrders,
  OTHER,
  type StateClicks,
  type StateJourneys,
  type Transition,
} from './transition-matrix.ts';

const START = '(start)';
const CONVERSION = '(conversion)';
const EXIT = '(exit)';

interface MatrixRows {
  /** Of `countTransitions`, `countJourneys` and `sumClicks`. */
  readonly transitions: readonly Transition[];
  readonly journeys: readonly StateJourneys[];
  readonly clicks: readonly StateClicks[];
  readonly noTouch: NoTouchOrders;
  /** False: all journeys converted, so nothing would be lost without a channel. */
  readonly hasExits: boolean;
}

/** The counted transitions as probabilities, and what each state contributes. */
export function matrixOf({ transitions, journeys, clicks, noTouch, hasExits }: MatrixRows) {
  const journeysOf = new Map(journeys.map(({ state, journeys_count }) => [state, journeys_count]));
  const clicksOf = stateClicks(clicks, new Set(journeysOf.keys()));
  const names = [...new Set([...journeysOf.keys(), ...clicksOf.keys()])].sort(
    (a, b) => (journeysOf.get(b) ?? 0) - (journeysOf.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  const counts = { ...countsOf(transitions, names), direct: noTouch.orders_count };
  const revenue = addMoney(...transitions.map((row) => row.revenue ?? 0));
  const conversions = counts.conversions.reduce((sum, count) => sum + count, 0);
  const effects = hasExits ? removalEffects(counts) : names.map(() => null);
  const shares = sharedOut(revenue, effects);
  return {
    journeys_count: counts.direct + counts.starts.reduce((sum, count) => sum + count, 0),
    conversions_count: counts.direct + conversions,
    states: [START, ...names, CONVERSION, ...(hasExits ? [EXIT] : [])],
    transitions: transitionRows(names, counts),
    channels: [
      ...names.map((channel, index) => {
        const effect = effects[index] ?? null;
        return {
          channel,
          journeys_count: journeysOf.get(channel) ?? 0,
          first_touch_count: counts.starts[index] ?? 0,
          last_touch_count: (counts.conversions[index] ?? 0) + (counts.exits[index] ?? 0),
          removal_effect: effect === null ? null : roundedPercent(effect, 1),
          markov_revenue: shares[index] ?? null,
          last_click_revenue: clicksOf.get(channel)?.last ?? 0,
          first_click_revenue: clicksOf.get(channel)?.first ?? 0,
        };
      }),
      ...noTouchRows(noTouch, hasExits),
    ],
  };
}

/** Revenue by removal effect. What rounding leaves goes to the greatest share, so that all of them add up to it. */
function sharedOut(revenue: number, effects: readonly (number | null)[]): (number | null)[] {
  const all = effects.reduce<number>((sum, effect) => sum + (effect ?? 0), 0);
  const shares = effects.map((effect) => (effect === null ? null : roundedRatio(revenue * effect, all)));
  const greatest = shares.reduce<number>(
    (best, share, index) => ((share ?? 0) > (shares[best] ?? 0) ? index : best),
    0,
  );
  const share = shares[greatest];
  if (share == null) return shares;
  const rest = addMoney(revenue, ...shares.map((other) => -(other ?? 0)));
  return shares.with(greatest, addMoney(share, rest));
}

/** What is on one side of the sums only, so that the three revenues of all rows are one number. */
function noTouchRows({ orders_count, revenue, older_revenue }: NoTouchOrders, hasExits: boolean) {
  if (orders_count === 0 && older_revenue === 0) return [];
  return [
    {
      channel: NO_TOUCH,
      journeys_count: orders_count,
      first_touch_count: orders_count,
      last_touch_count: orders_count,
      removal_effect: null,
      markov_revenue: hasExits ? revenue : null,
      last_click_revenue: older_revenue,
      first_click_revenue: older_revenue,
    },
  ];
}

/** By state: what is credited to it. Touches that are in no journey are states too, as long as there are few. */
function stateClicks(
  clicks: readonly StateClicks[],
  states: Set<string>,
): Map<string, { readonly last: number; readonly first: number }> {
  const sums = new Map<string, { readonly last: number; readonly first: number }>();
  for (const row of clicks) {
    const { name } = row;
    if (states.size < MOST_STATES) states.add(name);
    const state = states.has(name) ? name : OTHER;
    const { last = 0, first = 0 } = sums.get(state) ?? {};
    sums.set(state, {
      last: addMoney(last, row.last_click_revenue),
      first: addMoney(first, row.first_click_revenue),
    });
  }
  return sums;
}

interface Counts {
  readonly starts: number[];
  readonly steps: number[][];
  readonly conversions: number[];
  readonly exits: number[];
}

function countsOf(transitions: readonly Transition[], names: readonly string[]): Counts {
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const zeros = () => names.map(() => 0);
  const counts = { starts: zeros(), steps: names.map(zeros), conversions: zeros(), exits: zeros() };
  for (const row of transitions) {
    const origin = indexOf.get(row.origin) ?? -1;
    add(counts.starts, origin, row.starts_count);
    add(counts.conversions, origin, row.conversions_count);
    add(counts.exits, origin, row.exits_count);
    const destination = indexOf.get(row.destination ?? '');
    if (destination !== undefined) add(counts.steps[origin] ?? [], destination, row.touches_count);
  }
  return counts;
}

function transitionRows(
  names: readonly string[],
  { starts, steps, conversions, exits, direct }: Counts & { readonly direct: number },
) {
  const origins = [
    {
      from: START,
      to: [
        ...names.map((to, index) => ({ to, count: starts[index] ?? 0 })),
        { to: CONVERSION, count: direct },
      ],
    },
    ...names.map((from, index) => ({
      from,
      to: [
        ...names.map((to, next) => ({ to, count: steps[index]?.[next] ?? 0 })),
        { to: CONVERSION, count: conversions[index] ?? 0 },
        { to: EXIT, count: exits[index] ?? 0 },
      ],
    })),
  ];
  return origins.flatMap(({ from, to }) => {
    const leaving = to.reduce((sum, { count }) => sum + count, 0);
    return to
      .filter(({ count }) => count > 0)
      .map(({ to, count }) => ({
        from,
        to,
        transitions_count: count,
        probability: defined(roundedPercent(count, leaving)),
      }));
  });
}

function add(counts: number[], index: number, count: number): void {
  counts[index] = (counts[index] ?? 0) + count;
}
