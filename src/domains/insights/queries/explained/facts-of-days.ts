import { type SentenceValue, worded } from '../../../../answers/sentences.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { homeCountry } from '../../../../store/personal-data/store-countries.ts';
import { quoted } from '../../../../text/business-text.ts';
import { plural } from '../../../../text/plural.ts';
import { localDate } from '../../../../time/moment.ts';
import { publicHolidays } from '../../../../time/public-holidays.ts';
import type { Range } from '../../../../time/range.ts';
import { type Noted, namedDays } from '../../../calendar/queries/noted-days.ts';
import {
  datesInWords,
  type OutOfStep,
  outOfStep,
  reasonsInWords,
  reasonsOfMore,
  rose,
  shownDates,
  type VisitDay,
} from '../../../traffic/queries/visits-and-orders.ts';
import { daysWithout, WEEKDAYS, weekdayOf } from '../usual-weekdays.ts';
import { weekdaysInWords } from '../weekday-notes.ts';
import type { Both, RowsByKey } from './all-bridges.ts';
import type { Values } from './asked-changes.ts';
import { changeInWords, signed, type Wording } from './sentences.ts';
import { daysIn } from './weeks-before.ts';

/** A product that stands out by having been sold less. */
export interface SoldLess {
  readonly name: string;
  /** The number of days in each range on which the product was sold. */
  readonly days: Both<number>;
  readonly lastSold: string | null;
  /** The last reading of its stock; null when it is not known. */
  readonly in_stock: boolean | null;
  readonly stock_as_of: string | null;
}

/** What was so in the days of the ranges, whatever it did to the numbers: a fact, and no cause. */
export interface FactOfDays {
  readonly kind: string;
  readonly text: string;
}

export interface Known {
  readonly metric: string;
  readonly ranges: Both<Range>;
  readonly totals: Both<Values>;
  /** The rows by day, from the first day of the history to the last day of the ranges. */
  readonly days: RowsByKey;
  readonly history: Range;
  readonly facts: SnapshotFacts;
  readonly timezone: string;
  readonly wording: Omit<Wording, 'nameOf'>;
  /** The first and the last known day of orders and of visits; null when there is none. */
  readonly loaded: Readonly<
    Record<'orders' | 'sessions', { readonly first: string; readonly last: string } | null>
  >;
  readonly noted: readonly Noted[];
  /** Visits and orders by day, with those that say what is usual. */
  readonly visits: readonly VisitDay[];
  /**
   * The rows by the currency in which orders were paid. It is null where the currency does not cut the
   * metric.
   */
  readonly currencies: Both<RowsByKey> | null;
  readonly prices: readonly PriceChange[];
  readonly soldLess: readonly SoldLess[];
}

interface PriceChange {
  readonly external_product_id: string;
  readonly name: string | null;
  readonly changed_at: string;
  readonly price_before: number | null;
  readonly price: number | null;
  readonly revenue_before: number | null;
}

const MOST = 5;
export function factsOfDays(known: Known): FactOfDays[] {
  return [
    ...lengthFacts(known),
    ...weekdayFacts(known),
    ...holidayFacts(known),
    ...missingDayFacts(known),
    ...trackingFacts(known),
    ...currencyFacts(known),
    ...calendarFacts(known),
    ...priceFacts(known),
    ...stockFacts(known),
    ...campaignFacts(known),
  ];
}

function lengthFacts({ ranges }: Known): FactOfDays[] {
  const [before, now] = ranges.map((range) => daysIn(range).length) as [number, number];
  return before === now
    ? []
    : [
        {
          kind: 'length',
          text: worded(`The range has ${now} days, the compared one ${before}.`, 'fact.length', {
            now: { number: now },
            before: { number: before },
          }),
        },
      ];
}

/** Nothing is called usual when there are fewer weeks than this. */
const LEAST_WEEKS = 4;

/** Facts about what the days of the week usually bring. */
function weekdayFacts({ metric, ranges, days, history, wording, totals, loaded }: Known): FactOfDays[] {
  const counts = ranges.map((range) => countsOf(daysIn(range).map(weekdayOf))) as [number[], number[]];
  const more = WEEKDAYS.map((_, day) => (counts[1][day] ?? 0) - (counts[0][day] ?? 0));
  const first = loaded.orders?.first ?? loaded.sessions?.first ?? '9999';
  const past = daysIn(history).filter((day) => day >= first);
  if (more.every((number) => number === more[0]) || past.length < 7 * LEAST_WEEKS) return [];
  const usual = WEEKDAYS.map((_, day) => {
    const same = past.filter((date) => weekdayOf(date) === day);
    return same.reduce((sum, date) => sum + (days.get(date)?.[metric] ?? 0), 0) / same.length;
  });
  const effect = more.reduce((sum, number, day) => sum + number * (usual[day] ?? 0), 0);
  const size = Math.max(...totals.map((values) => Math.abs(values[metric] ?? 0)));
  if (size === 0 || Math.abs(effect) < 0.01 * size) return [];
  const names = WEEKDAYS.flatMap((name, day) =>
    more[day] === 0 ? [] : [`${counts[1][day] ?? 0} ${name} beside ${counts[0][day] ?? 0}`],
  );
  return [
    {
      kind: 'weekdays',
      text: worded(
        `${names.join(', ')}: by what days of the week brought in the ${Math.round(past.length / 7)} weeks before, that alone is ${signed(effect, wording)}.`,
        'fact.weekdays',
        { weekdays: weekdaysInWords(counts[0], counts[1]), effect: changeInWords(effect, wording.unit) },
      ),
    },
  ];
}

function countsOf(weekdays: readonly number[]): number[] {
  return WEEKDAYS.map((_, day) => weekdays.filter((weekday) => weekday === day).length);
}

function holidayFacts({ ranges, facts }: Known): FactOfDays[] {
  const country = homeCountry(facts.timezone, facts.primary_currency);
  if (country === null) return [];
  const [before, now] = ranges.map(({ firstDate, lastDate }) =>
    publicHolidays(country, firstDate.toString(), lastDate.toString(), MOST + 1),
  ) as [Holidays, Holidays];
  const texts = (holidays: Holidays) =>
    listed(holidays.map(({ first_date, name }) => `${name} ${first_date}`));
  if (before.length === 0 && now.length === 0) return [];
  return [
    {
      kind: 'holidays',
      text: worded(
        `Public holidays of ${country} in the range: ${texts(now)}; in the compared one: ${texts(before)}.`,
        'fact.holidays',
        { now: holidaysInWords(now), before: holidaysInWords(before) },
      ),
    },
  ];
}

type Holidays = ReturnType<typeof publicHolidays>;

/** The first of them, as `listed` has them. */
function listInWords(each: readonly SentenceValue[]): SentenceValue {
  if (each.length === 0) return { say: 'fact.none' };
  return { each: each.slice(0, MOST), more: Math.max(0, each.length - MOST) };
}

function holidaysInWords(holidays: Holidays): SentenceValue {
  return listInWords(
    holidays.map(({ first_date, name }) => ({
      sentence: { key: 'fact.named-day', values: { name, day: { day: first_date } } },
    })),
  );
}

function listed(texts: readonly string[]): string {
  if (texts.length === 0) return 'none';
  return texts.length <= MOST ? texts.join(', ') : `${texts.slice(0, MOST).join(', ')} and others`;
}

function missingDayFacts({ ranges, days, history, loaded }: Known): FactOfDays[] {
  const known = loaded.orders;
  if (known === null) return [];
  const of = (date: string) => days.get(date)?.orders_count ?? 0;
  const past = daysIn(history).filter((date) => date >= known.first);
  const loadedDays = ranges.flatMap(daysIn).filter((date) => date >= known.first && date <= known.last);
  const missing = daysWithout(loadedDays, past, of);
  const outside = ranges.flatMap(daysIn).filter((date) => date < known.first || date > known.last);
  return [
    ...(outside.length === 0
      ? []
      : [
          {
            kind: 'missing_days',
            text: worded(
              `${plural(outside.length, 'day', 'days')} of the ranges ${outside.length === 1 ? 'lies' : 'lie'} outside of the loaded orders, which are of ${known.first} to ${known.last}.`,
              'fact.outside',
              { count: outside.length, days: { days: [known.first, known.last] } },
            ),
          },
        ]),
    ...(missing.length === 0
      ? []
      : [
          {
            kind: 'missing_days',
            text: worded(
              `Without any order, though the same days of the week before have some: ${listed(missing)}. Data may be missing.`,
              'fact.no-orders',
              { days: listInWords(missing.map((day) => ({ day }))) },
            ),
          },
        ]),
  ];
}

const TRACKED_IN_WORDS = {
  sessions_count: 'number.visits',
  cart_sessions_count: 'trust.carts',
  checkout_sessions_count: 'trust.checkouts',
} as const;

const TRACKED = {
  sessions_count: 'Visits',
  cart_sessions_count: 'Visits with a cart',
  checkout_sessions_count: 'Visits with a checkout',
} as const;

/**
 * Days that have far fewer of a step of the visit, or far more visits, than their weekday had before each.
 */
function trackingFacts({ ranges, visits, noted, timezone, facts }: Known): FactOfDays[] {
  const days = (name: keyof typeof TRACKED, side: 'fewer' | 'more') =>
    ranges.flatMap((range) => outOfStep(visits, range, name, side, timezone, facts) ?? []);
  const fact = (text: string) => ({ kind: 'tracking', text });
  const fewer = (Object.keys(TRACKED) as (keyof typeof TRACKED)[]).flatMap((name) =>
    together(days(name, 'fewer')).map((found) =>
      fact(
        worded(
          `${TRACKED[name]} were far fewer than on the same weekdays before on ${shownDates(found.dates)}${ordersThen(found)}${found.isOfCounting ? ': tracking may have broken' : ''}.`,
          found.isOfCounting ? 'fact.fewer-tracking' : 'fact.fewer',
          { what: { say: TRACKED_IN_WORDS[name] }, dates: datesInWords(found.dates) },
        ),
      ),
    ),
  );
  const more = together(days('sessions_count', 'more').filter(({ isOfCounting }) => isOfCounting)).map(
    (found) =>
      fact(
        worded(
          `${TRACKED.sessions_count} were far more than on the same weekdays before on ${shownDates(found.dates)}${ordersThen(found)}: orders ${rose(found)}. ${reasonsOfMore(found.dates, noted)}`,
          'fact.more',
          {
            dates: datesInWords(found.dates),
            orders: { number: found.orders },
            usualOrders: { number: Math.round(found.usualOrders) },
            reason: reasonsInWords(found.dates, noted),
          },
        ),
      ),
  );
  return [...fewer, ...more];
}

/** Tells a fact of both ranges once. */
function together(found: readonly OutOfStep[]): OutOfStep[] {
  const kinds = [true, false].map((isOfCounting) => found.filter((one) => one.isOfCounting === isOfCounting));
  return kinds.flatMap(([first, second]) => {
    if (first === undefined) return [];
    if (second === undefined) return [first];
    return [
      {
        ...first,
        dates: [...first.dates, ...second.dates].toSorted(),
        orders: first.orders + second.orders,
        usualOrders: first.usualOrders + second.usualOrders,
      },
    ];
  });
}

function ordersThen({ orders, usualOrders }: OutOfStep): string {
  return usualOrders === 0
    ? ''
    : `; these days have ${plural(orders, 'order', 'orders')}, usually ${Math.round(usualOrders)}`;
}

function currencyFacts({ metric, currencies, facts }: Known): FactOfDays[] {
  if (currencies === null) return [];
  const shares = currencies.map((rows) => {
    const sums = [...rows].map(([key, values]) => [key, values[metric] ?? 0] as const);
    const all = sums.reduce((sum, [, value]) => sum + value, 0);
    const own = sums.find(([key]) => key === facts.primary_currency)?.[1] ?? 0;
    return all <= 0 ? 0 : (100 * (all - own)) / all;
  }) as [number, number];
  if (Math.max(...shares) < 1) return [];
  return [
    {
      kind: 'currency',
      text: worded(
        `${shares[1].toFixed(1)} % was paid in other currencies, ${shares[0].toFixed(1)} % before; it is told at the rates of the orders, which move it too.`,
        'fact.currencies',
        {
          now: { percent: Number(shares[1].toFixed(1)) },
          before: { percent: Number(shares[0].toFixed(1)) },
        },
      ),
    },
  ];
}

function calendarFacts({ noted, ranges }: Known): FactOfDays[] {
  const inRange = ({ firstDate, lastDate }: Range) =>
    noted.filter(
      ({ first_date, last_date }) => first_date <= lastDate.toString() && last_date >= firstDate.toString(),
    );
  const texts = (some: readonly Noted[]) =>
    listed(
      some.map(
        ({ name, first_date, last_date }) =>
          `${quoted(name)} ${first_date}${last_date === first_date ? '' : ` to ${last_date}`}`,
      ),
    );
  const notedInWords = (some: readonly Noted[]) =>
    listInWords(some.map(({ name, first_date, last_date }) => namedDays(name, first_date, last_date)));
  if (noted.length === 0) return [];
  const [before, now] = [inRange(ranges[0]), inRange(ranges[1])];
  return [
    {
      kind: 'calendar',
      text: worded(
        `Noted in the range: ${texts(now)}; in the compared one: ${texts(before)}.`,
        'fact.noted',
        {
          now: notedInWords(now),
          before: notedInWords(before),
        },
      ),
    },
  ];
}

function priceFacts({ prices, timezone }: Known): FactOfDays[] {
  if (prices.length === 0) return [];
  const largest = prices
    .toSorted((one, other) => (other.revenue_before ?? 0) - (one.revenue_before ?? 0))
    .slice(0, MOST);
  const texts = largest.map(
    (one) =>
      `${quoted(one.name ?? one.external_product_id)} ${one.price_before ?? '?'} to ${one.price ?? '?'} on ${localDate(one.changed_at, timezone)}`,
  );
  const moneyOf = (price: number | null): SentenceValue => (price === null ? '?' : { money: price });
  return [
    {
      kind: 'prices',
      text: worded(
        `${prices.length > 100 ? 'More than 100' : plural(prices.length, 'price', 'prices')} of the catalogue changed in the range, of what sold best before: ${texts.join(', ')}.`,
        prices.length > 100 ? 'fact.many-prices' : 'fact.prices',
        {
          count: Math.min(prices.length, 100),
          prices: {
            each: largest.map((one) => ({
              sentence: {
                key: 'fact.price',
                values: {
                  name: { name: one.name ?? one.external_product_id },
                  before: moneyOf(one.price_before),
                  now: moneyOf(one.price),
                  day: { day: localDate(one.changed_at, timezone).toString() },
                },
              },
            })),
          },
        },
      ),
    },
  ];
}

/** A product that is out of stock is sold on few days. */
function stockFacts({ soldLess, ranges, timezone }: Known): FactOfDays[] {
  const [before, now] = ranges.map((range) => daysIn(range).length) as [number, number];
  return soldLess.flatMap(({ name, days, lastSold, in_stock, stock_as_of }) => {
    const isSeldom = days[1] / now < days[0] / before / 2;
    if (!isSeldom && in_stock !== false) return [];
    const last = lastSold === null ? '' : `, last on ${lastSold}`;
    const read =
      in_stock === null || stock_as_of === null
        ? 'its stock is not known'
        : `its stock last changed or was told on ${localDate(stock_as_of, timezone)}: ${in_stock ? 'in' : 'out of'} stock`;
    return [
      {
        kind: 'stock',
        text: worded(
          `${quoted(name)} was sold on ${days[0]} of ${before} days before and on ${days[1]} of ${now} now${last}; ${read}.`,
          'fact.stock',
          {
            name: { name },
            daysNow: { number: days[1] },
            now: { number: now },
            daysBefore: { number: days[0] },
            before: { number: before },
            stock: stockInWords(in_stock, stock_as_of, timezone),
          },
        ),
      },
    ];
  });
}

function stockInWords(isIn: boolean | null, readAt: string | null, timezone: string): SentenceValue {
  if (isIn === null || readAt === null) return { say: 'fact.stock-unknown' };
  const values = { day: { day: localDate(readAt, timezone).toString() } };
  return { sentence: { key: isIn ? 'fact.stock-in' : 'fact.stock-out', values } };
}

function campaignFacts({ totals }: Known): FactOfDays[] {
  const [before, now] = totals.map(({ emails_sent_count: sent, email_campaigns_count: campaigns }) => ({
    sent: sent ?? 0,
    campaigns: campaigns ?? 0,
  })) as [{ sent: number; campaigns: number }, { sent: number; campaigns: number }];
  if (before.sent === 0 && now.sent === 0) return [];
  const text = ({ sent, campaigns }: typeof now) =>
    `${sent.toLocaleString('en-US')} e-mails of ${plural(campaigns, 'campaign', 'campaigns')}`;
  return [
    {
      kind: 'campaigns',
      text: worded(`Sent in the range: ${text(now)}; in the compared one: ${text(before)}.`, 'fact.sent', {
        now: { number: now.sent },
        campaigns: now.campaigns,
        before: { number: before.sent },
        campaignsBefore: before.campaigns,
      }),
    },
  ];
}
