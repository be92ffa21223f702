import type { ForeignOrders } from '../ingest/foreign-orders.ts';
import { plural } from '../text/plural.ts';
import { STORE } from './order-owner.ts';
import { UnansweredError } from './unanswered.ts';

/** Says that the store keeps its currency, and that money of others stays unknown until its rates come. */
export const KEEP = 'keep';

interface Asking {
  /** The currency of the store. */
  readonly currency: string;
  /**
   * Whether nobody watches: a connection reads again and again, and one order from abroad must not hold it.
   */
  readonly isSync: boolean;
}

/**
 * Money without a known rate is in no amount: a store of CZK that receives a shop's orders in EUR would seem
 * to sell nothing. So an import with mostly such orders asks first.
 *
 * @throws UnansweredError
 */
export function askForCurrency(foreign: ForeignOrders | null, { currency, isSync }: Asking): void {
  if (foreign === null) return;
  const { orders, unpriced, stored, isFirst } = foreign;
  const without = unpriced.reduce((sum, each) => sum + each.orders, 0);
  if (without * 2 <= orders) return;
  if (isSync && without * 10 < stored + orders) return;
  const main = unpriced[0]?.currency ?? currency;
  const names = unpriced.map((each) => each.currency).join(', ');
  const text =
    `${without} of ${plural(orders, 'order is', 'orders are')} in ${names}, and the store counts in ${currency}: without exchange rates ` +
    'their money would be in no amount';
  const change = `--store-currency ${main} makes ${main} the currency of the store${isFirst ? ', which has no data yet' : ': what it has is not converted'}`;
  const rates =
    'import their rates too: a file fx_rates.csv (date,currency,rate), or eurofxref-hist.csv of the European Central Bank as it is';
  const keep = `--store-currency ${KEEP} imports them so: they are counted, and their money stays unknown until rates come`;
  const ways = isFirst ? [change, rates, keep] : [rates, change, keep];
  throw new UnansweredError(`${text}, so nothing was imported. One of these:\n- ${ways.join('\n- ')}`, [
    {
      source: STORE,
      setting: 'store-currency',
      text,
      values: isFirst ? [main, KEEP] : [KEEP, main],
      said: null,
    },
  ]);
}
