import { createRequire } from 'node:module';
import type Calendar from 'date-holidays';
import type { HolidaysTypes } from 'date-holidays';
import { Temporal } from 'temporal-polyfill';

export interface PublicHoliday {
  /** Local days, both included. */
  readonly first_date: string;
  readonly last_date: string;
  /** The name in the country's language. */
  readonly name: string;
}

/** The first year for which the library knows moveable feasts. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2199;

/**
 * The public holidays of a country that touch the days, in order; no more than asked for, since centuries
 * have thousands.
 *
 * They are those of today's law: a year before a day became a holiday has it too.
 *
 * @param country ISO 3166-1 code; of one that the library does not know there are none
 */
export function publicHolidays(
  country: string,
  firstDate: string,
  lastDate: string,
  most: number,
): PublicHoliday[] {
  const calendar = calendarOf(country);
  const found: PublicHoliday[] = [];
  const lastYear = Math.min(LAST_YEAR, yearOf(lastDate));
  // One that begins in December may go on in January.
  for (let year = Math.max(FIRST_YEAR, yearOf(firstDate) - 1); year <= lastYear; year += 1) {
    if (found.length >= most) break;
    const ofYear = calendar.getHolidays(year).filter(({ type }) => type === 'public');
    found.push(
      ...ofYear.map(holiday).filter((one) => one.last_date >= firstDate && one.first_date <= lastDate),
    );
  }
  return found.slice(0, most);
}

function yearOf(date: string): number {
  return Temporal.PlainDate.from(date).year;
}

/** Kept, since its rules are read when it is made. There is one per country. */
const calendars = new Map<string, Calendar>();

function calendarOf(country: string): Calendar {
  const known = calendars.get(country);
  if (known !== undefined) return known;
  const made = new (library())(country);
  calendars.set(country, made);
  return made;
}

/**
 * The library. With the rules of all countries it takes a quarter of a second, so it is loaded for the first
 * answer that needs it.
 */
function library(): typeof Calendar {
  return createRequire(import.meta.url)('date-holidays') as typeof Calendar;
}

/**
 * Some are more than a day long, some are half a day; those after sunset are named by the day that follows.
 */
function holiday({ date, start, end, name }: HolidaysTypes.Holiday): PublicHoliday {
  const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / MS_PER_DAY));
  const first = Temporal.PlainDate.from(date.slice(0, 10));
  return { first_date: first.toString(), last_date: first.add({ days: days - 1 }).toString(), name };
}

const MS_PER_DAY = 86_400_000;
