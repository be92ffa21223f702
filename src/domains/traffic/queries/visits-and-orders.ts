import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { type SentenceValue, worded } from '../../../answers/sentences.ts';
import { beginningOf, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orders, sessions } from '../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { quoted } from '../../../text/business-text.ts';
import { plural } from '../../../text/plural.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import { type Noted, namedDays } from '../../calendar/queries/noted-days.ts';
import { DAYS_BEFORE, isFarOff, median } from './anomalies.ts';

const COLUMNS = [
  column('day', 'date'),
  column('sessions_count', 'integer'),
  column('cart_sessions_count', 'integer'),
  column('checkout_sessions_count', 'integer'),
  column('converting_sessions_count', 'integer'),
  column('orders_count', 'integer'),
];

export type VisitDay = ObjectOf<typeof COLUMNS>;
export type CountOfVisits = Exclude<keyof VisitDay, 'day'>;
type Days = Pick<Range, 'firstDate' | 'lastDate'>;

/** A year of whole weeks, so that a day of the week meets itself. */
const YEAR_OF_WEEKS = 364;
const YEAR = 365;

/**
 * Visits and orders of each day of the ranges, of the weeks before each, and of the same a year before: what
 * is usual for the shop at this time of the week and of the year. Suspected bots are in no count.
 */
export function visitDays(
  ranges: readonly Days[],
  timezone: string,
  facts: SnapshotFacts,
): Query<VisitDay> | null {
  const known = knownDays(timezone, facts);
  const spans = known === null ? [] : ranges.flatMap((range) => spansOf(range, known));
  if (spans.length === 0) return null;
  const isIn = (date: Sql) =>
    join(
      spans.map(
        ([first, last]) =>
          sql`${date} between ${parameter.date(dateOf(first))} and ${parameter.date(dateOf(last))}`,
      ),
      sql` or `,
    );
  return {
    ...query(
      COLUMNS,
      sql`
      select day, sum(visits) as sessions_count, sum(carts) as cart_sessions_count,
        sum(checkouts) as checkout_sessions_count, sum(converting) as converting_sessions_count,
        sum(bought) as orders_count
      from (
        select started_date as day, count(*) as visits, count(*) filter (where has_cart) as carts,
          count(*) filter (where has_checkout) as checkouts, count(*) filter (where own_orders + own_orders_by_time > 0) as converting,
          0 as bought
        from ${sessions} where not is_suspected_bot and (${isIn(sql`started_date`)})
        group by started_date
        union all
        select ordered_date, 0, 0, 0, 0, count(*)
        from ${orders} where is_valid and (${isIn(sql`ordered_date`)})
        group by ordered_date
      ) as counted
      group by day`,
    ),
    isAside: true,
  };
}

/**
 * The days of a range on which visits went another way than the shop's own weeks and the year before tell.
 */
export interface OutOfStep {
  readonly dates: readonly string[];
  /** How many were counted on these days, and how many are usual on them. */
  readonly count: number;
  readonly usual: number;
  readonly orders: number;
  readonly usualOrders: number;
  /** Whether orders stayed as they are usually, so that it is the counting of visits that changed. */
  readonly isOfCounting: boolean;
}

/** Orders at least this near to what usual visits bring have not gone away. */
const NEARLY = 0.8;
/** Orders that rose by a smaller part than this of the rise of visits have not followed it. */
const FOLLOWING = 0.25;
/** From this many deviations on, a count of orders is not chance. */
const DEVIATIONS = 3;

/**
 * @param name what is counted of visits
 * @param side whether the days with far fewer or with far more are looked for
 * @returns null where there are none
 */
export function outOfStep(
  rows: readonly VisitDay[],
  range: Days,
  name: CountOfVisits,
  side: 'fewer' | 'more',
  timezone: string,
  facts: SnapshotFacts,
): OutOfStep | null {
  const known = knownDays(timezone, facts);
  if (known === null) return null;
  const byDay = new Map(rows.map((row) => [dayNumber(row.day), row]));
  const of = (key: CountOfVisits) => new Counts((day) => byDay.get(day)?.[key] ?? 0, known);
  const [counts, bought] = [of(name), of('orders_count')];
  const days = daysIn(range, known).filter((day) => counts.isOff(day, side) && !isUsualThen(counts, day));
  if (days.length === 0) return null;
  const sum = (numberOf: (day: number) => number) => days.reduce((all, day) => all + numberOf(day), 0);
  const found = {
    dates: days.map(dateOf),
    count: sum((day) => counts.of(day)),
    usual: sum((day) => counts.usual(day) ?? 0),
    orders: sum((day) => bought.of(day)),
    usualOrders: sum((day) => bought.usual(day) ?? 0),
  };
  return { ...found, isOfCounting: side === 'fewer' ? stayed(found) : doNotFollow(found) };
}

type Sums = Omit<OutOfStep, 'dates' | 'isOfCounting'>;

function stayed({ orders: bought, usualOrders }: Sums): boolean {
  return usualOrders > 0 && bought >= NEARLY * usualOrders;
}

/**
 * Whether orders are far fewer than these additional visits would bring, if they were visits of people as
 * usual.
 */
function doNotFollow({ count, usual, orders: bought, usualOrders }: Sums): boolean {
  if (usual === 0 || usualOrders === 0) return false;
  const expected = (usualOrders * count) / usual;
  return (
    bought < usualOrders + FOLLOWING * (expected - usualOrders) &&
    expected - bought > DEVIATIONS * Math.sqrt(expected)
  );
}

/**
 * Whether the same day a year before moved the same way, at least half as far: then it is the shop's season.
 */
function isUsualThen(counts: Counts, day: number): boolean {
  const moved = counts.moved(day);
  return [YEAR_OF_WEEKS, YEAR].some((before) => {
    const then = counts.moved(day - before);
    return moved !== null && then !== null && then / moved >= 0.5;
  });
}

const MOST_DATES = 5;

/** The calendar is asked for this many notes of days: more are those of some years. */
export const MOST_NOTED = 500;

interface VisitsTold {
  /** What the merchant noted of days. */
  readonly noted: readonly Noted[];
  /** Whether the answer is of a part of the visits: then nothing is said of all of them. */
  readonly isFiltered: boolean;
}

/**
 * What is said beside visits and conversion: that most buyers are not among them, or that they were counted
 * otherwise than before.
 */
export function visitNotes(
  rows: readonly VisitDay[],
  range: Days,
  timezone: string,
  facts: SnapshotFacts,
  { noted, isFiltered }: VisitsTold,
): string[] {
  return [
    ...unreachableNotes(rows, range, timezone, facts),
    ...(isFiltered ? [] : outOfStepNotes(rows, range, timezone, facts, noted)),
  ];
}

/**
 * More orders than visits, or than checkouts, are no conversion that anybody reaches: then some are not
 * recorded.
 */
function unreachableNotes(
  rows: readonly VisitDay[],
  range: Days,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const known = knownDays(timezone, facts);
  if (known === null) return [];
  const days = new Set(daysIn(range, known).map(dateOf));
  const sum = (name: CountOfVisits) =>
    rows.reduce((all, row) => (days.has(row.day) ? all + row[name] : all), 0);
  const [visits, bought] = [sum('sessions_count'), sum('orders_count')];
  const [checkouts, converting] = [sum('checkout_sessions_count'), sum('converting_sessions_count')];
  if (visits > 0 && bought > visits)
    return [
      `The range has ${bought} orders and ${visits} recorded visits: most buyers are not among these. conversion is of recorded visits alone, and orders divided by visits says nothing.`,
    ];
  return checkouts > 0 && converting > checkouts
    ? [
        `${plural(converting, 'visit has an order', 'visits have an order')} and only ${checkouts} a recorded checkout: checkouts are not all recorded, so no share of visits that reach or leave the checkout can be told.`,
      ]
    : [];
}

/** The notes on days on which visits were counted otherwise than before. */
function outOfStepNotes(
  rows: readonly VisitDay[],
  range: Days,
  timezone: string,
  facts: SnapshotFacts,
  noted: readonly Noted[],
): string[] {
  const found = (side: 'fewer' | 'more') => {
    const days = outOfStep(rows, range, 'sessions_count', side, timezone, facts);
    return days?.isOfCounting === true ? days : null;
  };
  const [fewer, more] = [found('fewer'), found('more')];
  return [
    ...(more === null
      ? []
      : [
          worded(
            `${visitsWere('more', more)}, but orders ${rose(more)} (${ordersThen(more)}), so conversion with these days is low. ${reasonsOfMore(more.dates, noted)} Ask session_statistics of these days by source.`,
            'note.visits-more',
            { ...valuesOf(more), reason: reasonsInWords(more.dates, noted) },
          ),
        ]),
    ...(fewer === null
      ? []
      : [
          worded(
            `${visitsWere('fewer', fewer)}, but orders did not fall with them (${ordersThen(fewer)}): tracking may have broken. Then visits are too few, and conversion is too high.`,
            'note.visits-fewer',
            valuesOf(fewer),
          ),
        ]),
  ];
}

/** Says what orders did while visits rose far more. */
export function rose({ orders: bought, usualOrders }: Pick<OutOfStep, 'orders' | 'usualOrders'>): string {
  return bought > Math.round(usualOrders) ? 'rose far less' : 'did not rise';
}

/**
 * What may have brought visits without orders: what the merchant noted of the days, and only of the others
 * what nobody wants.
 */
export function reasonsOfMore(dates: readonly string[], noted: readonly Noted[]): string {
  const { named: then, areAllNoted } = notedThen(dates, noted);
  const named = then
    .slice(0, MOST_DATES)
    .map(
      ({ name, first_date, last_date }) =>
        `${quoted(name)} (${first_date}${last_date === first_date ? '' : ` to ${last_date}`})`,
    )
    .join(', ');
  return [
    ...(then.length === 0 ? [] : [`Noted then: ${named}.`]),
    ...(areAllNoted
      ? []
      : [
          `${then.length === 0 ? 'Bots' : 'On the other days bots'}, a tag that counts twice, or people who only look may be among them.`,
        ]),
  ].join(' ');
}

/** The same reasons, for pages. */
export function reasonsInWords(dates: readonly string[], noted: readonly Noted[]): SentenceValue {
  const { named: then, areAllNoted } = notedThen(dates, noted);
  if (then.length === 0) return { say: 'note.reason-bots' };
  const each = then
    .slice(0, MOST_DATES)
    .map(({ name, first_date, last_date }) => namedDays(name, first_date, last_date));
  const key = areAllNoted ? 'note.reason-noted' : 'note.reason-noted-of-some';
  return { sentence: { key, values: { noted: { each } } } };
}

/** What the merchant noted of some of these dates, and whether something is noted of each. */
function notedThen(dates: readonly string[], noted: readonly Noted[]) {
  const covers = (one: Noted, date: string) => one.first_date <= date && date <= one.last_date;
  return {
    named: noted.filter((one) => dates.some((date) => covers(one, date))),
    areAllNoted: dates.every((date) => noted.some((one) => covers(one, date))),
  };
}

/** How many visits and orders these days have, and what is usual. */
export function valuesOf({ dates, count, usual, orders: bought, usualOrders }: OutOfStep) {
  return {
    dates: datesInWords(dates),
    count: { number: count },
    usual: { number: Math.round(usual) },
    orders: { number: bought },
    usualOrders: { number: Math.round(usualOrders) },
  } as const;
}

/** The same days as `shownDates`. */
export function datesInWords(dates: readonly string[]): SentenceValue {
  return {
    each: dates.slice(0, MOST_DATES).map((day) => ({ day })),
    more: Math.max(0, dates.length - MOST_DATES),
  };
}

function visitsWere(side: 'fewer' | 'more', { dates, count, usual }: OutOfStep): string {
  return `Visits were far ${side} than on the same weekdays before on ${shownDates(dates)} (${count}, usually ${Math.round(usual)})`;
}

function ordersThen({ orders: bought, usualOrders }: OutOfStep): string {
  return `${bought}, usually ${Math.round(usualOrders)}`;
}

/** @example '2026-05-12, 2026-05-13 and 3 more days' */
export function shownDates(dates: readonly string[]): string {
  const more = dates.length - MOST_DATES;
  const named = dates.slice(0, MOST_DATES).join(', ');
  return more <= 0 ? named : `${named} and ${more} more ${more === 1 ? 'day' : 'days'}`;
}

/**
 * The first and the last day of which both visits and orders are known whole: the data may end within a day.
 */
interface Known {
  readonly first: number;
  readonly last: number;
}

function knownDays(timezone: string, facts: SnapshotFacts): Known | null {
  const [visits, bought] = [beginningOf('sessions', facts), beginningOf('orders', facts)];
  const { sessions_until, orders_until } = facts;
  if (visits === null || bought === null || sessions_until === null || orders_until === null) return null;
  const day = (moment: string) => dayNumber(localDate(moment, timezone).toString());
  const known = {
    first: Math.max(day(visits), day(bought)),
    last: Math.min(day(sessions_until), day(orders_until)) - 1,
  };
  return known.first > known.last ? null : known;
}

function withinKnown(first: number, last: number, known: Known): readonly [number, number][] {
  const [from, until] = [Math.max(first, known.first), Math.min(last, known.last)];
  return from > until ? [] : [[from, until]];
}

/** The days that a range is judged by: with the weeks before it, and the same a year before. */
function spansOf({ firstDate, lastDate }: Days, known: Known): readonly [number, number][] {
  const [first, last] = [dayNumber(firstDate.toString()), dayNumber(lastDate.toString())];
  return [
    ...withinKnown(first - DAYS_BEFORE, last, known),
    ...withinKnown(first - YEAR - DAYS_BEFORE, last - YEAR_OF_WEEKS, known),
  ];
}

function daysIn({ firstDate, lastDate }: Days, known: Known): number[] {
  const [span] = withinKnown(dayNumber(firstDate.toString()), dayNumber(lastDate.toString()), known);
  if (span === undefined) return [];
  return Array.from({ length: span[1] - span[0] + 1 }, (_, index) => span[0] + index);
}

/**
 * What is counted on days, and what is usual on them: the median of the same weekdays in the weeks before.
 */
class Counts {
  readonly of: (day: number) => number;
  readonly known: Known;

  constructor(of: (day: number) => number, known: Known) {
    this.of = of;
    this.known = known;
  }

  isOff(day: number, side: 'fewer' | 'more'): boolean {
    const [count, before] = [this.of(day), this.#before(day)];
    if (!isFarOff(count, before)) return false;
    return side === 'more' ? count > median(before) : count < median(before);
  }

  /** Null where too few weeks are known. */
  usual(day: number): number | null {
    const before = this.#before(day);
    return before.length === 0 ? null : median(before);
  }

  /**
   * Says by how much the day is above (below 0: under) what is usual, as a logarithm; null where that is not
   * known.
   */
  moved(day: number): number | null {
    if (day < this.known.first || day > this.known.last) return null;
    const before = this.#before(day);
    const usual = before.length < LEAST_WEEKS ? 0 : median(before);
    // One more of each, so that a day without any has a logarithm.
    return usual === 0 ? null : Math.log((this.of(day) + 1) / (usual + 1));
  }

  #before(day: number): number[] {
    const weeks = DAYS_BEFORE / 7;
    return Array.from({ length: weeks }, (_, index) => day - 7 * (index + 1))
      .filter((date) => date >= this.known.first)
      .map(this.of);
  }
}

/** Nothing is called usual when there are fewer weeks than this. */
const LEAST_WEEKS = 4;
const MS_PER_DAY = 86_400_000;

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY;
}

function dateOf(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}
