import { Temporal } from 'temporal-polyfill';
import { MessageError } from '../messages/message-error.ts';
import { yearBefore } from '../time/year-before.ts';

/** Local days of a store, `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from_date: string;
  readonly to_date: string;
}

/** How many days they are. */
export function lengthOf({ from_date, to_date }: Days): number {
  return Temporal.PlainDate.from(from_date).until(to_date).days + 1;
}

/**
 * What a page can be about: days up to the last one with data, whole months up to it, or days that somebody
 * chose.
 */
export const PERIODS = ['7d', '30d', '90d', 'month', 'quarter', 'year', 'own'] as const;
export type Period = (typeof PERIODS)[number];

export const COMPARISONS = ['before', 'year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface AskedPeriod {
  readonly period: Period;
  readonly compare: Comparison;
  /** The days of the period `own`; null of others. */
  readonly own: Days | null;
}

const DAYS: Readonly<Partial<Record<Period, number>>> = { '7d': 7, '30d': 30, '90d': 90 };
const MONTHS: Readonly<Partial<Record<Period, number>>> = { month: 1, quarter: 3, year: 12 };

/**
 * Reads the query of an address, so that a link shows the same to everybody. Without a period it is 30 days.
 *
 * @example
 * readPeriod({ period: 'own', from: '2026-01-01', to: '2026-01-31', compare: 'year' });
 * @throws MessageError that says what is allowed
 */
export function readPeriod(query: Readonly<Record<string, string | undefined>>): AskedPeriod {
  const period = oneOf('period', query.period, PERIODS, '30d');
  const compare = oneOf('compare', query.compare, COMPARISONS, 'before');
  if (period !== 'own') return { period, compare, own: null };
  const [from, to] = [
    readDay('overview.no-first-day', query.from),
    readDay('overview.no-last-day', query.to),
  ];
  if (Temporal.PlainDate.compare(from, to) > 0)
    throw new MessageError('overview.wrong-order', { first: from.toString(), last: to.toString() });
  if (from.until(to).days >= LONGEST_DAYS)
    throw new MessageError('overview.too-many-days', { most: LONGEST_DAYS });
  return { period, compare, own: { from_date: from.toString(), to_date: to.toString() } };
}

const LONGEST_DAYS = 3660;

/** @throws MessageError that names what is allowed */
export function oneOf<const Value extends string>(
  name: string,
  given: string | undefined,
  allowed: readonly Value[],
  usual: Value,
): Value {
  if (given === undefined || given === '') return usual;
  const known = allowed.find((one) => one === given);
  if (known === undefined) throw new MessageError('overview.one-of', { name, allowed: allowed.join(', ') });
  return known;
}

function readDay(refusal: 'overview.no-first-day' | 'overview.no-last-day', given = ''): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(given)) return Temporal.PlainDate.from(given, { overflow: 'reject' });
  } catch {}
  throw new MessageError(refusal);
}

/**
 * The days of a period and those that it is compared with; null: with none.
 *
 * Days are counted back from the last day with data, so that a store whose data are old shows something.
 * Months are whole: the last one that had ended by then. Chosen days that are whole months count as such.
 * What comes before has the same number of days, or of whole months.
 *
 * @param lastDay the last local day with data
 */
export function daysOfPeriod(
  { period, compare, own }: AskedPeriod,
  lastDay: string,
): { readonly days: Days; readonly before: Days | null } {
  const months = own === null ? MONTHS[period] : wholeMonths(own);
  const days =
    own ?? (months === undefined ? lastDays(lastDay, DAYS[period] ?? 30) : lastMonths(lastDay, months));
  if (compare === 'none') return { days, before: null };
  return { days, before: compare === 'year' ? daysOfYearBefore(days) : periodBefore(days, months) };
}

function daysOfYearBefore({ from_date, to_date }: Days): Days {
  const [first, last] = yearBefore(Temporal.PlainDate.from(from_date), Temporal.PlainDate.from(to_date));
  return { from_date: first.toString(), to_date: last.toString() };
}

/** How many months chosen days are; undefined where they are not whole ones. */
function wholeMonths({ from_date, to_date }: Days): number | undefined {
  const [first, after] = [
    Temporal.PlainDate.from(from_date),
    Temporal.PlainDate.from(to_date).add({ days: 1 }),
  ];
  if (first.day !== 1 || after.day !== 1) return undefined;
  return first.until(after, { largestUnit: 'month' }).months;
}

function lastDays(lastDay: string, count: number): Days {
  const last = Temporal.PlainDate.from(lastDay);
  return { from_date: last.subtract({ days: count - 1 }).toString(), to_date: lastDay };
}

function lastMonths(lastDay: string, count: number): Days {
  const last = Temporal.PlainDate.from(lastDay);
  const hasEnded = last.day === last.daysInMonth;
  const after = last.with({ day: 1 }).add({ months: hasEnded ? 1 : 0 });
  return {
    from_date: after.subtract({ months: count }).toString(),
    to_date: after.subtract({ days: 1 }).toString(),
  };
}

function periodBefore({ from_date, to_date }: Days, months: number | undefined): Days {
  const first = Temporal.PlainDate.from(from_date);
  const last = first.subtract({ days: 1 });
  const length = first.until(to_date).days + 1;
  const before = months === undefined ? first.subtract({ days: length }) : first.subtract({ months });
  return { from_date: before.toString(), to_date: last.toString() };
}
