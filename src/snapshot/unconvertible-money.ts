import type { Business } from '../business/business.ts';
import type { Session } from '../store/session.ts';
import { ImportError } from './errors.ts';

/**
 * Amounts are never converted. What says no currency counts as the new currency of the business from now on: so its old one was
 * wrong. An order that says another currency has a rate to the old one, or needs a rate that nobody gave.
 *
 * @throws ImportError when there are such orders
 */
export async function refuseUnconvertible(
  session: Session,
  before: Pick<Business, 'business_id' | 'primary_currency'>,
  { primary_currency }: Pick<Business, 'primary_currency'>,
): Promise<void> {
  if (before.primary_currency === primary_currency) return;
  const { orders, currencies } = await session.row(
    `select count(*) as orders, string_agg(distinct currency, ', ' order by currency) as currencies
      from store.orders where currency <> $primary_currency`,
    { primary_currency },
  );
  if (orders === 0) return;
  const rates = before.primary_currency === null ? '' : `their rates are to ${before.primary_currency}, and `;
  throw new ImportError(
    `${orders} orders say that they are in another currency than ${primary_currency} (${currencies}): ${rates}amounts are ` +
      `not converted, so nothing was changed. Create a business with --currency ${primary_currency}, and import all files ` +
      'into it, with the rate of each such order in fx_rate',
  );
}
