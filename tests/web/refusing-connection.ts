import { createConnection } from '../../src/control/connections/connections.ts';
import { NOT_BEGUN } from '../../src/live/reconcile/listing-place.ts';
import type { Instance } from '../../src/server/instance.ts';

/** A connection whose last comparison found more gone than is likely: 30 of 59 orders. @returns its id */
export async function refusingConnection(
  { control, secret }: Pick<Instance, 'control' | 'secret'>,
  business_id: string,
): Promise<string> {
  const { connection_id } = await createConnection(control, secret, {
    ...{ business_id, name: 'woo', vendor: 'woocommerce', settings: { url: 'https://shop.example' } },
    ...{ secrets: { consumerKey: 'ck', consumerSecret: 'cs' }, account: null, interval_s: 900 },
  });
  const ended = new Date().toISOString();
  const place = JSON.stringify({ ...NOT_BEGUN, ended, refused: { gone: 30, known: 59 } });
  await control
    .insertInto('connection_streams')
    .values({ connection_id, stream: 'order-ids', place, complete_until: null })
    .execute();
  const due_at = new Date(Date.now() + 900_000).toISOString();
  await control
    .updateTable('connections')
    .set({ state: 'deletions_refused', message: '`source sync … --most-gone 30` deletes them', due_at })
    .where('connection_id', '=', connection_id)
    .execute();
  return connection_id;
}
