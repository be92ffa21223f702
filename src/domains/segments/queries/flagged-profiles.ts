import { InputError } from '../../../errors.ts';
import { identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { type Condition, conditionsOf, type SegmentQuery } from '../definitions/parse.ts';
import type { EvaluatedAt } from './condition-periods.ts';
import { type Matching, those } from './matching/matching.ts';
import { matchingProfiles } from './matching/matching-profiles.ts';

/** A query with what stands before its paths in messages. */
export interface PlacedQuery {
  readonly query: SegmentQuery;
  readonly path: string;
}

/** The columns that are true for the people of a condition, by the condition's key. */
export type Flags = ReadonlyMap<string, Matching & { readonly flag: Sql }>;

/**
 * A flag for each different condition of the queries, be it negated or not. Two blocks that say the same
 * share one.
 *
 * @throws InputError that names the path of a block that cannot be evaluated
 */
export function flagsOf(queries: readonly PlacedQuery[], at: EvaluatedAt): Flags {
  const flags = new Map<string, Matching & { readonly flag: Sql }>();
  for (const { query, path } of queries) {
    for (const { condition, path: ownPath } of conditionsOf(query)) {
      if (condition.type === 'segment' || flags.has(keyOf(condition))) continue;
      const matching = atPath(`${path}${ownPath}`, () => matchingProfiles(condition, at));
      flags.set(keyOf(condition), { ...matching, flag: identifier(`is_met_${flags.size}`) });
    }
  }
  return flags;
}

/**
 * The same for a condition and its negation, and for a list of values in any order: all lists mean any or all
 * of them.
 */
export function keyOf({ type, block }: Condition): string {
  return JSON.stringify([type, { ...block, negate: false }], (_, value: unknown) =>
    Array.isArray(value) ? [...new Set(value)].sort() : value,
  );
}

/** Errors of `matchingProfiles` begin with the field of the block. */
function atPath<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${path}.${error.message}`, error.hint) : error;
  }
}

/**
 * A row for everyone in any of the sets, with a flag for each: every set is read once, and has a bit; the
 * bits of the sets that somebody is in add up to `met`. That is why nobody may be in a set twice, and why
 * there are at most 62 sets.
 */
export function flaggedProfiles(flags: Flags, facts: Readonly<Record<string, Sql>>): Sql {
  const sets = [
    ...Object.entries(facts).map(([name, profiles]) => ({ ...those(profiles), flag: identifier(name) })),
    ...flags.values(),
  ];
  const bit = (place: number) => sql`${parameter.integer(2 ** place)}`;
  const members = sets.map(
    ({ profiles }, place) => sql`select customer_key, ${bit(place)} as bit from (${profiles}) as matching`,
  );
  const columns = sets.map(({ flag, isComplement }, place) => {
    const isIn = sql`met % ${bit(place + 1)} >= ${bit(place)}`;
    return sql`${isComplement ? sql`not (${isIn})` : isIn} as ${flag}`;
  });
  return sql`
    select customer_key, ${join(columns)}
    from (
      select customer_key, cast(sum(bit) as bigint) as met
      from (${join(members, sql` union all `)}) as members
      group by customer_key
    ) as profiles`;
}
