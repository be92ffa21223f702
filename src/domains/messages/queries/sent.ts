import type { Query } from '../../../answers/fields/query.ts';
import {
  type ExistingNames,
  isOneOf,
  type KnownName,
  type Names,
  namedButUnknown,
  namesThatExist,
} from '../../../answers/named.ts';
import { campaigns } from '../../../model-table/table-names.ts';
import { all, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Periods } from '../../../time/periods.ts';
import type { Range } from '../../../time/range.ts';
import { CAMPAIGN_CATEGORIES } from './campaign-categories.ts';
import type { MessageChannel } from './message-channels.ts';

/** The arguments that choose campaigns; null, an empty list or no such argument filters nothing. */
export type CampaignFilters = Names<
  'filter_campaign_ids' | 'filter_campaign_types' | 'filter_campaign_categories'
>;

/** The condition over `sends` that a message of the channel was sent in the range, by one of the campaigns. */
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
  const byChannel = sql`channel = ${parameter.text(channel.name)}`;
  const {
    filter_campaign_ids: ids,
    filter_campaign_types: types,
    filter_campaign_categories: categories,
  } = filters;
  if (!ids?.length && !types?.length && !categories?.length) return byChannel;
  return sql`${byChannel} and campaign_key in (select campaign_key from ${campaigns} where ${all([
    isOneOf(sql`campaign_id`, ids),
    isOneOf(sql`campaign_type`, types),
    isOneOf(sql`campaign_category`, categories),
  ])})`;
}

/** One query for the given names that exist, for `unknownCampaignNotes`. Null when the filters name nothing. */
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
  return {
    filter_campaign_ids: sql`select campaign_id as name from ${campaigns}
      where channel = ${parameter.text(channel.name)}`,
    filter_campaign_types: constants(channel.campaignTypes),
    filter_campaign_categories: constants(CAMPAIGN_CATEGORIES.map(({ key }) => key)),
  };
}

function constants(names: readonly string[]): Sql {
  return join(
    names.map((name) => sql`select ${parameter.text(name)} as name`),
    sql` union all `,
  );
}
