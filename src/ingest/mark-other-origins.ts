import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listLanded } from '../control/connections/connection-leases.ts';
import { listConnections } from '../control/connections/connections.ts';
import {
  LISTED_ID,
  listingOf,
  markOtherOrigin,
  type OtherOrigin,
} from '../control/connections/other-origins.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { type CanonicalTable, storedKey } from '../store/canonical-table.ts';
import { literal, type Session } from '../store/duckdb-session.ts';

/**
 * Finds the connections that brought rows which an import brings too, and says so to them: what a vendor has
 * no more must not take away what came by another way (0144).
 *
 * @param tables those whose rows are in `batch_<table>`
 * @param own the connection that brought the import, if one did
 */
export async function markOtherOrigins(
  session: Session,
  { control, data }: Pick<ImportContext, 'control' | 'data'>,
  business_id: string,
  tables: Iterable<CanonicalTable>,
  own: string | null,
): Promise<void> {
  const listed = [...tables].flatMap((table) => {
    const listing = listingOf(table.name);
    return listing === undefined ? [] : [{ table, listing }];
  });
  if (listed.length === 0) return;
  for (const { connection_id } of await listConnections(control, business_id)) {
    if (connection_id === own) continue;
    const files = await listLanded(control, connection_id);
    const folder = data.landed(business_id, connection_id);
    for (const { table, listing } of listed) {
      const ofListing = files.filter(({ stream }) => stream === listing);
      const pathsOf = (some: typeof files) => some.map(({ name }) => join(folder, name));
      const brought = pathsOf(ofListing.filter(({ kind }) => kind === 'ids'));
      // Rows that a comparison found to be gone are no longer among the received ones.
      const going = pathsOf(
        ofListing.filter(({ kind, imported_at }) => kind === 'gone' && imported_at === null),
      );
      const mark = (what: OtherOrigin) => markOtherOrigin(control, connection_id, listing, what);
      const isGoing = await isAmong(session, table, going, 'key');
      if (isGoing) await mark('going');
      if (isGoing || (await isAmong(session, table, brought, 'id'))) await mark('brought');
    }
  }
}

/** How the id of a row stands in a line of landed files. */
const LINES = {
  id: { columns: "{id: 'VARCHAR'}", id: () => 'line.id' },
  key: { columns: "{key: 'MAP(VARCHAR, VARCHAR)'}", id: (name: string) => `line.key[${literal(name)}]` },
} as const;

/** Whether the import has one of the rows that are named in files. */
async function isAmong(
  session: Session,
  table: CanonicalTable,
  paths: readonly string[],
  lines: keyof typeof LINES,
): Promise<boolean> {
  if (paths.length === 0) return false;
  const [column = ''] = storedKey(table);
  const { columns, id } = LINES[lines];
  // There may be millions in the files, and customers of another vendor have ids of another kind.
  const { mayBe } = await session.row(`
    select exists (
      select 1 from batch_${table.name} where regexp_matches("${column}", ${literal(LISTED_ID.source)})
    ) as "mayBe"`);
  if (mayBe !== true) return false;
  try {
    const { isOne } = await session.row(`
      select exists (
        select 1 from batch_${table.name} as batch
        join read_json([${paths.map(literal).join(', ')}], format = 'newline_delimited', compression = 'gzip',
          columns = ${columns}) as line on batch."${column}" = ${id(String(table.key[0]))}
      ) as "isOne"`);
    return isOne === true;
  } catch (error) {
    // A run put the files together meanwhile. Nobody knows then, and nothing is deleted of which that is so.
    if (paths.every((path) => existsSync(path))) throw error;
    return true;
  }
}
