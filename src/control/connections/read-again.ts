import type { ControlDatabase } from '../database/control-database.ts';
import { type Held, readPlaces, renewLease } from './connection-leases.ts';
import { isNote } from './connection-notes.ts';
import { makeDue } from './connections.ts';
import { holdingBusiness } from './hold-connections.ts';
import { listingCalled } from './other-origins.ts';

/**
 * Does what takes a store back to earlier rows, and has its connections bring once more what those rows lack.
 * Example: a connection brought orders at 12:00 and a person goes back to the import of 11:00: those orders
 * are imported again, and since files that were landed are not kept for ever, each stream is read from its
 * beginning. Rows that come twice count once.
 *
 * @param since when the rows were made that the store goes back to; null: nobody knows
 * @throws InputError while a connection of the store is being read; nothing was done then
 */
export async function goingBack<Result>(
  control: ControlDatabase,
  business_id: string,
  since: Date | null,
  work: () => Promise<Result>,
): Promise<Result> {
  return holdingBusiness(control, business_id, async (held) => {
    try {
      // They are marked before the work: a kill in between then has them read for nothing, and the store does
      // not lack what they brought.
      for (const each of held) await bringAgain(control, each, since);
      return await work();
    } finally {
      for (const { connection } of held) await makeDue(control, connection.connection_id);
    }
  });
}

/** @throws LeaseLostError */
async function bringAgain(control: ControlDatabase, held: Held, since: Date | null): Promise<void> {
  const { connection_id } = held.connection;
  await control.transaction().execute(async (transaction) => {
    await renewLease(transaction, held);
    await transaction
      .updateTable('connections')
      .set({ loaded_until: null })
      .where('connection_id', '=', connection_id)
      .execute();
    if (since !== null)
      await transaction
        .updateTable('landed_files')
        .set({ imported_at: null })
        .where('connection_id', '=', connection_id)
        .where('kind', 'in', ['rows', 'gone'])
        .where('imported_at', '>=', since.toISOString())
        .execute();
    const streams = (await readPlaces(transaction, held)).map(({ stream }) => stream);
    for (const stream of streams.filter(isReadFromBeginning))
      await transaction
        .deleteFrom('connection_streams')
        .where('connection_id', '=', connection_id)
        .where('stream', '=', stream)
        .execute();
  });
}

/**
 * Whether what lies where places do is that of a stream, without which it is read from its beginning: no
 * note, and no listing.
 */
export function isReadFromBeginning(name: string): boolean {
  return !isNote(name) && listingCalled(name) === undefined;
}
