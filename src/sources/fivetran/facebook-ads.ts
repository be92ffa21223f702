import type { RawRows, SourceOfTables } from '../source.ts';
import { costsByCampaign, currencyQuestion, faultsOfCost, knownCurrency, lastOf } from './ad-costs.ts';
import {
  type column,
  currentOf,
  currentRows,
  type FivetranTable,
  fivetranTable,
  idCell,
  needed,
} from './fivetran-cells.ts';

const NAME = 'facebook-ads-fivetran';
const SOURCE = { name: NAME };

const history = (names: string, columns: Readonly<Record<string, ReturnType<typeof column>>>) => ({
  names: [names],
  columns: {
    id: needed('which row it is', 'id'),
    updated_at: needed('which of its rows is the last', 'updated_time'),
    ...columns,
  },
});

const TABLES = {
  basic_ad: fivetranTable(['ad_id', 'date'], {
    names: ['basic_ad'],
    signature: [['ad_id'], ['date'], ['spend'], ['account_id']],
    columns: {
      ad_id: needed('which advertisement it is of', 'ad_id'),
      date: needed('which day it is of', 'date'),
      account_id: needed('which account it is of', 'account_id'),
      spend: needed('what it cost', 'spend'),
      clicks: { header: ['inline_link_clicks'], absent: 'no clicks' },
      impressions: { header: ['impressions'], absent: 'no impressions' },
    },
  }),
  ad_history: fivetranTable(['id', 'updated_at'], {
    ...history('ad_history', { campaign_id: needed('which campaign it is of', 'campaign_id') }),
    signature: [['id'], ['updated_time'], ['campaign_id'], ['ad_set_id', 'creative_id']],
    absent: 'costs are of no campaign, and meet no visits by one',
  }),
  campaign_history: fivetranTable(['id', 'updated_at'], {
    ...history('campaign_history', { name: needed('its name', 'name') }),
    signature: [['id'], ['name'], ['updated_time'], ['account_id']],
    absent: 'campaigns have their ids as names, and meet no visits',
  }),
  account_history: fivetranTable(['id'], {
    names: ['account_history'],
    signature: [['id'], ['currency'], ['account_status', 'timezone_name', 'name']],
    columns: {
      id: needed('which account it is', 'id'),
      currency: needed('what its costs are in', 'currency'),
    },
  }),
} as const satisfies Readonly<Record<string, FivetranTable>>;

/**
 * Costs of Facebook and Instagram that Fivetran landed: those of each campaign and day, of all its
 * advertisements.
 */
export const facebookAdsFivetran: SourceOfTables = {
  name: NAME,
  title: "Meta advertising costs, Fivetran's tables",
  columns: {},
  tables: TABLES,
  settings: ['currency', 'encoding', 'schema'],
  questions: () => [currencyQuestion(SOURCE, 'account_id')],
  assumptions: () => [
    'costs count for the source facebook and the medium cpc; a mapping of your own says another tag',
  ],
  prepare: (raw) => [
    ...Object.entries(TABLES).map(([table, declared]) => currentRows(SOURCE, table, declared, raw)),
    costs(raw),
  ],
  translate: () => ({
    ad_costs: costsByCampaign('facebook_ads_fivetran_costs', { source: 'facebook', sum: 'sum(spend)' }),
  }),
};

function costs({ settings }: RawRows): string {
  const known = knownCurrency('a.currency', settings);
  const spend = 'try_cast(s.spend as decimal(18,4))';
  return `create temp table facebook_ads_fivetran_costs as
    select s._row, s.date as day, coalesce(c.name, h.campaign_id) as campaign, ${spend} as spend, s.clicks, s.impressions, case
        when ${known} is null then 'is of an account without a currency (the table account_history has it)'
        ${faultsOfCost(known, spend, 'spend', 's.date')}
      end as malformed
    from "${currentOf(SOURCE, 'basic_ad')}" as s
    left join ${lastOf(SOURCE, 'ad_history', 'campaign_id')} as h on h.id = ${idCell('s.ad_id')}
    left join ${lastOf(SOURCE, 'campaign_history', 'name')} as c on c.id = ${idCell('h.campaign_id')}
    left join (select ${idCell('id')} as id, currency from "${currentOf(SOURCE, 'account_history')}" where not is_deleted) as a
      on a.id = ${idCell('s.account_id')}
    where not s.is_deleted`;
}
