import type { Command } from 'commander';
import { currentSnapshot, findBusiness, listSnapshots } from '../control/businesses.ts';
import { adoptSnapshot } from '../ingest/adopt.ts';
import { removeSnapshot } from '../ingest/remove-snapshot.ts';
import { rollBack } from '../ingest/rollback.ts';
import { findSnapshotFolders } from '../ingest/snapshot-folders.ts';
import { withInstance } from './command.ts';
import { table } from './table.ts';

export function addSnapshotCommands(program: Command): void {
  const snapshot = program
    .command('snapshot')
    .description('What an import leaves: served until the next one');
  snapshot
    .command('list')
    .argument('<business_id>')
    .description('Show the kept snapshots, newest first, and those that the control database does not know')
    .option('--json', 'print one JSON document')
    .action(
      withInstance(async ({ instance: { control, data }, output }, _options, id) => {
        const { business_id } = await findBusiness(control, id);
        const served = (await currentSnapshot(control, business_id))?.snapshot_id ?? null;
        const listed = await listSnapshots(control, business_id);
        const { kept, unknown } = await findSnapshotFolders(
          data.snapshots(business_id),
          listed.map(({ snapshot_id }) => snapshot_id),
          served,
        );
        const snapshots = listed.map(({ snapshot_id, created_at, facts }) => ({
          snapshot: snapshot_id,
          is_served: snapshot_id === served,
          is_here: kept.includes(snapshot_id),
          created_at,
          orders_until: facts.orders_until,
        }));
        output.result(
          { business_id, snapshots, unknown },
          [
            table(snapshots, 'No snapshot yet.'),
            ...describeUnknown(unknown, data.snapshots(business_id)),
          ].join('\n'),
        );
      }),
    );
  snapshot
    .command('rollback')
    .argument('<business_id>')
    .description('Serve an earlier snapshot; the next import builds on it')
    .option('--to <snapshot>', 'which one (without: the one before)')
    .option('--json', 'print one JSON document')
    .action(
      withInstance<{ json?: true; to?: string }>(async ({ instance, output }, options, id) => {
        const { business_id } = await findBusiness(instance.control, id);
        const served = await rollBack(instance, business_id, options.to);
        output.result({ business_id, snapshot: served }, `Serving ${served}`);
      }),
    );
  snapshot
    .command('adopt')
    .argument('<business_id>')
    .argument('<snapshot>')
    .description('Serve a snapshot that lies in the data folder and that the control database does not know')
    .option('--accept-secret', 'also when its personal data were hashed with another secret')
    .option('--json', 'print one JSON document')
    .action(
      withInstance<{ json?: true; acceptSecret?: true }>(async ({ instance, output }, options, id, name) => {
        const business = await findBusiness(instance.control, id);
        const { snapshot: served, warnings } = await output.progress(`Adopting ${name}`, (onStep) =>
          adoptSnapshot({ ...instance, onStep }, business, String(name), {
            acceptsSecret: options.acceptSecret === true,
          }),
        );
        output.result(
          { business_id: business.business_id, snapshot: served, warnings },
          [...warnings.map((warning) => `Note: ${warning}`), `Serving ${served}, built from ${name}`].join(
            '\n',
          ),
        );
      }),
    );
  snapshot
    .command('remove')
    .argument('<business_id>')
    .argument('<snapshot>')
    .description('Remove a snapshot that is not served, for good')
    .option('--json', 'print one JSON document')
    .action(
      withInstance(async ({ instance, output }, _options, id, name) => {
        const { business_id } = await findBusiness(instance.control, id);
        await removeSnapshot(instance, business_id, String(name));
        output.result({ business_id, removed: name }, `Removed ${name}`);
      }),
    );
}

function describeUnknown(unknown: readonly string[], folder: string): string[] {
  if (unknown.length === 0) return [];
  return [
    `\nThe control database does not know these in ${folder}:`,
    ...unknown,
    '`snapshot adopt` serves one of them, `snapshot remove` removes one for good.',
  ];
}
