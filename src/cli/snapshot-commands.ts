import type { Command } from 'commander';
import { currentSnapshot, findBusiness, listSnapshots } from '../control/businesses/businesses.ts';
import { listServedModels } from '../control/businesses/served-models.ts';
import { buildAllAhead } from '../server/build-ahead.ts';
import { adoptSnapshot } from '../snapshot/adopt-snapshot.ts';
import { inspectSnapshot, type SnapshotInspection } from '../snapshot/inspect-snapshot.ts';
import { removeSnapshot } from '../snapshot/remove-snapshot.ts';
import { rollBack } from '../snapshot/rollback.ts';
import { findSnapshotFolders } from '../snapshot/snapshot-folders.ts';
import { nameSome } from '../text/name-some.ts';
import { command, withInstance } from './command.ts';
import { describeBuild } from './describe-build.ts';
import { stopSignal } from './stop-signals.ts';
import { table } from './text-table.ts';

export function addSnapshotCommands(program: Command): void {
  const snapshot = program
    .command('snapshot')
    .description('What an import leaves: served until the next one');
  addList(snapshot);
  addPrepare(snapshot);
  addRollback(snapshot);
  addAdopt(snapshot);
  addRemove(snapshot);
}

function addList(snapshot: Command): void {
  command(
    snapshot,
    'list <business_id>',
    'Show the kept snapshots, newest first, with their size, rows and how they were built, and those that the control database does not know',
  ).action(
    withInstance(async ({ instance: { control, data }, output }, _options, id) => {
      const { business_id } = await findBusiness(control, id);
      const newest = (await currentSnapshot(control, business_id))?.snapshot_id ?? null;
      const listed = await listSnapshots(control, business_id);
      const servedModels = await listServedModels(control, business_id);
      const { kept, unknown } = await findSnapshotFolders(
        data.snapshots(business_id),
        listed.map(({ snapshot_id }) => snapshot_id),
        newest,
      );
      const snapshots = await Promise.all(
        listed.map(async ({ snapshot_id, model_version, created_at, facts }) => ({
          snapshot: snapshot_id,
          is_served: servedModels.some((model) => model.snapshot_id === snapshot_id),
          is_newest: snapshot_id === newest,
          model_version,
          is_here: kept.includes(snapshot_id),
          created_at,
          orders_until: facts.orders_until,
          ...(await inspectSnapshot(data.snapshot(business_id, snapshot_id))),
        })),
      );
      output.result(
        { business_id, snapshots, unknown },
        [
          table(snapshots.map(inOneLine), 'No snapshot yet.'),
          ...describeUnknown(unknown, data.snapshots(business_id)),
        ].join('\n'),
      );
    }),
  );
}

function addPrepare(snapshot: Command): void {
  command(
    snapshot,
    'prepare',
    'Build what this version of Storesight needs, of all businesses, before its servers are started',
  ).action(
    withInstance<{ json?: true }>(async ({ instance, output }) => {
      const signal = stopSignal();
      const { built, ready, failed } = await output.progress('Preparing', (onStep) =>
        buildAllAhead({ ...instance, signal }, ({ name }) => onStep(name, 0)),
      );
      const reasons = Object.entries(failed).map(([id, reason]) => `Failed: ${id}: ${reason}`);
      output.result(
        { built, ready, failed },
        [...reasons, `${built.length} built, ${ready.length} ready before, ${reasons.length} failed`].join(
          '\n',
        ),
      );
      if (reasons.length > 0) process.exitCode = 1;
    }),
  );
}

function addRollback(snapshot: Command): void {
  command(
    snapshot,
    'rollback <business_id>',
    'Serve an earlier snapshot; the next import builds on it, and connections are read from their beginning',
  )
    .option('--to <snapshot>', 'which one (without: the one before)')
    .action(
      withInstance<{ json?: true; to?: string }>(async ({ instance, output }, options, id) => {
        const { business_id } = await findBusiness(instance.control, id);
        const served = await rollBack(instance, business_id, options.to);
        output.result({ business_id, snapshot: served }, `Serving ${served}`);
      }),
    );
}

function addAdopt(snapshot: Command): void {
  command(
    snapshot,
    'adopt <business_id> <snapshot>',
    'Serve a snapshot that lies in the data folder and that the control database does not know',
  )
    .option('--accept-secret', 'also when its personal data were hashed with another secret')
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
}

function addRemove(snapshot: Command): void {
  command(
    snapshot,
    'remove <business_id> <snapshot>',
    'Remove a snapshot that is not served, for good',
  ).action(
    withInstance(async ({ instance, output }, _options, id, name) => {
      const { business_id } = await findBusiness(instance.control, id);
      await removeSnapshot(instance, business_id, String(name));
      output.result({ business_id, removed: name }, `Removed ${name}`);
    }),
  );
}

interface ListedSnapshot extends SnapshotInspection {
  readonly snapshot: string;
  /** Whether servers of its version of the model are given it. */
  readonly is_served: boolean;
  /** Imports build on it, whichever version they are. */
  readonly is_newest: boolean;
  readonly model_version: string;
  readonly is_here: boolean;
  readonly orders_until: string | null;
}

function inOneLine(listed: ListedSnapshot): object {
  const { snapshot, is_served, is_here, orders_until, bytes, shared_bytes, rows, imported, build } = listed;
  return {
    snapshot,
    served: is_served ? `to ${listed.model_version}` : 'no',
    newest: listed.is_newest ? 'yes' : 'no',
    size: is_here ? megabytes(bytes) : 'not here',
    shared: megabytes(shared_bytes),
    orders: rows?.orders ?? null,
    customers: rows?.customers ?? null,
    orders_until,
    imported: imported && describeImported(imported),
    build: build && describeBuild(build),
  };
}

function megabytes(bytes: number | null): string | null {
  return bytes === null ? null : `${(bytes / 1e6).toFixed(1)} MB`;
}

function describeImported(imported: Readonly<Record<string, number>>): string {
  const counts = Object.entries(imported).toSorted(([, a], [, b]) => b - a);
  return nameSome(counts.map(([table, rows]) => `${rows} ${table}`)) || 'nothing';
}

function describeUnknown(unknown: readonly string[], folder: string): string[] {
  if (unknown.length === 0) return [];
  return [
    `\nThe control database does not know these in ${folder}:`,
    ...unknown,
    '`snapshot adopt` serves one of them, `snapshot remove` removes one for good.',
  ];
}
