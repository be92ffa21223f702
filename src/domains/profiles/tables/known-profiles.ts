import { key, name, optionalMoment } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { persons, profileCountries, profileOwners } from '../../identity/tables/identity.ts';
import { customerConsents } from '../../subscribers/tables/consents.ts';
import { customers } from './customers.ts';

export const knownProfiles = modelTable({
  name: 'known_profiles',
  scope: { person: 'customer_key' },
  meaning: `Everyone whom any row names. \`first_seen_at\` is the first moment of such a row, null where none has one. \`country\` is the profile's, else that of the first valid order, else that of
a phone number; null where nothing tells.`,
  columns: { customer_key: key, first_seen_at: optionalMoment, country: name },
  order: ['customer_key'],
  needs: [persons],
  rows: relation`
with seen as (
  select customer, customer_key, min(first_seen_at) as first_seen_at
  from ${persons} group by customer, customer_key
),
phone_countries as (
  select 'profile ' || owner_id as customer, min_by(phone_country, profile_id) as country
  from ${profileOwners} join ${stored.profiles} using (profile_id) where phone_country is not null group by owner_id
),
consent_countries as (
  select customer_key, min(phone_country) as country
  from ${customerConsents} where phone_country is not null group by customer_key
)
select customer_key, first_seen_at,
  upper(coalesce(
    nullif(trim(p.country), ''), nullif(trim(c.country), ''), n.country, e.country
  )) as country
from seen
left join ${profileCountries} as p using (customer)
left join ${customers} as c using (customer_key)
left join phone_countries as n using (customer)
left join consent_countries as e using (customer_key)
order by customer_key`,
});
