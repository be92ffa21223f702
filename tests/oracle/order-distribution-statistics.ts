import { Temporal } from 'temporal-polyfill';
import { chargesOf } from './charges.ts';
import { amount, type Decimal, round4, sum } from './decimals.ts';
import { chargeFields } from './discounts.ts';
import { refundsOn } from './first-purchase-cohorts.ts';
import { cell, listCell, loadedRows } from './loaded-rows.ts';
import { argumentRange, isInRange, type Range, shownPeople, utcText, wholeDays } from './moments.ts';
import { productLinesOf } from './order-lines.ts';
import { type RangeArguments, revenueOf } from './order-statistics.ts';
import { customersIn, type Order } from './orders.ts';
import { percentile, percentOrNull, ratioOrNull } from './quantiles.ts';
import { shopOf } from './shop.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';

const times = ['weekday_hour', 'weekday', 'hour', 'day_of_month'];
const numbers = ['order_value', 'items_count', 'order_number'];

type Arguments = RangeArguments & {
  dimension: string;
  bin_size?: number | null;
  filter_customer_type?: 'new' | 'returning' | null;
  limit?: number;
};

/** An order with its row of the file, and the quantity of its product lines. */
type Entry = { order: Order; row: Row<'orders'>; pieces: Decimal };

/** A row of the answer before its numbers. */
type Group = { key: string; fields: object; entries: Entry[] };

const noFields = { weekday: null, hour: null, from_value: null, to_value: null, occurrences: null };

export function orderDistributionStatistics(store: Store, args: Arguments): object {
  const shop = shopOf(store);
  const { dimension } = args;
  const rangeOf = dimension === 'order_number' ? wholeDays : argumentRange;
  const range = rangeOf(args.from_date, args.to_date, shop.timezone);
  const rows = new Map(
    loadedRows(store.orders, (row) => row.order_id ?? '').map((row) => [row.order_id, row]),
  );
  const lines = productLinesOf(store, shop.orders, shop.timezone);
  const listed = shop.orders
    .map((order): Entry => {
      const own = lines.filter((line) => line.order === order).map(({ quantity }) => quantity);
      return { order, row: rows.get(order.orderId) ?? {}, pieces: sum(own) };
    })
    .filter(({ order }) => isInRange(order.moment, range))
    .filter(({ order, row }) => (dimension === 'status' ? row.is_test !== 'true' : order.isValid))
    .filter(({ order: { sequence } }) => {
      if (args.filter_customer_type === 'new') return sequence === 1;
      return args.filter_customer_type === 'returning' ? sequence !== null && sequence > 1 : true;
    });
  const valid = listed.map(({ order }) => order).filter(({ isValid }) => isValid);
  const revenues = valid.map(({ revenue }) => revenue);
  const quantile = (p: number) => percentile(revenues, p, 10_000);
  const binSize = dimension === 'order_value' ? (args.bin_size ?? roundWidth(quantile(99))) : null;
  const groups = times.includes(dimension)
    ? timeGroups(listed, dimension, range, shop.timezone, shop.orders)
    : numbers.includes(dimension)
      ? numberGroups(listed, dimension, binSize ?? 1, args.bin_size ? null : quantile(99))
      : nameGroups(listed, dimension, store, args.limit ?? 200);
  const everything = amount(revenueOf(listed.map(({ order }) => order)));
  const latest = shop.orders.at(-1);
  return {
    business_id: args.business_id,
    data_until: latest === undefined ? null : utcText(latest.moment),
    dimension,
    bin_size: binSize,
    orders_count: valid.length,
    revenue: amount(revenueOf(valid)),
    ...chargeFields(chargesOf(store, valid)),
    order_value: {
      min: quantile(0),
      ...{ p10: quantile(10), p25: quantile(25), median: quantile(50), p75: quantile(75) },
      ...{ p90: quantile(90), p99: quantile(99) },
      max: quantile(100),
      mean: ratioOrNull(amount(revenueOf(valid)), valid.length),
    },
    rows: groups.map(({ key, fields, entries }) => {
      const orders = entries.map(({ order }) => order);
      const revenue = amount(revenueOf(orders));
      const refunded = refundsOn(store, orders);
      return {
        key,
        ...noFields,
        ...fields,
        orders_count: orders.length,
        orders_share: percentOrNull(orders.length, listed.length),
        revenue,
        revenue_share: percentOrNull(revenue, everything),
        average_order_value: ratioOrNull(revenue, orders.length),
        unique_customers_count: shownPeople(customersIn(orders).size),
        avg_items_per_order: piecesPerOrder(
          numberOf(sum(entries.map(({ pieces }) => pieces))),
          orders.length,
        ),
        refunded_revenue: refunded,
        // Nothing is kept of what is no revenue.
        revenue_after_refunds:
          refunded === null || !orders.every(({ isValid }) => isValid) ? null : round4(revenue - refunded),
        ...chargeFields(chargesOf(store, orders)),
        products_count: null,
        valid: orders.every(({ isValid }) => isValid),
      };
    }),
    // Asked for by no random question.
    top_customers: null,
    top_customer_segments: null,
  };
}

function numberOf({ units, scale }: Decimal): number {
  return Number(units) / 10 ** scale;
}

function timeGroups(
  listed: Entry[],
  dimension: string,
  range: Range,
  timezone: string,
  loaded: readonly Order[],
): Group[] {
  const dayOf = ({ moment }: Order) =>
    new Temporal.Instant(moment * 1000n).toZonedDateTimeISO(timezone).toPlainDate().toString();
  const [first, last] = [loaded.at(0), loaded.at(-1)].map((order) => (order ? dayOf(order) : ''));
  const two = (number: number) => String(number).padStart(2, '0');
  const label = (time: Temporal.ZonedDateTime) =>
    ({
      weekday_hour: `${time.dayOfWeek}-${two(time.hour)}`,
      weekday: String(time.dayOfWeek),
      hour: two(time.hour),
      day_of_month: String(time.day),
    })[dimension] ?? '';
  const slots = new Map<string, Set<string>>();
  for (const time of timesOf(range, timezone)) {
    const day = time.toPlainDate().toString();
    if (first === undefined || last === undefined || day < first || day > last) continue;
    const key = label(time);
    const slot = dimension.includes('hour')
      ? `${time.toPlainDate()} ${time.hour} ${time.offset}`
      : `${time.toPlainDate()}`;
    if (!slots.has(key)) slots.set(key, new Set());
    slots.get(key)?.add(slot);
  }
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const weekdays = [1, 2, 3, 4, 5, 6, 7];
  const keys: [string, object][] =
    dimension === 'weekday_hour'
      ? weekdays.flatMap((weekday) =>
          hours.map((hour): [string, object] => [`${weekday}-${two(hour)}`, { weekday, hour }]),
        )
      : dimension === 'weekday'
        ? weekdays.map((weekday) => [String(weekday), { weekday }])
        : dimension === 'hour'
          ? hours.map((hour) => [two(hour), { hour }])
          : Array.from({ length: 31 }, (_, index) => [String(index + 1), {}]);
  return keys.map(([key, fields]) => ({
    key,
    fields: { ...fields, occurrences: slots.get(key)?.size ?? 0 },
    entries: listed.filter(
      ({ order }) => label(new Temporal.Instant(order.moment * 1000n).toZonedDateTimeISO(timezone)) === key,
    ),
  }));
}

/**
 * Times so near to each other that every hour of the range has one, and every part of an hour after clocks
 * change.
 */
function* timesOf(range: Range, timezone: string): Generator<Temporal.ZonedDateTime> {
  const zoned = (moment: bigint) => new Temporal.Instant(moment * 1000n).toZonedDateTimeISO(timezone);
  if (range.to < range.from) return;
  const last = zoned(range.to);
  let time = zoned(range.from);
  while (Temporal.ZonedDateTime.compare(time, last) <= 0) {
    yield time;
    const isUsual = time.minute === 0 && time.second === 0 && time.hoursInDay === 24;
    time = time.add({ minutes: isUsual ? 60 : 15 });
    // Clocks change by whole quarters of an hour.
    time = time.round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'floor' });
  }
}

function roundWidth(p99: number | null): number | null {
  if (p99 === null) return null;
  if (p99 <= 0) return 1;
  for (const power of ['0.01', '0.1', '1', '10', '100', '1000', '10000', '100000']) {
    for (const factor of [1, 2, 2.5, 5]) {
      const width = Math.round(factor * Number(power) * 1000) / 1000;
      // The values are in thousandths of a cent, to have whole numbers.
      if (Math.floor(Math.round(p99 * 1e5) / Math.round(width * 1e5)) + 1 <= 20) return width;
    }
  }
  throw new Error('an order value that no random store has');
}

/** @param highest value that has a bin of its own; null: 200 bins */
function numberGroups(listed: Entry[], dimension: string, width: number, highest: number | null): Group[] {
  const first = dimension === 'order_number' ? 1 : 0;
  const numberIn = ({ order, pieces }: Entry): number =>
    ({
      order_value: amount(order.revenue),
      items_count: numberOf(pieces),
      order_number: order.sequence ?? Number.NaN,
    })[dimension] ?? Number.NaN;
  const binOf = (value: number) => Math.floor(Math.round(value * 1e5) / Math.round(width * 1e5));
  const bins = dimension === 'order_value' && highest !== null ? binOf(Math.max(0, highest)) + 1 : 200;
  const groups: Group[] = [];
  const values = listed.map((entry) => ({ entry, value: numberIn(entry) }));
  const inside = (from: number, to: number) =>
    values.filter(({ value }) => value >= from && value < to).map(({ entry }) => entry);
  const bound = (bin: number) => Math.round((first + bin * width) * 10_000) / 10_000;
  const below = inside(-Infinity, 0);
  if (below.length > 0) groups.push({ key: '<0', fields: { to_value: 0 }, entries: below });
  const last = Math.max(
    -1,
    ...values.filter(({ value }) => value >= 0).map(({ value }) => binOf(value - first)),
  );
  for (let bin = 0; bin <= Math.min(last, bins - 1); bin += 1) {
    const [from, to] = [bound(bin), bound(bin + 1)];
    const key = dimension === 'order_value' ? `${from}-${to}` : String(from);
    groups.push({ key, fields: { from_value: from, to_value: to }, entries: inside(from, to) });
  }
  const above = inside(bound(bins), Infinity);
  if (above.length > 0) {
    groups.push({ key: `${bound(bins)}+`, fields: { from_value: bound(bins) }, entries: above });
  }
  // Orders of nobody have no number.
  const nameless = values.filter(({ value }) => Number.isNaN(value)).map(({ entry }) => entry);
  if (nameless.length > 0) groups.push({ key: '(no customer)', fields: {}, entries: nameless });
  return groups;
}

function nameGroups(all: Entry[], dimension: string, store: Store, limit: number): Group[] {
  const namesOf = ({ row }: Entry): (string | null)[] => {
    if (dimension === 'coupon') {
      const coupons = [...new Set(listCell(row.coupon_codes))];
      return coupons.length === 0 ? [null] : coupons;
    }
    if (dimension === 'status') return [cell(row.status) ?? 'paid'];
    if (dimension === 'currency') return [cell(row.currency) ?? store.business.primary_currency];
    return [cell(row[dimension as 'country'])];
  };
  const byName = new Map<string | null, Entry[]>();
  for (const entry of all) {
    for (const name of namesOf(entry)) byName.set(name, [...(byName.get(name) ?? []), entry]);
  }
  const sorted = [...byName].sort(
    ([a, one], [b, other]) => other.length - one.length || compareText(a ?? '', b ?? ''),
  );
  const shown = dimension === 'status' ? sorted : sorted.slice(0, limit);
  const rest = new Set(sorted.filter((one) => !shown.includes(one)).flatMap(([, entries]) => entries));
  const groups = shown.map(([name, entries]): Group => {
    // A name in quotation marks gets some too, so that no two names become one.
    const isOurs = ['(other)', '(not set)'].includes((name ?? '').replace(/^"+|"+$/g, ''));
    return { key: name === null ? '(not set)' : isOurs ? `"${name}"` : name, fields: {}, entries };
  });
  if (rest.size > 0) groups.push({ key: '(other)', fields: {}, entries: [...rest] });
  return groups;
}

/** Orders without a known piece have no mean of 0. */
function piecesPerOrder(pieces: number, orders: number): number | null {
  return pieces > 0 ? ratioOrNull(pieces, orders) : null;
}
