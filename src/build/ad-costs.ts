import { channelCase } from './channels.ts';

/** `ad_costs`: what advertising cost per local day; source, medium, campaign and channel as sessions have them. */
export const adCosts = `
create table ad_costs as
select "day" as spent_date, channel, coalesce(source, '(not set)') as source, coalesce(medium, '(not set)') as medium,
  coalesce(campaign, '(not set)') as campaign,
  coalesce(source, '(not set)') || ' / ' || coalesce(medium, '(not set)') as source_medium, cost
from (
  select "day", cost, given(source) as source, given(medium) as medium, given(campaign) as campaign
  from store.ad_costs
) as given_costs,
lateral (
  select ${channelCase()} as channel
  from (
    select lower(given_costs.source) as source, lower(given_costs.medium) as medium,
      lower(given_costs.campaign) as campaign, false as is_internal
  )
)
order by spent_date, source, medium, campaign;
`;
