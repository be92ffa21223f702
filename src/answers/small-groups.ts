import { type Column, type Field, field } from './fields/field.ts';
import { LEAST_SHARING } from './shared-values.ts';

/**
 * A count of few people can identify a person: with what else is known of them, they can be told apart. So a group of one to
 * four people that something of theirs picks (a coupon, a list, a campaign's audience) leaves the server in no answer,
 * nor does what it could be computed from by subtraction inside one answer. Nobody (0) may be shown.
 */
export function isSmall(people: number): boolean {
  return people > 0 && people < LEAST_SHARING;
}

/** What null means in rows with `is_hidden`, which tells of how many. */
export const HIDDEN = 'hidden';

/** The fields of rows in which small groups are hidden. */
export function hideable<One extends Field>(fields: readonly One[]): readonly Hideable<One>[] {
  return fields.map((one) => ({
    ...one,
    null: one.null === undefined ? HIDDEN : `${one.null}, or ${HIDDEN}`,
  })) as unknown as readonly Hideable<One>[];
}

type Hideable<One extends Field> =
  One extends Column<infer Key, infer Value> ? Field<Key, Value | null> : never;

/** Over counts of people by name. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>;

/**
 * Of counts that stand in one equation (one half sums to the other) none must be the only hidden one: it would be known
 * by subtraction. Then the smallest other one that is not 0 is hidden with it.
 */
export function hideWithPartner<Name extends string>(
  counts: Counts<Name>,
  names: readonly Name[],
): ReadonlySet<Name> {
  const hidden = new Set(names.filter((name) => isSmall(counts[name])));
  if (hidden.size !== 1) return hidden;
  const [partner] = names
    .filter((name) => !hidden.has(name) && counts[name] > 0)
    .toSorted((one, other) => counts[one] - counts[other]);
  return partner === undefined ? hidden : hidden.add(partner);
}

/**
 * The rows of a whole that may be shown: none of a small group, and what is left out together is no small group either.
 *
 * @param rows the largest first
 */
export function withoutSmall<One>(
  rows: readonly One[],
  whole: number,
  peopleOf: (row: One) => number,
): readonly One[] {
  const shown = rows.filter((row) => !isSmall(peopleOf(row)));
  const leftOut = whole - shown.reduce((sum, row) => sum + peopleOf(row), 0);
  return isSmall(leftOut) ? shown.slice(0, -1) : shown;
}

export const isHiddenField = field({
  key: 'is_hidden',
  type: 'boolean',
  definition: `Some number of the row is null or left out, since it is of ${LEAST_SHARING - 1} people or fewer, or would tell of them.`,
});

/** @param rows with `is_hidden` */
export function hiddenNotes(rows: readonly { readonly is_hidden: boolean }[]): string[] {
  if (!rows.some(({ is_hidden }) => is_hidden)) return [];
  return [
    `Where is_hidden is true, numbers of ${LEAST_SHARING - 1} people or fewer are null, and so are those that such a group could be computed from.`,
  ];
}
