import { isOneOf } from '../../../answers/existing-names.ts';
import { column, field, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { count, moment } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import { hideable, isSmall } from '../../../answers/small-groups.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { audienceMembers, campaigns, orders, sends } from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { all, parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';
import { largeOrdersOfSends } from '../../messages/queries/large-credited-orders.ts';
import { sentCampaignFields } from '../../messages/queries/message-fields.ts';
import { NO_AUDIENCE } from './audience-notes.ts';
import { campaignMetrics, campaignResults, isByOwnChannel, resultColumns } from './campaign-results.ts';

interface TargetedListing extends Sorting, Paging {
  readonly filter_channels: readonly string[] | null;
  readonly filter_campaign_categories: readonly string[] | null;
}

const peopleFields = [
  count('profiles', 'audience_count', 'People who matched the targeting: sent to or skipped.'),
  field({
    key: 'skipped_count',
    type: 'integer',
    unit: 'profiles',
    null: NO_AUDIENCE,
    definition:
      'People who matched, but got no message: suppressed, no consent, frequency cap, control group.',
  }),
  count('profiles', 'control_group_count', 'People held out to compare with.', NO_AUDIENCE),
];

const campaignFields = [...sentCampaignFields, moment('first_sent_at', 'In the range.')];

/** The fields of a campaign that stand beside what came of its messages. */
export const targetedFields = [...campaignFields, ...hideable(peopleFields)];

const listed = (facts: SnapshotFacts) => [
  ...campaignFields,
  ...peopleFields,
  ...resultColumns(facts),
  nullableColumn('audience', 'integer'),
  nullableColumn('skipped', 'integer'),
  nullableColumn('held_out', 'integer'),
  column('has_audience', 'boolean'),
];

const GROUP = [
  column('campaign_id', 'text'),
  column('is_treated', 'boolean'),
  column('people', 'integer'),
  column('buyers', 'integer'),
  column('orders', 'integer'),
  column('order_squares', 'text'),
  column('revenue', 'number'),
  column('revenue_sum', 'text'),
  column('revenue_squares', 'text'),
];
export type TargetedGroup = ObjectOf<typeof GROUP>;

/**
 * One page of one-off campaigns that were first sent in the range: their audiences, and what came of all
 * their messages.
 */
export function listTargetedCampaigns(range: Range, listing: TargetedListing, facts: SnapshotFacts) {
  const chosen = firstSentIn(range, listing);
  const withAudience = sql`${chosen} and campaign_key in (select distinct campaign_key from ${audienceMembers})`;
  return query(
    listed(facts),
    rankedPage(
      sql`
      select *, coalesce(audience, recipients) as audience_count, skipped as skipped_count,
        held_out as control_group_count, cast(audience is not null as boolean) as has_audience
      from (
        select campaign_key, campaign_id, name, channel, campaign_type, campaign_category, state, first_sent_at
        from ${campaigns} where ${chosen}
      ) as described
      join (${campaignResults(chosen, sql`true`, facts)}) as results using (campaign_key)
      left join (
        select campaign_key, count(*) as audience, count(*) filter (where not is_treated) as skipped,
          count(*) filter (where is_control) as held_out
        from (${peopleOf(withAudience)}) as people
        group by campaign_key
      ) as audiences using (campaign_key)`,
      listing,
      'campaign_id',
      campaignMetrics(facts),
    ),
  );
}

type People = ObjectOf<typeof peopleFields>;

/**
 * How many people a campaign was for, without small groups: who got it is known from its messages. Without an
 * audience no more is known.
 */
export function shownPeople({ audience_count, skipped_count, control_group_count }: People) {
  const skipped = skipped_count ?? 0;
  const control = control_group_count ?? 0;
  const isHidden = isSmall(audience_count) || [skipped, audience_count - skipped].some(isSmall);
  const isControlHidden =
    [control, skipped - control].some(isSmall) || (isHidden && control > 0) || isSmall(audience_count);
  return {
    people: {
      audience_count: isHidden ? null : audience_count,
      skipped_count: isHidden ? null : skipped_count,
      control_group_count: isControlHidden ? null : control_group_count,
    },
    isHidden: isHidden || isControlHidden,
  };
}

/** The campaigns of whose credited revenue one order makes a large part. */
export function largeOrdersOfTargeted(range: Range, listing: TargetedListing) {
  return largeOrdersOfSends(isByOwnChannel(firstSentIn(range, listing)));
}

export function countTargetedCampaigns(range: Range, listing: TargetedListing) {
  return query(
    [totalCount],
    sql`
    select count(distinct campaign_key) as total_count
    from ${sends} where ${isByOwnChannel(firstSentIn(range, listing))}`,
  );
}

/**
 * What people bought within 7 days: those who got a message from the first one on, the control group from
 * when they were held out. A row for each group that has people, of all campaigns that held some out,
 * whatever the page.
 */
export function listGroups(range: Range, listing: TargetedListing) {
  const chosen = sql`${firstSentIn(range, listing)}
    and campaign_key in (select distinct campaign_key from ${audienceMembers} where outcome = 'control')`;
  const isInTime = sql`ordered_at >= group_since and ordered_at <= group_since + interval 168 hour`;
  return query(
    GROUP,
    sql`
    select campaign_id, cast(is_treated as boolean) as is_treated, people, buyers, orders, order_squares,
      revenue, cast(revenue as varchar) as revenue_sum, revenue_squares
    from (
      select campaign_key, is_treated, count(*) as people, count(*) filter (where bought > 0) as buyers,
        sum(bought) as orders, cast(sum(bought * bought) as varchar) as order_squares, sum(spent) as revenue,
        cast(sum(cast(spent as decimal(38,4)) * cast(spent as decimal(38,4))) as varchar) as revenue_squares
      from (
        select campaign_key, customer_key, is_treated, count(*) filter (where ${isInTime}) as bought,
          coalesce(sum(case when ${isInTime} then revenue end), 0) as spent
        from (select * from (${peopleOf(chosen)}) as people where is_treated or is_control) as members
        left join (select customer_key, ordered_at, revenue from ${orders} where is_valid) as placed
          using (customer_key)
        group by campaign_key, customer_key, is_treated
      ) as purchases
      group by campaign_key, is_treated
    ) as groups
    join (select campaign_key, campaign_id from ${campaigns}) as named using (campaign_key)`,
  );
}

function firstSentIn({ start, end }: Range, listing: TargetedListing): Sql {
  return all([
    sql`channel in ('email', 'sms') and not is_automation`,
    sql`first_sent_at >= ${parameter.timestamp(start)} and first_sent_at < ${parameter.timestamp(end)}`,
    isOneOf(sql`channel`, listing.filter_channels),
    isOneOf(sql`campaign_category`, listing.filter_campaign_categories),
  ]);
}

/**
 * Everybody in a campaign's audience or with a message from it, once. A person with a message was not
 * skipped, whatever the audience says.
 */
function peopleOf(chosen: Sql): Sql {
  return sql`
    select campaign_key, customer_key,
      sent_at is not null as is_treated,
      sent_at is null and held_out_at is not null as is_control,
      coalesce(sent_at, held_out_at) as group_since
    from (
      select campaign_key, customer_key,
        min(case when fate = 'message' then happened_at end) as sent_at,
        min(case when fate = 'control' then happened_at end) as held_out_at
      from (
        select campaign_key, customer_key, sent_at as happened_at, 'message' as fate
        from ${sends} where ${isByOwnChannel(chosen)}
        union all
        select campaign_key, customer_key, entered_at as happened_at, outcome as fate
        from ${audienceMembers} where campaign_key in (select campaign_key from ${campaigns} where ${chosen})
      ) as fates
      group by campaign_key, customer_key
    ) as whole`;
}
