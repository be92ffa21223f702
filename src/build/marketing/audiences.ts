/** `audience_members`: who entered a campaign, and what came of it. */
export const audiences = `
create table audience_members as
select campaign_key, customer_key, entered_at, local_date(entered_at) as entered_date, outcome, completed_at
from store.audience_members as a
join known_campaigns using (campaign_id)
join persons on person = person_of(a.profile_id, a.email_hash, null)
order by entered_at, campaign_key, customer_key;
`;
