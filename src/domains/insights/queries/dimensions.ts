import { Temporal } from 'temporal-polyfill';
import { type Sql, sql } from '../../../sql/sql.ts';
import { periodLabel } from '../../../time/periods.ts';

interface Dimension {
  readonly kind: 'period' | 'time of day' | 'name' | 'id';
  /**
   * It says what the dimension is, or how its values are written. An answer repeats it where the name does
   * not say as much.
   */
  readonly definition: string;
}

/** Dimensions of which rows say all that the definition says. */
const PLAIN: readonly string[] = [
  ...['day', 'week', 'month', 'quarter', 'year', 'source_medium', 'landing_page', 'device', 'currency'],
  ...['payment_method', 'shipping_method', 'product', 'brand', 'category', 'coupon'],
];

/** The dimensions by which numbers can be cut. Which facts each cuts is said where these are. */
export const DIMENSIONS = {
  day: { kind: 'period', definition: '2026-10-05' },
  week: { kind: 'period', definition: '2026-W41, from Monday' },
  month: { kind: 'period', definition: '2026-10' },
  quarter: { kind: 'period', definition: '2026-Q4' },
  year: { kind: 'period', definition: '2026' },
  weekday: { kind: 'time of day', definition: '1: Monday to 7' },
  hour: { kind: 'time of day', definition: '00 to 23, time of the store' },
  channel: {
    kind: 'name',
    definition: 'Of the visit; of an order that of its last click, (untracked) without one',
  },
  first_click_channel: { kind: 'name', definition: 'Channel of the first click of an order' },
  source: { kind: 'name', definition: 'utm_source of the visit; an order by its last click' },
  medium: { kind: 'name', definition: 'utm_medium, likewise' },
  source_medium: { kind: 'name', definition: 'source / medium' },
  campaign: { kind: 'name', definition: 'utm_campaign of the visit' },
  landing_page: { kind: 'name', definition: 'First page of the visit' },
  referrer_domain: { kind: 'name', definition: 'Host from which the visit came' },
  device: { kind: 'name', definition: 'Of the visit' },
  country: { kind: 'name', definition: 'Of the order; of a visit that of the visit' },
  currency: { kind: 'name', definition: 'In which the order was paid' },
  payment_method: { kind: 'name', definition: 'Of the order' },
  shipping_method: { kind: 'name', definition: 'Of the order' },
  coupon: { kind: 'name', definition: 'Of the order, which may have several' },
  customer_type: {
    kind: 'name',
    definition: 'new: first order ever of its customer; returning; unknown: no customer',
  },
  customer_orders: {
    kind: 'name',
    definition: 'How many valid orders its customer placed in the range, whatever the filters',
  },
  days_since_last_order: {
    kind: 'name',
    definition:
      'From the last order of its customer in the range to the last day of it, or of the orders loaded',
  },
  product: { kind: 'id', definition: 'external_product_id' },
  brand: { kind: 'name', definition: 'Of the product' },
  category: { kind: 'name', definition: 'Of the product, which may be in several' },
  email_campaign: { kind: 'id', definition: 'campaign_id that sent the message' },
  campaign_type: { kind: 'name', definition: 'Of the campaign that sent the message' },
  campaign_category: { kind: 'name', definition: 'Of the campaign that sent the message' },
} as const satisfies Readonly<Record<string, Dimension>>;

export type DimensionName = keyof typeof DIMENSIONS;
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly DimensionName[];

/** The values of the dimensions for which all values are known beforehand. */
export const VALUES: Readonly<Partial<Record<DimensionName, readonly string[]>>> = {
  weekday: ['1', '2', '3', '4', '5', '6', '7'],
  hour: Array.from({ length: 24 }, (_, hour) => `${hour}`.padStart(2, '0')),
  customer_type: ['new', 'returning', 'unknown'],
  customer_orders: ['1', '2', '3', '4', '5', '6-9', '10+', '(no customer)'],
  days_since_last_order: ['0-29', '30-59', '60-89', '90-179', '180-364', '365+', '(no customer)'],
};

/** Compares two values of a dimension, as its rows follow each other. */
export function compareValues(name: DimensionName, one: string, other: string): number {
  const known = VALUES[name];
  if (known?.includes(one) === true && known.includes(other))
    return known.indexOf(one) - known.indexOf(other);
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Says whether an answer may leave out the meaning of a dimension. */
export function isPlain(name: DimensionName): boolean {
  return PLAIN.includes(name);
}

/** Whether the values of a dimension are periods, so that their rows come in the order of time. */
export function isPeriod(name: DimensionName): boolean {
  return DIMENSIONS[name].kind === 'period';
}

/**
 * The periods of a fact by its local date. A week is the text of its Monday, which `shownValue` makes a
 * label.
 */
export function periodCuts(date: Sql, joins: readonly Sql[] = []) {
  const cut = (start: Sql, textOf: (day: Sql) => Sql, day = date) => ({
    value: textOf(day),
    period: { start, textOf },
    joins,
  });
  const begins = (unit: Sql) => sql`cast(date_trunc(${unit}, ${date}) as date)`;
  return {
    day: cut(date, textOfDay),
    week: cut(begins(sql`'week'`), textOfDay, begins(sql`'week'`)),
    month: cut(begins(sql`'month'`), (day) => sql`substring(${textOfDay(day)}, 1, 7)`),
    quarter: cut(
      begins(sql`'quarter'`),
      (day) =>
        sql`concat(substring(${textOfDay(day)}, 1, 4), '-Q', cast(extract(quarter from ${day}) as varchar))`,
    ),
    year: cut(begins(sql`'year'`), (day) => sql`substring(${textOfDay(day)}, 1, 4)`),
  };
}

const textOfDay = (day: Sql) => sql`cast(${day} as varchar)`;

/**
 * A condition that two dates, somebody's first one and this one, are in the same period of a row: a new
 * customer of a month came first in that month, not only in the range. A row without a period is about the
 * whole range.
 */
export function isSamePeriod(
  { dimensions, rest }: { readonly dimensions: readonly DimensionName[]; readonly rest: unknown },
  first: Sql,
  date: Sql,
): Sql {
  const [firstCuts, cuts] = [periodCuts(first), periodCuts(date)];
  const periods = rest === null ? (Object.keys(cuts) as (keyof typeof cuts)[]) : [];
  return periods
    .filter((one) => dimensions.includes(one))
    .reduce((all, one) => sql`${all} and ${firstCuts[one].value} = ${cuts[one].value}`, sql`true`);
}

/** A value as it stands in an answer. */
export function shownValue(name: DimensionName, value: string): string {
  return name === 'week' && /^\d{4}-\d\d-\d\d$/.test(value)
    ? periodLabel(Temporal.PlainDate.from(value), 'week')
    : value;
}
