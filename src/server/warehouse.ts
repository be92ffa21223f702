import type { DataFolder } from '../control/data-folder.ts';
import type { SnapshotPublisher } from '../ingest/publisher.ts';
import { ClickHouseWarehouse } from '../warehouse/clickhouse.ts';
import { connectToRead, connectToWrite } from '../warehouse/clickhouse-connection.ts';
import { ClickHousePublisher } from '../warehouse/clickhouse-publisher.ts';
import { ClickHouseShards } from '../warehouse/clickhouse-shards.ts';
import { DuckDbWarehouse } from '../warehouse/duckdb.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Settings } from './settings.ts';

/** Where tools ask: ClickHouse where the settings name one, else DuckDB in this process on the files here. */
export async function openWarehouse(
  { data }: { readonly data: DataFolder },
  settings: Settings,
): Promise<Warehouse> {
  const { WAREHOUSE_URL: place, QUERY_TIMEOUT_S: timeoutSeconds, MEMORY_LIMIT: memoryLimit } = settings;
  if (place !== undefined) {
    const limits = { connections: settings.QUERY_CONNECTIONS, timeoutSeconds, memoryLimit };
    const shards = new ClickHouseShards(place, (address) => connectToRead(place, address, limits));
    return new ClickHouseWarehouse(shards, place.database, timeoutSeconds);
  }
  return DuckDbWarehouse.open({
    folder: data.businesses,
    fileOf: ({ business_id, snapshot_id }) => data.model(business_id, snapshot_id),
    connections: settings.QUERY_CONNECTIONS,
    timeoutSeconds,
    mostOpen: settings.OPEN_SNAPSHOTS,
    memoryLimit,
  });
}

/** Null where queries run on the files of the data folder. */
export function openPublisher({ WAREHOUSE_URL: place }: Settings): SnapshotPublisher | null {
  if (place === undefined) return null;
  const shards = new ClickHouseShards(place, (address) => connectToWrite(place, address));
  return new ClickHousePublisher(shards, place.database, place.cluster);
}
