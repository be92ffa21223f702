import { amount, type Money, round4 } from './decimals.ts';
import { isInRange, wholeDays } from './moments.ts';
import type { RangeArguments } from './order-statistics.ts';
import { dataUntil, percent, ratio } from './session-statistics.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';
import { type CreditedOrder, type Traffic, trafficOf, type Visit } from './traffic.ts';

type Touch = 'channel' | 'source_medium' | 'campaign';
type Selection = RangeArguments & {
  touch?: Touch;
  outcome?: 'converted' | 'not_converted' | 'all';
  lookback_days?: number;
};
export type JourneyArguments = Selection & {
  collapse_repeats?: boolean;
  max_touches?: number;
  sort_by?: string;
  sort_order?: 'asc' | 'desc';
  limit?: number;
  offset?: number;
};
export type MatrixArguments = Omit<Selection, 'outcome'> & { include_not_converted?: boolean };

type Journey = { visits: Visit[]; names: string[]; order: CreditedOrder | null; seconds: number };

/** Orders of the range that session statistics credit, but that no journey of the answer ends with. */
function withoutTouch(traffic: Traffic, args: Selection, journeys: Journey[]): CreditedOrder[] {
  const range = wholeDays(args.from_date, args.to_date, traffic.shop.timezone);
  const ends = new Set(journeys.map(({ order }) => order));
  return traffic.orders.filter(
    (order) => order.last !== null && isInRange(order.order.moment, range) && !ends.has(order),
  );
}

/** The journeys that end in the range. */
function journeysOf(traffic: Traffic, args: Selection): Journey[] {
  const range = wholeDays(args.from_date, args.to_date, traffic.shop.timezone);
  const lookback = BigInt((args.lookback_days ?? 30) * 86_400);
  const visits = traffic.visits.filter(({ isSuspected }) => !isSuspected);
  // Clocks differ: a session is never after an order that was placed in it.
  const touchedAt = (visit: Visit) =>
    traffic.orders.reduce((at, { own, second }) => (own === visit && second < at ? second : at), visit.start);
  const nextOrder = (visit: Visit) =>
    traffic.orders
      .filter(({ people, second }) => people.has(visit.visitor) && second >= touchedAt(visit))
      .reduce<CreditedOrder | null>(
        (next, order) => (next && next.second <= order.second ? next : order),
        null,
      );

  const journeys: { visits: Visit[]; order: CreditedOrder | null }[] = [];
  for (const order of traffic.orders.filter(({ order }) => isInRange(order.moment, range))) {
    const touches = visits.filter(
      (visit) => nextOrder(visit) === order && order.second - touchedAt(visit) <= lookback,
    );
    journeys.push({ visits: touches, order });
  }
  const lastVisits = new Map<string, Visit>();
  for (const visit of visits) if (isInRange(visit.moment, range)) lastVisits.set(visit.visitor, visit);
  for (const last of lastVisits.values()) {
    const next = nextOrder(last);
    if (next !== null && next.second - touchedAt(last) <= lookback) continue;
    const touches = visits
      .slice(0, visits.indexOf(last) + 1)
      .filter((visit) => nextOrder(visit) === next && (next !== null || visit.visitor === last.visitor))
      .filter((visit) => last.start - visit.start <= lookback);
    journeys.push({ visits: touches, order: null });
  }
  const outcome = args.outcome ?? 'converted';
  return journeys
    .filter(({ visits }) => visits.length > 0)
    .filter(({ order }) => outcome === 'all' || (outcome === 'converted') === (order !== null))
    .map(({ visits, order }) => ({
      visits,
      order,
      names: visits.map(({ labels }) => labels[args.touch ?? 'channel']),
      seconds: order === null ? 0 : Number(order.second - touchedAt(visits[0] as Visit)),
    }));
}

export function journeyStatistics(store: Store, args: JourneyArguments) {
  const traffic = trafficOf(store);
  const journeys = journeysOf(traffic, args).map((journey) => ({
    ...journey,
    names:
      (args.collapse_repeats ?? true)
        ? journey.names.filter((name, index) => name !== journey.names[index - 1])
        : journey.names,
  }));
  const untouched = args.outcome === 'not_converted' ? [] : withoutTouch(traffic, args, journeys);
  const count = journeys.length + untouched.length;
  const most = args.max_touches ?? 8;
  const pathOf = ({ names }: Journey) => (names.length > most ? ['(…)', ...names.slice(-most)] : names);
  const groups = Map.groupBy(journeys, (journey) => JSON.stringify(pathOf(journey)));
  const rows = [...groups].map(([key, group]) => {
    const path = JSON.parse(key) as string[];
    const converted = group.filter(({ order }) => order !== null);
    const secondsToOrders = converted.reduce((sum, { seconds }) => sum + seconds, 0);
    return {
      path,
      touches_count: path.length - (path[0] === '(…)' ? 1 : 0),
      journeys_count: group.length,
      journeys_share: percent(group.length, count),
      converted_journeys_count: converted.length,
      conversion_rate: args.outcome === 'all' ? percent(converted.length, group.length) : null,
      revenue: amount(revenueOf(group)),
      new_customers_count: group.filter(({ order }) => order?.order.sequence === 1).length,
      avg_days_to_conversion: ratio(secondsToOrders, 86_400 * converted.length),
    };
  });
  if (untouched.length > 0) {
    rows.push({
      path: ['(no touch)'],
      touches_count: 0,
      journeys_count: untouched.length,
      journeys_share: percent(untouched.length, count),
      converted_journeys_count: untouched.length,
      conversion_rate: args.outcome === 'all' ? 100 : null,
      revenue: amount(creditOf(untouched)),
      new_customers_count: untouched.filter(({ order }) => order.sequence === 1).length,
      avg_days_to_conversion: null,
    });
  }
  const column = (args.sort_by ?? 'journeys_count') as 'journeys_count';
  const sign = args.sort_order === 'asc' ? 1 : -1;
  const text = ({ path }: { path: string[] }) => path.join('\u001f');
  rows.sort((a, b) => {
    const [x, y] = [a[column] as number | null, b[column] as number | null];
    if (x === null || y === null)
      return Number(x === null) - Number(y === null) || compareText(text(a), text(b));
    return sign * (x - y) || compareText(text(a), text(b));
  });
  const converted = journeys.filter(({ order }) => order !== null);
  const offset = args.offset ?? 0;
  return {
    business_id: args.business_id,
    data_until: dataUntil(traffic),
    ...{ touch: args.touch ?? 'channel', outcome: args.outcome ?? 'converted' },
    lookback_days: args.lookback_days ?? 30,
    collapse_repeats: args.collapse_repeats ?? true,
    max_touches: args.max_touches ?? 8,
    journeys_count: count,
    converted_journeys_count: converted.length + untouched.length,
    revenue: amount(revenueOf(journeys) + creditOf(untouched)),
    no_touch_orders_count: untouched.length,
    no_touch_revenue: amount(creditOf(untouched)),
    single_touch_share: percent(journeys.filter(({ names }) => names.length === 1).length, journeys.length),
    avg_touches: ratio(
      journeys.reduce((sum, { names }) => sum + names.length, 0),
      journeys.length,
    ),
    median_days_to_conversion: medianDays(converted.map(({ seconds }) => seconds)),
    identified_share: percent(
      journeys.filter(({ visits }) => visits.some(({ isIdentified }) => isIdentified)).length,
      journeys.length,
    ),
    total_count: rows.length,
    journeys: rows.slice(offset, offset + (args.limit ?? 10)),
  };
}

function medianDays(seconds: number[]): number | null {
  if (seconds.length === 0) return null;
  const sorted = seconds.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return round4(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2 / 86_400);
}

/** Effects by walking the chain for long enough, instead of solving equations. */
export function channelTransitionMatrix(store: Store, args: MatrixArguments) {
  const traffic = trafficOf(store);
  const hasExits = args.include_not_converted ?? true;
  const touch = args.touch ?? 'channel';
  const journeys = journeysOf(traffic, { ...args, outcome: hasExits ? 'all' : 'converted' });
  const untouched = withoutTouch(traffic, args, journeys);
  const walks = [
    ...journeys.map(({ names, order }) => ['(start)', ...names, order ? '(conversion)' : '(exit)']),
    ...untouched.map(() => ['(start)', '(conversion)']),
  ];
  const counts = new Map<string, number>();
  for (const walk of walks) {
    for (const [index, from] of walk.slice(0, -1).entries()) {
      const step = JSON.stringify([from, walk[index + 1]]);
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
  }
  const steps = [...counts].map(([step, count]) => {
    const [from = '', to = ''] = JSON.parse(step) as string[];
    return { from, to, count };
  });
  const leaving = (from: string) =>
    steps.filter((step) => step.from === from).reduce((sum, { count }) => sum + count, 0);

  const range = wholeDays(args.from_date, args.to_date, traffic.shop.timezone);
  const orders = traffic.orders.filter(({ order }) => isInRange(order.moment, range));
  const credits = (which: 'last' | 'first', name: string) =>
    amount(
      orders
        .filter((order) => order[which]?.labels[touch] === name)
        .reduce((sum, { order }) => sum + order.revenue, 0n),
    );
  const names = new Set([
    ...journeys.flatMap((journey) => journey.names),
    ...orders.flatMap(({ last, first }) =>
      [last, first].flatMap((visit) => (visit ? [visit.labels[touch]] : [])),
    ),
  ]);
  const containing = (name: string) => journeys.filter((journey) => journey.names.includes(name)).length;
  const channels = [...names].sort((a, b) => containing(b) - containing(a) || compareText(a, b));
  const all = conversionsWithout(null);
  const effects = channels.map((name) =>
    hasExits && all > 0 ? (all - conversionsWithout(name)) / all : null,
  );
  const sum = effects.reduce<number>((total, effect) => total + (effect ?? 0), 0);
  const revenue = amount(revenueOf(journeys));
  // Journeys whose touches are all older than what session statistics look back to.
  const uncredited = journeys.flatMap(({ order }) => (order !== null && order.last === null ? order : []));
  const noTouch =
    untouched.length === 0 && creditOf(uncredited) === 0n
      ? []
      : [
          {
            channel: '(no touch)',
            journeys_count: untouched.length,
            first_touch_count: untouched.length,
            last_touch_count: untouched.length,
            removal_effect: null,
            markov_revenue: hasExits ? amount(creditOf(untouched)) : null,
            last_click_revenue: amount(creditOf(uncredited)),
            first_click_revenue: amount(creditOf(uncredited)),
          },
        ];
  const order = ['(start)', ...channels, '(conversion)', ...(hasExits ? ['(exit)'] : [])];
  return {
    business_id: args.business_id,
    data_until: dataUntil(traffic),
    lookback_days: args.lookback_days ?? 30,
    journeys_count: walks.length,
    conversions_count: walks.filter((walk) => walk.at(-1) === '(conversion)').length,
    states: order,
    transitions: steps
      .sort(
        (a, b) => order.indexOf(a.from) - order.indexOf(b.from) || order.indexOf(a.to) - order.indexOf(b.to),
      )
      .map(({ from, to, count }) => ({
        ...{ from, to, transitions_count: count },
        probability: percent(count, leaving(from)),
      })),
    channels: [
      ...channels.map((channel, index) => {
        const effect = effects[index] ?? null;
        return {
          channel,
          journeys_count: containing(channel),
          first_touch_count: journeys.filter(({ names }) => names[0] === channel).length,
          last_touch_count: journeys.filter(({ names }) => names.at(-1) === channel).length,
          removal_effect: effect === null ? null : round4(100 * effect),
          markov_revenue: effect === null ? null : ratio(revenue * effect, sum),
          last_click_revenue: credits('last', channel),
          first_click_revenue: credits('first', channel),
        };
      }),
      ...noTouch,
    ],
  };

  /** The share of everybody at the start that arrives at a conversion. */
  function conversionsWithout(removed: string | null): number {
    let people = new Map([['(start)', 1]]);
    let arrived = 0;
    for (let step = 0; step < 400 && people.size > 0; step += 1) {
      const next = new Map<string, number>();
      for (const { from, to, count } of steps) {
        const going = ((people.get(from) ?? 0) * count) / leaving(from);
        if (to === '(conversion)') arrived += going;
        else if (to !== '(exit)' && to !== removed && going > 0) next.set(to, (next.get(to) ?? 0) + going);
      }
      people = next;
    }
    return arrived;
  }
}

function creditOf(orders: CreditedOrder[]): Money {
  return orders.reduce((sum, { order }) => sum + order.revenue, 0n);
}

function revenueOf(journeys: Journey[]): Money {
  return journeys.reduce((sum, { order }) => sum + (order?.order.revenue ?? 0n), 0n);
}
