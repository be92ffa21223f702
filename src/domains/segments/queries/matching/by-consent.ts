import {
  acquiredDetails,
  campaigns,
  consentChanges,
  consentStates,
  interestListMembers,
  interestLists,
  profiles,
} from '../../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { SUPPRESSED_STATES } from '../../../../store/suppressed-states.ts';
import {
  type EvaluatedAt,
  happenedAfter,
  happenedBefore,
  inPeriod,
  secondAfter,
} from '../condition-periods.ts';
import { allBut, type MatchingOf, those, thoseIf } from './matching.ts';

/** Matches profiles that are on any of the lists, on no list, or ever left any of them. */
export const interestList: MatchingOf<'interest_list'> = ({ operator, value }) => {
  const condition = operator === 'was_unsubscribed' ? sql`has_left` : sql`is_member`;
  return thoseIf(
    operator !== 'is_not_subscribed',
    sql`
      select distinct customer_key from ${interestListMembers}
      where ${condition}
        and list_key in (select list_key from ${interestLists} where code in (${parameter.texts(value)}))`,
  );
};

export const consent: MatchingOf<'consent'> = ({ value: { channel, state } }, at) => {
  const ofChannel = sql`select customer_key from ${statesAt(at)} where channel = ${parameter.text(channel)}`;
  if (state === 'never_subscribed') return allBut(ofChannel);
  return those(sql`${ofChannel} and state = ${parameter.text(state)}`);
};

/** Matches profiles that are suppressed in either channel. */
export const suppressed: MatchingOf<'suppressed'> = ({ value }, at) =>
  thoseIf(
    value,
    sql`
      select distinct customer_key from ${statesAt(at)}
      where state in (${parameter.texts(SUPPRESSED_STATES)})`,
  );

/** SQL of a table of the state of each customer in each channel: the one now, or the one that was. */
function statesAt(at: EvaluatedAt): Sql {
  if (!at.isPast) return sql`${consentStates}`;
  const end = secondAfter(at);
  return sql`(
    select customer_key, channel, state from ${consentChanges}
    where changed_at < ${end} and (ends_at is null or ends_at >= ${end})
  ) as consent_states_then`;
}

/** Matches profiles by when they first became subscribed, in the channel or in either of them. */
export const subscribedAt: MatchingOf<'subscribed_at'> = ({ operator, value = '', channel, period }, at) => {
  const columns = { email: sql`email_subscribed_at`, sms: sql`sms_subscribed_at` };
  const moments = channel === undefined ? Object.values(columns) : [columns[channel]];
  const conditions = moments.map((moment) => {
    if (operator === 'in_period') return sql`(${inPeriod(moment, period, at)})`;
    const happened =
      operator === 'before' ? happenedBefore(moment, value, at) : happenedAfter(moment, value, at);
    return at.isPast ? sql`(${happened} and ${inPeriod(moment, undefined, at)})` : happened;
  });
  return those(sql`select customer_key from ${profiles} where ${join(conditions, sql` or `)}`);
};

/**
 * Matches profiles by where their first subscription came from: the kind of place, or the very popup, list or
 * campaign. A popup is named by its id or its name, whichever the subscription has.
 */
export const source: MatchingOf<'source'> = ({ operator, value }) => {
  const keys = value.map((key) => key.toLowerCase());
  return thoseIf(
    operator === 'is',
    sql`
      select customer_key from ${profiles} where acquired_source in (${parameter.texts(keys)})
      union distinct
      select customer_key from ${acquiredDetails}
      where detail in (${parameter.texts(value)})
        or detail in (select name from ${campaigns} where channel = 'popup' and campaign_id in (${parameter.texts(value)}))
        or detail in (select campaign_id from ${campaigns} where channel = 'popup' and name in (${parameter.texts(value)}))`,
  );
};
