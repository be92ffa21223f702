import { askForComparison } from '../../control/connections/asked-comparisons.ts';
import { readPlaces } from '../../control/connections/connection-leases.ts';
import { type Connection, makeDue } from '../../control/connections/connections.ts';
import type { ListingName } from '../../control/connections/other-origins.ts';
import type { ControlDatabase } from '../../control/database/control-database.ts';
import type { Vendor } from '../vendor.ts';
import { placeOf } from './listing-place.ts';

/** Rows of a kind that a vendor lists no more, and that were not deleted since that is unlikely. */
export interface RefusedDeletions {
  readonly listing: ListingName;
  /** The name for people: `orders`. */
  readonly title: string;
  readonly gone: number;
  /** The number of rows that the connection brought, which these are a part of. */
  readonly known: number;
}

/** What the last comparisons of a connection found and did not delete. */
export async function refusedDeletions(
  control: ControlDatabase,
  connection: Pick<Connection, 'connection_id'>,
  { listings = [] }: Pick<Vendor, 'listings'>,
): Promise<RefusedDeletions[]> {
  const places = new Map(
    (await readPlaces(control, { connection })).map(({ stream, place }) => [stream, place]),
  );
  return listings.flatMap(({ name, title }) => {
    const { refused } = placeOf(places.get(name));
    return refused === null ? [] : [{ listing: name, title, ...refused }];
  });
}

/**
 * Has the next run compare these kinds once more.
 *
 * @param mostGone the most rows of each kind that may go, whatever their share, as the person who allows it
 *   has seen; null: the usual limit
 */
export async function askToCompare(
  control: ControlDatabase,
  { connection_id }: Pick<Connection, 'connection_id'>,
  listings: readonly ListingName[],
  mostGone: number | null,
): Promise<void> {
  const asked_at = new Date().toISOString();
  for (const listing of listings)
    await askForComparison(control, connection_id, listing, { mostGone, asked_at });
  await makeDue(control, connection_id);
}
