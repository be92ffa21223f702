import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { flag, key, name, text } from '../../../model-table/column-kinds.ts';
import { modelTable, relation, workTable } from '../../../model-table/model-table.ts';
import { PERSONAL_NAMES, PERSONAL_TEXTS } from '../../../text/personal-names.ts';
import { ownedProfiles } from './profiles.ts';

/** Most texts lack these signs, and need no search. */
const isPersonal = (value: string) => `case
    when contains(${value}, '@') or contains(${value}, '+') or contains(${value}, '(') then regexp_matches(${value}, '${PERSONAL_TEXTS}')
    else false
  end`;

const wholeOrNot = (number: string) => `case
    when abs(${number}) < 1e15 and ${number} = trunc(${number}) then cast(cast(${number} as bigint) as varchar)
    else cast(${number} as varchar)
  end`;

const jsonScalar = (type: string, value: string) => `case
    when ${type} = 'DOUBLE' then ${wholeOrNot(`cast(${value} as double)`)}
    when ${type} not in ('OBJECT', 'ARRAY') then json_extract_string(${value}, '$')
  end`;

const givenAttributes = workTable({
  name: 'given_attributes',
  types: {
    customer_key: 'integer',
    profile_id: 'varchar',
    source: 'integer',
    type: 'varchar',
    name: 'varchar',
    value: 'json',
  },
  rows: relation`
with given as (
  select customer_key, profile_id, 1 as source, 'VARCHAR' as type,
    unnest(['country', 'language', 'gender', 'birthday']) as name,
    unnest([to_json(country), to_json(language), to_json(gender), to_json(cast(birthday as varchar))]) as value
  from ${ownedProfiles}
  union all
  select customer_key, profile_id, 2, attribute.type, key, value
  from ${ownedProfiles}, json_each(attributes) as attribute
  where json_type(attributes) = 'OBJECT'
)
select * from given where type <> 'NULL' and cast(value as varchar) not in ('null', '""')`,
});

/** One person's rows do not show who else has a value, so all of them are kept for the next import. */
const toldAttributes = workTable({
  name: 'told_attributes',
  keptBy: 'customer_key',
  types: { customer_key: 'integer', name: 'varchar', is_element: 'boolean', value: 'varchar' },
  rows: relation`
with names as (
  select distinct name from ${givenAttributes}
  where not regexp_matches(lower(strip_accents(name)), '${PERSONAL_NAMES}')
),
chosen as (
  select customer_key, name, type, value
  from ${givenAttributes} semi join names using (name)
  qualify row_number() over (
    partition by customer_key, name order by source, profile_id, cast(value as varchar)
  ) = 1
),
elements as (
  select customer_key, name, false as is_element, ${jsonScalar('type', 'value')} as value
  from chosen where type <> 'ARRAY'
  union all
  select customer_key, name, true, ${jsonScalar('element.type', 'element.value')}
  from chosen, json_each(chosen.value) as element
  where chosen.type = 'ARRAY' and element.type <> 'NULL'
)
select customer_key, name, is_element, case when not ${isPersonal('value')} then value end as value
from elements
where value is null or value <> ''`,
});

export const profileAttributes = modelTable({
  name: 'profile_attributes',
  scope: 'whole',
  meaning: `What is known of profiles, one row per name and value: \`country\`, \`language\`, \`gender\` and \`birthday\` by their
columns, the others as the source names them. What several profile rows of one customer say of a name: the column before the
attribute, then the lowest profile id. Numbers are as JSON writes them (5.0 is \`5\`); a list has a row for each element
(\`is_element\`), an object one without value. Nulls and empty texts are not known. \`search_text\` is the value without case and
accents. Names, e-mail addresses and phone numbers are not here, nor are values of fewer than ${LEAST_SHARING} profiles: nobody is
looked up by them. That something is known of a name stays, without the value.`,
  columns: { customer_key: key, name, is_element: flag, value: text, search_text: text },
  order: [],
  rows: relation`
with shared as (
  select name, value, true as is_shared
  from ${toldAttributes} where value is not null
  group by name, value having count(distinct customer_key) >= ${LEAST_SHARING}
)
select customer_key, name, is_element,
  case when is_shared then value end as value,
  case when is_shared then lower(strip_accents(value)) end as search_text
from ${toldAttributes} left join shared using (name, value)
order by name, customer_key`,
});

/** One person's rows do not show who else has the tag, either. */
const toldTags = workTable({
  name: 'told_tags',
  keptBy: 'customer_key',
  types: { customer_key: 'integer', tag: 'varchar' },
  rows: relation`
select distinct customer_key, tag
from (select customer_key, unnest(tags) as tag from ${ownedProfiles})
where not ${isPersonal('tag')}`,
});

export const profileTags = modelTable({
  name: 'profile_tags',
  scope: 'whole',
  meaning: `The tags of all profile rows of a customer, without e-mail addresses, phone numbers, and tags of fewer than
${LEAST_SHARING} profiles.`,
  columns: { customer_key: key, tag: name },
  order: [],
  rows: relation`
select customer_key, tag
from ${toldTags}
qualify count(*) over (partition by tag) >= ${LEAST_SHARING}
order by tag, customer_key`,
});
