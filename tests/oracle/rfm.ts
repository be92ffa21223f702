// Customers scored by recency, frequency and money, from the specification alone: plain loops over the loaded
// orders.
import { Temporal } from 'temporal-polyfill';
import { subscribedNow, suppressedAt } from './consents.ts';
import { amount, type Money, round4 } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { argumentRange, localDate, type Moment, utcText, wholeDays } from './moments.ts';
import type { Order } from './orders.ts';
import { type Breakdown, daysBetween, periodsOf } from './periods.ts';
import { type Shop, shopOf } from './shop.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';

/** Name, then the cells of the map as `recency frequency`, best segment first. */
const SEGMENTS: readonly (readonly [string, string, string])[] = [
  ['champions', 'Champions', '54 55'],
  ['loyal', 'Loyal', '34 35 44 45'],
  ['potential_loyalist', 'Potential loyalist', '42 43 52 53'],
  ['new', 'New', '51'],
  ['promising', 'Promising', '41'],
  ['need_attention', 'Need attention', '33'],
  ['about_to_sleep', 'About to sleep', '31 32'],
  ['cant_lose', "Can't lose", '15 25'],
  ['at_risk', 'At risk', '13 14 23 24'],
  ['hibernating', 'Hibernating', '11 12 21 22'],
  ['lost', 'Lost', ''],
];
export const SEGMENT_KEYS = SEGMENTS.map(([key]) => key);

type Rule = {
  segment: string;
  scores: { recency: number[]; frequency: number[]; monetary?: number[] | null }[];
};
type Profile = {
  id: string;
  windowDays: number;
  scoring: string;
  recency: number[];
  frequency: number[];
  monetary: number[];
  /** Whether these part any revenue: given ones do, those of the data where anybody ordered in the window. */
  hasMonetary: boolean;
  rules: Rule[];
};

const DEFAULT_RULES: Rule[] = SEGMENTS.map(([segment, , cells]) => ({
  segment,
  scores: cells
    .split(' ')
    .filter((pair) => pair !== '')
    .map((pair) => ({ recency: [Number(pair[0])], frequency: [Number(pair[1])] })),
}));

const second = 1_000_000n;
const day = 86_400n * second;
export const wholeSecond = (moment: Moment) => moment - (((moment % second) + second) % second);

/** The last loaded order, or null. */
export function dataUntil(shop: Shop): Moment | null {
  const last = shop.orders.at(-1);
  return last === undefined ? null : wholeSecond(last.moment);
}

/** The profile of an id, null: the default one. */
export function profileOf(store: Store, shop: Shop, id: string | null): Profile {
  const rows = loadedRows(store.rfm_profiles, (row) => row.rfm_profile_id ?? '');
  const created = (row: (typeof rows)[number]) => row.created_at ?? '';
  const marked = rows
    .filter((row) => row.is_default === 'true')
    .sort(
      (a, b) =>
        compareText(created(b), created(a)) || compareText(a.rfm_profile_id ?? '', b.rfm_profile_id ?? ''),
    );
  const row = rows.find((candidate) => candidate.rfm_profile_id === (id ?? marked[0]?.rfm_profile_id));
  const numbers = (text: string | undefined) => {
    const json = cell(text);
    return json === null ? null : (JSON.parse(json) as number[]);
  };
  const windowDays = Number(row?.window_days ?? 365);
  return {
    id: row?.rfm_profile_id ?? 'default',
    windowDays,
    scoring: row?.scoring ?? 'thresholds',
    recency: numbers(row?.recency_thresholds_days) ?? [30, 90, 180, 365],
    frequency: numbers(row?.frequency_thresholds) ?? [2, 3, 5, 8],
    monetary: numbers(row?.monetary_thresholds) ?? fifths(shop, windowDays),
    hasMonetary: numbers(row?.monetary_thresholds) !== null || buyersLately(shop, windowDays).length > 0,
    rules: cell(row?.rules) === null ? DEFAULT_RULES : (JSON.parse(row?.rules ?? '') as Rule[]),
  };
}

/**
 * 20, 40, 60 and 80 percentiles of revenue in the window before the end of the data, two digits, ascending.
 */
function fifths(shop: Shop, windowDays: number): number[] {
  const revenues = buyersLately(shop, windowDays)
    .map(({ revenue }) => revenue)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const amounts: Money[] = [];
  for (const percentile of [20, 40, 60, 80]) {
    const rank = Math.ceil((percentile * revenues.length) / 100);
    const rounded = twoDigits(revenues[rank - 1] ?? 0n);
    const before = amounts.at(-1);
    amounts.push(before === undefined || rounded > before ? rounded : nextAmount(before));
  }
  return amounts.map(amount);
}

function buyersLately(shop: Shop, windowDays: number) {
  const until = dataUntil(shop);
  const customers = until === null ? [] : customersAt(shop, until, windowDays);
  return customers.filter(({ orders }) => orders.length > 0);
}

function nextAmount(money: Money): Money {
  if (money <= 0n) return twoDigits(money + 10_000n);
  const step = 10n ** BigInt(Math.max(0, money.toString().length - 2));
  return twoDigits(money + step);
}

function twoDigits(money: Money): Money {
  const digits = (money < 0n ? -money : money).toString();
  if (digits.length <= 2) return money;
  const unit = 10n ** BigInt(digits.length - 2);
  const rounded = ((BigInt(digits) + unit / 2n) / unit) * unit;
  return money < 0n ? -rounded : rounded;
}

type Customer = {
  customer: string;
  firstOrder: Order;
  /** The orders in the window. */
  orders: Order[];
  ordersBefore: number;
  revenue: Money;
  days: number;
};

/** Everybody with a valid order until the moment. */
function customersAt(shop: Shop, asOf: Moment, windowDays: number): Customer[] {
  const today = localDate(asOf, shop.timezone);
  const byCustomer = Map.groupBy(
    shop.validOrders.filter((order) => wholeSecond(order.moment) <= asOf),
    (order) => order.customer ?? '',
  );
  byCustomer.delete('');
  return [...byCustomer].map(([customer, all]) => {
    const orders = all.filter((order) => wholeSecond(order.moment) >= asOf - BigInt(windowDays) * day);
    let revenue = 0n;
    for (const order of orders) revenue += order.revenue;
    const lastDate =
      all
        .map((order) => order.localDate)
        .sort()
        .at(-1) ?? '';
    return {
      customer,
      firstOrder: all.toSorted(comparePlaced)[0] as Order,
      orders,
      revenue,
      ordersBefore: all.length - orders.length,
      days: daysBetween(lastDate, today),
    };
  });
}

export type Member = Customer & { segment: string; recency: number; frequency: number; monetary: number };

export function membersAt(shop: Shop, asOf: Moment, profile: Profile): Member[] {
  const customers = customersAt(shop, asOf, profile.windowDays);
  const scored = customers.filter(({ orders }) => orders.length > 0);
  const ranked = {
    recency: quintiles(scored, (one) => -one.days),
    frequency: quintiles(scored, (one) => one.orders.length),
    monetary: quintiles(scored, (one) => amount(one.revenue)),
  };
  return customers.map((one) => {
    if (one.orders.length === 0) return { ...one, segment: 'lost', recency: 0, frequency: 0, monetary: 0 };
    const reached = (thresholds: number[], value: number) =>
      1 + thresholds.filter((threshold) => value >= threshold).length;
    const byThresholds = {
      // Days in the window are never more than the window has, also when an hour was skipped.
      recency: 1 + profile.recency.filter((most) => Math.min(one.days, profile.windowDays) <= most).length,
      frequency: reached(profile.frequency, one.orders.length),
      monetary: reached(profile.monetary, amount(one.revenue)),
    };
    const byRank = {
      recency: ranked.recency.get(one) ?? 0,
      frequency: ranked.frequency.get(one) ?? 0,
      monetary: ranked.monetary.get(one) ?? 0,
    };
    const scores = profile.scoring === 'quintiles' ? byRank : byThresholds;
    // Who ordered once is of the lowest frequency there is, however many they are.
    const frequencyOfRules =
      profile.scoring === 'quintiles' && one.orders.length === 1 ? 1 : scores.frequency;
    const fitting = profile.rules.filter((rule) =>
      rule.scores.some(
        (score) =>
          score.recency.includes(scores.recency) &&
          score.frequency.includes(frequencyOfRules) &&
          (score.monetary ?? [1, 2, 3, 4, 5]).includes(scores.monetary),
      ),
    );
    if (fitting.length !== 1) throw new Error(`${fitting.length} segments for ${JSON.stringify(scores)}`);
    return { ...one, ...scores, segment: fitting[0]?.segment ?? '' };
  });
}

/**
 * The fifth of the middle rank of all customers with the same value, so that equal ones have the same score.
 */
function quintiles(customers: Customer[], value: (one: Customer) => number): Map<Customer, number> {
  const scores = new Map<Customer, number>();
  for (const one of customers) {
    const before = customers.filter((other) => value(other) < value(one)).length;
    const equal = customers.filter((other) => value(other) === value(one)).length;
    // Ranks from 0.5 on, so that the first of five is in the middle of the first fifth.
    const middle = before + equal / 2;
    scores.set(one, 1 + Math.floor((5 * middle) / customers.length));
  }
  return scores;
}

function comparePlaced(a: Order, b: Order): number {
  if (a.moment !== b.moment) return a.moment < b.moment ? -1 : 1;
  return compareText(a.orderId, b.orderId);
}

const share = (part: number, whole: number) => (whole === 0 ? null : round4((100 * part) / whole));
const per = (value: number, count: number) => (count === 0 ? null : round4(value / count));
const total = (members: Member[]) => amount(members.reduce((sum, { revenue }) => sum + revenue, 0n));

export function rfmSegmentStatistics(
  store: Store,
  args: {
    business_id: string;
    as_of?: string | null;
    rfm_profile_id?: string | null;
    include_cells?: boolean;
  },
) {
  const shop = shopOf(store);
  const until = dataUntil(shop);
  const profile = profileOf(store, shop, args.rfm_profile_id ?? null);
  const asked = args.as_of ? wholeDays(args.as_of, args.as_of, shop.timezone).to : until;
  const asOf = asked === null || (until !== null && until < asked) ? until : asked;
  const members = asOf === null ? [] : membersAt(shop, asOf, profile);
  const scored = members.filter(({ recency }) => recency > 0);
  const reachable = { email: subscribedNow(store, 'email'), sms: subscribedNow(store, 'sms') };
  const subscribed = (group: Member[], channel: 'email' | 'sms') =>
    group.filter(({ customer }) => reachable[channel].has(customer)).length;
  const blocked = suppressedAt(store, (until ?? 0n) + 10n ** 18n);
  const reached = (group: Member[], channel: 'email' | 'sms') =>
    subscribed(
      group.filter(({ customer }) => !blocked.has(customer)),
      channel,
    );
  const scores = (kind: 'recency' | 'frequency' | 'monetary', bounds: [number | null, number | null][]) =>
    [1, 2, 3, 4, 5].map((score) => {
      const group = scored.filter((member) => member[kind] === score);
      const values = group.map((member) =>
        kind === 'recency'
          ? member.days
          : kind === 'frequency'
            ? member.orders.length
            : amount(member.revenue),
      );
      const occurring = [Math.min(...values), Math.max(...values)] as const;
      const [from, to] =
        profile.scoring === 'quintiles'
          ? values.length === 0
            ? [null, null]
            : occurring
          : kind === 'monetary' && !profile.hasMonetary
            ? [null, null]
            : (bounds[score - 1] ?? [null, null]);
      return {
        score,
        from_value: from,
        to_value: to,
        customers_count: group.length,
        revenue: total(group),
      };
    });
  const [r1 = 0, r2 = 0, r3 = 0, r4 = 0] = profile.recency;
  const [f1 = 0, f2 = 0, f3 = 0, f4 = 0] = profile.frequency;
  const [m1 = 0, m2 = 0, m3 = 0, m4 = 0] = profile.monetary;
  const cells = new Map<string, number>();
  for (const { recency, frequency, monetary } of scored) {
    const key = `${recency}${frequency}${monetary}`;
    cells.set(key, (cells.get(key) ?? 0) + 1);
  }
  return {
    business_id: args.business_id,
    data_until: until === null ? null : utcText(until),
    rfm_profile_id: profile.id,
    as_of: asOf === null ? null : utcText(asOf),
    scored_customers_count: scored.length,
    segments: SEGMENTS.map(([segment, name]) => {
      const group = members.filter((member) => member.segment === segment);
      const orders = group.reduce((sum, member) => sum + member.orders.length, 0);
      const days = group.reduce((sum, member) => sum + member.days, 0);
      return {
        segment,
        name,
        customers_count: group.length,
        customers_share: share(group.length, members.length),
        orders_count: orders,
        revenue: total(group),
        revenue_share: share(total(group), total(members)),
        avg_recency_days: per(days, group.length),
        avg_frequency: per(orders, group.length),
        avg_monetary: per(total(group), group.length),
        average_order_value: per(total(group), orders),
        email_subscribed_count: subscribed(group, 'email'),
        sms_subscribed_count: subscribed(group, 'sms'),
        email_reachable_count: reached(group, 'email'),
        sms_reachable_count: reached(group, 'sms'),
        suppressed_count: group.filter(({ customer }) => blocked.has(customer)).length,
        reactivated_customers_count: group.filter(
          ({ orders, ordersBefore }) => orders.length > 0 && ordersBefore > 0,
        ).length,
      };
    }),
    recency_scores: scores('recency', [
      [r4 + 1, null],
      [r3 + 1, r4],
      [r2 + 1, r3],
      [r1 + 1, r2],
      [null, r1],
    ]),
    frequency_scores: scores('frequency', [
      [null, f1 - 1],
      [f1, f2 - 1],
      [f2, f3 - 1],
      [f3, f4 - 1],
      [f4, null],
    ]),
    monetary_scores: scores('monetary', [
      [null, m1],
      [m1, m2],
      [m2, m3],
      [m3, m4],
      [m4, null],
    ]),
    cells: args.include_cells
      ? [...cells].sort().map(([key, customers]) => ({
          recency: Number(key[0]),
          frequency: Number(key[1]),
          monetary: Number(key[2]),
          customers_count: customers,
        }))
      : null,
  };
}

export function rfmSegmentStatisticsTrend(
  store: Store,
  args: {
    business_id: string;
    from_date: string;
    to_date: string;
    breakdown: Breakdown;
    rfm_profile_id?: string | null;
    filter_segments?: string[] | null;
  },
) {
  const shop = shopOf(store);
  const until = dataUntil(shop);
  const profile = profileOf(store, shop, args.rfm_profile_id ?? null);
  const range = argumentRange(args.from_date, args.to_date, shop.timezone);
  const periods = periodsOf(range, args.breakdown, shop.timezone).filter(
    ({ period_start }) => until === null || period_start <= localDate(until, shop.timezone),
  );
  return {
    business_id: args.business_id,
    data_until: until === null ? null : utcText(until),
    rfm_profile_id: profile.id,
    periods: periods.flatMap(({ period, period_start, lastDay }) => {
      const end = endOfDay(lastDay, shop.timezone);
      const asOf = until !== null && until < end ? until : end;
      const members = membersAt(shop, asOf, profile);
      return SEGMENT_KEYS.filter(
        (key) => !args.filter_segments?.length || args.filter_segments.includes(key),
      ).map((segment) => {
        const group = members.filter((member) => member.segment === segment);
        return {
          period,
          period_start,
          period_end_at: utcText(asOf),
          segment,
          customers_count: group.length,
          customers_share: share(group.length, members.length),
          revenue: total(group),
          revenue_share: share(total(group), total(members)),
        };
      });
    }),
  };
}

function endOfDay(date: string, timezone: string): Moment {
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timezone);
  return next.epochNanoseconds / 1000n - second;
}

export function rfmSegmentTransitions(
  store: Store,
  args: { business_id: string; from_date: string; to_date: string; rfm_profile_id?: string | null },
) {
  const shop = shopOf(store);
  const until = dataUntil(shop);
  const profile = profileOf(store, shop, args.rfm_profile_id ?? null);
  const range = wholeDays(args.from_date, args.to_date, shop.timezone);
  const known = (moment: Moment) => (until !== null && until < moment ? until : moment);
  const from = known(wholeSecond(range.from - 1n));
  const to = known(wholeSecond(range.to));
  const before = new Map(membersAt(shop, from, profile).map((one) => [one.customer, one.segment]));
  const after = membersAt(shop, to, profile);
  const bought = (customer: string) =>
    shop.validOrders
      .filter((order) => order.customer === customer)
      .filter(({ moment }) => wholeSecond(moment) >= range.from && wholeSecond(moment) <= range.to)
      .reduce((sum, { revenue }) => sum + revenue, 0n);
  const moves = after.map(({ customer, segment }) => ({
    from: before.get(customer) ?? null,
    to: segment,
    revenue: bought(customer),
  }));
  const rank = (key: string | null) => SEGMENT_KEYS.indexOf(key ?? '');
  const counted = (condition: (move: (typeof moves)[number]) => boolean) => moves.filter(condition).length;
  const isScored = (key: string | null) => key !== null && key !== 'lost';
  return {
    business_id: args.business_id,
    data_until: until === null ? null : utcText(until),
    rfm_profile_id: profile.id,
    from_as_of: utcText(from),
    to_as_of: utcText(to),
    summary: {
      stayed_count: counted((move) => move.from === move.to),
      upgraded_count: counted((move) => move.from !== null && rank(move.to) < rank(move.from)),
      downgraded_count: counted((move) => move.from !== null && rank(move.to) > rank(move.from)),
      new_count: counted((move) => move.from === null),
      lost_count: counted((move) => isScored(move.from) && move.to === 'lost'),
      reactivated_count: counted((move) => move.from === 'lost' && isScored(move.to)),
    },
    segments: SEGMENT_KEYS.map((key) => ({
      segment: key,
      customers_at_start_count: counted((move) => move.from === key),
      entered_count: counted((move) => move.from !== key && move.to === key),
      left_count: counted((move) => move.from === key && move.to !== key),
      customers_at_end_count: counted((move) => move.to === key),
    })),
    transitions: [...SEGMENT_KEYS, null].flatMap((start) =>
      SEGMENT_KEYS.flatMap((end) => {
        const own = moves.filter((move) => move.from === start && move.to === end);
        if (own.length === 0) return [];
        const distance = rank(end) - rank(start);
        return [
          {
            from_segment: start,
            to_segment: end,
            customers_count: own.length,
            share_of_from:
              start === null
                ? null
                : share(
                    own.length,
                    counted((move) => move.from === start),
                  ),
            direction: start === null ? 'new' : distance === 0 ? 'stay' : distance < 0 ? 'up' : 'down',
            revenue: amount(own.reduce((sum, { revenue }) => sum + revenue, 0n)),
          },
        ];
      }),
    ),
  };
}
