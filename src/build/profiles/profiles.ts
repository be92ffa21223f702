/**
 * `profiles`: everyone whom any row names, one row each, with or without orders: all that are customers elsewhere, also
 * an order without customer data. Visitors whom nothing ties to a customer are none.
 *
 * - `split_number`: 0 to 2^31 - 2, always the same for a profile. It is made with the key of the business, so that who
 *   knows the id of a profile cannot tell into which part of a random split it falls.
 * - `birth_day`: month x 100 + day.
 * - `last_active_at`: the last session, human open or click, or valid order. Suspected bots are nobody.
 * - `email_subscribed_at`, `sms_subscribed_at`: when it first became subscribed, as `consent_changes` has it.
 * - `acquired_source`, `acquired_detail`: how that came about, by the earlier one of the two; `unknown` where no known
 *   source is given.
 *
 * Needs the macro `keyed_hash`.
 */
export const profiles = `
create temp table owned_profiles as
select customer_key, p.*
from store.profiles as p
join profile_owners using (profile_id)
join customer_keys on customer = 'profile ' || owner_id;

create table profiles as
with births as (
  select customer_key, min_by(birthday, profile_id) as birthday
  from owned_profiles where birthday is not null group by customer_key
),
activities as (
  select visitor_key as customer_key, started_at as active_at from sessions where not is_suspected_bot
  union all
  select customer_key, happened_at
  from message_events join known_sends using (send_key)
  where kind in ('open', 'click') and not is_machine
  union all
  select customer_key, ordered_at from orders where is_valid
),
active as (
  select customer_key, max(active_at) as last_active_at from activities group by customer_key
),
subscribed as (
  select customer_key,
    max(changed_at) filter (where channel = 'email') as email_subscribed_at,
    max(changed_at) filter (where channel = 'sms') as sms_subscribed_at,
    first(coalesce(known_source, 'unknown') order by changed_at, channel) as acquired_source,
    first(source_detail order by changed_at, channel) as acquired_detail
  from sourced_changes where is_first group by customer_key
)
select customer_key,
  cast(md5_number_lower(keyed_hash(customer)) % 2147483647 as integer) as split_number,
  cast(extract(month from birthday) * 100 + extract(day from birthday) as integer) as birth_day,
  last_active_at, email_subscribed_at, sms_subscribed_at, acquired_source, acquired_detail
from customer_keys
left join births using (customer_key)
left join active using (customer_key)
left join subscribed using (customer_key)
order by customer_key;
`;
