import { customers } from '../build/customers.ts';
import { messageEvents } from '../build/marketing/message-events.ts';
import { sends } from '../build/marketing/sends.ts';
import { orders } from '../build/orders.ts';
import { productEvents } from '../build/product-events.ts';
import { products } from '../build/products.ts';
import { profiles } from '../build/profiles/profiles.ts';
import { sessions } from '../build/sessions.ts';
import type { Session } from './session.ts';

/** By which a person recognises a store. */
const COUNTED = [orders, customers, profiles, products, sessions, productEvents, sends, messageEvents];

/** How many rows each of the main tables of a model has, by its name. */
export type SnapshotRows = Readonly<Record<string, number>>;

export async function countRows(session: Session): Promise<SnapshotRows> {
  const counts = COUNTED.map(({ name }) => `(select count(*) from ${name}) as ${name}`);
  return (await session.row(`select ${counts.join(', ')}`)) as Record<string, number>;
}
