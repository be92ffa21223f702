import { type DrawnStore, dayLocale, wordsFor } from './drawn-store.ts';

/** Days are counted in UTC, since the days of a period are local days already. */
const DAY = 86_400_000;

export interface Span {
  /** First and last local day, `YYYY-MM-DD`. */
  readonly first: string;
  readonly last: string;
}

/** The first and last day of `2026-10-05`, `2026-W41` or `2026-10`; null for any other text. */
export function daysOf(period: string, start: unknown): Span | null {
  if (/^\d{4}-\d\d-\d\d$/.test(period)) return { first: period, last: period };
  if (/^\d{4}-\d\d$/.test(period)) {
    const [year = 0, month = 0] = period.split('-').map(Number);
    return { first: `${period}-01`, last: isoDay(Date.UTC(year, month, 0)) };
  }
  if (/^\d{4}-W\d\d$/.test(period) && typeof start === 'string') {
    return { first: start, last: isoDay(Date.parse(start) + 6 * DAY) };
  }
  return null;
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The local day of a moment, in the store's time zone. */
export function localDay(moment: string, { timezone }: Pick<DrawnStore, 'timezone'>): string | null {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return null;
  const parts = { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return formatter('en-CA', parts).format(time);
}

/** A local day, as the reader's region writes it. */
export function formatDay(day: string, store: DrawnStore): string {
  const time = Date.parse(day.slice(0, 10));
  if (Number.isNaN(time)) return day;
  return formatter(dayLocale(store), { dateStyle: 'medium' }).format(time);
}

/** A period as short as an axis needs it. A week has the day on which it begins: “W36, 31 Aug 2026”. */
export function formatPeriod(
  period: string,
  store: DrawnStore,
  month: 'short' | 'numeric' = 'short',
): string {
  const [, year, week] = /^(\d{4})-W(\d\d)$/.exec(period) ?? [];
  if (year !== undefined && week !== undefined) {
    const start = formatter(dayLocale(store), { dateStyle: 'medium' }).format(
      mondayOf(Number(year), Number(week)),
    );
    return wordsFor(store).say('picture.week', { week, start });
  }
  if (/^\d{4}-\d\d$/.test(period))
    return formatter(dayLocale(store), { year: 'numeric', month }).format(Date.parse(`${period}-01`));
  if (/^\d{4}-\d\d-\d\d$/.test(period))
    return formatter(dayLocale(store), { dateStyle: 'medium' }).format(Date.parse(period));
  return period;
}

/** The first week of an ISO year is the one with 4 January. */
function mondayOf(year: number, week: number): number {
  const fourth = Date.UTC(year, 0, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  return fourth + ((week - 1) * 7 - weekday) * DAY;
}

/** A moment with its time of day, in the store's time. */
export function formatMoment(moment: string, store: DrawnStore): string {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return moment;
  return formatter(dayLocale(store), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: store.timezone,
  }).format(time);
}

const kept = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([locale, options]);
  const known = kept.get(name) ?? new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  kept.set(name, known);
  return known;
}

/** The name of an ISO weekday: 1 is Monday. */
export function weekdayName(weekday: number, store: DrawnStore): string {
  return formatter(dayLocale(store), { weekday: 'short' }).format(Date.UTC(2024, 0, weekday));
}
