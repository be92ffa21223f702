// Any metric by any dimension, by plain loops over the rows of a store: orders, their lines, visits.
import {
  amount,
  type Decimal,
  decimal,
  type Money,
  money,
  ratio,
  round4,
  sum,
  wholeNumber,
} from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { type Channel, messagesOf } from './messages.ts';
import { argumentRange, isInRange, localDate, type Moment, type Range, wholeDays } from './moments.ts';
import type { Order } from './orders.ts';
import { periodOf } from './periods.ts';
import type { Store } from './store.ts';
import { type Traffic, trafficOf } from './traffic.ts';

export type Question = {
  metrics: string[];
  group_by: string[];
  from_date: string;
  to_date: string;
  compare: 'none' | 'range';
  compare_from_date: string | null;
  compare_to_date: string | null;
  filters: { dimension: string; in?: string[]; not_in?: string[]; has?: string[] }[];
  having: { metric: string; min: number }[];
  click_window_days: number | null;
  sort_by: string;
  sort_order: 'asc' | 'desc';
  limit: number;
};

/** What is counted once, with the values that it has of each dimension. */
type Fact = {
  moment: Moment;
  values: Record<string, string[]>;
  /** What else an order has to do with. */
  has: Record<string, string[]>;
  order?: Order;
  line?: { productId: string; quantity: Decimal; revenue: Money };
  visit?: Traffic['visits'][number];
  credited?: Order;
  /** The order that was placed in the visit. */
  placed?: Order;
  /** That order names the visit. Else only the time says that it was placed in it. */
  isNaming?: boolean;
  /** What the order came to, as it was paid. */
  paid?: { currency: string; total: Money };
};
type Values = Record<string, number | null>;

const NOT_SET = '(not set)';
const people = [
  'customers_count',
  'new_customers_count',
  'returning_customers_count',
  'product_customers_count',
];

const revenueOf = (orders: Order[]) => amount(orders.reduce((all, { revenue }) => all + revenue, 0n));
const customersOf = (orders: Order[]) => new Set(orders.flatMap(({ customer }) => customer ?? [])).size;
const isNew = ({ sequence }: Order) => sequence === 1;
const isReturning = ({ sequence }: Order) => sequence !== null && sequence > 1;

const ofOrders = (facts: Fact[]) => facts.map(({ order }) => order as Order);
const distinctOrders = (facts: Fact[]) => [...new Set(ofOrders(facts))];
const counted = (facts: Fact[]) => facts.flatMap(({ visit }) => (visit && !visit.isSuspected ? [visit] : []));
/** Orders placed in visits: those that name the visit, or those that only the time ties to it. */
const placedIn = (facts: Fact[], naming: boolean) =>
  facts.flatMap(({ placed, isNaming }) => (placed && isNaming === naming ? [placed] : []));
const percent = (part: number, whole: number) => (whole === 0 ? null : round4((100 * part) / whole));

export type Kind = 'orders' | 'lines' | 'visits' | 'placed' | 'email_clicks' | 'sms_clicks';

/** What orders of one currency came to; undefined of several. */
function paidIn(facts: Fact[]): number | undefined {
  const currencies = new Set(facts.map(({ paid }) => paid?.currency));
  return currencies.size > 1
    ? undefined
    : amount(facts.reduce((all, { paid }) => all + (paid?.total ?? 0n), 0n));
}

export const METRICS: Record<string, { fact: Kind; of(facts: Fact[]): number | null }> = {
  orders_count: { fact: 'orders', of: (facts) => facts.length },
  new_orders_count: { fact: 'orders', of: (facts) => ofOrders(facts).filter(isNew).length },
  returning_orders_count: { fact: 'orders', of: (facts) => ofOrders(facts).filter(isReturning).length },
  revenue: { fact: 'orders', of: (facts) => revenueOf(ofOrders(facts)) },
  new_orders_revenue: { fact: 'orders', of: (facts) => revenueOf(ofOrders(facts).filter(isNew)) },
  average_order_value: {
    fact: 'orders',
    of: (facts) => (facts.length === 0 ? null : ratio(revenueOf(ofOrders(facts)), facts.length)),
  },
  customers_count: { fact: 'orders', of: (facts) => customersOf(ofOrders(facts)) },
  new_customers_count: { fact: 'orders', of: (facts) => ofOrders(facts).filter(isNew).length },
  returning_customers_count: {
    fact: 'orders',
    of: (facts) => customersOf(ofOrders(facts)) - ofOrders(facts).filter(isNew).length,
  },
  product_orders_count: { fact: 'lines', of: (facts) => distinctOrders(facts).length },
  product_new_orders_count: { fact: 'lines', of: (facts) => distinctOrders(facts).filter(isNew).length },
  quantity: {
    fact: 'lines',
    of: (facts) => wholeNumber(sum(facts.map(({ line }) => (line as { quantity: Decimal }).quantity))),
  },
  product_revenue: {
    fact: 'lines',
    of: (facts) => amount(facts.reduce((all, { line }) => all + (line?.revenue ?? 0n), 0n)),
  },
  product_customers_count: { fact: 'lines', of: (facts) => customersOf(ofOrders(facts)) },
  sessions_count: { fact: 'visits', of: (facts) => counted(facts).length },
  converting_sessions_count: {
    fact: 'visits',
    of: (facts) => counted(facts).filter(({ isNamed }) => isNamed).length,
  },
  converting_sessions_by_time_count: {
    fact: 'visits',
    of: (facts) => counted(facts).filter(({ isConverting, isNamed }) => isConverting && !isNamed).length,
  },
  conversion_rate: {
    fact: 'visits',
    of: (facts) => percent(counted(facts).filter(({ isNamed }) => isNamed).length, counted(facts).length),
  },
  last_click_orders_count: { fact: 'visits', of: (facts) => facts.filter(({ credited }) => credited).length },
  last_click_revenue: {
    fact: 'visits',
    of: (facts) => revenueOf(facts.flatMap(({ credited }) => credited ?? [])),
  },
  orders_in_session: { fact: 'visits', of: (facts) => placedIn(facts, true).length },
  orders_in_session_by_time: { fact: 'visits', of: (facts) => placedIn(facts, false).length },
  orders_in_session_revenue: { fact: 'placed', of: (facts) => revenueOf(placedIn(facts, true)) },
  orders_in_session_by_time_revenue: { fact: 'placed', of: (facts) => revenueOf(placedIn(facts, false)) },
  revenue_in_own_currency: { fact: 'orders', of: (facts) => paidIn(facts) ?? null },
  average_order_value_in_own_currency: {
    fact: 'orders',
    of: (facts) => {
      const paid = paidIn(facts);
      return paid === undefined || facts.length === 0 ? null : ratio(paid, facts.length);
    },
  },
  orders_after_email_click_count: { fact: 'email_clicks', of: (facts) => distinctOrders(facts).length },
  revenue_after_email_click: { fact: 'email_clicks', of: (facts) => revenueOf(distinctOrders(facts)) },
  orders_after_sms_click_count: { fact: 'sms_clicks', of: (facts) => distinctOrders(facts).length },
  revenue_after_sms_click: { fact: 'sms_clicks', of: (facts) => revenueOf(distinctOrders(facts)) },
};

const periods = (date: string) => ({
  day: [date],
  week: [periodOf(date, 'week').period],
  month: [periodOf(date, 'month').period],
  quarter: [`${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`],
  year: [date.slice(0, 4)],
});

/** An order for each send whose customer had clicked within `days` days before. */
function ordersAfterClicks(store: Store, channel: Channel, timezone: string, days: number): Fact[] {
  const { sends, traffic } = messagesOf(store);
  const seconds = (moment: Moment) => moment / 1_000_000n;
  return sends
    .filter((send) => send.channel === channel && send.customer !== null)
    .flatMap((send) => {
      const clicks = send.events.filter(
        ({ kind, isContent, isMachine }) => kind === 'click' && isContent && !isMachine,
      );
      const isAfter = ({ customer, moment }: Order) =>
        customer === send.customer &&
        clicks.some(
          (click) =>
            moment >= click.moment && seconds(moment) - seconds(click.moment) <= BigInt(days) * 86_400n,
        );
      const campaign = store.campaigns.find(({ campaign_id }) => campaign_id === send.campaignId);
      return traffic.shop.validOrders.filter(isAfter).map(
        (order): Fact => ({
          moment: send.moment,
          order,
          values: {
            ...periods(localDate(send.moment, timezone)),
            email_campaign: [send.campaignId],
            campaign_type: [campaign?.campaign_type ?? NOT_SET],
          },
          has: {},
        }),
      );
    });
}

const upTo = (value: number, ...steps: [least: number, name: string][]) =>
  steps.find(([least]) => value >= least)?.[1] ?? String(value);

/** How often and how lately customers ordered in the range: what their orders are cut by. */
function withHabits(orders: Fact[], range: Range, lastDay: string): Fact[] {
  const byCustomer = Map.groupBy(
    orders.filter(({ moment }) => isInRange(moment, range)),
    ({ order }) => order?.customer ?? null,
  );
  const dayOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000;
  return orders.map((fact) => {
    const customer = fact.order?.customer ?? null;
    const own = byCustomer.get(customer) ?? [];
    const last = Math.max(...own.map(({ order }) => dayOf(order?.localDate ?? '')));
    const often = upTo(own.length, [10, '10+'], [6, '6-9']);
    const lately = upTo(
      dayOf(lastDay) - last,
      ...(
        [
          [365, '365+'],
          [180, '180-364'],
          [90, '90-179'],
          [60, '60-89'],
          [30, '30-59'],
        ] as const
      ).map(([least, name]): [number, string] => [least, name]),
      [-Infinity, '0-29'],
    );
    return {
      ...fact,
      values: {
        ...fact.values,
        customer_orders: [customer === null ? NO_CUSTOMER : often],
        days_since_last_order: [customer === null ? NO_CUSTOMER : lately],
      },
    };
  });
}

const NO_CUSTOMER = '(no customer)';

/** Every fact of the store, by its kind. */
function factsOf(store: Store, clickDays: number | null, timezone: string): Record<Kind, Fact[]> {
  const traffic = trafficOf(store);
  const { shop } = traffic;
  const rows = new Map(
    loadedRows(store.orders, (row) => row.order_id ?? '').map((row) => [row.order_id, row]),
  );
  const clicks = new Map(traffic.orders.map(({ order, last, first }) => [order.orderId, { last, first }]));
  const named = (value: string | undefined) => [cell(value) ?? NOT_SET];
  const linesOf = Map.groupBy(shop.lines, ({ order }) => order.orderId);
  const productOf = (id: string) => shop.products.get(id);
  const orders = shop.validOrders.map((order): Fact => {
    const row = rows.get(order.orderId);
    const { last, first } = clicks.get(order.orderId) ?? { last: null, first: null };
    const ids = [...new Set((linesOf.get(order.orderId) ?? []).map(({ productId }) => productId))];
    const coupons = [...new Set(order.coupons)];
    return {
      moment: order.moment,
      order,
      paid: {
        currency: cell(row?.currency) ?? store.business.primary_currency ?? NOT_SET,
        total: money(decimal(row?.total ?? '')),
      },
      values: {
        ...periods(order.localDate),
        country: named(row?.country),
        currency: [cell(row?.currency) ?? store.business.primary_currency ?? NOT_SET],
        payment_method: named(row?.payment_method),
        customer_type: [isNew(order) ? 'new' : isReturning(order) ? 'returning' : 'unknown'],
        channel: [last?.labels.channel ?? '(untracked)'],
        first_click_channel: [first?.labels.channel ?? '(untracked)'],
        coupon: coupons.length === 0 ? [NOT_SET] : coupons,
      },
      has: {
        product: ids,
        brand: ids.flatMap((id) => productOf(id)?.brand ?? []),
        category: ids.flatMap((id) => productOf(id)?.categoryNames ?? []),
        coupon: coupons,
      },
    };
  });
  const byOrder = new Map(orders.map((fact) => [fact.order?.orderId, fact]));
  const lines = shop.lines.map((line): Fact => {
    const whole = byOrder.get(line.order.orderId) as Fact;
    const product = productOf(line.productId);
    return {
      ...whole,
      line,
      values: {
        ...whole.values,
        product: [line.productId],
        brand: [product?.brand ?? NOT_SET],
        category: [...new Set(product?.categoryNames ?? [])],
      },
    };
  });
  const ofVisit = ({ labels, localDate }: Traffic['visits'][number], day = localDate) => ({
    ...periods(day),
    ...Object.fromEntries(
      (['channel', 'source', 'medium', 'source_medium', 'campaign', 'device', 'country'] as const).map(
        (name) => [name, [labels[name] ?? NOT_SET]],
      ),
    ),
  });
  const visits = [
    ...traffic.visits.map(
      (visit): Fact => ({ moment: visit.moment, visit, values: ofVisit(visit), has: {} }),
    ),
    ...traffic.orders.flatMap(({ order, last, first }): Fact[] => [
      ...(last === null
        ? []
        : [{ moment: order.moment, credited: order, values: ofVisit(last, order.localDate), has: {} }]),
      // A first click makes a row, also where nothing else happened.
      ...(first === null ? [] : [{ moment: order.moment, values: ofVisit(first, order.localDate), has: {} }]),
    ]),
  ];
  const placed = traffic.orders.flatMap(({ order, own, isNaming }): Fact[] =>
    own === null ? [] : [{ moment: own.moment, placed: order, isNaming, values: ofVisit(own), has: {} }],
  );
  const after = (channel: Channel) =>
    clickDays === null ? [] : ordersAfterClicks(store, channel, timezone, clickDays);
  return {
    ...{ orders, lines, visits: [...visits, ...placed], placed },
    ...{ email_clicks: after('email'), sms_clicks: after('sms') },
  };
}

/** The fact with only the values that the filters let pass; null where they let none. */
function filtered(fact: Fact, filters: Question['filters']): Fact | null {
  const values = { ...fact.values };
  for (const { dimension, in: isIn, not_in: notIn, has } of filters) {
    if (has !== undefined) {
      if (!has.some((name) => fact.has[dimension]?.includes(name))) return null;
      continue;
    }
    values[dimension] = (values[dimension] ?? []).filter((name) =>
      isIn === undefined ? !notIn?.includes(name) : isIn.includes(name),
    );
    if (values[dimension].length === 0) return null;
  }
  return { ...fact, values };
}

const SEPARATOR = '\u001f';

function keysOf(fact: Fact, dimensions: string[]): string[] {
  return dimensions.reduce<string[]>(
    (keys, dimension, place) =>
      keys.flatMap((key) =>
        (fact.values[dimension] ?? []).map((value) => (place === 0 ? value : `${key}${SEPARATOR}${value}`)),
      ),
    [''],
  );
}

const HABITS = ['customer_orders', 'days_since_last_order'];
const isHabit = (dimension: string) => HABITS.includes(dimension);
const CLICKS: readonly Kind[] = ['email_clicks', 'sms_clicks'];
const isSmall = (people: number) => people > 0 && people < 5;

/** The numbers of a row in one range, and whose they are. */
type Measured = { values: Values; people: Partial<Record<Kind, number>> };

const isEmpty = (values: Values, names: string[]) => names.every((name) => values[name] === null);

/**
 * Rows of a few customers lose all their numbers, and so does the next smallest row where these are a few
 * together.
 */
function hideCustomers(rows: Measured[]): void {
  const names = (row: Measured) => Object.keys(row.values);
  const peopleOf = (row: Measured) => row.people.orders ?? 0;
  const isHidden = (row: Measured) => isEmpty(row.values, names(row));
  const count = (some: Measured[]) => some.reduce((all, row) => all + peopleOf(row), 0);
  const hidden = rows.filter(isHidden);
  const counted = isSmall(count(hidden)) || hidden.length === 0 ? rows : rows.filter((row) => !isHidden(row));
  const isEnough = count(hidden) > 0 && !isSmall(count(hidden));
  const open = isEnough ? rows.filter((row) => !isHidden(row)) : counted;
  const few = open.filter((row) => isSmall(peopleOf(row)));
  const others = open.filter((row) => !few.includes(row) && peopleOf(row) > 0);
  const partner = isSmall(count(few))
    ? others.toSorted((one, other) => peopleOf(one) - peopleOf(other)).slice(0, 1)
    : [];
  for (const row of [...few, ...partner]) clear(row, names(row));
}

/**
 * Who clicked in several rows is in each: a row may be no few people, nor all but a few, nor may rows and
 * total differ by a few.
 */
function hideClickers(rows: Measured[], all: number, kind: Kind, names: string[]): void {
  const peopleOf = (row: Measured) => row.people[kind] ?? 0;
  const open = rows.filter((row) => peopleOf(row) > 0 && !isEmpty(row.values, names));
  for (const row of open) if (isSmall(peopleOf(row)) || isSmall(all - peopleOf(row))) clear(row, names);
  const left = open
    .filter((row) => !isEmpty(row.values, names))
    .toSorted((one, other) => peopleOf(other) - peopleOf(one));
  while (left.length > 0) {
    const together = left.reduce((sum, row) => sum + peopleOf(row), 0);
    if (!isSmall(Math.abs(all - together))) return;
    clear(left.pop() as Measured, names);
  }
}

function clear(row: Measured, names: string[]): void {
  for (const name of names) row.values[name] = null;
}

export type Table = { rows: (string | number | null)[][]; groups_count: number };

export function queryMetrics(store: Store, question: Question, timezone: string): Table {
  const facts = factsOf(store, question.click_window_days, timezone);
  const rangeOf = (from: string, to: string) =>
    (from.includes('T') ? argumentRange : wholeDays)(from, to, timezone);
  const ranges = [
    rangeOf(question.from_date, question.to_date),
    ...(question.compare === 'range'
      ? [rangeOf(question.compare_from_date ?? '', question.compare_to_date ?? '')]
      : []),
  ];
  const isCut = question.group_by.length + question.filters.length > 0;
  const hasHabits = [...question.group_by, ...question.filters.map(({ dimension }) => dimension)].some(
    isHabit,
  );
  const latest = trafficOf(store)
    .shop.orders.map(({ moment }) => localDate(moment, timezone))
    .toSorted()
    .at(-1);
  const lastDays = [question.to_date, question.compare_to_date ?? ''].map((day) =>
    latest !== undefined && latest < day.slice(0, 10) ? latest : day.slice(0, 10),
  );
  const within = (kind: Kind, place: number) => {
    const range = ranges[place] as Range;
    const own = facts[kind];
    const cut = kind === 'orders' && hasHabits ? withHabits(own, range, lastDays[place] ?? '') : own;
    return cut
      .filter(({ moment }) => isInRange(moment, range))
      .flatMap((fact) => filtered(fact, question.filters) ?? []);
  };
  const known = new Map<string, Fact[]>();
  const chosen = (kind: Kind, place: number) => {
    const key = `${kind} ${place}`;
    const found = known.get(key) ?? within(kind, place);
    known.set(key, found);
    return found;
  };
  const kinds = [...new Set(question.metrics.map((name) => METRICS[name]?.fact as Kind))];
  const namesOf = (kind: Kind) => question.metrics.filter((name) => METRICS[name]?.fact === kind);
  const measured = (place: number, isIn: (fact: Fact) => boolean): Measured => {
    const peopleIn = (kind: Kind) => customersOf(distinctOrders(chosen(kind, place).filter(isIn)));
    const followed = kinds.filter((kind) => CLICKS.includes(kind) || (kind === 'orders' && hasHabits));
    const counts = Object.fromEntries(followed.map((kind) => [kind, peopleIn(kind)]));
    const values = question.metrics.map((name) => {
      const { fact, of } = METRICS[name] as (typeof METRICS)[string];
      const value = of(chosen(fact, place).filter(isIn));
      const isFew =
        (isCut && people.includes(name) && isSmall(value ?? 0)) ||
        (CLICKS.includes(fact) && isSmall(counts[fact] ?? 0));
      return [name, isFew ? null : value] as const;
    });
    return { values: Object.fromEntries(values), people: counts };
  };
  const hideFew = (rows: Measured[], place: number) => {
    if (hasHabits) hideCustomers(rows);
    for (const kind of kinds.filter((one) => CLICKS.includes(one)))
      hideClickers(rows, customersOf(distinctOrders(chosen(kind, place))), kind, namesOf(kind));
  };
  const keys =
    question.group_by.length === 0
      ? []
      : [
          ...new Set(
            ranges.flatMap((_, place) =>
              kinds.flatMap((kind) => chosen(kind, place).flatMap((fact) => keysOf(fact, question.group_by))),
            ),
          ),
        ].toSorted((one, other) => (one < other ? -1 : 1));
  const groups = keys.map((key) => ({
    key,
    measured: ranges.map((_, place) =>
      measured(place, (fact) => keysOf(fact, question.group_by).includes(key)),
    ),
    get values() {
      return this.measured.map(({ values }) => values);
    },
  }));
  for (const place of ranges.keys())
    hideFew(
      groups.map((group) => group.measured[place] as Measured),
      place,
    );
  const kept = groups.filter(({ values }) =>
    question.having.every(({ metric, min }) => {
      const value = values[0]?.[metric] ?? null;
      return value !== null && value >= min;
    }),
  );
  const sign = question.sort_order === 'asc' ? 1 : -1;
  const place = question.group_by.indexOf(question.sort_by);
  const sorted = kept.toSorted((one, other) => {
    const [a = null, b = null] =
      place >= 0
        ? [one.key, other.key].map((key) => placeOf(question.sort_by, key.split(SEPARATOR)[place] ?? ''))
        : [one.values[0]?.[question.sort_by], other.values[0]?.[question.sort_by]];
    if (a !== b) {
      if (a === null) return 1;
      if (b === null) return -1;
      return sign * (a < b ? -1 : 1);
    }
    return one.key < other.key ? -1 : 1;
  });
  const shown = sorted.slice(0, question.limit);
  const shownKeys = new Set(shown.map(({ key }) => key));
  const rest =
    shown.length < groups.length
      ? ranges.map((_, place) =>
          measured(place, (fact) => keysOf(fact, question.group_by).some((key) => !shownKeys.has(key))),
        )
      : null;
  const total = ranges.map((_, place) => measured(place, () => true));
  for (const place of ranges.keys()) {
    const parts = shown.map((group) => group.measured[place] as Measured);
    hideFew([...parts, ...(rest === null ? [] : [rest[place] as Measured])], place);
    if (hasHabits) hideCustomers([total[place] as Measured]);
  }
  const cells = (values: Values[]) =>
    question.metrics.flatMap((name) => {
      const [now = null, before = null] = [values[0]?.[name], values[1]?.[name]];
      if (values.length === 1) return [now];
      const change = now === null || before === null ? null : round4(now - before);
      return [
        now,
        before,
        change,
        change === null || !before ? null : round4((100 * change) / Math.abs(before)),
      ];
    });
  const names = (key: string) =>
    question.group_by.flatMap((dimension, index) => {
      const value = key.split(SEPARATOR)[index] ?? '';
      return NAMED.includes(dimension) ? [value, nameOf(store, dimension, value)] : [value];
    });
  const label = (text: string) =>
    question.group_by.flatMap((dimension, index) => {
      const value = index === 0 ? text : null;
      return NAMED.includes(dimension) ? [value, null] : [value];
    });
  return {
    groups_count: kept.length,
    rows: [
      ...shown.map(({ key, values }) => [...names(key), ...cells(values)]),
      ...(rest === null ? [] : [[...label('(rest)'), ...cells(rest.map(({ values }) => values))]]),
      [...label('(total)'), ...cells(total.map(({ values }) => values))],
    ],
  };
}

/** Dimensions of ids, which have names beside them. */
const NAMED = ['product', 'email_campaign'];

function nameOf(store: Store, dimension: string, id: string): string | null {
  if (dimension === 'product') return trafficOf(store).shop.products.get(id)?.name ?? null;
  return store.campaigns.find(({ campaign_id }) => campaign_id === id)?.name ?? null;
}

const IN_ORDER: Record<string, string[]> = {
  customer_orders: ['1', '2', '3', '4', '5', '6-9', '10+', NO_CUSTOMER],
  days_since_last_order: ['0-29', '30-59', '60-89', '90-179', '180-364', '365+', NO_CUSTOMER],
};

/** What a value is sorted by. */
function placeOf(dimension: string, value: string): string | number {
  return IN_ORDER[dimension]?.indexOf(value) ?? value;
}
