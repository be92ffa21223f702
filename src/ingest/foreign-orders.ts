import { isForeign, ratesOf } from '../domains/orders/tables/daily-rates.ts';
import type { Base } from '../snapshot/find-base.ts';
import type { Batches } from '../snapshot/table-batches.ts';
import type { Session } from '../store/duckdb-session.ts';
import { fxRates } from '../store/tables/fx-rates.ts';
import { orders } from '../store/tables/orders.ts';
import type { RowsBefore } from './deletions.ts';

/** Orders of an import in other currencies than that of the store, whose rate nobody knows. */
export interface ForeignOrders {
  /** All orders of the import. */
  readonly orders: number;
  /** The orders without a rate by their currency, most orders first. The list is never empty. */
  readonly unpriced: readonly { readonly currency: string; readonly orders: number }[];
  /** How many orders the store had before. */
  readonly stored: number;
  /** Whether the store had no rows of any kind before. */
  readonly isFirst: boolean;
}

/** @returns null where the money of all orders is known */
export async function findForeignOrders(
  session: Session,
  batches: Batches,
  base: Base | null,
  rowsBefore: RowsBefore,
): Promise<ForeignOrders | null> {
  const batch = batches.get(orders);
  if (batch === undefined || batch.rows === 0 || !batch.held.includes('currency')) return null;
  const rate = batch.held.includes('fx_rate') ? 'fx_rate is null' : 'true';
  const abroad = `from batch_orders where ${isForeign('currency')} and ${rate}`;
  const { count } = await session.row(`select count(*) as count ${abroad}`);
  if (Number(count) === 0) return null;
  if (base !== null && base.tables.length > 0) await rowsBefore();
  const [stored, coming] = [base?.tables.includes(fxRates.name), (batches.get(fxRates)?.rows ?? 0) > 0];
  const rates = [...(stored ? ['from before_fx_rates'] : []), ...(coming ? ['from batch_fx_rates'] : [])];
  // The day is the one in UTC, which may be the day before: the question is whether there are rates at all.
  const isPriced =
    rates.length === 0
      ? 'false'
      : `exists (from priced where priced.currency = o.currency and priced.first_date <= cast(o.ordered_at as date) + 1)`;
  const priced = `priced as (
    select currency, min(rate_date) as first_date from (${ratesOf('loaded_rates').text}) group by currency)`;
  const unpriced = await session.rows(
    `${rates.length === 0 ? '' : `with loaded_rates as (${rates.join(' union all by name ')}), ${priced}`}
    select currency, cast(count(*) as integer) as orders from (${abroad}) as o where not ${isPriced}
    group by currency order by orders desc, currency`,
  );
  if (unpriced.length === 0) return null;
  const before = base?.tables.includes(orders.name)
    ? await session.row('select count(*) as count from before_orders')
    : { count: 0 };
  return {
    orders: batch.rows,
    unpriced: unpriced.map((row) => ({ currency: String(row.currency), orders: Number(row.orders) })),
    stored: Number(before.count),
    isFirst: base === null || base.tables.length === 0,
  };
}
