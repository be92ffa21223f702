import type { Sql } from '../../../../sql/sql.ts';
import type { Conditions, ConditionType } from '../../definitions/conditions.ts';
import type { EvaluatedAt } from '../condition-periods.ts';

/** The people of a condition, before `negate` is applied. */
export interface Matching {
  /** A query of `customer_key`, each of them once. Visitors who are no profiles may be among them. */
  readonly profiles: Sql;
  /** The condition means all profiles but those. */
  readonly isComplement: boolean;
}

/** @throws InputError that begins with the field of the block that cannot be evaluated */
export type MatchingOf<Type extends ConditionType> = (block: Conditions[Type], at: EvaluatedAt) => Matching;

export function those(profiles: Sql): Matching {
  return { profiles, isComplement: false };
}

export function allBut(profiles: Sql): Matching {
  return { profiles, isComplement: true };
}

/** `is` means the profiles of the query, `is_not` all others. */
export function thoseIf(isMeant: boolean, profiles: Sql): Matching {
  return { profiles, isComplement: !isMeant };
}
