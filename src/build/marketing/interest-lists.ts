/**
 * `interest_lists`; `by_email` and `by_sms` say how its members are written to, by e-mail where nothing is said.
 *
 * `interest_list_changes`: each time a customer joined or left one, from `changed_at` to before `ends_at` (null: until
 * now). What repeats the state (joined, though a member) is no change; of what happens at one moment, leaving counts.
 */
export const interestLists = `
create table interest_lists as
select cast(row_number() over (order by code) as integer) as list_key, code, name, description,
  coalesce(channels, []) as channels, coalesce(is_double_opt_in, false) as is_double_opt_in,
  coalesce(is_public, false) as is_public, state, created_at,
  not coalesce(list_contains(channels, 'sms') and not list_contains(channels, 'email'), false) as by_email,
  coalesce(list_contains(channels, 'sms'), false) as by_sms,
  lower(strip_accents(concat_ws(chr(10), name, code))) as search_text
from store.interest_lists
order by code;

create table interest_list_changes as
with events as (
  select list_key, customer_key, "at" as changed_at, kind = 'subscribed' as is_member,
    nullif(trim(source), '') as source,
    row_number() over (partition by list_key, customer_key, "at" order by kind desc, e.source) as repetition
  from store.interest_list_events as e
  join interest_lists using (code)
  join persons on person = person_of(e.profile_id, e.email_hash, null)
),
ordered as (
  select *, coalesce(lag(is_member) over (partition by list_key, customer_key order by changed_at), false) as was_member
  from events where repetition = 1
)
select list_key, customer_key, changed_at, local_date(changed_at) as changed_date,
  lead(changed_at) over (partition by list_key, customer_key order by changed_at) as ends_at, is_member, source
from ordered where is_member <> was_member
order by changed_at, list_key, customer_key;
`;
