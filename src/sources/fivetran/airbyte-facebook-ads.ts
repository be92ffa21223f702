import type { RawRows, SourceOfTables } from '../source.ts';
import { costsByCampaign, faultsOfCost, knownCurrency } from './ad-costs.ts';
import {
  column,
  currentOf,
  currentRows,
  type FivetranTable,
  fivetranTable,
  needed,
} from './fivetran-cells.ts';

const NAME = 'facebook-ads-airbyte';
const SOURCE = { name: NAME };

const TABLES = {
  ads_insights: fivetranTable(['ad_id', 'date_start'], {
    names: ['ads_insights'],
    signature: [['ad_id'], ['date_start'], ['date_stop'], ['spend']],
    // Insights that are broken down have several rows of an advertisement and day.
    foreign: [
      ...['age', 'gender', 'country', 'region', 'dma', 'publisher_platform', 'platform_position'],
      ...['device_platform', 'impression_device', 'product_id', 'action_type'],
      'hourly_stats_aggregated_by_advertiser_time_zone',
    ],
    columns: {
      ad_id: needed('which advertisement it is of', 'ad_id'),
      date_start: needed('which day it is of', 'date_start'),
      date_stop: needed('whether it is of one day', 'date_stop'),
      spend: needed('what it cost', 'spend'),
      currency: column('account_currency'),
      campaign_id: column('campaign_id'),
      campaign_name: {
        header: ['campaign_name'],
        absent: 'campaigns have their ids as names, and meet no visits',
      },
      clicks: { header: ['inline_link_clicks'], absent: 'no clicks' },
      impressions: { header: ['impressions'], absent: 'no impressions' },
    },
  }),
} as const satisfies Readonly<Record<string, FivetranTable>>;

/**
 * Costs of Facebook and Instagram that Airbyte landed. A day that it brought several times counts as it was
 * brought last.
 */
export const facebookAdsAirbyte: SourceOfTables = {
  name: NAME,
  title: "Meta advertising costs, Airbyte's table ads_insights",
  columns: {},
  tables: TABLES,
  settings: ['currency', 'encoding', 'schema'],
  questions: () => [
    {
      setting: 'currency',
      condition: 'currency is null',
      problem: 'costs without their currency (the column account_currency has it)',
      example: '--currency EUR',
    },
  ],
  assumptions: () => [
    'costs count for the source facebook and the medium cpc; a mapping of your own says another tag',
  ],
  prepare: (raw) => [currentRows(SOURCE, 'ads_insights', TABLES.ads_insights, raw), costs(raw)],
  translate: () => ({
    ad_costs: costsByCampaign('facebook_ads_airbyte_costs', { source: 'facebook', sum: 'sum(spend)' }),
  }),
};

function costs({ settings }: RawRows): string {
  const known = knownCurrency('currency', settings);
  const spend = 'try_cast(spend as decimal(18,4))';
  return `create temp table facebook_ads_airbyte_costs as
    select _row, left(date_start, 10) as day, coalesce(campaign_name, campaign_id) as campaign, ${spend} as spend, clicks, impressions, case
        when ${known} is null then 'has no currency (the column account_currency has it)'
        when left(date_start, 10) <> left(date_stop, 10) then 'is of several days; bring insights with a time increment of one day'
        ${faultsOfCost(known, spend, 'spend', 'left(date_start, 10)')}
      end as malformed
    from "${currentOf(SOURCE, 'ads_insights')}" where not is_deleted`;
}
