import type { Logger } from 'pino';
import type { DataFolder } from '../control/data-folder/data-folder.ts';
import { makeSpillFolder } from '../control/data-folder/spill-folder.ts';
import type { WarehouseCopier } from '../snapshot/warehouse-copier.ts';
import { ClickHouseEngine } from '../warehouse/clickhouse.ts';
import { connectToRead, connectToWrite } from '../warehouse/clickhouse-connection.ts';
import { ClickHouseCopier } from '../warehouse/clickhouse-copier.ts';
import { sayingWhere } from '../warehouse/clickhouse-failures.ts';
import { ClickHouseShards } from '../warehouse/clickhouse-shards.ts';
import { DuckDbEngine, type Spill } from '../warehouse/duckdb.ts';
import { ScheduledWarehouse } from '../warehouse/scheduling/scheduled-warehouse.ts';
import { Scheduler } from '../warehouse/scheduling/scheduler.ts';
import { StatementsApart } from '../warehouse/statements/statements-apart.ts';
import type { Engine } from '../warehouse/warehouse.ts';
import type { Settings } from './settings.ts';

/**
 * Opens the warehouse that tools ask: ClickHouse where the settings name one, else DuckDB in this process on
 * the files here.
 */
export async function openWarehouse(
  { data, spillLimit }: Place,
  settings: Settings,
  log?: Logger,
): Promise<ScheduledWarehouse> {
  const { QUERY_CONNECTIONS: slots, QUERY_TIMEOUT_S: timeoutSeconds } = settings;
  const engine = await openEngine({ data, spillLimit }, settings, log);
  const statements = new StatementsApart({
    filesOf: ({ business_id, snapshot_id }) => ({
      model: data.model(business_id, snapshot_id),
      snapshot: data.snapshot(business_id, snapshot_id),
    }),
    timeoutSeconds,
    log,
  });
  return new ScheduledWarehouse(engine, new Scheduler({ slots, timeoutSeconds }), statements);
}

interface Place {
  readonly data: DataFolder;
  /** The limit of what does not fit into memory, for example `10GB`. */
  readonly spillLimit: string;
}

async function openEngine(
  { data, spillLimit }: Place,
  settings: Settings,
  log: Logger | undefined,
): Promise<Engine> {
  const { WAREHOUSE_URL: place, QUERY_CONNECTIONS: connections, MEMORY_LIMIT: memoryLimit } = settings;
  if (place !== undefined) {
    const timeoutSeconds = settings.QUERY_TIMEOUT_S;
    const limits = { connections, timeoutSeconds, memoryLimit };
    const shards = new ClickHouseShards(place, (address) => connectToRead(place, address, limits));
    return new ClickHouseEngine(shards, place.database, timeoutSeconds);
  }
  return DuckDbEngine.open({
    folder: data.businesses,
    fileOf: ({ business_id, snapshot_id }) => data.model(business_id, snapshot_id),
    connections,
    mostOpen: settings.OPEN_SNAPSHOTS,
    memoryLimit,
    spill: makeSpill(data.spill, spillLimit, log),
  });
}

/** A data folder that cannot be written, or a full disk, is no reason not to answer what fits into memory. */
function makeSpill(root: string, limit: string, log: Logger | undefined): Spill | null {
  try {
    return { ...makeSpillFolder(root), limit };
  } catch (error) {
    log?.warn(
      { err: error },
      `nothing can be written to ${root}, so queries that need more memory are refused`,
    );
    return null;
  }
}

/** It is null where queries run on the files of the data folder. */
export function openCopier({ WAREHOUSE_URL: place }: Settings): WarehouseCopier | null {
  if (place === undefined) return null;
  const shards = new ClickHouseShards(place, (address) => connectToWrite(place, address));
  return sayingWhere(place, new ClickHouseCopier(shards, place.database, place.cluster));
}
