import { MODEL_VERSION } from '../build/build-model.ts';
import { currentSnapshot, readBusiness } from '../control/businesses.ts';
import { DataFolder } from '../control/data-folder.ts';
import { type ControlDatabase, openControlDatabase } from '../control/database.ts';
import { loadSecret } from '../control/secret.ts';
import { defaultSpillLimit } from '../control/spill-folder.ts';
import { BusinessLockedError } from '../ingest/errors.ts';
import { rebuildSnapshot } from '../ingest/import.ts';
import type { SnapshotPublisher } from '../ingest/publisher.ts';
import type { ServedBusiness, ToolEnvironment } from '../mcp/run-tool.ts';
import type { Business } from '../model/business.ts';
import { InputError } from '../model/errors.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Settings } from './settings.ts';
import { openPublisher } from './warehouse.ts';

/** The data folder, opened: what every command works on. */
export interface Instance extends AsyncDisposable {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly secret: Buffer;
  /** Null where queries run on the files of the data folder. */
  readonly publisher: SnapshotPublisher | null;
  /** How much each engine may write to disk of what does not fit into its memory, for example `10GB`. */
  readonly spillLimit: string;
}

export async function openInstance(settings: Settings): Promise<Instance> {
  const data = new DataFolder(settings.DATA);
  const secret = readSecret(data);
  const control = await openControlDatabase(settings.CONTROL_URL ?? data.control);
  const publisher = openPublisher(settings);
  return {
    control,
    data,
    secret,
    publisher,
    spillLimit: settings.SPILL_LIMIT ?? defaultSpillLimit(data.root),
    [Symbol.asyncDispose]: async () => {
      await publisher?.close();
      await control.destroy();
    },
  };
}

/** @throws InputError when the data folder cannot be made or written */
function readSecret(data: DataFolder): Buffer {
  try {
    return loadSecret(data.secret);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT'].includes(code ?? ''))
      throw error;
    throw new InputError(
      `the data folder ${data.root} cannot be written (${code}); choose another with STORESIGHT_DATA`,
    );
  }
}

export function toolEnvironment(instance: Instance, warehouse: Warehouse): ToolEnvironment {
  const rebuilding = new Map<string, Promise<unknown>>();
  return { warehouse, findServed: (businessId) => findServed(instance, rebuilding, businessId) };
}

/**
 * After an update of Storesight a snapshot may lack what its tools read, also one that a rollback brings back: the
 * first call that needs it has it built anew, the others wait for the same.
 */
async function findServed(
  instance: Instance,
  rebuilding: Map<string, Promise<unknown>>,
  businessId: string,
): Promise<ServedBusiness | null> {
  const { control } = instance;
  const business = await readBusiness(control, businessId);
  if (business === null) return null;
  let snapshot = await currentSnapshot(control, businessId);
  if (snapshot?.model_version !== MODEL_VERSION) {
    const rebuilt = rebuilding.get(businessId) ?? rebuild(instance, business);
    rebuilding.set(businessId, rebuilt);
    await rebuilt.finally(() => rebuilding.delete(businessId));
    snapshot = await currentSnapshot(control, businessId);
  }
  if (snapshot === null) return null;
  return {
    business,
    facts: snapshot.facts,
    snapshot: { business_id: businessId, snapshot_id: snapshot.snapshot_id },
  };
}

async function rebuild(instance: Instance, business: Business): Promise<void> {
  try {
    await rebuildSnapshot(instance, business);
  } catch (error) {
    if (!(error instanceof BusinessLockedError)) throw error;
    throw new InputError(
      'the data of this business are being prepared for this version of Storesight; try again in a moment',
    );
  }
}
