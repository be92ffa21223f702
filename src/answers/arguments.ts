import { z } from 'zod';
import { BREAKDOWNS } from '../time/periods.ts';

/** The arguments that several tools share, with the contract's names, defaults, limits and messages. */

/** The id of a business, as list_businesses gives it. The instructions say so first. */
export const businessId = z.guid();

/**
 * The contract's date-time: a day or local time of the store, or a moment with an offset; read by
 * `readMoment`.
 */
const dateTime = (description: string) => z.string().meta({ format: 'date-time', description });

export const rangeArguments = {
  business_id: businessId,
  from_date: dateTime(
    'From the beginning of a day of the store, 2026-10-01, or from a local time, 2026-10-01T08:00:00; with an offset, from that moment.',
  ),
  to_date: dateTime(
    'Inclusive: to the end of a day of the store, 2026-10-31, or to a local time, 2026-10-31T18:00:00; with an offset, to that moment.',
  ),
};

export const breakdownArgument = {
  breakdown: oneOf('breakdown', BREAKDOWNS).describe('The range is widened to whole periods.'),
};

/** A bound that may be left open. */
export const optionalMoment = (description: string) =>
  z.string().meta({ format: 'date-time' }).nullable().default(null).describe(description);

export function pagingArguments(defaultLimit = 10) {
  return {
    limit: integerBetween('limit', 1, 1000).default(defaultLimit),
    offset: z.int(typed('offset must be a whole number')).min(0, 'offset must be at least 0').default(0),
  };
}

export function sortArguments<const Columns extends readonly [string, ...string[]]>(
  columns: Columns,
  defaults: { readonly sort_by: Columns[number]; readonly sort_order: 'asc' | 'desc' },
) {
  return {
    sort_by: oneOf('sort_by', columns).default(defaults.sort_by as never),
    sort_order: oneOf('sort_order', ['asc', 'desc'] as const).default(defaults.sort_order),
  };
}

/** More names than anybody pastes; more would block the server. */
const MOST_NAMES = 1000;

export const tooMany = (most: number) => `at most ${most} elements are allowed`;

const listOf = <Text extends z.ZodString>(text: Text, most = MOST_NAMES) =>
  z.array(text, 'must be a list of texts, for example ["A", "B"]').max(most, tooMany(most));

/**
 * A filter by exact names, for example `["A", "B"]`; null or an empty array means no filter. Described only
 * where its name does not say it all.
 */
export function namesFilter(description?: string) {
  return described(listOf(z.string('must be text')).nullable().default(null), description);
}

function described<Schema extends z.ZodType>(schema: Schema, description?: string): Schema {
  return description === undefined ? schema : schema.describe(description);
}

/** A text to search for. Null or blank: no search. Each word costs time, so the text is limited. */
export function searchArgument(description: string) {
  return z
    .string()
    .max(200, 'search must be at most 200 characters')
    .nullable()
    .default(null)
    .describe(description);
}

/** A filter by yes or no: null filters nothing. */
export function flagFilter(description?: string) {
  return described(z.boolean().nullable().default(null), description);
}

/** A bound of numbers, inclusive; null: no bound. */
export function numberBound() {
  return z.number(typed('must be a number')).nullable().default(null);
}

/** Models write numbers in quotes: that is told apart from a number that is wrong. */
function typed(message: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      typeof input === 'string' ? `${message}, without quotes` : message,
  };
}

/** The entities of a trend: at least one, none empty. */
export function requiredNames({ description, most }: { description?: string; most?: number } = {}) {
  const names = listOf(z.string('must be text').min(1, 'must not be empty'), most);
  return described(names.min(1, 'must have at least one element'), description);
}

export function oneOf<const Values extends readonly [string, ...string[]]>(name: string, values: Values) {
  return z.enum(values, { error: `${name} must be one of ${values.join(', ')}` });
}

export function integerBetween(name: string, least: number, most: number) {
  const message = `${name} must be between ${least} and ${most}`;
  const whole = `${name} must be a whole number between ${least} and ${most}`;
  return z.int(typed(whole)).min(least, message).max(most, message);
}
