import {
  type ExistingNames,
  isNoneOf,
  isOneOf,
  type KnownName,
  type Names,
  namedButUnknown,
  namesThatExist,
} from '../../../answers/existing-names.ts';
import type { Query } from '../../../answers/fields/query.ts';
import { campaigns } from '../../../model-table/table-names.ts';
import { all, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Periods } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';
import { CAMPAIGN_CATEGORIES } from '../definitions/campaign-categories.ts';
import type { MessageChannel } from './message-channels.ts';

const ARGUMENTS = [
  'filter_campaign_ids',
  'filter_campaign_types',
  'filter_campaign_categories',
  'exclude_types',
  'exclude_categories',
] as const;

/** The arguments that choose campaigns; null, an empty list or no such argument filters nothing. */
export type CampaignFilters = Names<(typeof ARGUMENTS)[number]>;

/**
 * The condition over `sends` that a message of the channel was sent in the range, by one of the campaigns.
 */
export function sentIn(channel: MessageChannel, { start, end }: Range, filters: CampaignFilters = {}): Sql {
  return sql`sent_at >= ${parameter.timestamp(start)} and sent_at < ${parameter.timestamp(end)}
    and ${sentBy(channel, filters)}`;
}

/** The same of whole periods. */
export function sentDuring(channel: MessageChannel, periods: Periods, filters: CampaignFilters = {}): Sql {
  return sql`sent_date between ${parameter.date(periods.firstDate)} and ${parameter.date(periods.lastDate)}
    and ${sentBy(channel, filters)}`;
}

function sentBy(channel: MessageChannel, filters: CampaignFilters): Sql {
  return sql`channel = ${parameter.text(channel.name)} and ${isByCampaign(filters)}`;
}

/** The condition over rows with a `campaign_key` that the filters let the campaign pass. */
export function isByCampaign(filters: CampaignFilters): Sql {
  if (!ARGUMENTS.some((name) => filters[name]?.length)) return sql`true`;
  return sql`campaign_key in (select campaign_key from ${campaigns} where ${all([
    isOneOf(sql`campaign_id`, filters.filter_campaign_ids),
    isOneOf(sql`campaign_type`, filters.filter_campaign_types),
    isOneOf(sql`campaign_category`, filters.filter_campaign_categories),
    isNoneOf(sql`campaign_type`, filters.exclude_types),
    isNoneOf(sql`campaign_category`, filters.exclude_categories),
  ])})`;
}

/**
 * One query for the given names that exist, for `unknownCampaignNotes`. Null when the filters name nothing.
 */
export function knownCampaigns(channel: MessageChannel, filters: CampaignFilters): Query<KnownName> | null {
  return namesThatExist(existingNames(channel), filters);
}

/** A sentence for each filter that gives names which do not exist. */
export function unknownCampaignNotes(
  channel: MessageChannel,
  filters: CampaignFilters,
  known: readonly KnownName[],
): string[] {
  return namedButUnknown(existingNames(channel), filters, known);
}

function existingNames(channel: MessageChannel): ExistingNames {
  const types = constants(channel.campaignTypes);
  const categories = constants(CAMPAIGN_CATEGORIES.map(({ key }) => key));
  return {
    filter_campaign_ids: sql`select campaign_id as name from ${campaigns}
      where channel = ${parameter.text(channel.name)}`,
    filter_campaign_types: types,
    filter_campaign_categories: categories,
    exclude_types: types,
    exclude_categories: categories,
  };
}

function constants(names: readonly string[]): Sql {
  return join(
    names.map((name) => sql`select ${parameter.text(name)} as name`),
    sql` union all `,
  );
}
