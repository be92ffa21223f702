import { literal } from '../../store/session.ts';
import { relationOf } from '../relations.ts';
import type { Settings, SourceOfTables } from '../source.ts';

import {
  currentOf,
  currentRows,
  type FivetranTable,
  fivetranTable,
  idCell,
  isDeletedRow,
  needed,
} from './cells.ts';

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

const current = (table: keyof typeof TABLES) => currentOf(SOURCE, table);

/** Costs of Google Ads that Fivetran landed: those of each campaign and day, whatever devices and networks they are of. */
export const googleAdsFivetran: SourceOfTables = {
  name: NAME,
  title: "Google Ads costs, Fivetran's tables",
  columns: {},
  tables: TABLES,
  settings: ['currency', 'encoding', 'schema'],
  questions: () => [
    {
      setting: 'currency',
      condition: `not exists (select * from "${relationOf(SOURCE, 'account_history')}" as a
        where ${idCell('a.id')} = ${idCell('customer_id')} and a.currency is not null and not ${isDeletedRow('a.deleted')})`,
      problem: 'costs without their currency (the table account_history has it)',
      example: '--currency EUR',
    },
  ],
  assumptions: () => ['costs count for the source google and the medium cpc, as Google tags its clicks'],
  prepare: (raw) => [
    ...Object.entries(TABLES).map(([table, declared]) => currentRows(SOURCE, table, declared, raw)),
    costs(raw.settings),
  ],
  translate: () => ({
    ad_costs: `
      select min(_row) as _row, day, 'google' as source, 'cpc' as medium, campaign, cast(cast(sum(micros) / 1000000 as decimal(18,4)) as varchar) as cost,
        cast(sum(try_cast(clicks as decimal(18,4))) as varchar) as clicks, cast(sum(try_cast(impressions as decimal(18,4))) as varchar) as impressions,
        cast(null as varchar) as _malformed
      from google_ads_fivetran_costs where malformed is null group by day, campaign
      union all by name
      select _row, malformed as _malformed from google_ads_fivetran_costs where malformed is not null
      order by _row`,
  }),
};

const last = (table: 'campaign_history' | 'account_history', value: string) =>
  `(select ${idCell('id')} as id, arg_max("${value}", updated_at) as "${value}" from "${current(table)}" where not is_deleted group by all)`;

function costs({ currency }: Settings): string {
  const known = currency === undefined ? 'a.currency' : `coalesce(a.currency, ${literal(currency)})`;
  return `create temp table google_ads_fivetran_costs as
    select s._row, s.date as day, coalesce(c.name, s.campaign_id) as campaign, try_cast(s.cost_micros as decimal(28,4)) as micros,
      s.clicks, s.impressions, case
        when ${known} is null then 'is of an account without a currency (the table account_history has it)'
        when upper(${known}) <> getvariable('business_currency')
          then 'is in another currency than the business, which costs are kept in'
        when try_cast(s.cost_micros as decimal(28,4)) is null then 'has no number as its "cost_micros"'
        when not regexp_full_match(s.date, '[0-9]{4}-[0-9]{2}-[0-9]{2}') then 'has no day as its "date", such as 2026-10-31'
      end as malformed
    from "${current('campaign_stats')}" as s
    left join ${last('campaign_history', 'name')} as c on c.id = ${idCell('s.campaign_id')}
    left join ${last('account_history', 'currency')} as a on a.id = ${idCell('s.customer_id')}
    where not s.is_deleted`;
}
