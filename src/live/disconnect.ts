import { readdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { listBusinesses } from '../control/businesses/businesses.ts';
import { type Connection, listConnections, removeConnection } from '../control/connections/connections.ts';
import { holding } from '../control/connections/hold-connections.ts';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';

interface Place {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
}

/**
 * Removes a connection, its key and the rows it landed; what was imported stays.
 *
 * @throws InputError while it is read, and while a person waits to be forgotten
 */
export async function disconnect(
  place: Place,
  connection: Pick<Connection, 'business_id' | 'connection_id'>,
): Promise<void> {
  await removeWithFiles(place, connection, async () => {});
}

/** @param first what is done in the same transaction before. @throws InputError while it is read */
export async function removeWithFiles(
  { control, data }: Place,
  { business_id, connection_id }: Pick<Connection, 'business_id' | 'connection_id'>,
  first: (transaction: ControlDatabase) => Promise<void>,
): Promise<void> {
  // A run would go on to write files, which nobody would find.
  await holding(control, connection_id, async () => {
    await control.transaction().execute(async (transaction) => {
      await first(transaction);
      await removeConnection(transaction, connection_id);
      // This is done before the database forgets where the files are.
      await rm(data.landed(business_id, connection_id), { recursive: true, force: true });
    });
  });
}

/**
 * Removes what connections left that are removed: there may be persons in it. Only in stores that the
 * database knows, so that a server that was started with another database removes nothing.
 *
 * @returns how many
 */
export async function removeLeftovers({ control, data }: Place): Promise<number> {
  let removed = 0;
  for (const { business_id } of await listBusinesses(control)) {
    // This is read before the connections are listed: a folder that comes later is of one that is made
    // meanwhile.
    const found = await readdir(dirname(data.landed(business_id, 'any'))).catch(() => []);
    const known = new Set(
      (await listConnections(control, business_id)).map(({ connection_id }) => connection_id),
    );
    for (const name of found) {
      if (known.has(name)) continue;
      await rm(data.landed(business_id, name), { recursive: true, force: true });
      removed += 1;
    }
  }
  return removed;
}
