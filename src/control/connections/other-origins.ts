import { isSurelyLater } from '../database/clock-tolerance.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import { readNote, writeNote } from './connection-notes.ts';

/** How the listings of vendors are called, by the table whose keys they list. */
export const LISTING_OF = { orders: 'order-ids', profiles: 'customer-ids' } as const;

export type ListingName = (typeof LISTING_OF)[keyof typeof LISTING_OF];

/**
 * The form of all listed ids, so that an import whose ids have another form is known to have none of them
 * without reading any.
 */
export const LISTED_ID = /^[0-9]+$/;

/** It is undefined for tables whose keys no vendor lists. */
export function listingOf(table: string): ListingName | undefined {
  return (LISTING_OF as Readonly<Record<string, ListingName | undefined>>)[table];
}

/** Undefined for what is no listing, such as a stream. */
export function listingCalled(name: string): ListingName | undefined {
  return Object.values(LISTING_OF).find((listing) => listing === name);
}

/**
 * What came by another way too: rows that a connection brought, or rows that were waiting to be deleted for
 * it.
 */
export type OtherOrigin = 'brought' | 'going';

const NOTES = { brought: 'otherwise', going: 'going otherwise' } as const satisfies Record<
  OtherOrigin,
  string
>;

/** Says that such rows came by another way, now: from a file, or by another connection. */
export async function markOtherOrigin(
  control: ControlDatabase,
  connection_id: string,
  listing: ListingName,
  what: OtherOrigin,
  now = new Date(),
): Promise<void> {
  await writeNote(control, connection_id, `${listing} ${NOTES[what]}`, now.toISOString());
}

/**
 * The moment of the last row that came by another way. Null means never. A moment that lies ahead, because
 * the clock has been set back since, counts as past.
 */
export async function otherOriginAt(
  control: ControlDatabase,
  connection_id: string,
  listing: ListingName,
  what: OtherOrigin,
): Promise<Date | null> {
  const moment = await readNote(control, connection_id, `${listing} ${NOTES[what]}`);
  if (typeof moment !== 'string') return null;
  const now = new Date();
  if (!isSurelyLater(moment, now)) return new Date(moment);
  await markOtherOrigin(control, connection_id, listing, what, now);
  return now;
}
