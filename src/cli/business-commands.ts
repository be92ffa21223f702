import type { Command } from 'commander';
import { readAttributionWindows, readHours } from '../control/attribution-windows.ts';
import { businessesIn } from '../control/belonging.ts';
import { createBusiness, findBusiness, listBusinesses } from '../control/businesses.ts';
import { rebuildSnapshot } from '../ingest/import.ts';
import { findSnapshotFolders } from '../ingest/snapshot-folders.ts';
import { withInstance } from './command.ts';
import { describeUnknown } from './instance-commands.ts';
import { table } from './table.ts';

export function addBusinessCommands(program: Command): void {
  const business = program.command('business').description('The stores whose data is here');
  business
    .command('create')
    .description('Make a business; then import its files')
    .requiredOption('--name <name>', 'display name')
    .option('--timezone <name>', 'IANA timezone of its dates, for example Europe/Prague (without: UTC)')
    .option('--currency <code>', 'ISO 4217 code of its money, for example CZK')
    .option('--link <url>', 'public storefront URL')
    .option('--id <uuid>', 'its business_id (without: a new one)')
    .option('--json', 'print one JSON document')
    .action(
      withInstance<{
        json?: true;
        name: string;
        timezone?: string;
        currency?: string;
        link?: string;
        id?: string;
      }>(async ({ instance, output }, options) => {
        const created = await createBusiness(instance.control, options);
        const { business_id } = created;
        const { unknown } = await findSnapshotFolders(instance.data.snapshots(business_id), [], null);
        // An empty snapshot, so that tools answer zeros before the first import.
        if (unknown.length === 0) await rebuildSnapshot(instance, created);
        const hint = `\nThe data folder holds snapshots of it: see \`snapshot list ${business_id}\``;
        output.result(
          { business_id },
          `Created ${created.name}: ${business_id}${unknown.length === 0 ? '' : hint}`,
        );
      }),
    );
  business
    .command('update')
    .argument('<business_id>')
    .description('Change how orders are credited to messages, and build its data anew')
    .option('--click-window <hours>', 'a click is credited with orders in the hours after it (usual: 168)')
    .option('--open-window <hours>', 'likewise the opening of an e-mail (usual: 24; 0: never)')
    .option('--sms-delivery-window <hours>', 'likewise the delivery of an SMS (usual: 0, never)')
    .option('--json', 'print one JSON document')
    .action(
      withInstance<{ json?: true; clickWindow?: string; openWindow?: string; smsDeliveryWindow?: string }>(
        async ({ instance, output }, { clickWindow, openWindow, smsDeliveryWindow }, id) => {
          const found = await findBusiness(instance.control, id);
          const before = await readAttributionWindows(instance.control, found.business_id);
          const windows = {
            click: readHours('--click-window', clickWindow) ?? before.click,
            open: readHours('--open-window', openWindow) ?? before.open,
            delivery: readHours('--sms-delivery-window', smsDeliveryWindow) ?? before.delivery,
          };
          await rebuildSnapshot(instance, found, windows);
          output.result(
            { business_id: found.business_id, attribution_windows_h: windows },
            `${found.name}: click ${windows.click} h, open ${windows.open} h, SMS delivery ${windows.delivery} h`,
          );
        },
      ),
    );
  business
    .command('list')
    .description('Show the businesses')
    .option('--json', 'print one JSON document')
    .action(
      withInstance(async ({ instance, output }) => {
        const businesses = await listBusinesses(instance.control);
        const known = new Set(businesses.map(({ business_id }) => business_id));
        const unknown_businesses = businessesIn(instance.data).filter((id) => !known.has(id));
        const text = table(businesses, 'No business yet; make one with `business create`.');
        output.result(
          { businesses, unknown_businesses },
          [text, ...describeUnknown(unknown_businesses)].join('\n'),
        );
      }),
    );
}
