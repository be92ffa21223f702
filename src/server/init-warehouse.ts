import { currentSnapshot, listBusinesses, listSnapshots } from '../control/businesses/businesses.ts';
import { haveSameModel } from '../control/businesses/published-snapshot.ts';
import { InputError } from '../errors.ts';
import { MODEL_VERSION } from '../snapshot/build/model-version.ts';
import { refuseNewerModel } from '../snapshot/build/newer-model.ts';
import { lockBusiness } from '../snapshot/lock-business.ts';
import { connectToWrite } from '../warehouse/clickhouse-connection.ts';
import { createClickHouseSchema } from '../warehouse/clickhouse-schema.ts';
import { ClickHouseShards } from '../warehouse/clickhouse-shards.ts';
import { buildAhead } from './build-ahead.ts';
import type { Instance } from './instance.ts';
import type { Settings } from './settings.ts';

interface WarehouseReport {
  readonly database: string;
  /** Snapshots that were not there, or not whole. */
  readonly brought: number;
  readonly there: number;
}

/**
 * Makes the tables on ClickHouse, and brings the snapshots of the data folder that are not there.
 * Interrupted, it goes on where it was. Served snapshots of another version are built anew first.
 *
 * @throws InputError when the settings name no ClickHouse
 * @throws BusinessLockedError while a business is imported
 * @throws OperatorError when a newer version of the program built what is served
 */
export async function initWarehouse(
  instance: Instance,
  { WAREHOUSE_URL: place }: Settings,
): Promise<WarehouseReport> {
  const { control, data, copier } = instance;
  if (place === undefined || copier === null) {
    throw new InputError('set STORESIGHT_WAREHOUSE_URL to where ClickHouse is; see docs/clickhouse.md');
  }
  const businesses = await listBusinesses(control);
  for (const { business_id } of businesses) {
    const served = await currentSnapshot(control, business_id);
    if (served !== null) refuseNewerModel(served.model_version);
  }
  const shards = new ClickHouseShards(place, (address) => connectToWrite(place, address));
  try {
    await createClickHouseSchema(shards, place);
  } finally {
    await shards.close();
  }

  let brought = 0;
  let there = 0;
  for (const { business_id } of businesses) {
    // Servers without the data could not do it.
    const rebuilt = await buildAhead(instance, business_id);
    using _lock = lockBusiness(data.lock(business_id));
    for (const { snapshot_id, model_version } of await listSnapshots(control, business_id)) {
      // Others are built anew when a rollback serves them.
      if (!haveSameModel(model_version, MODEL_VERSION)) continue;
      const file = data.model(business_id, snapshot_id);
      const isNew = snapshot_id === rebuilt || (await copier.copy({ business_id, snapshot_id }, file));
      if (isNew) brought += 1;
      else there += 1;
    }
  }
  return { database: place.database, brought, there };
}
