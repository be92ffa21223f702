import type { Command } from 'commander';
import { listBusinesses, listSnapshots } from '../control/businesses.ts';
import { initWarehouse } from '../server/warehouse.ts';
import { type CommandContext, withInstance } from './command.ts';

export function addWarehouseCommands(program: Command): void {
  program
    .command('warehouse')
    .description('ClickHouse, where STORESIGHT_WAREHOUSE_URL names one')
    .command('init')
    .option('--json', 'print one JSON document')
    .description('Make the tables there, and bring the snapshots of the data folder to them')
    .action(
      withInstance(async (context) => {
        const { settings, output } = context;
        const database = await initWarehouse(settings);
        const snapshots = await publishAll(context);
        output.result(
          { database, snapshots },
          `The tables are in ${database}; brought ${snapshots} snapshots to them.`,
        );
      }),
    );
}

/** Gives how many snapshots are there now that were not yet, or were incomplete. */
async function publishAll({ instance }: CommandContext): Promise<number> {
  const { control, data, publisher } = instance;
  let published = 0;
  for (const { business_id } of await listBusinesses(control)) {
    // Those that are there are brought anew: a copy that was interrupted is not known from a whole one.
    await publisher?.keepOnly(business_id, []);
    for (const { snapshot_id } of await listSnapshots(control, business_id)) {
      await publisher?.publish({ business_id, snapshot_id }, data.model(business_id, snapshot_id));
      published += 1;
    }
  }
  return published;
}
