import { join } from 'node:path';
import { LISTING_OF, markBroughtOtherwise } from '../control/brought-otherwise.ts';
import { listLanded } from '../control/connection-leases.ts';
import { listConnections } from '../control/connections.ts';
import type { ImportContext } from '../snapshot/build-snapshot.ts';
import { literal, type Session } from '../store/session.ts';
import { type CanonicalTable, storedKey } from '../store/table.ts';

/**
 * Finds the connections that brought rows which an import brings too, and says so to them: what a vendor has no more must
 * not take away what came by another way (0144).
 *
 * @param tables those whose rows are in `batch_<table>`
 * @param own the connection that brought the import, if one did
 */
export async function tellConnections(
  session: Session,
  { control, data }: Pick<ImportContext, 'control' | 'data'>,
  business_id: string,
  tables: Iterable<CanonicalTable>,
  own: string | null,
): Promise<void> {
  const listed = [...tables].filter(({ name }) => LISTING_OF[name] !== undefined);
  if (listed.length === 0) return;
  for (const { connection_id } of await listConnections(control, business_id)) {
    if (connection_id === own) continue;
    const files = await listLanded(control, connection_id);
    for (const table of listed) {
      const listing = String(LISTING_OF[table.name]);
      const ofListing = files.filter(({ stream }) => stream === listing);
      const folder = data.landed(business_id, connection_id);
      const paths = ofListing.filter(({ kind }) => kind === 'ids').map(({ name }) => join(folder, name));
      // What is about to go is no more among what was brought.
      const isGoing = ofListing.some(({ kind, imported_at }) => kind === 'gone' && imported_at === null);
      if (isGoing || (await isAmong(session, table, paths)))
        await markBroughtOtherwise(control, connection_id, listing);
    }
  }
}

async function isAmong(session: Session, table: CanonicalTable, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return false;
  try {
    const { isOne } = await session.row(`
      select exists (
        select 1 from batch_${table.name} as batch
        join read_json([${paths.map(literal).join(', ')}], format = 'newline_delimited', compression = 'gzip',
          columns = {id: 'VARCHAR'}) as brought on batch."${storedKey(table)[0]}" = brought.id
      ) as "isOne"`);
    return isOne === true;
  } catch {
    // A run put the files together meanwhile. Nobody knows then, and nothing is deleted of which that is so.
    return true;
  }
}
