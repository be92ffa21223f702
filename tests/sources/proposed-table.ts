import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MappingChoices } from '../../src/sources/mapping/chosen-columns.ts';
import { type TableToMap, tableToMap } from '../../src/sources/mapping/table-to-map.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import { temporaryFolder } from '../ingest/staging.ts';

/** What the page of a table knows of it. */
export async function lookAtTable(content: string | Uint8Array, encoding?: string): Promise<TableToMap> {
  using folder = temporaryFolder();
  using session = await Session.open(':memory:', {
    memory: '512MB',
    spillFolder: folder.path,
    spillLimit: '1GB',
  });
  const path = join(folder.path, 'table.csv');
  writeFileSync(path, content);
  const input = { path, name: 'table.csv', writtenAt: new Date(0) };
  return await tableToMap(session, input, { mapping: null, encoding, shown: (text) => text });
}

/** What the form shows first, as a table of orders. */
export function proposedAsOrders({ proposed, prices }: TableToMap): MappingChoices {
  return {
    kind: 'orders',
    fields: proposed.orders.map(({ field }) => field),
    ...{ dates: null, decimal: null, fillsDown: false, prices: prices?.are ?? null },
  };
}
