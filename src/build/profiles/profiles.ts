/**
 * `profiles`: everyone whom any row names, one row each, with or without orders: all that are customers elsewhere, also
 * an order without customer data. Visitors whom nothing ties to a customer are none.
 *
 * - `split_number`: 0 to 2^31 - 2, always the same for a profile. It is made with the key of the business, so that who
 *   knows the id of a profile cannot tell into which part of a random split it falls.
 * - `birth_day`: month x 100 + day.
 * - `last_active_at`: the last session, human open or click, or valid order. Suspected bots are nobody.
 * - `email_subscribed_at`, `sms_subscribed_at`: when it first became subscribed, as `consent_states` has it.
 * - `acquired_source`, `acquired_detail`: how that came about, by the earlier one of the two; `unknown` where no known
 *   source is given. A subscription that confirms a request has its own source, else that of the request.
 *
 * Needs the macro `keyed_hash`.
 */
export const profiles = `
create temp macro acquisition_source(source) as
  case when regexp_replace(lower(source), '[^a-z]', '', 'g')
      in ('popup', 'checkout', 'registration', 'form', 'import', 'api', 'manual')
    then regexp_replace(lower(source), '[^a-z]', '', 'g') end;

create temp table first_subscriptions as
with events as (
  select customer_key, channel, "at", state, acquisition_source(source) as known_source,
    nullif(trim(source_detail), '') as detail
  from store.consent_events as e join persons on person = person_of(e.profile_id, e.email_hash, e.phone_hash)
  -- Of what happens at one moment, the strictest.
  qualify row_number() over (
    partition by customer_key, channel, "at"
    order by list_position(['suppressed', 'complained', 'bounced', 'unsubscribed', 'pending', 'subscribed'], state),
      known_source nulls last, detail nulls last
  ) = 1
),
changes as (
  select *, count(*) filter (where state in ('suppressed', 'complained', 'bounced')) over own > 0 as was_blocked
  from events
  window own as (partition by customer_key, channel order by "at")
  qualify lag(state) over own is distinct from state
),
-- Before the first subscription nothing lifts a bounce, a complaint or a suppression, so nobody is pending after one.
requested as (
  select *,
    coalesce(lag(state) over own = 'pending' and not lag(was_blocked) over own, false) as is_confirmation,
    lag(known_source) over own as requested_source, lag(detail) over own as requested_detail
  from changes
  window own as (partition by customer_key, channel order by "at")
)
select customer_key, channel, "at" as subscribed_at,
  coalesce(known_source, case when is_confirmation then requested_source end, 'unknown') as source,
  case
    when is_confirmation and known_source is null then requested_detail
    when is_confirmation and known_source = requested_source then coalesce(detail, requested_detail)
    else detail
  end as detail
from requested
where state = 'subscribed'
qualify row_number() over (partition by customer_key, channel order by "at") = 1;

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
    max(subscribed_at) filter (where channel = 'email') as email_subscribed_at,
    max(subscribed_at) filter (where channel = 'sms') as sms_subscribed_at,
    first(source order by subscribed_at, channel) as acquired_source,
    first(detail order by subscribed_at, channel) as acquired_detail
  from first_subscriptions group by customer_key
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
