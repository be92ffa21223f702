import type { Row } from '../../sql/row.ts';
import { parameter, type Sql, sql } from '../../sql/sql.ts';
import { InputError } from '../errors.ts';
import type { SnapshotFacts } from '../snapshot.ts';
import { rfmProfiles } from '../tables.ts';
import { RFM_SEGMENTS, type ScoreRule } from './segments.ts';

const columns = sql`rfm_profile_id, name, created_at, is_default, window_days, scoring, recency_thresholds_days,
  frequency_thresholds, monetary_thresholds, rules`;

/** All profiles, the default one first. */
export const allProfiles: Sql = sql`
  select ${columns} from ${rfmProfiles}
  order by case when is_default then 0 else 1 end, rfm_profile_id`;

/** The profile with this id, null: the default one. No row when there is none. */
export function chosenProfile(id: string | null): Sql {
  return sql`
    select ${columns} from ${rfmProfiles}
    where ${id === null ? sql`is_default` : sql`rfm_profile_id = ${parameter.text(id)}`}`;
}

export interface RfmProfile {
  readonly rfm_profile_id: string;
  readonly scoring: 'thresholds' | 'quintiles';
  readonly recency_thresholds_days: readonly number[];
  readonly frequency_thresholds: readonly number[];
  readonly monetary_thresholds: readonly number[];
}

/** @throws InputError when `chosenProfile` gave no row */
export function requireProfile([row]: readonly Row[]): Row & RfmProfile {
  if (row === undefined) throw new InputError('rfm profile not found', 'Take it from list_rfm_profiles.');
  return row as unknown as Row & RfmProfile;
}

/** A profile's fields as tools show them. Customers are scored anew at each call, from the orders loaded until then. */
export function profileFields({ rules: _, ...row }: Row, { orders_until }: SnapshotFacts) {
  return { ...row, last_calculated_at: orders_until };
}

/** Every segment with the scores that the profile gives it. */
export function segmentRules({ rules }: Row) {
  const loaded = JSON.parse(String(rules)) as { segment: string; scores: ScoreRule[] | null }[];
  return RFM_SEGMENTS.map(({ key, name, description, value_rank }) => ({
    segment: key,
    name,
    description,
    value_rank,
    scores: loaded.flatMap(({ segment, scores }) => (segment === key ? (scores ?? []) : [])),
  }));
}
