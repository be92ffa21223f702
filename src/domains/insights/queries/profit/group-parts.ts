import { Temporal } from 'temporal-polyfill';
import type { Assumption } from '../../../../business/assumptions.ts';
import { hasRefundLines, hasRefunds, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { localDate } from '../../../../time/moment.ts';
import type { Range } from '../../../../time/range.ts';
import { emailChannel, smsChannel } from '../../../messages/queries/message-channels.ts';
import { type DimensionName, isPeriod } from '../dimensions.ts';
import { type InForce, inForce, ofOneDay, onDay } from './in-force.ts';
import { cutsLines } from './line-parts.ts';
import type { Cost, Parts } from './profit-lines.ts';
import type { ReturnedRow } from './returned-parts.ts';
import { type OrderRates, RECORDED, type RefundedRow, type SoldRow } from './sold-parts.ts';
import type { AdCostRow, EmailRow, LoadedRow, SmsRow } from './spent-parts.ts';

/** All that is assumed of the costs of a store, by what it is of. */
export interface Rates extends OrderRates {
  readonly emails: readonly InForce[];
  readonly email_months: readonly InForce[];
  readonly sms_months: readonly InForce[];
  readonly ad_months: readonly InForce[];
}

export function ratesOf(assumptions: readonly Assumption[]): Rates {
  return {
    payment_fees: inForce(assumptions, 'payment_fee', 'order'),
    shipping_paid: inForce(assumptions, 'shipping_cost', 'order'),
    packaging: inForce(assumptions, 'packaging', 'order'),
    emails: inForce(assumptions, 'email_cost', 'thousand'),
    email_months: inForce(assumptions, 'email_cost', 'month'),
    sms_months: inForce(assumptions, 'sms_cost', 'month'),
    ad_months: inForce(assumptions, 'ad_cost', 'month'),
  };
}

/** What was asked of the store for one range. */
export interface Rows {
  readonly sold: readonly SoldRow[];
  readonly refunded: readonly RefundedRow[];
  readonly returned: readonly ReturnedRow[];
  readonly advertised: readonly AdCostRow[];
  readonly emails: readonly EmailRow[];
  readonly sms: readonly SmsRow[];
}

/** What the costs of a range depend on, beside its rows. */
export interface Setting {
  readonly rates: Rates;
  readonly facts: SnapshotFacts;
  readonly loaded: LoadedRow;
  /** The days of the range of which orders are known. */
  readonly days: readonly string[];
}

/** The days of the range of which orders are known: costs of other days would stand against no sales. */
export function daysWithOrders(
  { firstDate, lastDate }: Range,
  facts: SnapshotFacts,
  timezone: string,
): readonly string[] {
  const { history_starts_at: start, orders_until: end } = facts;
  if (start === null || end === null) return [];
  const later = (one: Temporal.PlainDate, other: Temporal.PlainDate) =>
    Temporal.PlainDate.compare(one, other) > 0 ? one : other;
  const first = later(firstDate, localDate(start, timezone));
  const known = localDate(end, timezone);
  const last = Temporal.PlainDate.compare(lastDate, known) > 0 ? known : lastDate;
  const days: string[] = [];
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
    days.push(day.toString());
  return days;
}

/** What each assumption made of the costs that were counted, in ten-thousandths. */
export type Used = Map<Assumption, number>;

type OrderCost = keyof OrderRates;

/** The costs of orders by a list of rates: of each order the one that holds for it. */
const RECORDED_SUM: Readonly<Record<OrderCost, (row: SoldRow) => number>> = {
  payment_fees: ({ recorded_payment }) => recorded_payment,
  shipping_paid: ({ recorded_shipping }) => recorded_shipping,
  packaging: () => 0,
};

/** What files tell of such a cost, and of the other orders what is assumed. */
function costOfOrders(rows: readonly SoldRow[], which: OrderCost, rates: OrderRates, used: Used): Cost {
  let [amount, known, base, recorded] = [0, 0, 0, 0];
  for (const row of rows) {
    base += row.orders;
    if (row[which] === RECORDED) {
      amount += RECORDED_SUM[which](row);
      known += row.orders;
      recorded += row.orders;
      continue;
    }
    const assumption = rates[which][row[which]]?.assumption;
    if (assumption === undefined) continue;
    const percent = assumption.percent ?? 0;
    const own = (row.paid * percent) / 100 + 10_000 * (assumption.amount ?? 0) * row.orders;
    used.set(assumption, (used.get(assumption) ?? 0) + own);
    amount += own;
    known += percent === 0 ? row.orders : row.priced;
  }
  return { amount: base > 0 && known === 0 ? null : Math.round(amount), known, base, recorded };
}

/** What a month costs, day by day; null of a day on which nothing is said. */
function costOfDay(rates: readonly InForce[], day: string, used: Used): number | null {
  const assumption = onDay(rates, day);
  if (assumption === null) return null;
  const own = ofOneDay(10_000 * (assumption.amount ?? 0), day);
  used.set(assumption, (used.get(assumption) ?? 0) + own);
  return own;
}

function advertising(rows: readonly AdCostRow[], { rates, loaded, days }: Setting, used: Used): Cost {
  const { first_cost_date: first, last_cost_date: last } = loaded;
  let [amount, known] = [0, 0];
  let hasUnpriced = false;
  for (const { cost, costs_count, priced_count } of rows) {
    amount += cost;
    hasUnpriced ||= priced_count < costs_count;
  }
  for (const day of days) {
    const isLoaded = first !== '' && first <= day && day <= last;
    const assumed = isLoaded ? 0 : costOfDay(rates.ad_months, day, used);
    amount += assumed ?? 0;
    known += assumed === null ? 0 : 1;
  }
  const isKnown = hasUnpriced ? amount > 0 : known > 0 || rows.length > 0;
  // A day with a cost without an exchange rate is known in part alone.
  const wholeDays = hasUnpriced ? Math.max(0, known - 1) : known;
  return { amount: isKnown ? Math.round(amount) : null, known: wholeDays, base: days.length };
}

function emails(rows: readonly EmailRow[], { rates, loaded, days }: Setting, used: Used): Cost {
  const sent = rows.reduce((sum, { emails_count }) => sum + emails_count, 0);
  const isAssumed = rates.emails.length + rates.email_months.length > 0;
  if (!isAssumed && loaded.emails_count > 0 && sent === 0) return { amount: 0, known: 0, base: 0 };
  let [amount, known] = [0, 0];
  for (const { rate_place, emails_count } of rows) {
    const assumption = rates.emails[rate_place]?.assumption;
    if (assumption === undefined) continue;
    const own = 10 * (assumption.amount ?? 0) * emails_count;
    used.set(assumption, (used.get(assumption) ?? 0) + own);
    amount += own;
  }
  for (const day of days) {
    const ofMonth = costOfDay(rates.email_months, day, used);
    amount += ofMonth ?? 0;
    const isCounted = loaded.emails_count > 0 && onDay(rates.emails, day) !== null;
    known += ofMonth !== null || isCounted ? 1 : 0;
  }
  return { amount: known > 0 ? Math.round(amount) : null, known, base: days.length };
}

function sms(rows: readonly SmsRow[], { rates, loaded, days }: Setting, used: Used): Cost {
  if (loaded.priced_sms_count > 0) {
    const sum = (key: 'cost' | 'sms_count' | 'priced_count') => rows.reduce((all, row) => all + row[key], 0);
    const [known, base] = [sum('priced_count'), sum('sms_count')];
    return { amount: base > 0 && known === 0 ? null : sum('cost'), known, base };
  }
  let [amount, known] = [0, 0];
  for (const day of days) {
    const ofMonth = costOfDay(rates.sms_months, day, used);
    amount += ofMonth ?? 0;
    known += ofMonth === null ? 0 : 1;
  }
  return { amount: known > 0 ? Math.round(amount) : null, known, base: days.length };
}

const NOTHING_SPENT: Cost = { amount: 0, known: 0, base: 0 };

/** Whether a value is in a group: the group of one value, or that of all that have no group of their own. */
export type IsIn = (value: string) => boolean;

/** What was spent on a group: by its days, or by the channel that it is. */
function spentOn(
  isIn: IsIn,
  by: DimensionName | null,
  rows: Rows,
  setting: Setting,
  used: Used,
): Parts['spent'] {
  if (by === null || isPeriod(by))
    return {
      advertising: advertising(rows.advertised, setting, used),
      email_costs: emails(rows.emails, setting, used),
      sms_costs: sms(rows.sms, setting, used),
    };
  const isAllLoaded = advertising([], { ...setting, rates: ratesOf([]) }, used).known === setting.days.length;
  if (by !== 'channel' || !isAllLoaded) return null;
  return {
    advertising: advertising(rows.advertised, setting, used),
    email_costs: isIn(emailChannel.lastClickChannel) ? emails(rows.emails, setting, used) : NOTHING_SPENT,
    sms_costs: isIn(smsChannel.lastClickChannel) ? sms(rows.sms, setting, used) : NOTHING_SPENT,
  };
}

/**
 * The cost of the goods that came back. Nothing is known of it where refunds do not tell what they are of.
 */
function costOfReturned(rows: readonly ReturnedRow[], facts: SnapshotFacts): Cost {
  const sum = (name: Exclude<keyof ReturnedRow, 'row_key'>) => rows.reduce((all, row) => all + row[name], 0);
  const [known, base] = [sum('paid_back_with_known_cost'), sum('paid_back')];
  const isUnknown = !hasRefundLines(facts) || (known === 0 && base !== 0);
  return { amount: isUnknown ? null : sum('cost'), known, base };
}

/** A group as the sum of its rows. `used` gets what the assumptions made of it. */
export function partsOf(
  isIn: IsIn,
  by: DimensionName | null,
  rows: Rows,
  setting: Setting,
  used: Used,
): Parts {
  const { sold, refunded } = rows;
  const sum = (name: Exclude<keyof SoldRow, 'row_key'>) => sold.reduce((all, row) => all + row[name], 0);
  const back = (name: Exclude<keyof RefundedRow, 'row_key'>) =>
    refunded.reduce((all, row) => all + row[name], 0);
  const [orders, goods] = [sum('orders'), sum('goods')];
  const [told, withCost] = [sum('discount_told'), sum('goods_with_known_cost')];
  const tellsDiscounts = sum('discounted') > 0 || (told > 0 && 2 * told >= orders) || orders === 0;
  const areRefundsKnown = cutsLines(by) ? hasRefundLines(setting.facts) : hasRefunds(setting.facts);
  const isCostUnknown = withCost === 0 && goods !== 0;
  return {
    orders,
    goods,
    priced: sum('priced'),
    without_lines: sum('without_lines'),
    paid: sum('paid'),
    discount: tellsDiscounts || sum('discount') !== 0 ? sum('discount') : null,
    discount_told: told,
    added: sum('added'),
    sold: sum('sold'),
    sold_with_known_vat: sum('sold_with_known_vat'),
    net: sum('without_vat') > 0 ? null : sum('net'),
    refunds: areRefundsKnown ? back('amount') : null,
    vat_of_refunds: back('without_vat') > 0 ? null : back('vat'),
    is_vat_of_all_refunds_unknown: back('without_vat') > 0 && back('vat') === 0,
    cost_of_returned: costOfReturned(rows.returned, setting.facts),
    cost: { amount: isCostUnknown ? null : sum('cost'), known: withCost, base: goods },
    net_with_known_cost: sum('net_with_known_cost'),
    shipping: cutsLines(by) || (sum('shipping_told') === 0 && sum('priced') > 0) ? null : sum('shipping'),
    shipping_told: sum('shipping_told'),
    beside: cutsLines(by) || sum('beside_unknown') > 0 ? null : sum('beside'),
    shipping_paid: costOfOrders(sold, 'shipping_paid', setting.rates, used),
    payment_fees: costOfOrders(sold, 'payment_fees', setting.rates, used),
    packaging: costOfOrders(sold, 'packaging', setting.rates, used),
    spent: spentOn(isIn, by, rows, setting, used),
  };
}
