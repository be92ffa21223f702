import type { Settings, SourceOfTables } from '../source.ts';
import { costsByCampaign, currencyQuestion, faultsOfCost, knownCurrency, lastOf } from './ad-costs.ts';
import {
  currentOf,
  currentRows,
  type FivetranTable,
  fivetranTable,
  idCell,
  needed,
} from './fivetran-cells.ts';

const NAME = 'google-ads-fivetran';
const SOURCE = { name: NAME };

const TABLES = {
  campaign_stats: fivetranTable(['row_id', 'customer_id', 'date'], {
    names: ['campaign_stats'],
    signature: [['cost_micros'], ['date']],
    columns: {
      row_id: needed('which row it is', '_fivetran_id'),
      customer_id: needed('which account it is of', 'customer_id'),
      date: needed('which day it is of', 'date'),
      campaign_id: needed('which campaign it is of', 'id', 'campaign_id'),
      cost_micros: needed('what it cost', 'cost_micros'),
      clicks: { header: ['clicks'], absent: 'no clicks' },
      impressions: { header: ['impressions'], absent: 'no impressions' },
    },
  }),
  campaign_history: fivetranTable(['id', 'updated_at'], {
    names: ['campaign_history'],
    signature: [
      ['id'],
      ['name'],
      ['updated_at'],
      ['customer_id'],
      ['advertising_channel_type', 'serving_status'],
    ],
    absent: 'campaigns have their ids as names, and meet no visits',
    columns: {
      id: needed('which campaign it is', 'id'),
      updated_at: needed('which of its names is the last', 'updated_at'),
      name: needed('its name', 'name'),
    },
  }),
  account_history: fivetranTable(['id', 'updated_at'], {
    names: ['account_history'],
    signature: [['id'], ['currency_code'], ['updated_at']],
    columns: {
      id: needed('which account it is', 'id'),
      updated_at: needed('which of its rows is the last', 'updated_at'),
      currency: needed('what its costs are in', 'currency_code'),
    },
  }),
} as const satisfies Readonly<Record<string, FivetranTable>>;

/**
 * Costs of Google Ads that Fivetran landed: those of each campaign and day, whatever devices and networks
 * they are of.
 */
export const googleAdsFivetran: SourceOfTables = {
  name: NAME,
  title: "Google Ads costs, Fivetran's tables",
  columns: {},
  tables: TABLES,
  settings: ['currency', 'encoding', 'schema'],
  questions: () => [currencyQuestion(SOURCE, 'customer_id')],
  assumptions: () => ['costs count for the source google and the medium cpc, as Google tags its clicks'],
  prepare: (raw) => [
    ...Object.entries(TABLES).map(([table, declared]) => currentRows(SOURCE, table, declared, raw)),
    costs(raw.settings),
  ],
  translate: () => ({
    ad_costs: costsByCampaign('google_ads_fivetran_costs', {
      source: 'google',
      sum: 'sum(micros) / 1000000',
    }),
  }),
};

function costs(settings: Settings): string {
  const known = knownCurrency('a.currency', settings);
  const micros = 'try_cast(s.cost_micros as decimal(28,4))';
  return `create temp table google_ads_fivetran_costs as
    select s._row, s.date as day, coalesce(c.name, s.campaign_id) as campaign, ${micros} as micros,
      s.clicks, s.impressions, case
        when ${known} is null then 'is of an account without a currency (the table account_history has it)'
        ${faultsOfCost(known, micros, 'cost_micros', 's.date')}
      end as malformed
    from "${currentOf(SOURCE, 'campaign_stats')}" as s
    left join ${lastOf(SOURCE, 'campaign_history', 'name')} as c on c.id = ${idCell('s.campaign_id')}
    left join ${lastOf(SOURCE, 'account_history', 'currency')} as a on a.id = ${idCell('s.customer_id')}
    where not s.is_deleted`;
}
