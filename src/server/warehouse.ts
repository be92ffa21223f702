import type { DataFolder } from '../control/data-folder.ts';
import type { SnapshotPublisher } from '../ingest/publisher.ts';
import { InputError } from '../model/errors.ts';
import { ClickHouseWarehouse } from '../warehouse/clickhouse.ts';
import { connectToRead, connectToWrite, readClickHouseUrl } from '../warehouse/clickhouse-connection.ts';
import { ClickHousePublisher } from '../warehouse/clickhouse-publisher.ts';
import { createClickHouseSchema } from '../warehouse/clickhouse-schema.ts';
import { DuckDbWarehouse } from '../warehouse/duckdb.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Settings } from './settings.ts';

/** Where tools ask: ClickHouse where the settings name one, else DuckDB in this process on the files here. */
export async function openWarehouse(
  { data }: { readonly data: DataFolder },
  settings: Settings,
): Promise<Warehouse> {
  if (settings.WAREHOUSE_URL !== undefined) {
    const place = readClickHouseUrl(settings.WAREHOUSE_URL);
    const limits = { connections: settings.QUERY_CONNECTIONS, timeoutSeconds: settings.QUERY_TIMEOUT_S };
    return new ClickHouseWarehouse(connectToRead(place, limits), place.database, settings.QUERY_TIMEOUT_S);
  }
  return DuckDbWarehouse.open({
    folder: data.businesses,
    fileOf: ({ business_id, snapshot_id }) => data.model(business_id, snapshot_id),
    connections: settings.QUERY_CONNECTIONS,
    timeoutSeconds: settings.QUERY_TIMEOUT_S,
    mostOpen: settings.OPEN_SNAPSHOTS,
    memoryLimit: settings.MEMORY_LIMIT,
  });
}

/** Null where queries run on the files of the data folder. */
export function openPublisher(settings: Settings): SnapshotPublisher | null {
  if (settings.WAREHOUSE_URL === undefined) return null;
  const place = readClickHouseUrl(settings.WAREHOUSE_URL);
  return new ClickHousePublisher(connectToWrite(place), place.database);
}

/**
 * Makes the tables on ClickHouse.
 *
 * @returns their database
 * @throws InputError when the settings name no ClickHouse
 */
export async function initWarehouse(settings: Settings): Promise<string> {
  if (settings.WAREHOUSE_URL === undefined) {
    throw new InputError('set STORESIGHT_WAREHOUSE_URL to where ClickHouse is; see docs/clickhouse.md');
  }
  const place = readClickHouseUrl(settings.WAREHOUSE_URL);
  const client = connectToWrite(place);
  try {
    await createClickHouseSchema(client, place.database);
  } finally {
    await client.close();
  }
  return place.database;
}
