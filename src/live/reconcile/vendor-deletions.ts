import type { Business } from '../../business/business.ts';
import { type Held, readPlaces } from '../../control/connections/connection-leases.ts';
import { type ListingName, listingOf } from '../../control/connections/other-origins.ts';
import { isSurelyLater } from '../../control/database/clock-tolerance.ts';
import type { ImportContext } from '../../snapshot/import-context.ts';
import type { LandedFiles } from '../landing/landed-files.ts';
import type { Deletion } from '../vendor.ts';
import { withIdSession } from './id-session.ts';
import { placeOf } from './listing-place.ts';
import { ReceivedIds } from './received-ids.ts';

/**
 * Lands to go what a vendor says by itself that it deleted: only rows that this connection brought. Whoever
 * brought them too, the vendor had them and does not any more.
 *
 * @param before the moment at which it was done before: where rows that the connection brought came by
 *   another way since, they stay
 * @returns how many rows stay
 */
export async function landVendorDeletions(
  context: ImportContext,
  business: Business,
  held: Held,
  files: LandedFiles,
  told: readonly Deletion[],
  before: Date | null = null,
): Promise<number> {
  let landed = 0;
  for (const [listing, rows] of Map.groupBy(told, ({ table }) => listingOf(table))) {
    if (listing === undefined) continue;
    const brought = new ReceivedIds({ control: context.control, held, files }, listing);
    const otherwise = before === null ? null : await brought.otherOriginAt();
    if (before !== null && otherwise !== null && !isSurelyLater(before.toISOString(), otherwise)) continue;
    const known = await withIdSession(context, business, files.folder, (session) =>
      brought.among(session, rows.map(idOf)),
    );
    const gone = rows.filter((row) => known.has(idOf(row)));
    if (gone.length > 0) await files.land(await placeAsItIs(context, held, listing), { gone });
    landed += gone.length;
  }
  return told.length - landed;
}

/** The id of a deletion in a table that is listed, which has one column for its key. */
function idOf({ key }: Deletion): string {
  return Object.values(key)[0] ?? '';
}

async function placeAsItIs({ control }: ImportContext, held: Held, listing: ListingName) {
  const known = (await readPlaces(control, held)).find(({ stream }) => stream === listing);
  return known ?? { stream: listing, place: JSON.stringify(placeOf(undefined)), complete_until: null };
}
