import { listValue } from '@duckdb/node-api';
import type { Session } from '../ingest/session.ts';
import type { AttributionWindows } from '../model/marketing/attribution-windows.ts';
import type { SnapshotFacts } from '../model/snapshot.ts';
import { adCosts } from './ad-costs.ts';
import { internalHosts } from './channels.ts';
import { consents } from './consents.ts';
import { customers } from './customers.ts';
import { identity } from './identity.ts';
import { journeys } from './journeys.ts';
import { knownProfiles } from './known-profiles.ts';
import { attribution } from './marketing/attribution.ts';
import { audiences } from './marketing/audiences.ts';
import { campaignContents, campaigns } from './marketing/campaigns.ts';
import { interestLists } from './marketing/interest-lists.ts';
import { mailboxProviders } from './marketing/mailbox-providers.ts';
import { mailClients, messageEvents } from './marketing/message-events.ts';
import { popupEvents } from './marketing/popups.ts';
import { buildQueryReferences } from './marketing/query-references.ts';
import { segments } from './marketing/segments.ts';
import { knownSends, sends } from './marketing/sends.ts';
import { marketingTexts } from './marketing/texts.ts';
import { orderTraffic } from './order-traffic.ts';
import { orders } from './orders.ts';
import { productEvents } from './product-events.ts';
import { products } from './products.ts';
import { abandonedCarts } from './profiles/abandoned-carts.ts';
import { interestListMembers } from './profiles/interest-list-members.ts';
import { profileAttributes } from './profiles/profile-attributes.ts';
import { profiles } from './profiles/profiles.ts';
import { rfm } from './rfm.ts';
import { sessions } from './sessions.ts';

/** Changes whenever the tables here do: snapshots of another version are built anew from their store. */
export const MODEL_VERSION = 7;

export interface ModelBusiness {
  readonly timezone: string;
  readonly primary_currency: string | null;
  /** Whose host no session comes from anew. */
  readonly link: string | null;
  readonly attribution_windows: AttributionWindows;
}

/**
 * Builds the tables that tools read, in the main database of the session, from the canonical tables in its schema
 * `store`.
 */
export async function buildModel(
  session: Session,
  business: ModelBusiness,
  onTable: (name: string, doneShare: number) => void,
): Promise<void> {
  await session.run('set variable business_timezone = $timezone', { timezone: business.timezone });
  await session.run('set variable business_currency = $currency', { currency: business.primary_currency });
  await session.run(
    "create temp macro business_currency() as cast(getvariable('business_currency') as varchar)",
  );
  await session.run(
    "create temp macro local_time(moment) as timezone(getvariable('business_timezone'), timezone('UTC', moment))",
  );
  await session.run('create temp macro local_date(moment) as cast(local_time(moment) as date)');
  await session.run(MONEY);
  await session.run('set variable internal_hosts = $hosts', {
    hosts: listValue(internalHosts(business.link)),
  });
  const models = Object.entries({
    identity,
    orders,
    products,
    sessions,
    adCosts,
    orderTraffic,
    journeys,
    customers,
    productEvents,
    rfm,
    mailboxProviders,
    mailClients,
    marketingTexts,
    campaignContents,
    consents,
    knownProfiles,
    knownSends,
    messageEvents,
    attribution: attribution(business.attribution_windows),
    sends,
    popupEvents,
    campaigns,
    audiences,
    interestLists,
    segments,
    profiles,
    profileAttributes,
    interestListMembers,
    abandonedCarts,
  });
  for (const [index, [name, model]] of models.entries()) {
    onTable(name, index / models.length);
    await session.run(model);
  }
  await buildQueryReferences(session);
}

/**
 * Products of money, rounded once, to four decimals.
 *
 * TRICKY: DuckDB multiplies decimals of up to 18 digits within 18 digits, and others within 38. So one factor is wide,
 * and a rate is cut to the 14 digits that matter: eight decimals from 1 on, fourteen below (a dong is 0.00003765 euros).
 * That is 40 times slower, so the usual case goes without.
 */
const MONEY = `
create temp macro times_rate(amount, rate) as
  cast(case when rate < 1 then amount * cast(rate as decimal(14,14)) else amount * cast(rate as decimal(14,8)) end
    as decimal(18,4));
create temp macro in_business_currency(amount, rate) as
  case when rate = 1 then amount else times_rate(cast(amount as decimal(22,4)), rate) end;
create temp macro line_value(quantity, amount, rate) as
  case
    when rate = 1 and quantity = trunc(quantity) and abs(quantity) < 100000 and abs(amount) < 1000000
      then cast(cast(quantity as integer) * amount as decimal(18,4))
    else times_rate(cast(cast(quantity as decimal(20,4)) * amount as decimal(24,8)), rate)
  end;
`;

/** Facts about the snapshot that answers quote. `store` and the model are in the session. */
export async function readFacts(
  session: Session,
  { attribution_windows }: ModelBusiness,
  loadedTables: readonly string[],
): Promise<SnapshotFacts> {
  const { first, last, last_session, last_message, last_popup_event, last_consent, last_list_event, latest } =
    await session.row(
      // DuckDB's least() ignores nulls, so an empty table is asked for itself.
      `select
      (select strftime(min(ordered_at), '${MOMENT}') from orders) as first,
      (select ${untilNow('ordered_at')} from orders) as last,
      (select ${untilNow('started_at')} from sessions) as last_session,
      (select ${untilNow('happened_at')} from (
        select sent_at as happened_at from sends union all select happened_at from message_events)) as last_message,
      (select ${untilNow('happened_at')} from popup_events) as last_popup_event,
      (select ${untilNow('"at"')} from store.consent_events) as last_consent,
      (select ${untilNow('"at"')} from store.interest_list_events) as last_list_event,
      (select coalesce(${untilNow('happened_at')}, ${NOW}) from (
        select ordered_at as happened_at from orders
        union all select started_at from sessions
        union all select happened_at from product_events
        union all select sent_at from sends
        union all select happened_at from message_events
        union all select happened_at from popup_events
        union all select "at" from store.consent_events
        union all select "at" from store.interest_list_events)) as latest`,
    );
  return {
    loaded_tables: loadedTables,
    history_starts_at: first as string | null,
    orders_until: last as string | null,
    sessions_until: last_session as string | null,
    messages_until: last_message as string | null,
    attribution_windows,
    popups_until: last_popup_event as string | null,
    consents_until: last_consent as string | null,
    list_events_until: last_list_event as string | null,
    latest_at: String(latest),
  };
}

const MOMENT = '%Y-%m-%dT%H:%M:%SZ';
const NOW = `strftime(current_timestamp at time zone 'UTC', '${MOMENT}')`;

function untilNow(moment: string): string {
  return `case when count(*) > 0 then
    strftime(least(max(${moment}), current_timestamp at time zone 'UTC'), '${MOMENT}') end`;
}

/**
 * What must hold between the store and the model.
 *
 * @throws Error that names the first check that fails; the snapshot must not be served then
 */
export async function checkModel(session: Session): Promise<void> {
  for (const [name, condition] of Object.entries(CHECKS)) {
    const { holds } = await session.row(`select coalesce(${condition}, false) as holds`);
    if (holds !== true) throw new Error(`the new snapshot fails its check: ${name}`);
  }
}

const CHECKS = {
  'every order is in the model once':
    '(select count(*) from store.orders) = (select count(*) from orders) and (select count(distinct order_id) = count(*) from orders)',
  'every valid order has a number, no other has':
    '(select count(*) = 0 from orders where is_valid <> (order_number is not null))',
  'every customer has exactly one first order':
    '(select count(*) filter (where order_number = 1) = count(distinct customer_key) from orders where is_valid)',
  'product revenue is that of the product lines': `(select coalesce(sum(revenue), 0) from order_products) = (select coalesce(sum(revenue), 0) from valued_lines)
      and (select count(*) from product_lines) = (select count(*) from valued_lines)`,
  'every session is in the model once':
    '(select count(*) from sessions) = (select count(*) from known_sessions) and (select count(*) >= (select count(*) from store.sessions) from sessions)',
  'only valid orders have traffic, each once': `(select count(distinct order_key) = count(*) from order_traffic)
      and (select count(*) = 0 from order_traffic join orders using (order_key) where not is_valid)`,
  'every session but of bots is a touch once': `(select count(*) from touches) = (select count(*) from sessions where not is_suspected_bot)
      and (select count(distinct session_key) = count(*) from touches)`,
  'every send of a known message is in the model once': `(select count(*) from sends) = (select count(*)
      from store.sends join messages using (message_id) where channel in ('email', 'sms'))`,
  'an order is credited at most once in each scenario, and only a valid one': `(select count(distinct (scenario, order_key)) = count(*)
      from order_attribution) and (select count(*) = 0 from order_attribution join orders using (order_key) where not is_valid)`,
  'every event of a known popup is in the model once': `(select count(*) from popup_events) = (select count(*)
      from store.popup_events join known_campaigns using (campaign_id) where channel = 'popup')`,
  'whoever has a consent event is in one state now, and is a known profile': `(select count(*) from consent_states) =
      (select count(*) from (select distinct customer_key, channel from customer_consents))
      and (select count(*) = 0 from consent_changes anti join known_profiles using (customer_key))`,
  'all advertising costs are in the model':
    '(select coalesce(sum(cost), 0) from store.ad_costs) = (select coalesce(sum(cost), 0) from ad_costs)',
  'every product of the catalogue has its details':
    '(select count(*) from store.products) = (select count(*) from product_details)',
  'every product event is in the model':
    '(select count(*) from store.product_events) = (select count(*) from product_events)',
  'at the end of the data every customer is in one RFM state, with all orders': `(select bool_and(
      customers_count = (select count(*) from customers) and orders_count = (select count(*) from orders where is_valid))
    from (select window_days from rfm_profiles group by window_days) left join (
      select window_days, count(*) as customers_count, sum(frequency + orders_before) as orders_count
      from rfm_states where ends_at is null group by window_days) using (window_days))
    or (select count(*) from customers) = 0`,
  'one RFM profile is the default': '(select count(*) = 1 from rfm_profiles where is_default)',
  'everyone is a profile once': `(select count(*) from profiles) = (select count(*) from customer_keys)
      and (select count(distinct customer_key) = count(*) and count(split_number) = count(*) from profiles)`,
  'every RFM profile has a segment for each combination of scores': `(select count(*) from rfm_cells) =
      126 * (select count(*) from rfm_profiles)`,
};
