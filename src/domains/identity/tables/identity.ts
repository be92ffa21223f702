import { type BuildTable, joined, keyTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';

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

/** What a row calls a person: by the first that it has of profile id, e-mail and phone. Columns, or `null`. */
export const personOf = (profileId: string, emailHash: string, phoneHash: string) => `case
    when ${profileId} is not null then 'profile ' || ${profileId}
    when ${emailHash} is not null then 'email ' || ${emailHash}
    when ${phoneHash} is not null then 'phone ' || ${phoneHash}
  end`;

/** What an order, `o`, calls its customer. */
export const BUYER = `coalesce(
  ${personOf('o.profile_id', 'o.email_hash', 'o.phone_hash')},
  'external_customer_id ' || o.external_customer_id,
  'order ' || o.order_id
)`;

/** Tables whose rows name a person, the phone by which they may do so, and when. */
const NAMING: readonly {
  readonly table: BuildTable;
  readonly phone: 'phone_hash' | 'null';
  readonly at: string;
}[] = [
  { table: stored.sessions, phone: 'null', at: 'started_at' },
  { table: stored.consentEvents, phone: 'phone_hash', at: '"at"' },
  { table: stored.sends, phone: 'phone_hash', at: 'sent_at' },
  { table: stored.audienceMembers, phone: 'null', at: 'entered_at' },
  { table: stored.interestListEvents, phone: 'null', at: '"at"' },
  { table: stored.popupEvents, phone: 'null', at: '"at"' },
];

/** The profile that owns an e-mail, phone or shop customer id: profiles before extra identities, then the lowest id. */
const aliases = workTable({
  name: 'aliases',
  types: { kind: 'varchar', value: 'varchar', profile_id: 'varchar' },
  rows: relation`
select kind, value, profile_id
from (
  select 'email' as kind, email_hash as value, profile_id, 1 as source from ${stored.profiles}
  union all select 'phone', phone_hash, profile_id, 1 from ${stored.profiles}
  union all select 'external_customer_id', external_customer_id, profile_id, 1 from ${stored.profiles}
  union all select kind, value, profile_id, 2 from ${stored.identities} where kind <> 'visitor'
)
where value is not null
qualify row_number() over (partition by kind, value order by source, profile_id) = 1`,
});

const nextOwners = workTable({
  name: 'next_owners',
  types: { profile_id: 'varchar', owner_id: 'varchar', country: 'varchar' },
  needs: [stored.profiles],
  rows: relation`
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
from ${stored.profiles} as p
left join ${aliases} as email on email.kind = 'email' and email.value = p.email_hash
left join ${aliases} as phone on phone.kind = 'phone' and phone.value = p.phone_hash
left join ${aliases} as customer on customer.kind = 'external_customer_id' and customer.value = p.external_customer_id`,
});

/** Owners of owners: a shop customer id may lead to a phone, that to an e-mail, and that to the profile that owns it. */
export const profileOwners = workTable({
  name: 'profile_owners',
  types: { profile_id: 'varchar', owner_id: 'varchar', country: 'varchar' },
  rows: relation`
select first.profile_id, coalesce(third.owner_id, second.owner_id, first.owner_id) as owner_id, first.country
from ${nextOwners} as first
left join ${nextOwners} as second on second.profile_id = first.owner_id
left join ${nextOwners} as third on third.profile_id = second.owner_id`,
});

const namings = joined(
  NAMING.map(
    ({ table, phone, at }) =>
      relation`select ${personOf('profile_id', 'email_hash', phone)}, ${at} from ${table}`,
  ),
  '\n  union all ',
);

/**
 * Everyone whom any row names, in each way in which it does, with the customer they are. When that was first, where a
 * row tells.
 */
const namedPersons = workTable({
  name: 'named_persons',
  types: { person: 'varchar', customer: 'varchar', first_seen_at: 'timestamp' },
  rows: relation`
with owned as (
  select kind || ' ' || value as person, 'profile ' || coalesce(owner_id, aliases.profile_id) as customer
  from ${aliases} left join ${profileOwners} using (profile_id)
  union all
  select 'profile ' || profile_id, 'profile ' || owner_id from ${profileOwners}
),
named as (
  select ${BUYER} as person, ordered_at as named_at from ${stored.orders} as o
  union all select 'profile ' || profile_id, created_at from ${stored.profiles}
  union all select 'profile ' || profile_id, null from ${stored.identities} where kind = 'visitor'
  union all ${namings}
),
seen as (
  select person, min(named_at) as first_seen_at from named where person is not null group by person
)
select person, coalesce(customer, person) as customer, first_seen_at
from seen left join owned using (person)`,
});

const orderCustomers = workTable({
  name: 'order_customers',
  types: { order_id: 'varchar', visitor_id: 'varchar', ordered_at: 'timestamp', customer: 'varchar' },
  needs: [stored.orders],
  rows: relation`
select order_id, visitor_id, ordered_at, customer
from (
  select o.order_id, coalesce(o.visitor_id, s.visitor_id) as visitor_id, o.ordered_at, ${BUYER} as person
  from ${stored.orders} as o left join ${stored.sessions} as s using (session_id)
)
join ${namedPersons} using (person)`,
});

/** Who is known only by an order without customer data is not identified. */
const tiedVisitors = workTable({
  name: 'tied_visitors',
  types: { visitor_id: 'varchar', customer: 'varchar', is_identified: 'boolean' },
  rows: relation`
select visitor_id, customer, customer not like 'order %' as is_identified
from (
  select value as visitor_id, customer, 1 as source, null as tied_at, profile_id as tie
  from ${stored.identities} join ${namedPersons} on person = 'profile ' || profile_id
  where kind = 'visitor'
  union all
  select visitor_id, customer, 2, ordered_at, 'order ' || order_id
  from ${orderCustomers} where visitor_id is not null
  union all
  select visitor_id, customer, 2, started_at, 'session ' || session_id
  from ${stored.sessions} join ${namedPersons} on person = ${personOf('profile_id', 'email_hash', 'null')}
)
qualify row_number() over (partition by visitor_id order by source, is_identified desc, tied_at, tie) = 1`,
});

const untiedVisitors = workTable({
  name: 'untied_visitors',
  types: { visitor_id: 'varchar' },
  rows: relation`
select visitor_id from (
  select visitor_id from ${stored.productEvents}
  union
  select visitor_id from ${stored.sessions}
  union
  select visitor_id from ${stored.popupEvents}
) anti join ${tiedVisitors} using (visitor_id)`,
});

/** Customers, and the visitors that are tied to none, as `visitor …`. */
export const personKeys = keyTable({
  name: 'person_keys',
  identity: { person: 'varchar' },
  key: 'person_key',
  order: 'person',
  rows: relation`
select distinct customer as person from ${namedPersons}
union all
select 'visitor ' || visitor_id from ${untiedVisitors}`,
});

/** The named persons, with the keys of their customers. */
export const persons = workTable({
  name: 'persons',
  types: { person: 'varchar', customer: 'varchar', customer_key: 'integer', first_seen_at: 'timestamp' },
  rows: relation`
select p.person, customer, person_key as customer_key, first_seen_at
from ${namedPersons} as p join ${personKeys} as keys on keys.person = customer`,
});

export const customerKeys = workTable({
  name: 'customer_keys',
  types: { customer: 'varchar', customer_key: 'integer' },
  rows: relation`select distinct customer, customer_key from ${persons}`,
});

export const profileCountries = workTable({
  name: 'profile_countries',
  types: { customer: 'varchar', country: 'varchar' },
  rows: relation`
select 'profile ' || owner_id as customer, min_by(country, profile_id) as country
from ${profileOwners} where country is not null group by owner_id`,
});

export const orderPersons = workTable({
  name: 'order_persons',
  types: { order_id: 'varchar', visitor_id: 'varchar', customer_key: 'integer' },
  rows: relation`
select order_id, visitor_id, customer_key from ${orderCustomers} join ${customerKeys} using (customer)`,
});

/** A visitor that is tied to a customer has the customer's key. */
export const visitorKeys = workTable({
  name: 'visitor_keys',
  types: { visitor_id: 'varchar', visitor_key: 'integer', is_identified: 'boolean' },
  rows: relation`
select visitor_id, customer_key as visitor_key, is_identified
from ${tiedVisitors} join ${customerKeys} using (customer)
union all
select visitor_id, person_key, false
from ${untiedVisitors} join ${personKeys} on person = 'visitor ' || visitor_id`,
});
