import { z } from 'zod';
import { BREAKDOWNS } from '../time/periods.ts';

/** The arguments that several tools share, with the contract's names, defaults, limits and messages. */

/** From list_businesses, as the instructions say first of all. */
export const businessId = z.guid();

const dateTime = (description: string) => z.string().meta({ format: 'date-time', description });

export const rangeArguments = {
  business_id: businessId,
  from_date: dateTime('Inclusive; without an offset business time.'),
  to_date: dateTime('Inclusive, e.g. 2026-10-31T23:59:59.'),
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
    offset: z.int('offset must be a whole number').min(0, 'offset must be at least 0').default(0),
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

/** More would be pasted by nobody, and would hold the server up. */
const MOST_NAMES = 1000;

export const tooMany = (most: number) => `at most ${most} elements are allowed`;

const listOf = <Text extends z.ZodString>(text: Text, most = MOST_NAMES) =>
  z.array(text, 'must be a list of texts, for example ["A", "B"]').max(most, tooMany(most));

/** A filter by exact names: null or an empty array filters nothing. Described where its own name does not say all. */
export function namesFilter(description?: string) {
  return described(listOf(z.string('must be text')).nullable().default(null), description);
}

function described<Schema extends z.ZodType>(schema: Schema, description?: string): Schema {
  return description === undefined ? schema : schema.describe(description);
}

/** Null or blanks search nothing. Each word costs, so the text is kept as short as people write it. */
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

/** A bound of numbers, inclusive; null is none. */
export function numberBound() {
  return z.number('must be a number').nullable().default(null);
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
  return z.int(message).min(least, message).max(most, message);
}
