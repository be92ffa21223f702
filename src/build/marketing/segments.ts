/** `segments` and `sending_domains`, as they were loaded. */
export const segments = `
create table segments as
select segment_id, name, description, segment_query, created_at, updated_at,
  lower(strip_accents(name)) as search_text
from store.segments order by segment_id;

create table sending_domains as
select lower("domain") as domain, lower(spf) as spf, lower(dkim) as dkim, lower(dmarc) as dmarc, one_click_unsubscribe,
  external_spam_rate
from store.sending_domains order by domain;
`;
