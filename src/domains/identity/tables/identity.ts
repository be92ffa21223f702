import { type BuildTable, joined, keyTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';

/**
 * Who is who: which customer an order or a consent event is of, and to which customer a visitor is tied.
 *
 * A profile is identified by its e-mail, else its phone, else its shop customer id, so two profiles with one
 * e-mail are one customer. An order refers to a customer by the first that it has of profile id, e-mail,
 * phone and shop customer id. A consent event refers in the same way.
 *
 * A visitor is tied to a customer by an identity, else by what happened first: an order that refers to one,
 * also where it only names a session of the visitor or another system saw the visitor place it, or a session
 * that names a profile or an e-mail.
 *
 * An order that refers to nobody is of the customer to whom its visitor is tied. Where there is none, it has
 * no customer: it belongs to its visitor, and without one to itself.
 */

/**
 * What a row calls a person: by the first that it has of profile id, e-mail and phone. Columns, or `null`.
 */
export const personOf = (profileId: string, emailHash: string, phoneHash: string) => `case
    when ${profileId} is not null then 'profile ' || ${profileId}
    when ${emailHash} is not null then 'email ' || ${emailHash}
    when ${phoneHash} is not null then 'phone ' || ${phoneHash}
  end`;

/** What an order, `o`, calls its customer; null where it refers to nobody. */
export const BUYER = `coalesce(
  ${personOf('o.profile_id', 'o.email_hash', 'o.phone_hash')},
  'external_customer_id ' || o.external_customer_id
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

/**
 * The profile that owns an e-mail, phone or shop customer id: profiles before extra identities, then the
 * lowest id.
 */
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

/**
 * Owners of owners: a shop customer id may lead to a phone, that to an e-mail, and that to the profile that
 * owns it.
 */
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
 * Each identifier that any row uses for a person, with the customer it resolves to, and when it was seen
 * first, where a row tells that.
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

/** What orders and visits call an order: its id or its number, with a `#` or without. */
export const orderReference = (value: string) => `ltrim(${value}, '#')`;

/**
 * The visit that another system saw an order in: by the order's id or number. Numbers come again over the
 * years, so no more than a day may lie between them. One order's number can be another's id, placed hours
 * apart: so a visit is of the order that is nearest in time, and an order of the nearest of its visits.
 */
export const visitsOfOrders = (orders: BuildTable | string, visits: BuildTable | string) => relation`
select order_id, visitor_id, session_id
from (
  select order_id, visitor_id, session_id, v.reference, way, abs(epoch_us(v."at") - epoch_us(ordered_at)) as away
  from (
    select order_id, ordered_at, ${orderReference('order_id')} as called, 1 as way from ${orders}
    union all
    select order_id, ordered_at, ${orderReference('number')}, 2 from ${orders} where number is not null
  ) as o
  join ${visits} as v
    on ${orderReference('v.reference')} = called and v."at" between ordered_at - interval 1 day and ordered_at + interval 1 day
  qualify row_number() over (partition by v.reference order by away, way, order_id) = 1
)
qualify row_number() over (partition by order_id order by away, way, reference, visitor_id) = 1`;

export const orderVisits = workTable({
  name: 'visits_of_orders',
  types: { order_id: 'varchar', visitor_id: 'varchar', session_id: 'varchar' },
  needs: [stored.orders, stored.orderVisits],
  rows: visitsOfOrders(stored.orders, stored.orderVisits),
});

/** The customer to whom an order refers, null where it refers to nobody. */
const orderCustomers = workTable({
  name: 'order_customers',
  types: { order_id: 'varchar', visitor_id: 'varchar', ordered_at: 'timestamp', customer: 'varchar' },
  needs: [stored.orders],
  rows: relation`
select order_id, visitor_id, ordered_at, customer
from (
  select o.order_id, coalesce(o.visitor_id, s.visitor_id, v.visitor_id) as visitor_id, o.ordered_at, ${BUYER} as person
  from ${stored.orders} as o
  left join ${stored.sessions} as s using (session_id)
  left join ${orderVisits} as v using (order_id)
)
left join ${namedPersons} using (person)`,
});

const tiedVisitors = workTable({
  name: 'tied_visitors',
  types: { visitor_id: 'varchar', customer: 'varchar' },
  rows: relation`
select visitor_id, customer
from (
  select value as visitor_id, customer, 1 as source, null as tied_at, profile_id as tie
  from ${stored.identities} join ${namedPersons} on person = 'profile ' || profile_id
  where kind = 'visitor'
  union all
  select visitor_id, customer, 2, ordered_at, 'order ' || order_id
  from ${orderCustomers} where visitor_id is not null and customer is not null
  union all
  select v.visitor_id, customer, 2, ordered_at, 'order ' || order_id
  from ${orderVisits} as v join ${orderCustomers} using (order_id) where customer is not null
  union all
  select visitor_id, customer, 2, started_at, 'session ' || session_id
  from ${stored.sessions} join ${namedPersons} on person = ${personOf('profile_id', 'email_hash', 'null')}
)
qualify row_number() over (partition by visitor_id order by source, tied_at, tie) = 1`,
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
  union
  select visitor_id from ${orderCustomers} where visitor_id is not null
) anti join ${tiedVisitors} using (visitor_id)`,
});

const ordersOfNobody = workTable({
  name: 'orders_of_nobody',
  types: { order_id: 'varchar' },
  rows: relation`select order_id from ${orderCustomers} where customer is null and visitor_id is null`,
});

/**
 * Customers, the visitors that are tied to none, as `visitor …`, and the orders without either, as `order …`.
 */
export const personKeys = keyTable({
  name: 'person_keys',
  identity: { person: 'varchar' },
  key: 'person_key',
  order: 'person',
  rows: relation`
select distinct customer as person from ${namedPersons}
union all
select 'visitor ' || visitor_id from ${untiedVisitors}
union all
select 'order ' || order_id from ${ordersOfNobody}`,
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

/** A visitor that is tied to a customer has the customer's key. */
export const visitorKeys = workTable({
  name: 'visitor_keys',
  types: { visitor_id: 'varchar', visitor_key: 'integer', is_identified: 'boolean' },
  rows: relation`
select visitor_id, customer_key as visitor_key, true as is_identified
from ${tiedVisitors} join ${customerKeys} using (customer)
union all
select visitor_id, person_key, false
from ${untiedVisitors} join ${personKeys} on person = 'visitor ' || visitor_id`,
});

/**
 * The person of each order. The customer is null where nobody is known. The visitor is the one who placed the
 * order, if known, else the customer, else the order itself.
 */
export const orderPersons = workTable({
  name: 'order_persons',
  types: { order_id: 'varchar', customer_key: 'integer', visitor_key: 'integer' },
  needs: [stored.orders],
  rows: relation`
select order_id,
  coalesce(customer_key, case when is_identified then visitor_key end) as customer_key,
  coalesce(visitor_key, customer_key, person_key) as visitor_key
from (
  select *, case when customer is null and visitor_id is null then 'order ' || order_id end as person
  from ${orderCustomers}
)
left join ${customerKeys} using (customer)
left join ${visitorKeys} using (visitor_id)
left join ${personKeys} using (person)`,
});
