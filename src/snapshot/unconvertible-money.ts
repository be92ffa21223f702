import type { Business } from '../business/business.ts';
import { ratesOf } from '../domains/orders/tables/daily-rates.ts';
import type { Session } from '../store/duckdb-session.ts';
import { type ModelBusiness, settingsOf, setVariables } from './build/build-model.ts';
import { ImportError } from './import-errors.ts';

/**
 * Another currency of the business must lose no money that is known. What says no currency counts as the new
 * one from now on: so the old one was wrong. An order that says another one needs a rate to the new currency
 * in `fx_rates`, unless its money was unknown before, too; a rate of its own is to the old currency.
 *
 * @throws ImportError when there are orders whose money would be lost or wrong
 */
export async function refuseUnconvertible(
  session: Session,
  before: Pick<Business, 'business_id' | 'primary_currency'>,
  business: ModelBusiness,
): Promise<void> {
  const { primary_currency } = business;
  if (before.primary_currency === primary_currency) return;
  setVariables(session, settingsOf(business));
  const { orders, currencies, own } = await session.row(
    `with known as (
      select currency, min(rate_date) as first_date from (${ratesOf('store.fx_rates').text}) group by currency
    )
    select count(*) as orders, string_agg(distinct o.currency, ', ' order by o.currency) as currencies,
      count(*) filter (fx_rate is not null) as own
    from store.orders as o
    left join known on known.currency = o.currency and known.first_date <= cast(o.ordered_at as date) + 1
    where o.currency <> $primary_currency
      and (fx_rate is not null or (known.currency is null and o.currency is not distinct from coalesce($old, o.currency)))`,
    { primary_currency, old: before.primary_currency },
  );
  if (orders === 0) return;
  const rates = before.primary_currency === null ? '' : `their rates are to ${before.primary_currency}, and `;
  const rather =
    Number(own) > 0 ? '' : `Import their rates to ${primary_currency} first, in a table fx_rates. Or create`;
  throw new ImportError(
    `${orders} orders say that they are in another currency than ${primary_currency} (${currencies}): ${rates}amounts are ` +
      `not converted without one, so nothing was changed. ${rather || 'Create'} a business with --currency ${primary_currency}, and import all files ` +
      'into it, with the rate of each such order in fx_rate or of each day in fx_rates',
  );
}
