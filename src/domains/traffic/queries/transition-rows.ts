import type { FollowedPeople } from '../../../answers/small-groups.ts';
import {
  addKnownMoney,
  addMoney,
  defined,
  roundedPercent,
  roundedRatio,
} from '../../../statistics/rounded.ts';
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
  /** The results of `countTransitions`, `countJourneys` and `sumClicks`. */
  readonly transitions: readonly Transition[];
  readonly journeys: readonly StateJourneys[];
  readonly clicks: readonly StateClicks[];
  readonly noTouch: NoTouchOrders;
  /** False: all journeys converted, so nothing would be lost without a channel. */
  readonly hasExits: boolean;
}

/**
 * The counted transitions as probabilities, and what each state contributes: what of it is of enough people.
 */
export function matrixOf(
  { transitions, journeys, clicks, noTouch, hasExits }: MatrixRows,
  people: FollowedPeople,
) {
  const journeysOf = new Map(journeys.map((row) => [row.state, row]));
  const clicksOf = stateClicks(clicks, new Set(journeysOf.keys()));
  const names = [...new Set([...journeysOf.keys(), ...clicksOf.keys()])].sort(
    (a, b) =>
      (journeysOf.get(b)?.journeys_count ?? 0) - (journeysOf.get(a)?.journeys_count ?? 0) || (a < b ? -1 : 1),
  );
  const counts = { ...countsOf(transitions, names), direct: noTouch.orders_count };
  const earned = transitions.filter(({ kind }) => kind === 'conversion').map((row) => row.revenue);
  const revenue = earned.reduce<number | null>(addKnownMoney, 0);
  const conversions = counts.conversions.reduce((sum, count) => sum + count, 0);
  const effects = hasExits ? removalEffects(counts) : names.map(() => null);
  const shares = revenue === null ? names.map(() => null) : sharedOut(revenue, effects);
  const rows = transitionRows(names, transitions, noTouch);
  const hidden = hiddenRows(rows, people);
  const isHidden = (from: string, to: string) =>
    rows.some((row) => row.from === from && row.to === to && hidden.has(row));
  const unless = <Value>(isFew: boolean, value: Value) => (isFew ? people.hidden() : value);
  return {
    journeys_count: people.told(
      [Math.max(noTouch.travellers, noTouch.people)],
      counts.direct + counts.starts.reduce((sum, count) => sum + count, 0),
    ),
    conversions_count: people.told(
      [Math.max(noTouch.travelling_buyers, noTouch.people)],
      counts.direct + conversions,
    ),
    states: [START, ...names, CONVERSION, ...(hasExits ? [EXIT] : [])],
    transitions: rows.map((row) => ({
      from: row.from,
      to: row.to,
      transitions_count: hidden.has(row) ? null : row.count,
      probability: hidden.has(row) ? null : row.probability,
    })),
    channels: [
      ...names.map((channel, index) => {
        const own = journeysOf.get(channel);
        const effect = effects[index] ?? null;
        const told = <Value>(value: Value) => people.told([own?.people ?? 0], value);
        const isLastHidden = isHidden(channel, CONVERSION) || isHidden(channel, EXIT);
        return {
          channel,
          journeys_count: told(own?.journeys_count ?? 0),
          first_touch_count: unless(isHidden(START, channel), counts.starts[index] ?? 0),
          last_touch_count: unless(
            isLastHidden,
            (counts.conversions[index] ?? 0) + (counts.exits[index] ?? 0),
          ),
          removal_effect: told(effect === null ? null : roundedPercent(effect, 1)),
          markov_revenue: told(shares[index] ?? null),
          last_click_revenue: clicksOf.has(channel) ? (clicksOf.get(channel)?.last ?? null) : 0,
          first_click_revenue: clicksOf.has(channel) ? (clicksOf.get(channel)?.first ?? null) : 0,
        };
      }),
      ...noTouchRows(noTouch, hasExits, unless(isHidden(START, CONVERSION), noTouch.orders_count)),
    ],
  };
}

/** The steps that are not told, where it is known how many lead from each state, and to each. */
function hiddenRows(rows: readonly TransitionRow[], people: FollowedPeople): ReadonlySet<TransitionRow> {
  const known = (key: 'from' | 'to') =>
    [...new Set(rows.map((row) => row[key]))].map((state) => (row: TransitionRow) => row[key] === state);
  const steps = new Map(rows.map((row) => [row, (other: TransitionRow) => other === row]));
  const told = people.toldGroups(rows, (row) => row.people, {
    known: [...known('from'), ...known('to')],
    asked: [[...steps.values()]],
  });
  return new Set([...steps].flatMap(([row, isStep]) => (told.has(isStep) ? [] : [row])));
}

/**
 * Revenue by removal effect. What rounding leaves goes to the greatest share, so that all of them add up to
 * it.
 */
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
function noTouchRows(
  { orders_count, revenue, older_revenue }: NoTouchOrders,
  hasExits: boolean,
  told: number | null,
) {
  if (orders_count === 0 && older_revenue === 0) return [];
  return [
    {
      channel: NO_TOUCH,
      journeys_count: told,
      first_touch_count: told,
      last_touch_count: told,
      removal_effect: null,
      markov_revenue: hasExits && told !== null ? revenue : null,
      last_click_revenue: older_revenue,
      first_click_revenue: older_revenue,
    },
  ];
}

/**
 * What is credited to each state. Touches that are in no journey are states too, as long as there are few.
 */
function stateClicks(
  clicks: readonly StateClicks[],
  states: Set<string>,
): Map<string, { readonly last: number | null; readonly first: number | null }> {
  const sums = new Map<string, { readonly last: number | null; readonly first: number | null }>();
  for (const row of clicks) {
    const { name } = row;
    if (states.size < MOST_STATES) states.add(name);
    const state = states.has(name) ? name : OTHER;
    const { last = 0, first = 0 } = sums.get(state) ?? {};
    sums.set(state, {
      last: addKnownMoney(last, row.last_click_revenue),
      first: addKnownMoney(first, row.first_click_revenue),
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
  for (const { kind, origin, destination, transitions_count } of transitions) {
    const [from, to] = [indexOf.get(origin ?? '') ?? -1, indexOf.get(destination ?? '') ?? -1];
    if (kind === 'start') add(counts.starts, to, transitions_count);
    else if (kind === 'step') add(counts.steps[from] ?? [], to, transitions_count);
    else add(kind === 'conversion' ? counts.conversions : counts.exits, from, transitions_count);
  }
  return counts;
}

type TransitionRow = ReturnType<typeof transitionRows>[number];

/**
 * The rows from the start first, then from each state as they are named; to the states as they are named,
 * then to the ends.
 */
function transitionRows(
  names: readonly string[],
  transitions: readonly Transition[],
  { orders_count, people }: NoTouchOrders,
) {
  const ends: Readonly<Record<string, string>> = { conversion: CONVERSION, exit: EXIT };
  const direct = { from: START, to: CONVERSION, count: orders_count, people };
  const counted = transitions.map(({ kind, origin, destination, transitions_count, people }) => ({
    from: origin ?? START,
    to: destination ?? ends[kind] ?? EXIT,
    count: transitions_count,
    people,
  }));
  const placeOf = new Map([START, ...names, CONVERSION, EXIT].map((name, place) => [name, place]));
  const place = (name: string) => placeOf.get(name) ?? 0;
  const rows = [...counted, ...(orders_count > 0 ? [direct] : [])].toSorted(
    (a, b) => place(a.from) - place(b.from) || place(a.to) - place(b.to),
  );
  const leaving = new Map(
    [...Map.groupBy(rows, ({ from }) => from)].map(([from, own]) => [
      from,
      own.reduce((sum, { count }) => sum + count, 0),
    ]),
  );
  return rows.map((row) => ({
    ...row,
    probability: defined(roundedPercent(row.count, leaving.get(row.from) ?? 0)),
  }));
}

function add(counts: number[], index: number, count: number): void {
  counts[index] = (counts[index] ?? 0) + count;
}
