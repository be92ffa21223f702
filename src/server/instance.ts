import { currentSnapshot, listBusinesses } from '../control/businesses.ts';
import { DataFolder } from '../control/data-folder.ts';
import { type ControlDatabase, openControlDatabase } from '../control/database.ts';
import { loadSecret } from '../control/secret.ts';
import type { ServedBusiness, ToolEnvironment } from '../mcp/run-tool.ts';
import { DuckDbWarehouse } from '../warehouse/duckdb.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Settings } from './settings.ts';

/** The data folder, opened: what every command works on. */
export interface Instance extends AsyncDisposable {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly secret: Buffer;
}

export async function openInstance(settings: Settings): Promise<Instance> {
  const data = new DataFolder(settings.DATA);
  const secret = loadSecret(data.secret);
  const control = await openControlDatabase(data.control);
  return { control, data, secret, [Symbol.asyncDispose]: () => control.destroy() };
}

export function openWarehouse({ data }: Instance, settings: Settings): Promise<Warehouse> {
  return DuckDbWarehouse.open({
    folder: data.businesses,
    fileOf: ({ business_id, snapshot_id }) => data.model(business_id, snapshot_id),
    connections: settings.QUERY_CONNECTIONS,
    timeoutSeconds: settings.QUERY_TIMEOUT_S,
    mostOpen: settings.OPEN_SNAPSHOTS,
    memoryLimit: settings.MEMORY_LIMIT,
  });
}

export function toolEnvironment({ control }: Instance, warehouse: Warehouse): ToolEnvironment {
  return { warehouse, findServed: (businessId) => findServed(control, businessId) };
}

async function findServed(control: ControlDatabase, businessId: string): Promise<ServedBusiness | null> {
  const [business] = await listBusinesses(control, [businessId]);
  const snapshot = await currentSnapshot(control, businessId);
  if (business === undefined || snapshot === null) return null;
  return {
    business,
    facts: snapshot.facts,
    snapshot: { business_id: businessId, snapshot_id: snapshot.snapshot_id },
  };
}
