import type { WatchedSeries } from '../../../../statistics/unusual-days.ts';
import { publicHolidays } from '../../../../time/public-holidays.ts';
import type { Noted } from '../../../calendar/queries/noted-days.ts';
import type { RowsByKey } from '../explained/all-bridges.ts';
import { SEPARATOR } from '../fact.ts';
import { lengthOf, type SourceDays } from './watched-days.ts';
import type { WatchedMetric } from './watched-metrics.ts';

/** The days of a kind of data, with what is known of them beside numbers. */
export interface KnownDays {
  readonly days: SourceDays;
  readonly dates: readonly string[];
  /** How many of the last dates are judged. */
  readonly judged: number;
  readonly unlike: readonly boolean[];
  readonly holidays: readonly (number | null | undefined)[];
}

/** What is noted of more days is how the store is, and no exception. */
const MOST_NOTED_DAYS = 14;
const MOST_HOLIDAYS = 200;

export function knownDays(days: SourceDays, country: string | null, noted: readonly Noted[]): KnownDays {
  const dates = Array.from({ length: lengthOf(days.first, days.to) }, (_, place) =>
    days.first.add({ days: place }).toString(),
  );
  const judged = lengthOf(days.from, days.to);
  const names = holidayNames(dates, country);
  const isNoted = (date: string) =>
    noted.some(
      ({ first_date, last_date }) =>
        first_date <= date &&
        date <= last_date &&
        (Date.parse(last_date) - Date.parse(first_date)) / MS_PER_DAY < MOST_NOTED_DAYS,
    );
  const unlike = dates.map(
    (date, place) => names.has(date) || (place < dates.length - judged && isNoted(date)),
  );
  const holidays = dates.map((date, place) => {
    const name = names.get(date);
    return name === undefined ? undefined : sameHolidayBefore(dates, names, name, place);
  });
  return { days, dates, judged, unlike, holidays };
}

const MS_PER_DAY = 86_400_000;

function holidayNames(dates: readonly string[], country: string | null): Map<string, string> {
  const [first, last] = [dates[0], dates.at(-1)];
  if (country === null || first === undefined || last === undefined) return new Map();
  return new Map(
    publicHolidays(country, first, last, MOST_HOLIDAYS).map(({ first_date, name }) => [first_date, name]),
  );
}

/** The place of the holiday of that name in the year before. */
function sameHolidayBefore(
  dates: readonly string[],
  names: ReadonlyMap<string, string>,
  name: string,
  place: number,
): number | null {
  for (let before = place - 300; before >= Math.max(0, place - 430); before -= 1)
    if (names.get(dates[before] as string) === name) return before;
  return null;
}

/** Nothing can be said about a day when fewer come on an average day. */
const LEAST_A_DAY = 5;
/** The time over which that is looked at. */
const RECENT_DAYS = 56;
/** Money that has no count varies in such parts of what comes on a day. */
const PARTS_OF_A_DAY = 20;
/** The values of orders vary by so much about their mean. */
const SPREAD_OF_ORDERS = 1.6;

/**
 * A metric by day, of all or of one value.
 *
 * @param rows by the value and the day
 * @param value null: of all
 * @returns null where it is unknown, or so small that nothing could be told of a day
 */
export function watchedSeries(
  metric: WatchedMetric,
  rows: RowsByKey,
  value: string | null,
  known: KnownDays,
): WatchedSeries | null {
  const row = (date: string) => rows.get(value === null ? date : `${value}${SEPARATOR}${date}`);
  const column = (name: string) => known.dates.map((date) => row(date)?.[name] ?? 0);
  const isUnknown = known.dates.map((date) => {
    const found = row(date);
    return (
      found !== undefined &&
      (found[metric.sum] === null || (metric.per !== null && found[metric.per] === null))
    );
  });
  const values = column(metric.sum);
  const exposures = metric.per === null ? null : column(metric.per);
  const learned = known.dates.length - known.judged;
  const recent = known.dates
    .map((_, place) => place)
    .slice(Math.max(0, learned - RECENT_DAYS), learned)
    .filter((place) => !isUnknown[place] && (exposures === null || (exposures[place] as number) > 0));
  if (recent.length < RECENT_DAYS / 8) return null;
  const mean = recent.reduce((sum, place) => sum + (values[place] as number), 0) / recent.length;
  const unit = unitOf(metric, values.slice(0, learned), column, mean);
  if (unit === null || mean / unit < LEAST_A_DAY) return null;
  return {
    values,
    exposures,
    unit,
    unlike: known.unlike.map((unlike, place) => unlike || (isUnknown[place] as boolean)),
    holidays: known.holidays,
  };
}

function unitOf(
  { sum, pieces }: WatchedMetric,
  values: readonly number[],
  column: (name: string) => readonly number[],
  mean: number,
): number | null {
  if (pieces !== null) {
    const counted = column(pieces)
      .slice(0, values.length)
      .reduce((all, one) => all + one, 0);
    const whole = values.reduce((all, one) => all + one, 0);
    return counted > 0 && whole > 0 ? (SPREAD_OF_ORDERS * whole) / counted : null;
  }
  if (!MONEY.includes(sum)) return 1;
  const some = values.slice(-RECENT_DAYS).filter((value) => value > 0).length;
  // Money that comes on few days alone is no series of days.
  return some < RECENT_DAYS / 2 || mean <= 0 ? null : mean / PARTS_OF_A_DAY;
}

const MONEY: readonly string[] = ['ad_cost', 'refunded_revenue_by_refund_date'];
