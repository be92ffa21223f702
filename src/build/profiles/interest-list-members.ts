/**
 * `interest_list_members`: who ever joined or left an interest list: whether they are on it now, and whether they ever
 * left it, be they back or not. At one moment, leaving counts. Who left without having joined was on it before the data.
 */
export const interestListMembers = `
create table interest_list_members as
select list_key, customer_key,
  last(kind order by "at", kind) = 'subscribed' as is_member,
  bool_or(kind = 'unsubscribed') as has_left
from store.interest_list_events as e
join interest_lists using (code)
join persons on person = person_of(e.profile_id, e.email_hash, null)
group by list_key, customer_key
order by list_key, customer_key;
`;
