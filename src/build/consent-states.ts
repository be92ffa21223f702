/**
 * `consent_states`: in which state every customer who ever had a consent event is now, in each channel, and the moment
 * of the event that made it so. Exclusive: the latest event decides, at one moment the stricter. A bounce, a complaint
 * and a suppression hold until the person subscribes again, whatever else comes after them; of several that hold, the
 * strictest.
 */
export const consentStates = `
create table consent_states as
with events as (
  select customer_key, channel, "at", state,
    case state when 'suppressed' then 1 when 'complained' then 2 when 'bounced' then 3
      when 'unsubscribed' then 4 when 'pending' then 5 else 6 end as strictness,
    max("at") filter (where state = 'subscribed') over (partition by customer_key, channel) as last_subscribed_at
  from store.consent_events as e join persons on person = person_of(e.profile_id, e.email_hash, e.phone_hash)
),
deciding as (
  select *, strictness <= 3 as holds
  from events
  where last_subscribed_at is null or "at" >= last_subscribed_at
  qualify row_number() over (
    partition by customer_key, channel
    order by holds desc, case when holds then strictness end, "at" desc, strictness
  ) = 1
)
select customer_key, channel, state, "at" as changed_at
from deciding
order by customer_key, channel;
`;
