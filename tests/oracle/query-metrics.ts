// Any metric by any dimension, by plain loops over the rows of a store: orders, their lines, visits.
import { amount, type Decimal, type Money, ratio, round4, sum, wholeNumber } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { argumentRange, isInRange, type Moment, type Range } from './moments.ts';
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
const percent = (part: number, whole: number) => (whole === 0 ? null : round4((100 * part) / whole));

export type Kind = 'orders' | 'lines' | 'visits' | 'placed';

export const METRICS: Record<string, { fact: Kind; of(facts: Fact[]): number | null }> = {
  orders_count: { fact: 'orders', of: (facts) => facts.length },
  new_orders_count: { fact: 'orders', of: (facts) => ofOrders(facts).filter(isNew).length },
  returning_orders_count: { fact: 'orders', of: (facts) => ofOrders(facts).filter(isReturning).length },
  revenue: { fact: 'orders', of: (facts) => revenueOf(ofOrders(facts)) },
  new_orders_revenue: { fact: 'orders', of: (facts) => revenueOf(ofOrders(facts).filter(isNew)) },
  average_order_value: { fact: 'orders', of: (facts) => ratio(revenueOf(ofOrders(facts)), facts.length) },
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
    of: (facts) => counted(facts).filter(({ isConverting }) => isConverting).length,
  },
  conversion_rate: {
    fact: 'visits',
    of: (facts) =>
      percent(counted(facts).filter(({ isConverting }) => isConverting).length, counted(facts).length),
  },
  last_click_orders_count: { fact: 'visits', of: (facts) => facts.filter(({ credited }) => credited).length },
  last_click_revenue: {
    fact: 'visits',
    of: (facts) => revenueOf(facts.flatMap(({ credited }) => credited ?? [])),
  },
  orders_in_session: { fact: 'visits', of: (facts) => facts.filter(({ placed }) => placed).length },
  orders_in_session_revenue: {
    fact: 'placed',
    of: (facts) => revenueOf(facts.flatMap(({ placed }) => placed ?? [])),
  },
};

const periods = (date: string) => ({
  day: [date],
  week: [periodOf(date, 'week').period],
  month: [periodOf(date, 'month').period],
  quarter: [`${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`],
  year: [date.slice(0, 4)],
});

/** Every fact of the store, by its kind. */
function factsOf(store: Store): Record<Kind, Fact[]> {
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
  const placed = traffic.orders.flatMap(({ order, own }): Fact[] =>
    own === null ? [] : [{ moment: own.moment, placed: order, values: ofVisit(own), has: {} }],
  );
  return { orders, lines, visits: [...visits, ...placed], placed };
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

export type Table = { rows: (string | number | null)[][]; groups_count: number };

export function queryMetrics(store: Store, question: Question, timezone: string): Table {
  const facts = factsOf(store);
  const ranges = [
    argumentRange(question.from_date, question.to_date, timezone),
    ...(question.compare === 'range'
      ? [argumentRange(question.compare_from_date ?? '', question.compare_to_date ?? '', timezone)]
      : []),
  ];
  const isCut = question.group_by.length + question.filters.length > 0;
  const chosen = (kind: keyof typeof facts, range: Range) =>
    facts[kind]
      .filter(({ moment }) => isInRange(moment, range))
      .flatMap((fact) => filtered(fact, question.filters) ?? []);
  const measured = (range: Range, isIn: (fact: Fact) => boolean): Values =>
    Object.fromEntries(
      question.metrics.map((name) => {
        const { fact, of } = METRICS[name] as (typeof METRICS)[string];
        const value = of(chosen(fact, range).filter(isIn));
        const isFew = isCut && people.includes(name) && value !== null && value > 0 && value < 5;
        return [name, isFew ? null : value];
      }),
    );
  const kinds = [...new Set(question.metrics.map((name) => METRICS[name]?.fact as keyof typeof facts))];
  const keys =
    question.group_by.length === 0
      ? []
      : [
          ...new Set(
            ranges.flatMap((range) =>
              kinds.flatMap((kind) => chosen(kind, range).flatMap((fact) => keysOf(fact, question.group_by))),
            ),
          ),
        ];
  const groups = keys.map((key) => ({
    key,
    values: ranges.map((range) => measured(range, (fact) => keysOf(fact, question.group_by).includes(key))),
  }));
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
        ? [one.key.split(SEPARATOR)[place], other.key.split(SEPARATOR)[place]]
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
      ? ranges.map((range) =>
          measured(range, (fact) => keysOf(fact, question.group_by).some((key) => !shownKeys.has(key))),
        )
      : null;
  const total = ranges.map((range) => measured(range, () => true));
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
      return dimension === 'product' ? [value, nameOf(store, value)] : [value];
    });
  const label = (text: string) =>
    question.group_by.flatMap((dimension, index) => {
      const value = index === 0 ? text : null;
      return dimension === 'product' ? [value, null] : [value];
    });
  return {
    groups_count: kept.length,
    rows: [
      ...shown.map(({ key, values }) => [...names(key), ...cells(values)]),
      ...(rest === null ? [] : [[...label('(rest)'), ...cells(rest)]]),
      [...label('(total)'), ...cells(total)],
    ],
  };
}

function nameOf(store: Store, productId: string): string | null {
  return trafficOf(store).shop.products.get(productId)?.name ?? null;
}
