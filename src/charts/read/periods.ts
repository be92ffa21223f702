import { daysOf, localDay } from '../dates.ts';
import type { Known, Value } from '../figure.ts';
import { type Asked, dataUntil } from './asked.ts';
import { NOT_YET, noValue } from './rows.ts';

/** Which days are loaded of what an answer is about. */
interface Loaded {
  /** None at all, as the answer itself says. */
  readonly isNothing: boolean;
  /** The first local day; null when nobody says. */
  readonly from: string | null;
  /** The last one; null when nobody says. */
  readonly until: string | null;
}

const BEFORE = 'before what is loaded';

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

/** Zeros of a period that is not loaded say nothing about the store. */
export function asLoaded(value: Value | null, known: Known): Value | null {
  if (value === null) return null;
  if (known === 'after') return noValue(value.at, NOT_YET);
  // A number that is not zero is of something that is loaded.
  return known === 'before' && !value.value ? noValue(value.at, BEFORE) : value;
}

export function isBefore(value: Value | null): boolean {
  return value?.text === BEFORE;
}
