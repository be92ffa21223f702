import type { Chart } from '../../answers/chart.ts';
import { daysOf, localDay, type Span } from '../dates.ts';

import type { FigureWords, Known, Value } from '../figure.ts';
import { noValue, type Row, rowsAt } from './answer-rows.ts';
import { type Asked, dataUntil } from './asked-question.ts';

/** The days for which the data of an answer are loaded. */
interface Loaded {
  /** Whether nothing is loaded at all, as the answer itself says. */
  readonly isNothing: boolean;
  /** The first local day; null if unknown. */
  readonly from: string | null;
  /** The last local day; null if unknown. */
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

/** The start of the data, for an answer about orders; for any other it is unknown. */
function historyStart(answer: Asked['answer'], store: Asked['store']): string | null {
  if ('data_until' in answer || store.history_starts_at === null) return null;
  return localDay(store.history_starts_at, store);
}

/** A day is over when a later day is loaded; a longer period when its last day is. */
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

/** The last loaded day, if later days were asked for, for which nothing is drawn. Null if all are loaded. */
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

/** The days of the drawn periods, if they are more than the days asked about: periods are whole. */
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
  // Nothing is drawn for days after the data.
  const { until } = loadedDays(asked);
  if (until !== null && first <= until && last > until) last = until;
  return (from != null && first < from) || (to != null && last > to) ? { first, last } : null;
}

/**
 * The days of the first and the last period. The periods of one answer are of one kind, so their names sort
 * in the order of time.
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

/** The local day that a date means. A date without an offset is in the store's time already. */
function askedDay(date: unknown, store: Asked['store']): string | null {
  if (typeof date !== 'string') return null;
  return /^[^T]*T.*(Z|[+-]\d\d:?\d\d)$/i.test(date) ? localDay(date, store) : date.slice(0, 10);
}

/**
 * Whether the numbers of a row may still change, as the row says or the whole answer, such as one about a
 * running test.
 */
export function isOpen(
  { answer }: Asked,
  { row }: Pick<Row, 'row'>,
  { goesOn }: Pick<Chart, 'goesOn'>,
): boolean {
  if (goesOn) return false;
  return (row.is_mature ?? answer.is_mature) === false || answer.phase === 'testing';
}

/** Zeros of a period that is not loaded mean nothing. */
export function asLoaded(value: Value | null, known: Known, { say }: FigureWords): Value | null {
  if (value === null) return null;
  if (known === 'after') return noValue(value.at, say('picture.not-yet'));
  // A number other than zero shows that something is loaded.
  return known === 'before' && !value.value ? noValue(value.at, say('picture.before-loaded')) : value;
}

export function isBefore(value: Value | null, { say }: FigureWords): boolean {
  // Compares the value first, since its text would be made for nothing.
  return value?.value === null && value.text === say('picture.before-loaded');
}
