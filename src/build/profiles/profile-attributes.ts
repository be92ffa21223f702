import { PERSONAL_NAMES, PERSONAL_TEXTS } from '../../model/personal-names.ts';

/**
 * `profile_attributes`: what is known of profiles, one row per name and value: `country`, `language`, `gender` and
 * `birthday` by their columns, the others as the source names them. What several profile rows of one customer say of a
 * name: the column before the attribute, then the lowest profile id. Numbers are as JSON writes them (5.0 is `5`); a
 * list has a row for each element (`is_element`), an object one without value. Nulls and empty texts are not known.
 * `search_text` is the value without case and accents.
 *
 * `profile_tags`: the tags of all profile rows.
 *
 * Names, e-mail addresses and phone numbers are in neither: nobody is looked up by them.
 */
export const profileAttributes = `
-- Most texts have neither sign, and need no search.
create temp macro is_personal(value) as
  case when contains(value, '@') or contains(value, '+') then regexp_matches(value, '${PERSONAL_TEXTS}') else false end;
create temp macro whole_or_not(number) as
  case when abs(number) < 1e15 and number = trunc(number) then cast(cast(number as bigint) as varchar)
    else cast(number as varchar) end;
create temp macro json_scalar(type, value) as
  case
    when type = 'DOUBLE' then whole_or_not(cast(value as double))
    when type not in ('OBJECT', 'ARRAY') then json_extract_string(value, '$')
  end;

create temp table given_attributes as
with given as (
  select customer_key, profile_id, 1 as source, 'VARCHAR' as type,
    unnest(['country', 'language', 'gender', 'birthday']) as name,
    unnest([to_json(country), to_json(language), to_json(gender), to_json(cast(birthday as varchar))]) as value
  from owned_profiles
  union all
  select customer_key, profile_id, 2, attribute.type, key, value
  from owned_profiles, json_each(attributes) as attribute
  where json_type(attributes) = 'OBJECT'
)
select * from given where type <> 'NULL' and cast(value as varchar) not in ('null', '""');

create table profile_attributes as
with names as (
  select distinct name from given_attributes
  where not regexp_matches(lower(strip_accents(name)), '${PERSONAL_NAMES}')
),
chosen as (
  select customer_key, name, type, value
  from given_attributes semi join names using (name)
  qualify row_number() over (
    partition by customer_key, name order by source, profile_id, cast(value as varchar)
  ) = 1
),
elements as (
  select customer_key, name, false as is_element, json_scalar(type, value) as value
  from chosen where type <> 'ARRAY'
  union all
  select customer_key, name, true, json_scalar(element.type, element.value)
  from chosen, json_each(chosen.value) as element
  where chosen.type = 'ARRAY' and element.type <> 'NULL'
),
shown as (
  select customer_key, name, is_element, case when not is_personal(value) then value end as value
  from elements
  where value is null or value <> ''
)
select customer_key, name, is_element, value, lower(strip_accents(value)) as search_text
from shown
order by name, customer_key;

create table profile_tags as
select distinct customer_key, tag
from (select customer_key, unnest(tags) as tag from owned_profiles)
where not is_personal(tag)
order by tag, customer_key;
`;
