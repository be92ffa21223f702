import { messageEvents } from '../domains/messages/tables/message-events.ts';
import { sends } from '../domains/messages/tables/sends.ts';
import { orders } from '../domains/orders/tables/orders.ts';
import { productEvents } from '../domains/products/tables/product-events.ts';
import { products } from '../domains/products/tables/products.ts';
import { customers } from '../domains/profiles/tables/customers.ts';
import { profiles } from '../domains/profiles/tables/profiles.ts';
import { sessions } from '../domains/traffic/tables/sessions.ts';
import type { Session } from '../store/duckdb-session.ts';

/** The tables by which a person recognises a store. */
const COUNTED = [orders, customers, profiles, products, sessions, productEvents, sends, messageEvents];

/** How many rows each of the main tables of a model has, by its name. */
export type SnapshotRows = Readonly<Record<string, number>>;

export async function countRows(session: Session): Promise<SnapshotRows> {
  // Rows, not columns of one row: DuckDB looks longer for the best order to join that many columns than it
  // counts.
  const counts = COUNTED.map(({ name }) => `select '${name}' as name, count(*) as count from ${name}`);
  const rows = await session.rows(counts.join(' union all '));
  return Object.fromEntries(
    COUNTED.map(({ name }) => [name, Number(rows.find((row) => row.name === name)?.count)]),
  );
}
