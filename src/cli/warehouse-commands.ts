import type { Command } from 'commander';
import { initWarehouse } from '../server/init-warehouse.ts';
import { withInstance } from './command.ts';

export function addWarehouseCommands(program: Command): void {
  program
    .command('warehouse')
    .description('ClickHouse, where STORESIGHT_WAREHOUSE_URL names one')
    .command('init')
    .option('--json', 'print one JSON document')
    .description('Make the tables there, and bring the snapshots of the data folder to them')
    .action(
      withInstance(async ({ instance, settings, output }) => {
        const report = await initWarehouse(instance, settings);
        const { database, brought, there } = report;
        output.result(
          report,
          `The tables are in ${database}; brought ${brought} snapshots to them, ${there} were there.`,
        );
      }),
    );
}
