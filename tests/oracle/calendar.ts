import { Temporal } from 'temporal-polyfill';
import type { Row } from './store.ts';

/** What the merchant noted of the days that trends show, from the text of docs/decisions/0101. */

export interface CalendarEvent {
  readonly first_date: string;
  readonly last_date: string;
  readonly name: string;
  readonly kind: string;
  readonly country: string | null;
}

/** Finds the notes on the days of whole periods that a range from one local day to another touches. */
export function notedIn(
  rows: readonly Row<'calendar_events'>[],
  firstDay: string,
  lastDay: string,
  breakdown: 'day' | 'week' | 'month',
): CalendarEvent[] {
  const [from, to] = [dayBounds(firstDay, breakdown)[0], dayBounds(lastDay, breakdown)[1]];
  const known = new Map<string, CalendarEvent>();
  for (const { first_date = '', last_date = '', name = '', kind = '' } of rows) {
    const event = {
      first_date,
      last_date: last_date || first_date,
      name,
      kind: kind || 'other',
      country: null,
    };
    known.set(JSON.stringify([first_date, name]), event);
  }
  const found: CalendarEvent[] = [];
  for (const event of known.values()) {
    let day = Temporal.PlainDate.from(event.first_date);
    let isInside = false;
    while (day.toString() <= event.last_date) {
      if (day.toString() >= from && day.toString() <= to) isInside = true;
      day = day.add({ days: 1 });
    }
    if (isInside) found.push(event);
  }
  const order = ({ first_date, name }: CalendarEvent) => `${first_date} ${Buffer.from(name).toString('hex')}`;
  return found.sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

function dayBounds(day: string, breakdown: 'day' | 'week' | 'month'): [first: string, last: string] {
  const date = Temporal.PlainDate.from(day);
  if (breakdown === 'day') return [day, day];
  if (breakdown === 'month') {
    return [date.with({ day: 1 }).toString(), date.with({ day: date.daysInMonth }).toString()];
  }
  const monday = date.subtract({ days: date.dayOfWeek - 1 });
  return [monday.toString(), monday.add({ days: 6 }).toString()];
}

/** Public holidays of the Czech Republic by law 245/2000, as it is since 2016. */
export function czechHolidays(year: number): string[] {
  const fixed = [
    '01-01',
    '05-01',
    '05-08',
    '07-05',
    '07-06',
    '09-28',
    '10-28',
    '11-17',
    '12-24',
    '12-25',
    '12-26',
  ];
  const easter = easterSunday(year);
  return [
    ...fixed.map((day) => `${year}-${day}`),
    easter.subtract({ days: 2 }).toString(),
    easter.add({ days: 1 }).toString(),
  ].sort();
}

/** The anonymous Gregorian computus (Meeus, Jones, Butcher). */
function easterSunday(year: number): Temporal.PlainDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = b - Math.floor(b / 4) - Math.floor((8 * b + 13) / 25) + 19 * a + 15;
  const h = d % 30;
  const m = Math.floor((a + 11 * h) / 319);
  const l = (2 * (b % 4) + 2 * Math.floor(c / 4) - (c % 4) - h + m + 32) % 7;
  const month = Math.floor((h - m + l + 90) / 25);
  return Temporal.PlainDate.from({ year, month, day: (h - m + l + month + 19) % 32 });
}
