import { column, field, type ObjectOf } from '../../../answers/fields/field.ts';
import { choice, count, flag, moment, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { InputError } from '../../../errors.ts';
import { rfmProfiles } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { RFM_SEGMENTS, type ScoreRule } from '../../../store/rfm-segments.ts';

const columns = sql`rfm_profile_id, name, created_at, is_default, window_days, scoring, recency_thresholds_days,
  frequency_thresholds, monetary_thresholds, has_monetary_thresholds, rules`;

/** The profile with this id; null: the default one. No row if there is no such profile. */
export function chosenProfile(id: string | null): Sql {
  return sql`
    select ${columns} from ${rfmProfiles}
    where ${id === null ? sql`is_default` : sql`rfm_profile_id = ${parameter.text(id)}`}`;
}

/** The same as a query. */
export function askedProfile(id: string | null) {
  return query(STORED, chosenProfile(id));
}

const storedFields = [
  text('rfm_profile_id', 'As other tools take it.'),
  text('name', 'Business data.'),
  moment('created_at', 'In UTC.'),
  flag('is_default', 'Used when a tool gets no profile.'),
  count('days', 'window_days', 'Older orders do not score.'),
  choice(
    'scoring',
    ['thresholds', 'quintiles'],
    'quintiles: by rank in fifths of the scored customers, equal ones with one score; thresholds are void.',
  ),
  field({
    key: 'recency_thresholds_days',
    type: 'list',
    of: 'integer',
    unit: 'days',
    definition: 'Score 5: last order at most the first number ago, … 1: more than the last.',
  }),
  field({
    key: 'frequency_thresholds',
    type: 'list',
    of: 'integer',
    unit: 'orders',
    definition: 'Score 1: fewer in the window than the first number, … 5: at least the last.',
  }),
  field({
    key: 'monetary_thresholds',
    type: 'list',
    of: 'number',
    unit: 'money',
    null: 'no revenue is known',
    definition: 'Score 1: less in the window than the first number, … 5: at least the last.',
  }),
];

const STORED = [...storedFields, column('has_monetary_thresholds', 'boolean'), column('rules', 'text')];
export type RfmProfile = ObjectOf<typeof STORED>;

/** A profile as tools show it. */
export const profileFields = [
  ...storedFields,
  moment('last_calculated_at', 'End of the data that scores are made of.', 'nothing loaded'),
];

/** All profiles, the default one first. */
export const allProfiles = query(
  STORED,
  sql`
  select ${columns} from ${rfmProfiles}
  order by case when is_default then 0 else 1 end, rfm_profile_id`,
);

/** @throws InputError when `askedProfile` gave no row */
export function requireProfile([row]: readonly RfmProfile[]): RfmProfile {
  if (row === undefined) throw new InputError('rfm profile not found', 'Take it from list_rfm_profiles.');
  return row;
}

/** Customers are scored anew at each call, from the orders loaded until then. */
export function shownProfile(profile: RfmProfile, { orders_until }: SnapshotFacts) {
  const { rules: _, has_monetary_thresholds: __, ...row } = profile;
  return { ...row, monetary_thresholds: knownThresholds(profile), last_calculated_at: orders_until };
}

/** Null where they part no revenue that is known. */
export function knownThresholds(profile: RfmProfile): readonly number[] | null {
  return profile.has_monetary_thresholds ? profile.monetary_thresholds : null;
}

/** Every segment with the scores that the profile gives it. */
export function segmentRules({ rules }: RfmProfile) {
  const loaded = JSON.parse(rules) as { segment: string; scores: ScoreRule[] | null }[];
  return RFM_SEGMENTS.map(({ key, name, description, value_rank }) => ({
    segment: key,
    name,
    description,
    value_rank,
    scores: loaded.flatMap(({ segment, scores }) => (segment === key ? (scores ?? []) : [])),
  }));
}
