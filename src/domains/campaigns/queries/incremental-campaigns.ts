import { Temporal } from 'temporal-polyfill';
import { isOneOf } from '../../../answers/existing-names.ts';
import { column, field, NO_RATE, nullableColumn } from '../../../answers/fields/field.ts';
import { count, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import type { Metric } from '../../../answers/metric.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { audienceMembers, campaigns } from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { all, identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import { largeOrdersOfSends } from '../../messages/queries/large-credited-orders.ts';
import { sentCampaignFields } from '../../messages/queries/message-fields.ts';
import { NO_AUDIENCE } from './audience-notes.ts';
import { campaignMetrics, campaignResults, isByOwnChannel } from './campaign-results.ts';

export interface IncrementalListing extends Sorting, Paging {
  readonly filter_channels: readonly string[] | null;
  readonly filter_campaign_categories: readonly string[] | null;
  readonly filter_states: readonly string[] | null;
}

/** The fields of an automation that stand beside what came of its messages. */
export const automationFields = [
  ...sentCampaignFields,
  text('trigger', 'Machine name of the trigger.', 'not set'),
  field({
    key: 'updated_at',
    type: 'moment',
    null: 'not known',
    definition: 'Last change of content or targeting; inside the range, compare before and after with care.',
  }),
  count('profiles', 'entered_count', 'People who met the trigger in the range, also skipped ones.'),
  count(
    'profiles',
    'skipped_count',
    'People who entered in the range and were skipped each time.',
    NO_AUDIENCE,
  ),
  field({
    key: 'completed_count',
    type: 'integer',
    unit: 'profiles',
    null: 'not known',
    definition: 'People who entered in the range and have gone through all steps since.',
  }),
];

const FURTHER = [nullableColumn('last_in_range_at', 'moment'), column('has_audience', 'boolean')];

/**
 * Automations, also those that did nothing, one page of them: who entered in the range, and what came of the
 * messages sent in it.
 */
export function listIncrementalCampaigns(range: Range, listing: IncrementalListing, facts: SnapshotFacts) {
  const chosen = automations(listing);
  const sent = sentIn(range);
  // If audiences are loaded, a campaign that sent nothing and has no audience did nothing.
  const isIdle = facts.loaded_tables.includes('audience_members') ? sql`recipients is null` : sql`false`;
  return query(
    [...automationFields, ...campaignMetrics(facts), ...FURTHER],
    rankedPage(
      sql`
      select campaign_id, name, channel, campaign_type, campaign_category, state, "trigger", updated_at, last_sent_at as last_in_range_at,
        case when known_entries > 0 then coalesce(entered, 0) else coalesce(recipients, 0) end as entered_count,
        case when known_entries > 0 or ${isIdle} then coalesce(skipped, 0) end as skipped_count,
        case when known_completions > 0 then coalesce(completed, 0) end as completed_count,
        cast(coalesce(known_entries, 0) > 0 as boolean) as has_audience,
        ${join(campaignMetrics(facts).map(orNothing))}
      from (
        select campaign_key, campaign_id, name, channel, campaign_type, campaign_category, state, "trigger", updated_at
        from ${campaigns} where ${chosen}
      ) as described
      left join (${campaignResults(chosen, sent, facts)}) as results using (campaign_key)
      left join (${entriesIn(range, chosen)}) as entries using (campaign_key)`,
      listing,
      'campaign_id',
      campaignMetrics(facts),
    ),
  );
}

const sentIn = ({ start, end }: Range) =>
  sql`sent_at >= ${parameter.timestamp(start)} and sent_at < ${parameter.timestamp(end)}`;

/** The automations of whose credited revenue one order makes a large part. */
export function largeOrdersOfAutomations(range: Range, listing: IncrementalListing) {
  return largeOrdersOfSends(sql`${isByOwnChannel(automations(listing))} and ${sentIn(range)}`);
}

export function countIncrementalCampaigns(listing: IncrementalListing) {
  return query(
    [totalCount],
    sql`select count(*) as total_count from ${campaigns} where ${automations(listing)}`,
  );
}

/** The last local day of the range of which messages are known, as far as one can tell. */
export function lastKnownDay(
  { lastDate }: Range,
  messagesUntil: string | null,
  timezone: string,
): Temporal.PlainDate {
  if (messagesUntil === null) return lastDate;
  const lastSentDate = localDate(messagesUntil, timezone);
  return Temporal.PlainDate.compare(lastSentDate, lastDate) < 0 ? lastSentDate : lastDate;
}

export function automations(listing: IncrementalListing): Sql {
  return all([
    sql`is_automation`,
    isOneOf(sql`channel`, listing.filter_channels),
    isOneOf(sql`campaign_category`, listing.filter_campaign_categories),
    isOneOf(sql`state`, listing.filter_states),
  ]);
}

/** An automation that sent nothing has counts and sums of 0, and no rates. */
function orNothing({ key, null: meaning }: Metric): Sql {
  const column = identifier(key);
  // For a campaign with results, null means money without a rate.
  if (meaning === NO_RATE)
    return sql`case when attributed_orders_count is null then 0 else ${column} end as ${column}`;
  return meaning !== undefined ? column : sql`coalesce(${column}, 0) as ${column}`;
}

/** People by campaign, each once however often they entered: skipped is who was skipped each time. */
function entriesIn({ start, end }: Range, chosen: Sql): Sql {
  const isInRange = sql`entered_at >= ${parameter.timestamp(start)} and entered_at < ${parameter.timestamp(end)}`;
  return sql`
    select campaign_key, sum(all_entries) as known_entries, sum(all_completions) as known_completions,
      count(*) filter (where entries > 0) as entered,
      count(*) filter (where entries > 0 and entries_sent = 0) as skipped,
      count(*) filter (where completions > 0) as completed
    from (
      select campaign_key, customer_key, count(*) as all_entries, count(completed_at) as all_completions,
        count(*) filter (where ${isInRange}) as entries,
        count(*) filter (where ${isInRange} and outcome = 'sent') as entries_sent,
        count(completed_at) filter (where ${isInRange}) as completions
      from ${audienceMembers} where campaign_key in (select campaign_key from ${campaigns} where ${chosen})
      group by campaign_key, customer_key
    ) as people
    group by campaign_key`;
}
