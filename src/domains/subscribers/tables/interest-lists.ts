import { localDate } from '../../../model-table/business-values.ts';
import {
  date,
  flag,
  key,
  moment,
  name,
  optionalMoment,
  text,
  texts,
} from '../../../model-table/column-kinds.ts';
import { keyTable, modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { personOf, persons } from '../../identity/tables/identity.ts';

const listKeys = keyTable({
  name: 'interest_list_keys',
  identity: { code: 'varchar' },
  key: 'list_key',
  order: 'code',
  rows: relation`select code from ${stored.interestLists}`,
});

export const interestLists = modelTable({
  name: 'interest_lists',
  scope: 'whole',
  meaning: `The lists that profiles join; \`by_email\` and \`by_sms\` say how their members are written to, by e-mail where nothing
is said.`,
  columns: {
    list_key: key,
    code: name,
    name: text,
    description: text,
    channels: texts,
    is_double_opt_in: flag,
    is_public: flag,
    state: name,
    created_at: optionalMoment,
    by_email: flag,
    by_sms: flag,
    search_text: text,
  },
  order: ['list_key'],
  rows: relation`
select list_key, code, name, description,
  coalesce(channels, []) as channels, coalesce(is_double_opt_in, false) as is_double_opt_in,
  coalesce(is_public, false) as is_public, state, created_at,
  not coalesce(list_contains(channels, 'sms') and not list_contains(channels, 'email'), false) as by_email,
  coalesce(list_contains(channels, 'sms'), false) as by_sms,
  lower(strip_accents(concat_ws(chr(10), name, code))) as search_text
from ${stored.interestLists} join ${listKeys} using (code)
order by code`,
});

export const interestListChanges = modelTable({
  name: 'interest_list_changes',
  scope: { person: 'customer_key' },
  meaning: `Each time a customer joined or left a list, from \`changed_at\` to before \`ends_at\` (null: until now). What repeats the
state (joined, though a member) is no change; of what happens at one moment, leaving counts. \`next_reason\`: why or, where nothing
is said of that, from where a member left.`,
  columns: {
    list_key: key,
    customer_key: key,
    changed_at: moment,
    changed_date: date,
    ends_at: optionalMoment,
    is_member: flag,
    source: name,
    next_reason: text,
  },
  order: ['changed_at'],
  needs: [stored.interestListEvents, interestLists],
  rows: relation`
with events as (
  select list_key, customer_key, "at" as changed_at, kind = 'subscribed' as is_member,
    nullif(trim(source), '') as source, coalesce(nullif(trim(reason), ''), nullif(trim(source), '')) as reason,
    row_number() over (partition by list_key, customer_key, "at" order by kind desc, e.source, e.reason) as repetition
  from ${stored.interestListEvents} as e
  join ${interestLists} using (code)
  join ${persons} on person = ${personOf('e.profile_id', 'e.email_hash', 'null')}
),
ordered as (
  select *, coalesce(lag(is_member) over (partition by list_key, customer_key order by changed_at), false) as was_member
  from events where repetition = 1
)
select list_key, customer_key, changed_at, ${localDate('changed_at')} as changed_date,
  lead(changed_at) over own as ends_at, is_member, source, lead(reason) over own as next_reason
from ordered where is_member <> was_member
window own as (partition by list_key, customer_key order by changed_at)
order by changed_at, list_key, customer_key`,
});
