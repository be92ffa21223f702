import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { integer, key, name, optionalMoment, text } from '../../../model-table/column-kinds.ts';
import { modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { customerKeys, profileOwners } from '../../identity/tables/identity.ts';
import { knownSends } from '../../messages/tables/known-sends.ts';
import { messageEvents } from '../../messages/tables/message-events.ts';
import { orders } from '../../orders/tables/orders.ts';
import { sourcedChanges } from '../../subscribers/tables/consents.ts';
import { sessions } from '../../traffic/tables/sessions.ts';

/** The loaded profiles, with the customer that each is. */
export const ownedProfiles = workTable({
  name: 'owned_profiles',
  types: {
    customer_key: 'integer',
    profile_id: 'varchar',
    email_hash: 'varchar',
    email_domain: 'varchar',
    phone_hash: 'varchar',
    phone_country: 'varchar',
    external_customer_id: 'varchar',
    country: 'varchar',
    language: 'varchar',
    gender: 'varchar',
    birthday: 'date',
    attributes: 'varchar',
    tags: 'varchar[]',
    created_at: 'timestamp',
  },
  needs: [stored.profiles],
  rows: relation`
select customer_key, p.*
from ${stored.profiles} as p
join ${profileOwners} using (profile_id)
join ${customerKeys} on customer = 'profile ' || owner_id`,
});

const subscribedProfiles = workTable({
  name: 'subscribed_profiles',
  types: {
    customer_key: 'integer',
    email_subscribed_at: 'timestamp',
    sms_subscribed_at: 'timestamp',
    acquired_source: 'varchar',
    acquired_detail: 'varchar',
  },
  rows: relation`
select customer_key,
  max(changed_at) filter (where channel = 'email') as email_subscribed_at,
  max(changed_at) filter (where channel = 'sms') as sms_subscribed_at,
  first(coalesce(known_source, 'unknown') order by changed_at, channel) as acquired_source,
  first(source_detail order by changed_at, channel) as acquired_detail
from ${sourcedChanges} where is_first group by customer_key`,
});

/** One person's rows do not show who else gave a detail, so all of them are kept for the next import. */
const toldDetails = workTable({
  name: 'told_details',
  keptBy: 'customer_key',
  types: { customer_key: 'integer', detail: 'varchar' },
  rows: relation`
select customer_key, acquired_detail as detail from ${subscribedProfiles} where acquired_detail is not null`,
});

export const acquiredDetails = modelTable({
  name: 'acquired_details',
  scope: 'whole',
  meaning: `The very popup, list or campaign by which a profile first became subscribed, where at least ${LEAST_SHARING} profiles share it.`,
  columns: { customer_key: key, detail: text },
  order: ['customer_key'],
  rows: relation`
select customer_key, detail from ${toldDetails}
qualify count(*) over (partition by detail) >= ${LEAST_SHARING}
order by customer_key`,
});

/** Needs the macro `keyed_hash`. */
export const profiles = modelTable({
  name: 'profiles',
  scope: { person: 'customer_key' },
  meaning: `Everyone whom any row names, one row each, with or without orders. Visitors whom nothing ties to a customer are none,
nor are orders without a customer.

- \`split_number\`: 0 to 2^31 - 2, always the same for a profile. It is made with the key of the business, so that who knows
  the id of a profile cannot tell into which part of a random split it falls.
- \`birth_day\`: month x 100 + day. \`birth_month\`: 1 to 12. Null where no birthday is known.
- \`last_active_at\`: the last session, human open or click, or valid order. Suspected bots are nobody.
- \`email_subscribed_at\`, \`sms_subscribed_at\`: when it first became subscribed, as \`consent_changes\` has it.
- \`acquired_source\`: how that came about, by the earlier one of the two; \`unknown\` where no known source is given.`,
  columns: {
    customer_key: key,
    split_number: key,
    birth_day: integer,
    birth_month: integer,
    last_active_at: optionalMoment,
    email_subscribed_at: optionalMoment,
    sms_subscribed_at: optionalMoment,
    acquired_source: name,
  },
  order: ['customer_key'],
  needs: [customerKeys],
  rows: relation`
with births as (
  select customer_key, min_by(birthday, profile_id) as birthday
  from ${ownedProfiles} where birthday is not null group by customer_key
),
activities as (
  select visitor_key as customer_key, started_at as active_at from ${sessions} where not is_suspected_bot
  union all
  select customer_key, happened_at
  from ${messageEvents} join ${knownSends} using (send_key)
  where kind in ('open', 'click') and not is_machine
  union all
  select customer_key, ordered_at from ${orders} where is_valid and customer_key is not null
),
active as (
  select customer_key, max(active_at) as last_active_at from activities group by customer_key
)
select customer_key,
  cast(md5_number_lower(keyed_hash(customer)) % 2147483647 as integer) as split_number,
  cast(extract(month from birthday) * 100 + extract(day from birthday) as integer) as birth_day,
  cast(extract(month from birthday) as integer) as birth_month,
  last_active_at, email_subscribed_at, sms_subscribed_at, acquired_source
from ${customerKeys}
left join births using (customer_key)
left join active using (customer_key)
left join ${subscribedProfiles} using (customer_key)
order by customer_key`,
});
