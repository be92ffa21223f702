import { Temporal } from 'temporal-polyfill';
import { type SentenceValue, sentenceOf, worded } from '../../../../answers/sentences.ts';
import type { Range } from '../../../../time/range.ts';
import type { Both } from './all-bridges.ts';

/** The first and the last loaded day, as dates. */
interface LoadedDays {
  readonly first: string;
  readonly last: string;
}

/** A range that has days of which nothing is loaded. */
interface Unloaded {
  readonly from_date: string;
  readonly to_date: string;
  readonly days: number;
  readonly missing: number;
}

/** @param loaded null where nothing of this kind is: then every day is missing */
function unloadedIn(range: Range, loaded: LoadedDays | null): Unloaded {
  const [from_date, to_date] = [range.firstDate.toString(), range.lastDate.toString()];
  const days = daysBetween(from_date, to_date);
  if (loaded === null) return { from_date, to_date, days, missing: days };
  const [, first = from_date] = [loaded.first, from_date].toSorted();
  const [last = to_date] = [loaded.last, to_date].toSorted();
  return { from_date, to_date, days, missing: days - daysBetween(first, last) };
}

/** How many days there are from the first date to the last, with both; 0 where the last is the earlier. */
function daysBetween(first: string, last: string): number {
  const days = Temporal.PlainDate.from(first).until(last, { largestUnit: 'day' }).days + 1;
  return Math.max(0, days);
}

/** Whether no day of the range is loaded: its zeros are not the store's. */
export function isUnloaded(range: Range, loaded: LoadedDays | null): boolean {
  const { days, missing } = unloadedIn(range, loaded);
  return days === missing;
}

/**
 * The sentence about the whole difference, which is quoted alone: it says first where days of the ranges are
 * not loaded, since sums of fewer days are no fall of the store.
 *
 * @param whole the sentence; null where the metric is not known in one of the ranges
 */
export function withUnloadedDays(
  whole: string | null,
  ranges: Both<Range>,
  loaded: LoadedDays | null,
): string | null {
  const unloaded = ranges.map((range) => unloadedIn(range, loaded)).filter(({ missing }) => missing > 0);
  if (unloaded.length === 0) return whole;
  if (whole === null) {
    const none = unloaded.filter(({ days, missing }) => days === missing);
    return none.length === 0 ? null : nothingLoaded(none);
  }
  const parts = unloaded.map(
    ({ from_date, to_date, days, missing }) =>
      `${missing} of the ${days} days from ${from_date} to ${to_date}`,
  );
  const text = `Days are missing, so equal days are not compared: nothing is loaded of ${parts.join(' and of ')}. ${whole}`;
  const sentence = sentenceOf(whole);
  if (sentence === undefined) return text;
  const told = unloaded.map(({ from_date, to_date, days, missing }): SentenceValue => {
    const values = { missing: { number: missing }, all: { number: days } } as const;
    return {
      sentence: { key: 'found.unloaded-days', values: { ...values, days: { days: [from_date, to_date] } } },
    };
  });
  return worded(text, 'found.part-loaded', { unloaded: { each: told }, whole: { sentence } });
}

function nothingLoaded(none: readonly Unloaded[]): string {
  const names = none.map(({ from_date, to_date }) => `${from_date} to ${to_date}`);
  return worded(
    `Nothing is loaded of ${names.join(' and ')}: what the metric was is not known, so nothing is explained.`,
    'found.not-loaded',
    { ranges: { each: none.map(({ from_date, to_date }) => ({ days: [from_date, to_date] as const })) } },
  );
}
