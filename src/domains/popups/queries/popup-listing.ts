import {
  type ExistingNames,
  isOneOf,
  type KnownName,
  type Names,
  namedButUnknown,
  namesThatExist,
} from '../../../answers/existing-names.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { selectMetrics } from '../../../answers/metric.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import { campaigns, popupEvents } from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { all, parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Range } from '../../../time/range.ts';
import { campaignId, campaignName, campaignState } from '../../messages/queries/message-fields.ts';
import { newSubscribers, popupActivity, popupDevices, popupMeasures } from './popup-activity.ts';

type PopupFilters = Names<'filter_campaign_ids'>;

interface PopupListing extends PopupFilters, Sorting, Paging {}

/** The fields of a popup without its devices. */
export const popupFields = [campaignId, campaignName, campaignState, ...popupActivity];

/** One page of the popups that were seen in the range, and of those asked for by id. */
export function listPopups(range: Range, listing: PopupListing) {
  return query(
    popupFields,
    rankedPage(
      sql`
    select campaign_id, name, state, ${selectMetrics(popupActivity)}
    from (
      select campaign_id, name, state, ${popupMeasures} from ${seenPopups(range, listing)}
      group by campaign_id, name, state
    ) as measures`,
      listing,
      'campaign_id',
      popupFields,
    ),
  );
}

export function countPopups(range: Range, filters: PopupFilters) {
  return query(
    [totalCount],
    sql`select count(distinct campaign_id) as total_count from ${seenPopups(range, filters)}`,
  );
}

/** The subscribers of the same popups, all together. */
export function subscribersOfPopups(range: Range, filters: PopupFilters) {
  return newSubscribers(seenPopups(range, filters));
}

/** `devices` of the same popups. */
export function devicesOfPopups(range: Range, filters: PopupFilters) {
  return popupDevices(sql`${happenedIn(range)}
    and campaign_key in (select campaign_key from ${campaigns} where ${chosenBy(filters)})`);
}

function seenPopups(range: Range, filters: PopupFilters): Sql {
  return sql`(
      select campaign_key, campaign_id, name, state from ${campaigns} where ${chosenBy(filters)}
    ) as popups
    ${filters.filter_campaign_ids?.length ? sql`left join` : sql`join`} (
      select * from ${popupEvents} where ${happenedIn(range)}
    ) as events using (campaign_key)`;
}

function chosenBy({ filter_campaign_ids: ids }: PopupFilters): Sql {
  return all([sql`channel = 'popup'`, isOneOf(sql`campaign_id`, ids)]);
}

function happenedIn({ start, end }: Range): Sql {
  return sql`happened_at >= ${parameter.timestamp(start)} and happened_at < ${parameter.timestamp(end)}`;
}

const existingNames: ExistingNames = {
  filter_campaign_ids: sql`select campaign_id as name from ${campaigns} where channel = 'popup'`,
};

/**
 * One query for the given ids that are popups, for `unknownPopupNotes`. Null when the filter names nothing.
 */
export function knownPopups(filters: PopupFilters): Query<KnownName> | null {
  return namesThatExist(existingNames, filters);
}

export function unknownPopupNotes(filters: PopupFilters, known: readonly KnownName[]): string[] {
  return namedButUnknown(existingNames, filters, known);
}
