import { calendarEvents } from '../../domains/calendar/tables/calendar-events.ts';
import { customerKeys } from '../../domains/identity/tables/identity.ts';
import { orderAttribution } from '../../domains/messages/tables/attribution.ts';
import { knownCampaigns, messages } from '../../domains/messages/tables/campaign-contents.ts';
import { sends } from '../../domains/messages/tables/sends.ts';
import { orders } from '../../domains/orders/tables/orders.ts';
import { popupEvents } from '../../domains/popups/tables/popups.ts';
import { productEvents } from '../../domains/products/tables/product-events.ts';
import {
  orderProducts,
  productDetails,
  productLines,
  valuedLines,
} from '../../domains/products/tables/products.ts';
import { customers } from '../../domains/profiles/tables/customers.ts';
import { knownProfiles } from '../../domains/profiles/tables/known-profiles.ts';
import { profiles } from '../../domains/profiles/tables/profiles.ts';
import { rfmCells, rfmProfiles, rfmStates } from '../../domains/rfm/tables/rfm.ts';
import {
  consentChanges,
  consentStates,
  customerConsents,
} from '../../domains/subscribers/tables/consents.ts';
import { adCosts } from '../../domains/traffic/tables/ad-costs.ts';
import { touches } from '../../domains/traffic/tables/journeys.ts';
import { knownSessions } from '../../domains/traffic/tables/known-sessions.ts';
import { orderTraffic } from '../../domains/traffic/tables/order-traffic.ts';
import { sessions } from '../../domains/traffic/tables/sessions.ts';
import { detourParts } from '../../domains/traffic/tables/visits.ts';
import { type Need, Relation, relation } from '../../model-table/model-table.ts';
import { stored } from '../../model-table/stored-tables.ts';
import type { Check } from './make-tables.ts';

const CHECKS: Readonly<Record<string, Relation | readonly [Relation, needs: Need]>> = {
  'every order is in the model once': relation`(select count(*) from ${stored.orders}) = (select count(*) from ${orders}) and (select count(distinct order_id) = count(*) from ${orders})`,
  'every valid order of a customer has a number, no other has': relation`(select count(*) = 0 from ${orders}
      where (is_valid and customer_key is not null) <> (order_number is not null))`,
  'every customer has exactly one first order': relation`(select count(*) filter (where order_number = 1) = count(distinct customer_key) from ${orders} where is_valid)`,
  'every product line of a valid order is valued once': relation`(select count(*) from ${productLines}) = (select count(*) from ${valuedLines})`,
  'product revenue is that of the product lines': relation`(select coalesce(sum(revenue), 0) from ${orderProducts}) = (select coalesce(sum(revenue), 0) from ${valuedLines})`,
  'every session is in the model once, alone or as a part of a visit': relation`(select count(*) from ${knownSessions}) =
      (select count(*) from ${sessions}) + (select count(*) from ${detourParts} where not is_first)
      and (select count(*) >= (select count(*) from ${stored.sessions}) from ${knownSessions})`,
  'only valid orders have traffic, each once': [
    relation`(select count(distinct order_key) = count(*) from ${orderTraffic})
      and (select count(*) = 0 from ${orderTraffic} join ${orders} using (order_key) where not is_valid)`,
    orderTraffic,
  ],
  'every session but of bots is a touch once': relation`(select count(*) from ${touches}) = (select count(*) from ${sessions} where not is_suspected_bot)
      and (select count(distinct session_key) = count(*) from ${touches})`,
  'every send of a known message is in the model once': relation`(select count(*) from ${sends}) = (select count(*)
      from ${stored.sends} join ${messages} using (message_id) where channel in ('email', 'sms'))`,
  'an order is credited at most once in each scenario, and only a valid one': [
    relation`(select count(distinct (scenario, order_key)) = count(*) from ${orderAttribution})
      and (select count(*) = 0 from ${orderAttribution} join ${orders} using (order_key) where not is_valid)`,
    orderAttribution,
  ],
  'every event of a known popup is in the model once': relation`(select count(*) from ${popupEvents}) = (select count(*)
      from ${stored.popupEvents} join ${knownCampaigns} using (campaign_id) where channel = 'popup')`,
  'whoever has a consent event is in one state now, and is a known profile': [
    relation`(select count(*) from ${consentStates}) =
      (select count(*) from (select distinct customer_key, channel from ${customerConsents}))
      and (select count(*) = 0 from ${consentChanges} anti join ${knownProfiles} using (customer_key))`,
    [consentStates, customerConsents, consentChanges],
  ],
  'all advertising costs are in the model': relation`(select count(*) from ${stored.adCosts}) = (select count(*) from ${adCosts})
      and ((select count(currency) from ${stored.adCosts}) > 0
        or (select coalesce(sum(cost), 0) from ${stored.adCosts}) = (select coalesce(sum(cost), 0) from ${adCosts}))`,
  'every note of the merchant is in the model': relation`(select count(*) from ${stored.calendarEvents}) = (select count(*) from ${calendarEvents})`,
  'every product of the catalogue has its details': relation`(select count(*) from ${stored.products}) = (select count(*) from ${productDetails})`,
  'every product event is in the model': relation`(select count(*) from ${stored.productEvents}) = (select count(*) from ${productEvents})`,
  'at the end of the data every customer is in one RFM state, with all orders': relation`(select bool_and(
      customers_count = (select count(*) from ${customers}) and orders_count = (select count(order_number) from ${orders}))
    from (select window_days from ${rfmProfiles} group by window_days) left join (
      select window_days, count(*) as customers_count, sum(frequency + orders_before) as orders_count
      from ${rfmStates} where ends_at is null group by window_days) using (window_days))
    or (select count(*) from ${customers}) = 0`,
  'one RFM profile is the default': relation`(select count(*) = 1 from ${rfmProfiles} where is_default)`,
  'everyone is a profile once': relation`(select count(*) from ${profiles}) = (select count(*) from ${customerKeys})
      and (select count(distinct customer_key) = count(*) and count(split_number) = count(*) from ${profiles})`,
  'every RFM profile has a segment for each combination of scores': relation`(select count(*) from ${rfmCells}) =
      126 * (select count(*) from ${rfmProfiles})`,
};

/** What must hold between the store and the model. */
export const MODEL_CHECKS: readonly Check[] = Object.entries(CHECKS).map(([name, check]) =>
  check instanceof Relation
    ? { name, condition: check, needs: [] }
    : { name, condition: check[0], needs: [check[1]] },
);
