import { Temporal } from 'temporal-polyfill';
import { type LoadedSource, type SnapshotFacts, SOURCE_NAMES } from '../business/snapshot-facts.ts';
import { InputError } from '../errors.ts';
import { localDate } from '../time/moment.ts';
import { endOfPeriod, lastWholePeriod } from '../time/periods.ts';
import { isBefore, type PromptRange, type RangeValues, yearBefore } from './prompt-range.ts';

/** What is known of the business when a prompt is asked for. */
export interface PromptContext {
  /** The date of the business, YYYY-MM-DD. */
  readonly today: string;
  /**
   * What is known of its data. It is null where it is not known which business is meant, where the business
   * has no data, or where the caller may not read them.
   */
  readonly facts: SnapshotFacts | null;
}

/** The range of a prompt if no dates are given: some whole months, or weeks from Monday on. */
export type DefaultRange = {
  /** The data whose end counts. */
  readonly source: LoadedSource;
} & ({ readonly months: number } | { readonly weeks: number });

export interface GivenDates {
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
}

interface ChosenDates extends RangeValues {
  /** Why the dates are these, where they were not given. */
  readonly notes: readonly string[];
}

/**
 * The dates as given, else the last whole months (weeks) that are loaded: one that goes on, or whose end is
 * not loaded yet, would look worse than those before it.
 *
 * @throws InputError when one is given without the other
 */
export function chooseDates(given: GivenDates, range: DefaultRange, context: PromptContext): ChosenDates {
  const { from_date, to_date } = given;
  if (from_date !== undefined && to_date !== undefined) return { from_date, to_date, notes: [] };
  if (from_date !== undefined || to_date !== undefined) {
    throw new InputError(
      'from_date and to_date must both be given, or none',
      `Without both, the range is ${lastPeriods(range)} of the data.`,
    );
  }
  return lastLoaded(range, context);
}

function lastLoaded(range: DefaultRange, { today, facts }: PromptContext): ChosenDates {
  const { source } = range;
  const { unit, count } = periodsOf(range);
  const yesterday = Temporal.PlainDate.from(today).subtract({ days: 1 });
  const until = loadedUntil(source, facts);
  const last = lastWholePeriod(until === null ? yesterday : earlier(until, yesterday), unit);
  return {
    from_date: last.subtract({ [`${unit}s`]: count - 1 }).toString(),
    to_date: endOfPeriod(last.toString(), unit).toString(),
    notes: [`A is ${lastPeriods(range)} ${whatIsLoaded(source, until, today, facts)} Say so first.`],
  };
}

function periodsOf(range: DefaultRange): { readonly unit: 'month' | 'week'; readonly count: number } {
  return 'months' in range ? { unit: 'month', count: range.months } : { unit: 'week', count: range.weeks };
}

function lastPeriods(range: DefaultRange): string {
  const { unit, count } = periodsOf(range);
  return count === 1 ? `the last whole ${unit}` : `the last ${count} whole ${unit}s`;
}

function loadedUntil(source: LoadedSource, facts: SnapshotFacts | null): Temporal.PlainDate | null {
  const until = facts?.[`${source}_until`] ?? null;
  return until === null ? null : localDate(until, facts?.timezone ?? 'UTC');
}

function earlier(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? one : other;
}

function whatIsLoaded(
  source: LoadedSource,
  until: Temporal.PlainDate | null,
  today: string,
  facts: SnapshotFacts | null,
): string {
  const name = SOURCE_NAMES[source];
  if (until !== null) return `that is loaded (${name.toLowerCase()} until ${until}).`;
  if (facts !== null) return `before ${today}. No ${name.toLowerCase()} are loaded for this business yet.`;
  return `before ${today}. Where notes of an answer say that ${name.toLowerCase()} end earlier, move A to the end of what is loaded.`;
}

/** The year before as another range to ask about; nothing where the data begin later. */
export function offerYearBefore(range: PromptRange, { facts }: PromptContext): string[] {
  const before = yearBefore(range);
  if (before === null || !isLoaded(before, facts)) return [];
  return [`At the end offer the same for the year before: ${writeDates(before)}.`];
}

/**
 * The year before as another range to compare with; nothing where the data begin later, or it is no other
 * one.
 */
export function offerComparison(
  range: PromptRange,
  compared: PromptRange,
  { facts }: PromptContext,
): string[] {
  const before = yearBefore(range);
  if (before === null || !isBefore(before, range) || !isLoaded(before, facts)) return [];
  if (before.from_date === compared.from_date) return [];
  return [`B is the period directly before A. At the end offer the year before as B: ${writeDates(before)}.`];
}

/** Whether the range is loaded. It is known when orders begin; what else there is seldom begins earlier. */
function isLoaded({ from_date }: PromptRange, facts: SnapshotFacts | null): boolean {
  const start = facts?.history_starts_at ?? null;
  return start === null || localDate(start, facts?.timezone ?? 'UTC').toString() <= from_date.slice(0, 10);
}

function writeDates({ from_date, to_date }: PromptRange): string {
  return JSON.stringify({ from_date, to_date });
}
