import { date, largeInteger, money, name } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { withRates } from '../../orders/tables/daily-rates.ts';
import { inBusinessCurrency } from '../../orders/tables/money.ts';
import { channelCase } from './channels.ts';
import { given } from './known-sessions.ts';

export const adCosts = modelTable({
  name: 'ad_costs',
  scope: 'whole',
  meaning:
    'What advertising cost per local day, with clicks and impressions where they are told; source, medium, campaign and channel as sessions have them; `cost` is null where it is in another currency without a rate.',
  columns: {
    spent_date: date,
    channel: name,
    source: name,
    medium: name,
    campaign: name,
    source_medium: name,
    cost: money,
    clicks: largeInteger,
    impressions: largeInteger,
  },
  order: ['spent_date'],
  rows: relation`
select "day" as spent_date, channel, coalesce(source, '(not set)') as source, coalesce(medium, '(not set)') as medium,
  coalesce(campaign, '(not set)') as campaign,
  coalesce(source, '(not set)') || ' / ' || coalesce(medium, '(not set)') as source_medium,
  cast(${inBusinessCurrency('cost', 'rate')} as decimal(18,4)) as cost, clicks, impressions
from (
  select "day", cost, rate, clicks, impressions, ${given('source')} as source, ${given('medium')} as medium, ${given('campaign')} as campaign
  from (${withRates(relation`select * from ${stored.adCosts}`, '"day"')}) as rated
) as given_costs,
lateral (
  select ${channelCase()} as channel
  from (
    select lower(given_costs.source) as source, lower(given_costs.medium) as medium,
      lower(given_costs.campaign) as campaign, false as is_internal
  )
)
order by spent_date, source, medium, campaign`,
});
