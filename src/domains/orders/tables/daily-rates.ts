import { BUSINESS_CURRENCY } from '../../../model-table/business-values.ts';
import { type BuildTable, type Relation, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';

/** Money takes rates below this, and keeps them to 14 digits behind the point. */
const GREATEST_RATE = 1_000_000;

/**
 * What one unit of a currency costs in that of the business, on the days with loaded rates. A loaded rate is
 * exact. Otherwise it is the inverse of a loaded one, else it is computed from two of that day by way of one
 * currency: EUR in CZK and EUR in USD give USD in CZK.
 */
export const ratesOf = (fxRates: BuildTable | string) => relation`
with quotes as (
  select "date", currency as one, to_currency as other, cast(rate as double) as units, cast(1 as double) as per, rate as told
  from ${fxRates}
  union all
  select "date", to_currency, currency, 1, cast(rate as double), null from ${fxRates}
),
own as (from quotes where other = ${BUSINESS_CURRENCY}),
found as (
  select "date", one as currency, coalesce(told, try_cast(units / per as decimal(24,14))) as rate,
    case when told is null then 2 else 1 end as place, '' as by_way_of
  from own
  union all
  select first."date", first.one, try_cast((first.units * own.units) / (first.per * own.per) as decimal(24,14)), 3, first.other
  from quotes as first join own on own."date" = first."date" and own.one = first.other
  where first.one <> ${BUSINESS_CURRENCY}
)
select currency, "date" as rate_date, rate
from found
where rate > 0 and rate < ${GREATEST_RATE} and currency <> ${BUSINESS_CURRENCY}
qualify row_number() over (partition by currency, "date" order by place, by_way_of) = 1
order by currency, rate_date`;

export const dailyRates = workTable({
  name: 'daily_rates',
  types: { currency: 'varchar', rate_date: 'date', rate: 'decimal(24,14)' },
  needs: [stored.fxRates],
  rows: ratesOf(stored.fxRates),
});

/**
 * SQL: whether a currency differs from that of the business. A row that names no currency is in that of the
 * business.
 */
export const isForeign = (currency: string) =>
  `(coalesce(${currency}, ${BUSINESS_CURRENCY}, '') <> coalesce(${BUSINESS_CURRENCY}, ${currency}, ''))`;

/**
 * The rows of a relation with `currency`, and `rate`: 1 where it names none or that of the business, null
 * where none is known.
 *
 * @param day the name of the column of the local day
 */
export const withRates = (rows: Relation, day: string) => relation`
  select costly.*, 1 as rate from (${rows}) as costly where not ${isForeign('costly.currency')}
  union all
  select costly.*, daily.rate
  from (select * from (${rows}) as all_rows where ${isForeign('currency')}) as costly
  asof left join ${dailyRates} as daily on daily.currency = costly.currency and daily.rate_date <= costly.${day}`;
