import { CLOCK_SECONDS } from './connection-leases.ts';
import type { ControlDatabase } from './database.ts';

/** How the listings of vendors are called, by the table whose keys they list. */
export const LISTING_OF: Readonly<Record<string, string>> = {
  orders: 'order-ids',
  profiles: 'customer-ids',
};

/** It lies where the places of streams do, whose names have no blank. */
function placeName(listing: string): string {
  return `${listing} otherwise`;
}

/** Says that rows which a connection brought came by another way too, now: from a file, or by another connection. */
export async function markBroughtOtherwise(
  control: ControlDatabase,
  connection_id: string,
  listing: string,
  now = new Date(),
): Promise<void> {
  const place = JSON.stringify(now.toISOString());
  await control
    .insertInto('connection_streams')
    .values({ connection_id, stream: placeName(listing), place, complete_until: null })
    .onConflict((conflict) => conflict.columns(['connection_id', 'stream']).doUpdateSet({ place }))
    .execute();
}

/** When that was last; null: never. */
export async function broughtOtherwiseAt(
  control: ControlDatabase,
  connection_id: string,
  listing: string,
): Promise<Date | null> {
  const row = await control
    .selectFrom('connection_streams')
    .select('place')
    .where('connection_id', '=', connection_id)
    .where('stream', '=', placeName(listing))
    .executeTakeFirst();
  return row === undefined ? null : new Date(JSON.parse(row.place));
}

/** Whether something came after a moment that another server may have written. */
export function isSurelyLater(landed_at: string, moment: Date): boolean {
  return Date.parse(landed_at) > moment.getTime() + 1000 * CLOCK_SECONDS;
}
