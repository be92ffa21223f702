/**
 * What somebody who runs a shop expects of the made one: each a number that SQL counts in the made rows, with
 * the range that benchmarks of mid-size shops publish (README.md says which). The SQL names the tables of the
 * canonical format as they were written, with money and quantities as numbers, and the tables of `SHARED`.
 */
export interface Target {
  readonly name: string;
  /** Answers one number, or null where there is nothing to count. */
  readonly sql: string;
  /** The least and the most that is believed. */
  readonly from: number;
  readonly to: number;
  /** What the shop has today, which is not believed: a target that nobody has met yet. Three digits. */
  readonly notYet?: number | null;
}

/** What several targets ask, in the order in which they build on each other. */
export const SHARED: Readonly<Record<string, string>> = {
  valid_orders: `select *, total * coalesce(fx_rate, 1) as revenue from orders
    where not is_test and status not in ('cancelled', 'credit_note')`,
  visits: 'from sessions where not suspected_bot',
  /** Sessions with a valid order: the one that it names, else the one of its visitor in which it lies. */
  buying_visits: `select session_id from valid_orders where session_id is not null
    union select s.session_id from valid_orders o join sessions s using (visitor_id)
      where o.session_id is null and o.ordered_at between s.started_at and s.ended_at`,
  persons: `select 'email' as kind, email as value, profile_id from profiles
    union select kind, value, profile_id from identities where kind <> 'visitor'`,
  /** The profile that each valid order leads to. */
  orders_of_profiles: `select o.order_id, o.ordered_at, o.revenue, coalesce(o.profile_id, e.profile_id, x.profile_id) as profile_id
    from valid_orders o
    left join persons e on e.kind = 'email' and e.value = lower(o.email)
    left join persons x on x.kind = 'external_customer_id' and x.value = o.external_customer_id`,
  /** One row per order and product. */
  sold: `select o.order_id, o.ordered_at, o.country, i.external_product_id, sum(i.quantity) as pieces,
      sum(i.quantity * i.unit_price * coalesce(o.fx_rate, 1)) as goods
    from valid_orders o join order_items i using (order_id) where i.kind = 'product' group by all`,
  product_category: `select external_product_id, cast(categories as varchar) as category from products`,
  /** Clicks by persons on what an e-mail offers; filters of companies open all links within seconds. */
  email_clicks: `select e.*, s.profile_id, m.campaign_id from message_events e join sends s using (send_id)
    join messages m using (message_id) join links l using (link_id)
    where e.kind = 'click' and m.channel = 'email' and e.is_bot is distinct from true
      and l.link_type not in ('unsubscribe', 'preferences', 'view_online')
      and e.send_id not in (select send_id from message_events where kind = 'click' group by send_id
        having count(distinct link_id) >= 3 and max("at") - min("at") < interval 6 seconds)`,
};

const conversion = (condition: string): string =>
  `select avg((session_id in (from buying_visits))::int) from visits where ${condition}`;

/** The share of the profiles of rows (profile_id, at) that order within some days of it. */
const orderedWithin = (rows: string, days: number): string =>
  `select avg((exists (from orders_of_profiles o where o.profile_id = t.profile_id
    and o.ordered_at > t."at" and o.ordered_at <= t."at" + interval ${days} days))::int) from (${rows}) t`;

const submitted = (campaign: string): string =>
  `select profile_id, min("at") as "at" from popup_events where kind = 'submit' and campaign_id = '${campaign}'
    and "at" < timestamptz '2026-08-31' group by 1`;

const rateOfCampaigns = (aggregate: string): string => `with rates as (
  select m.campaign_id, min(s.sent_at) as "at",
    count(*) filter (s.send_id in (select send_id from message_events where kind = 'unsubscribe')) / count(*) as rate
  from sends s join messages m using (message_id) join campaigns c using (campaign_id)
  where c.category = 'sale' and m.channel = 'email' and s.outcome = 'delivered' group by 1 having count(*) >= 500)
  select ${aggregate} from rates`;

const CONTROLLED = '2025-11-28-black-friday';
const converted = (outcome: string): string =>
  `(${orderedWithin(`select profile_id, entered_at as "at" from audience_members where campaign_id = '${CONTROLLED}' and outcome = '${outcome}'`, 7)})`;

const TESTED = '2026-09-15-dekujeme';
const clickRates = `with rates as (select m.variant, m.is_winner_send is not distinct from true as is_rollout,
    avg((s.send_id in (select send_id from email_clicks))::int) as rate
  from sends s join messages m using (message_id)
  where m.campaign_id = '${TESTED}' and s.outcome = 'delivered' group by all)`;

const returned = (category: string): string => `select
  (select coalesce(sum(l.quantity), 0) from refund_lines l
    join order_items i on i.order_id = l.order_id and i.line_no = l.line_no
    join product_category c on c.external_product_id = i.external_product_id where ${category})
  / (select sum(pieces) from sold join product_category c using (external_product_id) where ${category})`;

const IS_SHOES = `c.category like '%Shoes%'`;
const IS_ACCESSORY = `(c.category like '%Lighting%' or c.category like '%Cooking%' or c.category like '%Socks%')`;
const IS_FOOD = `c.category like '%Food >%'`;

/**
 * The share of those who buy five times in a year, and lately, that order nothing in the 180 days after a
 * date; one row per date.
 */
const lapsing = `with dates as (select unnest([date '2025-09-30', '2025-11-30', '2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31'])
    + time '23:59:59' as moment),
  lapsed as (select moment, not exists (from orders_of_profiles o where o.profile_id = c.profile_id
      and o.ordered_at > c.moment and o.ordered_at <= c.moment + interval 180 days) as lapses
    from (select moment, profile_id from dates, orders_of_profiles
      where profile_id is not null and ordered_at <= moment and ordered_at > moment - interval 365 days
      group by all having count(*) >= 5 and max(ordered_at) > moment - interval 30 days) c),
  shares as (select moment, avg(lapses::int) as share from lapsed group by 1)`;

const quarters = `with quarters as (
    select external_product_id, date_trunc('quarter', ordered_at) as quarter, sum(pieces) as pieces from sold group by all),
  risen as (select now.external_product_id, now.quarter, now.pieces / before.pieces as times from quarters now
    join quarters before on before.external_product_id = now.external_product_id
      and before.quarter = now.quarter - interval 3 months
    where now.pieces >= 60 and before.pieces >= 10)`;

/** Each reading with the one of the day before, and what was sold in between. */
const readings = `with read as (select *, lag(stock_quantity) over w as before, lag(read_at) over w as before_at,
      lag(in_stock) over w as was_in_stock from stock_readings window w as (partition by external_product_id order by read_at)),
  moved as (select r.external_product_id, r.before - r.stock_quantity as fall, r.was_in_stock, r.read_at,
      coalesce(sum(s.pieces), 0) as pieces
    from read r left join sold s on s.external_product_id = r.external_product_id
      and s.ordered_at >= r.before_at and s.ordered_at < r.read_at
    where r.before is not null group by all)`;

const TV = `started_at >= timestamptz '2026-05-14 20:00:00' and started_at < timestamptz '2026-05-14 23:00:00'`;

const taxedAt = (condition: string): string => `select avg((${condition})::int) from order_items i
  join valid_orders o using (order_id) join product_category c using (external_product_id) where i.kind = 'product'`;
/** Standard and reduced rates of 2025 and 2026, by country of delivery. */
const STANDARD = `case o.country when 'CZ' then 21 when 'SK' then if(o.ordered_at < timestamptz '2025-01-01', 20, 23) when 'DE' then 19 when 'AT' then 20 when 'PL' then 23 end`;

export const TARGETS: readonly Target[] = [
  { name: 'conversion of visits', sql: conversion('true'), from: 0.02, to: 0.03 },
  { name: 'conversion of e-mail', sql: conversion(`medium = 'email'`), from: 0.03, to: 0.06 },
  {
    name: 'conversion of direct visits',
    sql: conversion('source is null and medium is null and referrer_host is null'),
    from: 0.03,
    to: 0.04,
  },
  { name: 'conversion of paid social', sql: conversion(`medium = 'paid_social'`), from: 0.007, to: 0.015 },
  {
    name: 'visits with a cart',
    sql: 'select avg(cart::int) from visits',
    from: 0.06,
    to: 0.1,
  },
  { name: 'carts that are bought', sql: conversion('cart'), from: 0.25, to: 0.35 },
  {
    name: 'visits of one page',
    sql: 'select avg((page_views = 1)::int) from visits',
    from: 0.4,
    to: 0.55,
  },
  { name: 'pages of a visit', sql: 'select avg(page_views) from visits', from: 3, to: 5 },
  {
    name: 'visits per e-mail click',
    sql: `select (select count(*) from visits where medium = 'email') / (select count(*) from email_clicks)`,
    from: 0.7,
    to: 0.9,
  },
  {
    name: 'clickers of the browse e-mail who order in a week',
    sql: orderedWithin(
      `select profile_id, min("at") as "at" from email_clicks where campaign_id = 'auto-prohlizene' group by send_id, profile_id`,
      7,
    ),
    from: 0.01,
    to: 0.05,
  },
  {
    name: 'welcome popup: ordered in 30 days',
    sql: orderedWithin(submitted('popup-welcome'), 30),
    from: 0.05,
    to: 0.15,
  },
  {
    name: 'exit popup: ordered in 30 days',
    sql: orderedWithin(submitted('popup-exit'), 30),
    from: 0.02,
    to: 0.05,
  },
  {
    name: 'cheapest click of a campaign, CZK',
    sql: `select min(each) from (select sum(cost) / sum(clicks) as each from ad_costs group by source, medium, campaign)`,
    from: 3,
    to: 15,
  },
  {
    name: 'dearest click of a campaign, CZK',
    sql: `select max(each) from (select sum(cost) / sum(clicks) as each from ad_costs group by source, medium, campaign)`,
    from: 3,
    to: 15,
  },
  {
    name: 'click rate of brand search',
    sql: `select sum(clicks) / sum(impressions) from ad_costs where campaign = 'brand-search'`,
    from: 0.2,
    to: 0.4,
  },
  {
    name: 'advertising, share of revenue',
    sql: 'select (select sum(cost) from ad_costs) / (select sum(revenue) from valid_orders)',
    from: 0.08,
    to: 0.15,
  },
  {
    name: 'control group: buyers among the treated, times those of the control',
    sql: `select ${converted('sent')} / ${converted('control')}`,
    from: 1.05,
    to: 1.2,
  },
  {
    name: 'A/B test: the better click rate, times the other',
    sql: `${clickRates} select max(rate) / min(rate) from rates where not is_rollout`,
    from: 1.1,
    to: 1.3,
  },
  {
    name: 'A/B test: click rate of the roll-out, times that of the better variant',
    sql: `${clickRates} select (select max(rate) from rates where is_rollout) / (select max(rate) from rates where not is_rollout)`,
    from: 0.8,
    to: 1.2,
  },
  {
    name: 'refunds, share of revenue',
    sql: `select (select sum(r.amount * coalesce(o.fx_rate, 1)) from refunds r
      join valid_orders o using (order_id)) / (select sum(revenue) from valid_orders)`,
    from: 0.08,
    to: 0.15,
  },
  { name: 'pieces of shoes that come back', sql: returned(IS_SHOES), from: 0.15, to: 0.25 },
  {
    name: 'pieces of accessories that come back',
    sql: returned(IS_ACCESSORY),
    from: 0.02,
    to: 0.045,
  },
  {
    name: 'unsubscribes of a sale e-mail: the fewest',
    sql: rateOfCampaigns('min(rate)'),
    from: 0.002,
    to: 0.005,
  },
  {
    name: 'unsubscribes of a sale e-mail: the most',
    sql: rateOfCampaigns('max(rate)'),
    from: 0.002,
    to: 0.005,
  },
  {
    name: 'unsubscribes of sale e-mails: share that has fewer than the one before',
    sql: rateOfCampaigns(
      'avg(falls::int) from (select rate < lag(rate) over (order by "at") as falls from rates)',
    ).replace(/ from rates$/, ''),
    from: 0.25,
    to: 0.75,
  },
  {
    name: 'replenishment: buyers of the drink who buy it again in 120 days',
    sql: `select avg((exists (from sold s join orders_of_profiles o using (order_id) where s.external_product_id = 'P-RECOVERY-DRINK'
        and o.profile_id = f.profile_id and o.ordered_at > f."at" and o.ordered_at <= f."at" + interval 120 days))::int)
      from (select o.profile_id, min(o.ordered_at) as "at" from sold s join orders_of_profiles o using (order_id)
        where s.external_product_id = 'P-RECOVERY-DRINK' and o.profile_id is not null group by 1) f where f."at" < timestamptz '2026-06-01'`,
    from: 0.3,
    to: 0.4,
  },
  {
    name: 'best bundle: share of orders with the one that have the other too',
    sql: `with counts as (select external_product_id, count(*) as orders from sold group by 1),
      pairs as (select a.external_product_id, count(*) as orders from sold a join sold b using (order_id)
        where a.external_product_id <> b.external_product_id group by a.external_product_id, b.external_product_id having count(*) >= 30)
      select max(p.orders / c.orders) from pairs p join counts c using (external_product_id)`,
    from: 0.15,
    to: 0.3,
  },
  {
    name: 'champions who lapse: the date with most',
    sql: `${lapsing} select max(share) from shares`,
    from: 0.08,
    to: 0.35,
  },
  {
    name: 'champions who lapse: the date with most, times that in the middle',
    sql: `${lapsing} select max(share) / median(share) from shares`,
    from: 1,
    to: 2,
  },
  {
    name: "a product's quarter: the steepest rise, times",
    sql: `${quarters} select max(times) from risen`,
    from: 2,
    to: 6,
  },
  {
    name: 'the best seller of a month has a lower price behind it',
    sql: `select (exists (from product_prices p where p.external_product_id = b.external_product_id and p.original_price is not null
        and p.valid_from >= b.month - interval 10 days and p.valid_from < b.month + interval 1 month))::int
      from (select external_product_id, date_trunc('month', ordered_at) as month from sold group by all
        order by sum(pieces) desc limit 1) b`,
    from: 1,
    to: 1,
  },
  {
    name: 'VAT: food at less than the standard rate',
    sql: `${taxedAt(`i.tax_rate < ${STANDARD}`)} and ${IS_FOOD}`,
    from: 0.98,
    to: 1,
  },
  {
    name: 'VAT: other goods at the standard rate of the country',
    sql: `${taxedAt(`i.tax_rate = ${STANDARD}`)} and not ${IS_FOOD} and o.country <> 'CZ'`,
    from: 0.98,
    to: 1,
  },
  {
    name: 'Polish orders in PLN',
    sql: `select avg((currency = 'PLN')::int) from valid_orders where country = 'PL'`,
    from: 0.98,
    to: 1,
  },
  {
    name: 'readings out of stock',
    sql: 'select avg((not in_stock)::int) from (from stock_readings qualify lag(read_at) over (partition by external_product_id order by read_at) is not null)',
    from: 0.01,
    to: 0.08,
  },
  {
    name: 'falls of stock that are what was sold',
    sql: `${readings} select avg((fall = pieces)::int) from moved where fall > 0`,
    from: 0.9,
    to: 1,
  },
  {
    name: 'pieces sold a day out of stock, times a day in stock',
    sql: `${readings} select avg(pieces) filter (not was_in_stock) / avg(pieces) filter (was_in_stock) from moved`,
    from: 0,
    to: 0.2,
  },
  {
    name: 'TV spot: visits of the evening, times usual',
    sql: `select (select count(*) from visits where ${TV}) / (select median(visits) from (
      select (select count(*) from visits where started_at >= timestamptz '2026-05-14 20:00:00' - interval 7 days * w
        and started_at < timestamptz '2026-05-14 23:00:00' - interval 7 days * w) as visits from range(1, 9) weeks(w)))`,
    from: 3,
    to: 30,
  },
  { name: 'TV spot: conversion of its visits', sql: conversion(TV), from: 0.002, to: 0.015 },
  {
    name: 'orders without a visit: consent refused, or by telephone',
    sql: 'select avg((visitor_id is null)::int) from valid_orders',
    from: 0.25,
    to: 0.4,
  },
  {
    name: 'night of broken tracking: orders in the longest time without a visit',
    sql: `with starts as (select started_at, lead(started_at) over (order by started_at) as next from sessions),
      gap as (from starts where next is not null order by next - started_at desc limit 1)
      select count(*) from valid_orders, gap where ordered_at > started_at and ordered_at < next
        and next - started_at > interval 4 hours`,
    from: 1,
    to: 20,
  },
  {
    name: 'opens by machines, share of e-mails that something opened',
    sql: `select avg(only_machines::int) from (select bool_and(e.is_machine is not distinct from 'true') as only_machines
      from message_events e join sends s using (send_id) where e.kind = 'open' group by e.send_id)`,
    from: 0.3,
    to: 0.6,
  },
  {
    name: 'the largest customer, share of revenue',
    sql: `select max(revenue) / sum(revenue) from (select sum(revenue) as revenue from orders_of_profiles group by coalesce(profile_id, order_id))`,
    from: 0.004,
    to: 0.03,
  },
  { name: 'test orders', sql: 'select avg(is_test::int) from orders', from: 0.001, to: 0.01 },
  {
    name: 'orders in euro',
    sql: `select avg((currency = 'EUR')::int) from valid_orders`,
    from: 0.05,
    to: 0.3,
  },
  {
    name: 'orders with shipping paid',
    sql: 'select avg((shipping > 0)::int) from valid_orders',
    from: 0.3,
    to: 0.75,
  },
  { name: 'hour of the last order', sql: 'select hour(max(ordered_at)) from valid_orders', from: 22, to: 23 },
  {
    name: 'orders with a gift voucher',
    sql: `select count(distinct order_id) / (select count(*) from valid_orders) from order_items where name ilike '%voucher%'`,
    from: 0.003,
    to: 0.03,
  },
];
