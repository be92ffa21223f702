/** `popup_events`: displays, closes and submissions of known popups; who submitted, where that is known. */
export const popupEvents = `
create table popup_events as
select campaign_key, visitor_key, coalesce(customer_key, case when is_identified then visitor_key end) as customer_key,
  "at" as happened_at, local_date("at") as happened_date, kind,
  case when device in ('desktop', 'mobile', 'tablet') then device when device is not null then 'other' end as device
from store.popup_events as e
join known_campaigns using (campaign_id)
join visitor_keys using (visitor_id)
left join persons on person = person_of(e.profile_id, e.email_hash, null)
where channel = 'popup'
order by happened_at, event_id;
`;
