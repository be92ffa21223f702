import { campaigns, orderAttribution, sends } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import {
  ALL_ORDERS,
  type LargeOrder,
  largeOrderRowNotes,
  largeOrders,
} from '../../orders/queries/large-orders.ts';
import type { MessageChannel } from './message-channels.ts';
import { type CampaignFilters, isByCampaign } from './sent-campaigns.ts';

/**
 * The campaigns of whose credited revenue one order makes a large part.
 *
 * @param sent a condition over `sends`: orders credited to these messages count, whenever placed
 */
export function largeOrdersOfSends(sent: Sql) {
  return largeOrdersBy(sql`send_key in (select send_key from ${sends} where ${sent})`);
}

/**
 * The same of orders placed in the range: of all that the channel is credited with, and by campaign where
 * that is asked for.
 */
export function largeOrdersCredited(
  { name }: MessageChannel,
  range: Range,
  { by_campaign, ...filters }: CampaignFilters & { readonly by_campaign: boolean },
) {
  const credited = sql`channel = ${parameter.text(name)} and ${orderedIn(range)} and ${isByCampaign(filters)}`;
  return {
    large: largeOrders(sql`
      select ${ALL_ORDERS}, ordered_date, revenue from ${orderAttribution}
      where scenario = 'configured' and ${credited}`),
    largeByCampaign: by_campaign ? largeOrdersBy(credited) : null,
  };
}

/** @param credited a condition over `order_attribution` */
function largeOrdersBy(credited: Sql) {
  return largeOrders(sql`
    select campaign_id as row_key, ordered_date, revenue
    from ${orderAttribution}
    join (select campaign_key, campaign_id from ${campaigns}) as named using (campaign_key)
    where scenario = 'configured' and ${credited}`);
}

/** @param campaigns the rows that the answer has */
export function largeCreditNotes(
  found: readonly LargeOrder[],
  campaigns: readonly { readonly campaign_id: string | null }[],
): string[] {
  const ids = campaigns.flatMap(({ campaign_id }) => campaign_id ?? []);
  return largeOrderRowNotes(found, ids, 'attributed_revenue');
}
