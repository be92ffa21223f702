const BUYER = `coalesce(
  person_of(o.profile_id, o.email_hash, o.phone_hash),
  'external_customer_id ' || o.external_customer_id,
  'order ' || o.order_id
)`;

/** Tables whose rows name a person, the phone by which they may do so, and when. */
const NAMING: Readonly<Record<string, { readonly phone: 'phone_hash' | 'null'; readonly at: string }>> = {
  sessions: { phone: 'null', at: 'started_at' },
  consent_events: { phone: 'phone_hash', at: '"at"' },
  sends: { phone: 'phone_hash', at: 'sent_at' },
  audience_members: { phone: 'null', at: 'entered_at' },
  interest_list_events: { phone: 'null', at: '"at"' },
  popup_events: { phone: 'null', at: '"at"' },
};

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

-- What a row calls a person: by the first that it has of profile id, e-mail and phone.
create temp macro person_of(profile_id, email_hash, phone_hash) as
  case
    when profile_id is not null then 'profile ' || profile_id
    when email_hash is not null then 'email ' || email_hash
    when phone_hash is not null then 'phone ' || phone_hash
  end;

-- Everyone whom any row names, in each way in which it does, with the customer they are. When that was first, where a
-- row tells.
create temp table persons as
with owned as (
  select kind || ' ' || value as person, 'profile ' || coalesce(owner_id, aliases.profile_id) as customer
  from aliases left join profile_owners using (profile_id)
  union all
  select 'profile ' || profile_id, 'profile ' || owner_id from profile_owners
),
named as (
  select ${BUYER} as person, ordered_at as named_at from store.orders as o
  union all select 'profile ' || profile_id, created_at from store.profiles
  union all select 'profile ' || profile_id, null from store.identities where kind = 'visitor'
  ${Object.entries(NAMING)
    .map(
      ([table, { phone, at }]) =>
        `union all select person_of(profile_id, email_hash, ${phone}), ${at} from store.${table}`,
    )
    .join(' ')}
),
seen as (
  select person, min(named_at) as first_seen_at from named where person is not null group by person
)
select person, coalesce(customer, person) as customer,
  cast(dense_rank() over (order by coalesce(customer, person)) as integer) as customer_key, first_seen_at
from seen left join owned using (person);

create temp table customer_keys as
select distinct customer, customer_key from persons;

create temp table profile_countries as
select 'profile ' || owner_id as customer, min_by(country, profile_id) as country
from profile_owners where country is not null group by owner_id;

create temp table order_customers as
select order_id, visitor_id, ordered_at, customer, customer_key
from (
  select o.order_id, coalesce(o.visitor_id, s.visitor_id) as visitor_id, o.ordered_at, ${BUYER} as person
  from store.orders as o left join store.sessions as s using (session_id)
)
join persons using (person);

-- A visitor that is tied to a customer has the customer's key; the others have keys above all customers'. Who is known
-- only by an order without customer data is not identified.
create temp table visitor_keys as
with tied as (
  select visitor_id, customer_key, customer not like 'order %' as is_identified
  from (
    select value as visitor_id, customer, customer_key, 1 as source, null as tied_at, profile_id as tie
    from store.identities join persons on person = 'profile ' || profile_id
    where kind = 'visitor'
    union all
    select visitor_id, customer, customer_key, 2, ordered_at, 'order ' || order_id
    from order_customers where visitor_id is not null
    union all
    select visitor_id, customer, customer_key, 2, started_at, 'session ' || session_id
    from store.sessions join persons on person = person_of(profile_id, email_hash, null)
  )
  qualify row_number() over (partition by visitor_id order by source, is_identified desc, tied_at, tie) = 1
),
untied as (
  select visitor_id from (
    select visitor_id from store.product_events
    union
    select visitor_id from store.sessions
    union
    select visitor_id from store.popup_events
  ) anti join tied using (visitor_id)
)
select visitor_id, customer_key as visitor_key, is_identified from tied
union all
select visitor_id,
  cast((select count(*) from customer_keys) + row_number() over (order by visitor_id) as integer), false
from untied;
`;
