import type { TranslatedRows } from '../ingest/find-files.ts';
import type { Base } from '../snapshot/find-base.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import { orders } from '../store/tables/orders.ts';
import type { Settings } from './source.ts';
import { UnansweredError } from './unanswered.ts';

/** The name under which `source_settings` remembers what concerns no source but the store. */
export const STORE = 'store';

/**
 * Says whose orders a store has: those that a shop exports (also in our own format), or, where there are none
 * and somebody chose so, the purchases that another system saw. It never has both: each sale would count
 * twice. It is null where there are none yet.
 */
export type OrderOwner = 'shop' | 'ga4' | null;

export interface Ownership {
  readonly owner: OrderOwner;
  /** The stored orders are purchases of another system, and go: the shop's are there from now on. */
  readonly takesOver: boolean;
}

const TWICE =
  'until now the orders of this store were the purchases that Google Analytics saw, and these files bring the orders of the ' +
  'shop: each sale would count twice';

/** What a decision about orders is made of. */
export interface OrderHistory {
  /** The snapshot that is built on. */
  readonly base: Base | null;
  /** What was said now. */
  readonly said: Settings;
  /** What was decided before. */
  readonly remembered: Settings;
}

/**
 * Decides whose orders this import makes, where `before_orders` are the stored ones. What is stored counts
 * more than what is remembered: after a rollback, or an import that ended before it could remember, they
 * differ.
 *
 * @param bringsOrders whether orders of a shop are among its files
 * @throws ImportError when a shop's orders come to a store of purchases, or purchases are asked for in a
 *   store of orders
 */
export async function decideOrderOwner(
  session: Session,
  bringsOrders: boolean,
  { base, said, remembered }: OrderHistory,
): Promise<Ownership> {
  const asked = said['orders-from'];
  const stored = await ownerOfStored(session, base);
  const before = stored ?? remembered['orders-from'];
  if (asked === 'ga4' && (bringsOrders || before === 'shop'))
    throw new ImportError(
      '--orders-from ga4: this store has orders that its shop exported, and purchases that Google Analytics saw would count ' +
        'them twice. Import without it: visits and events are read all the same',
    );
  if (bringsOrders && before === 'ga4' && asked !== 'shop')
    throw new UnansweredError(
      `${TWICE}. Say --orders-from shop to take the purchases away and have the orders of the shop from now on`,
      [{ source: STORE, setting: 'orders-from', text: TWICE, values: [], said: null }],
    );
  const owner = (bringsOrders ? 'shop' : (asked ?? before ?? null)) as OrderOwner;
  return { owner, takesOver: owner === 'shop' && stored === 'ga4' };
}

async function ownerOfStored(session: Session, base: Base | null): Promise<OrderOwner> {
  if (!base?.tables.includes(orders.name)) return null;
  const { count } = await session.row(`select count(*) as count from before_orders where ${IS_PURCHASE}`);
  return Number(count) > 0 ? 'ga4' : 'shop';
}

/** SQL: what `orderIdOf` made. As a range, it is asked of few row groups of a part. */
const IS_PURCHASE = "order_id >= 'ga4 ' and order_id < 'ga4!'";

/**
 * How the orders are called that were made of another system's purchases, so that they can be told from a
 * shop's.
 */
export const orderIdOf = (ordersFrom: 'ga4', transaction: string) => `'${ordersFrom} ' || ${transaction}`;

/**
 * Rows that delete the orders that were made of purchases, in a store whose orders are the shop's from now
 * on.
 */
export async function withoutPurchases(
  session: Session,
  { takesOver }: Ownership,
): Promise<readonly (readonly [CanonicalTable, TranslatedRows])[]> {
  if (!takesOver) return [];
  const table = 'purchases_gone';
  await session.run(
    `create temp table ${table} as
      select row_number() over () - 1 as _row, order_id, true as _deleted from before_orders where ${IS_PURCHASE}`,
  );
  return [[orders, { name: 'purchases of before', format: 'translated', table, origins: [] }]];
}
