/**
 * What a table's meaning comes to for somebody who reads the names of its columns and writes SQL: what a row
 * is, which rows count, and what the names do not say. A table without a brief here is told in the words of
 * its meaning.
 */
export const TABLE_BRIEFS: Readonly<Record<string, string>> = {
  orders:
    'All orders; count those that are `is_valid` (no test, not cancelled, no credit note). `revenue`: what was paid in total, with VAT and shipping, before refunds, in the currency of the store; it and all money but `total` (in `currency`) are null without a rate. `refunded`: until now. `customer_key` null: unknown buyer, in no number of customers. `order_number`, `next_order_key`: among the valid orders of the customer, ever. `discount`, `shipping`, the costs: null where not told. `tax`: the VAT in `revenue`.',
  order_products:
    'One row per valid order and product in it; lines that are no product (shipping, fees, discounts, gifts) are in `store.order_items` alone. `revenue`: quantity x unit price with VAT, before `discount` (its part of that of the order) and refunds. `net_revenue`: less discount and VAT. `profit`: net revenue less purchase price, of the lines where both are known, whose sums are `known_revenue` and `known_net_revenue`.',
  product_refunds:
    'One row per line of a refund whose product is known; `refunded_at` and `ordered_at` are two days. `revenue`: what was paid back for the line. `is_valid`: that of the order.',
  products:
    'Every product (variant), also those that only orders name (`is_in_catalogue` false, no price). `master_product_id` is never null: without a master the product itself. `price` is with VAT, `net_price` without. Stock is that of `stock_as_of`, not of today.',
  sessions:
    'Visits, with suspected bots, which tools leave out. `source`, `medium`, `campaign` are never null: `(direct)`, `(internal)`, `(not set)`. Back from the payment within 30 minutes is the same visit. `own_orders`: valid orders that name the visit, `is_converting` with one. `own_orders_by_time`: that name none, placed while it was open; session_statistics counts both.',
  ad_costs:
    'Per local day; source, medium, campaign and channel as in `sessions`. `cost` null: another currency without a rate.',
  order_traffic:
    'One row per valid order that has a session in the 30 days before it; the others are untracked. Last click: the latest that is not Direct, else the latest. First click: the first. `own_session_key`: the one that it names, so that it was placed in; `own_session_by_time_key`: of an order that names none, the one its people had open.',
  touches:
    'Sessions without suspected bots as steps of journeys, each of which ends with an order or with nothing (`order_key` null). Names of the keys: `touch_names`.',
  rfm_states:
    'Each customer in a window that ends at a moment: a row holds from `starts_at` to before `ends_at` (null: until now). `frequency`, `monetary`: orders in the window and their revenue.',
  rfm_profiles:
    'How customers are scored; `is_default` is true in one row. `rules`: JSON. Without `monetary_thresholds` customers are parted into fifths.',
  profiles:
    'One row per person whom any row names, with or without orders. `last_active_at`: last session, human open or click, or valid order. `email_subscribed_at`: first ever; the state now is in `consent_states`. `birth_month`: null where unknown, or that of fewer than 5 people.',
  profile_attributes:
    'What is known of persons: a row per name and value, of a list one per element (`is_element`). Values of fewer than 5 persons are null.',
  abandoned_carts:
    'Each time that somebody left something in a cart and for 60 minutes neither changed it nor ordered.',
  consent_changes:
    'Each state of a customer in a channel, from `changed_at` to before `ends_at` (null: until now), and what came next. No row: never subscribed. `is_first`: first subscription in the channel.',
  interest_list_changes:
    'Each time that a customer joined or left a list: the state from `changed_at` to before `ends_at` (null: until now). Joining while a member is no change.',
  campaigns:
    'What is set up: campaigns, automations, popups, and when first and last sent. `subject`: that of the first message.',
  sends:
    'One row per message to a person, and what became of it until now. `is_opened`: a person opened or clicked. `clicks`, `opens`: by persons, how often; `bot_clicks`, `machine_opens`: not. `attributed_orders`, `attributed_revenue`: credited to it as the store sets it. `recipient_domain`: behind the @; `mailbox_provider` runs several (seznam: seznam.cz, email.cz, post.cz); either `(other)` where fewer than 5 people have it.',
  message_events:
    'Opens, clicks and more of sends. Persons: not `is_machine`, our mark: that of the source, known scanners, and what came within 3 seconds and nobody followed. That of the source alone is in `store.message_events`. Clicks that count: also `is_content` (not unsubscribe, preferences, view online). One send may have several.',
  order_attribution:
    'Per `scenario` the valid orders credited to a message, each once over e-mail and SMS; tools use `configured`. Never add up scenarios.',
  popup_events:
    'Displays, closes, submissions. `is_new_…`, `is_lost_subscriber`, orders and revenue tell what came within days of a submission, of nothing else.',
  'store.orders':
    'As imported. `total`: with VAT, shipping and fees, after discounts, in `currency` (null: that of the store). Valid: no `is_test`, `status` neither `cancelled` nor `credit_note`. `shipping`, `payment_fee`: paid by the customer; `shipping_cost`, `payment_cost`: by the shop.',
  'store.order_items':
    'One row per line of any order, also cancelled and test ones: `orders.is_valid` tells. `unit_price`: with VAT, after discounts of the line, in the currency of the order. Products are `kind` product.',
  'store.refund_lines':
    'What of an order a refund was for; `amount` in the currency of the order. Without `line_no` the product tells the line.',
  'store.products':
    'One row per variant. `price`: with VAT, `original_price`: before a reduction, `purchase_price`: without VAT. The first of `categories` is the main one.',
  'store.stock_readings': 'What was in stock when somebody looked: at most one row per product and day.',
  'store.fx_rates':
    'What one unit of `currency` cost in `to_currency` (null: that of the store) on a day; the nearest earlier day counts.',
  'store.sessions':
    'Visits as imported: returns from the payment are rows of their own, `suspected_bot` is left out of numbers. `cart`, `checkout`: whether begun.',
  'store.rfm_profiles': 'How customers are scored by recency, frequency and money, as imported.',
  'store.campaigns':
    '`campaign_type`: `targeted-…` is sent once, `incremental-…` is an automation, `…-ab` has variants. `control_group_share`: percent of the audience that is sent nothing.',
  'store.messages':
    'One row per e-mail, SMS or popup of a campaign, and per variant of it. `allocation`: percent that get the variant; `is_winner_send`: what the rest got.',
  'store.sends':
    '`outcome`: `hard`, `soft`, `block` are bounces of e-mails, `failed` of SMS; null: an e-mail was delivered, an SMS is pending. `cost`: of an SMS, in `currency`, else that of the store.',
  'store.message_events':
    'As imported: `is_machine` (an open or click by a machine) and `is_bot` as the source says; more are recognised in `message_events`.',
  'store.audience_members':
    'Who entered a campaign, and whether they were sent something, were skipped, or are in the control group.',
};
