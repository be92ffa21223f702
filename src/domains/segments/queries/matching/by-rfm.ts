import { Temporal } from 'temporal-polyfill';
import { identifier, parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { asOf } from '../../../rfm/queries/as-of.ts';
import { chosenProfile } from '../../../rfm/queries/profiles.ts';
import { membersAt } from '../../../rfm/queries/scoring.ts';
import type { EvaluatedAt } from '../condition-periods.ts';
import { boundsOf, isWithin, whole } from './by-number.ts';
import { type MatchingOf, those, thoseIf } from './matching.ts';

/**
 * Matches profiles by the RFM segment that rfm_segment_statistics gives them now. Without a valid order
 * nobody is in a segment.
 */
export const rfmSegment: MatchingOf<'rfm_segment'> = ({ operator, value }, at) =>
  thoseIf(
    operator === 'is',
    members(value.rfm_profile_id, sql`segment in (${parameter.texts(value.segments)})`, at),
  );

/** The lost have no scores. */
export const rfmScore: MatchingOf<'rfm_score'> = ({ operator, value }, at) => {
  const score = identifier(value.dimension);
  const condition = isWithin(score, boundsOf(operator, value.score), whole);
  return those(members(value.rfm_profile_id, sql`${score} > 0 and ${condition}`, at));
};

function members(profileId: string | undefined, condition: Sql, at: EvaluatedAt): Sql {
  const now = asOf(Temporal.Instant.from(at.moment), at.timezone, at.facts);
  return sql`
    with ${membersAt([now], chosenProfile(profileId ?? null))}
    select customer_key from members where ${condition}`;
}
