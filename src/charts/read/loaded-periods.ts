import type { Chart } from '../../answers/chart.ts';
import { daysOf, localDay, type Span } from '../dates.ts';

import type { FigureWords, Known, Value } from '../figure.ts';
import { noValue, type Row, rowsAt } from './answer-rows.ts';
import { type Asked, dataUntil } from './asked-question.ts';

/** Which days are loaded of what an answer is about. */
interface Loaded {
  /** Whether there is nothing at all, as the answer itself says. */
  readonly isNothing: boolean;
  /** The first local day; null when nobody says. */
  readonly from: string | null;
  /** The last one; null when nobody says. */
  readonly until: string | null;
}

export function loadedDays({ answer, store }: Asked): Loaded {
  const until = dataUntil(answer, store);
  return {
    isNothing: answer.data_until === null,
    from: historyStart(answer, store),
    until: until === null ? null : localDay(until, store),
  };
}

/** That of orders: what an answer about something else begins with, nobody says. */
function historyStart(answer: Asked['answer'], store: Asked['store']): string | null {
  if ('data_until' in answer || store.history_starts_at === null) return null;
  return localDay(store.history_starts_at, store);
}

/** A day is over when another one is loaded; a longer period when its last day is. */
export function knownOf(period: string, start: unknown, { isNothing, from, until }: Loaded): Known {
  const days = daysOf(period, start);
  if (days === null) return 'whole';
  if (isNothing) return 'after';
  if (from !== null && days.last < from) return 'before';
  if (until === null) return 'whole';
  if (days.first > until) return 'after';
  const isOver = days.first === days.last ? days.last < until : days.last <= until;
  return isOver ? 'whole' : 'incomplete';
}

/** The last loaded day, where days after it were asked for too: nothing is drawn of these. Null where all are loaded. */
export function lastLoadedDay({
  args,
  answer,
  store,
}: Pick<Asked, 'args' | 'answer' | 'store'>): string | null {
  const until = dataUntil(answer, store);
  const [from, to] = [args.from_date, args.to_date].map((date) => askedDay(date, store));
  if (until === null || to == null) return null;
  const day = localDay(until, store);
  return day !== null && day < to && (from == null || from <= day) ? day : null;
}

/** The days of the periods along time, where these are more than the days asked about: periods are whole. */
export function widenedDays(asked: Asked): Span | null {
  const { args, described, store } = asked;
  const [from, to] = [args.from_date, args.to_date].map((date) => askedDay(date, store));
  if (from == null && to == null) return null;
  let [first, last] = ['', ''];
  for (const chart of described.charts) {
    if (chart.kind !== 'line') continue;
    for (const days of outermostDays(asked, chart)) {
      if (first === '' || days.first < first) first = days.first;
      if (days.last > last) last = days.last;
    }
  }
  if (first === '') return null;
  // What is after the data is drawn as nothing.
  const { until } = loadedDays(asked);
  if (until !== null && first <= until && last > until) last = until;
  return (from != null && first < from) || (to != null && last > to) ? { first, last } : null;
}

/**
 * The days of the first and the last period. The periods of one answer are of one kind, so their names are in the order
 * of time.
 */
function outermostDays(
  asked: Asked,
  { rows, along }: { readonly rows: string; readonly along: string },
): Span[] {
  let [first, last]: [Row['row'] | null, Row['row'] | null] = [null, null];
  for (const { row } of rowsAt(asked, rows)) {
    if (first === null || String(row[along]) < String(first[along])) first = row;
    if (last === null || String(row[along]) > String(last[along])) last = row;
  }
  return [first, last].flatMap((row) => (row && daysOf(String(row[along]), row[`${along}_start`])) ?? []);
}

/** The day that a date means. Without an offset, the date is in the store's time already. */
function askedDay(date: unknown, store: Asked['store']): string | null {
  if (typeof date !== 'string') return null;
  return /^[^T]*T.*(Z|[+-]\d\d:?\d\d)$/i.test(date) ? localDay(date, store) : date.slice(0, 10);
}

/** What its sends bring still changes: as the row says, or the answer of all of it, such as of a test that goes on. */
export function isOpen(
  { answer }: Asked,
  { row }: Pick<Row, 'row'>,
  { goesOn }: Pick<Chart, 'goesOn'>,
): boolean {
  if (goesOn) return false;
  return (row.is_mature ?? answer.is_mature) === false || answer.phase === 'testing';
}

/** Zeros of a period that is not loaded say nothing about the store. */
export function asLoaded(value: Value | null, known: Known, { say }: FigureWords): Value | null {
  if (value === null) return null;
  if (known === 'after') return noValue(value.at, say('picture.not-yet'));
  // A number that is not zero is of something that is loaded.
  return known === 'before' && !value.value ? noValue(value.at, say('picture.before-loaded')) : value;
}

export function isBefore(value: Value | null, { say }: FigureWords): boolean {
  // The text of a number would be written for nothing.
  return value?.value === null && value.text === say('picture.before-loaded');
}
