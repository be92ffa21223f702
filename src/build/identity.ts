/**
 * Who is who: every order and consent event gets a customer, every visitor the customer it is tied to.
 *
 * A profile is identified by its e-mail, else its phone, else its shop customer id, so two profiles with one e-mail
 * are one customer. An order refers to a customer by the first that it has of profile id, e-mail, phone and shop
 * customer id. An order with none of them is its own customer. A consent event refers in the same way.
 *
 * A visitor is tied to a customer by an identity, else by what happened first: an order, also one that only names a
 * session of the visitor, or a session that names a profile or an e-mail. An order without customer data ties the visitor
 * only where nothing tells who it is.
 */
export const identity = `
-- The profile that owns an e-mail, phone or shop customer id: profiles before extra identities, then the lowest id.
create temp table aliases as
select kind, value, profile_id
from (
  select 'email' as kind, email_hash as value, profile_id, 1 as source from store.profiles
  union all select 'phone', phone_hash, profile_id, 1 from store.profiles
  union all select 'external_customer_id', external_customer_id, profile_id, 1 from store.profiles
  union all select kind, value, profile_id, 2 from store.identities where kind <> 'visitor'
)
where value is not null
qualify row_number() over (partition by kind, value order by source, profile_id) = 1;

create temp table next_owners as
select p.profile_id,
  coalesce(
    case
      when p.email_hash is not null then email.profile_id
      when p.phone_hash is not null then phone.profile_id
      else customer.profile_id
    end,
    p.profile_id
  ) as owner_id,
  p.country
from store.profiles as p
left join aliases as email on email.kind = 'email' and email.value = p.email_hash
left join aliases as phone on phone.kind = 'phone' and phone.value = p.phone_hash
left join aliases as customer on customer.kind = 'external_customer_id' and customer.value = p.external_customer_id;

-- Owners of owners: a shop customer id may lead to a phone, that to an e-mail, and that to the profile that owns it.
create temp table profile_owners as
select first.profile_id, coalesce(third.owner_id, second.owner_id, first.owner_id) as owner_id, first.country
from next_owners as first
left join next_owners as second on second.profile_id = first.owner_id
left join next_owners as third on third.profile_id = second.owner_id;

-- What an e-mail, phone, shop customer id or profile id stands for.
create temp table references_to_customers as
select kind, value, 'profile ' || coalesce(owner_id, aliases.profile_id) as customer
from aliases left join profile_owners using (profile_id)
union all
select 'profile', profile_id, 'profile ' || owner_id from profile_owners;

create temp table order_customers as
with referring as (
  select order_id, coalesce(o.visitor_id, s.visitor_id) as visitor_id, ordered_at,
    case
      when o.profile_id is not null then 'profile'
      when o.email_hash is not null then 'email'
      when phone_hash is not null then 'phone'
      when external_customer_id is not null then 'external_customer_id'
      else 'order'
    end as kind,
    coalesce(o.profile_id, o.email_hash, phone_hash, external_customer_id, order_id) as value
  from store.orders as o left join store.sessions as s using (session_id)
)
select order_id, visitor_id, ordered_at, coalesce(customer, kind || ' ' || value) as customer
from referring left join references_to_customers using (kind, value);

create temp table consent_customers as
with referring as (
  select channel, "at", state,
    case when profile_id is not null then 'profile' when email_hash is not null then 'email' else 'phone' end as kind,
    coalesce(profile_id, email_hash, phone_hash) as value
  from store.consent_events
)
select channel, "at", state, coalesce(customer, kind || ' ' || value) as customer
from referring left join references_to_customers using (kind, value);

create temp table session_customers as
with referring as (
  select session_id, visitor_id, started_at,
    case when profile_id is not null then 'profile' else 'email' end as kind,
    coalesce(profile_id, email_hash) as value
  from store.sessions
  where profile_id is not null or email_hash is not null
)
select session_id, visitor_id, started_at, coalesce(customer, kind || ' ' || value) as customer
from referring left join references_to_customers using (kind, value);

create temp table customer_keys as
select customer, cast(row_number() over (order by customer) as integer) as customer_key
from (
  select customer from order_customers
  union
  select customer from session_customers
  union
  select 'profile ' || owner_id from profile_owners
  union
  select 'profile ' || coalesce(owner_id, profile_id)
  from store.identities left join profile_owners using (profile_id)
  where kind = 'visitor'
  union
  select customer from consent_customers
);

-- A visitor that is tied to a customer has the customer's key; the others have keys above all customers'. Who is known
-- only by an order without customer data is not identified.
create temp table visitor_keys as
with tied as (
  select visitor_id, customer_key, customer not like 'order %' as is_identified
  from (
    select value as visitor_id, 'profile ' || coalesce(owner_id, profile_id) as customer,
      1 as source, null as tied_at, profile_id as tie
    from store.identities left join profile_owners using (profile_id)
    where kind = 'visitor'
    union all
    select visitor_id, customer, 2, ordered_at, 'order ' || order_id from order_customers where visitor_id is not null
    union all
    select visitor_id, customer, 2, started_at, 'session ' || session_id from session_customers
  )
  join customer_keys using (customer)
  qualify row_number() over (partition by visitor_id order by source, is_identified desc, tied_at, tie) = 1
),
untied as (
  select visitor_id from (
    select visitor_id from store.product_events
    union
    select visitor_id from store.sessions
  ) anti join tied using (visitor_id)
)
select visitor_id, customer_key as visitor_key, is_identified from tied
union all
select visitor_id,
  cast((select count(*) from customer_keys) + row_number() over (order by visitor_id) as integer), false
from untied;
`;
