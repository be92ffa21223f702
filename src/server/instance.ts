import { DataFolder } from '../control/data-folder/data-folder.ts';
import { defaultSpillLimit } from '../control/data-folder/spill-folder.ts';
import { type ControlDatabase, openControlDatabase } from '../control/database/control-database.ts';
import { adoptSecret, openSecret, refuseMissingControl } from '../control/database/same-instance.ts';
import { DEFAULT_LIMITS, type ImportLimits } from '../snapshot/import-limits.ts';
import { defaultImportMemory } from '../snapshot/import-memory.ts';
import type { WarehouseCopier } from '../snapshot/warehouse-copier.ts';
import { openCopier } from './open-warehouse.ts';
import type { Settings } from './settings.ts';

/** The data folder, opened: what every command works on. */
export interface Instance extends AsyncDisposable {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly secret: Buffer;
  /** It is null where queries run on the files of the data folder. */
  readonly copier: WarehouseCopier | null;
  /** How much each engine may write to disk of what does not fit into its memory, for example `10GB`. */
  readonly spillLimit: string;
  /** How much memory an import may take, for example `4GB`. */
  readonly importMemory: string;
  readonly importLimits: ImportLimits;
}

/**
 * @throws InputError when the data folder or the control database cannot be used, or they do not belong
 *   together
 */
export async function openInstance(settings: Settings): Promise<Instance> {
  const data = new DataFolder(settings.DATA);
  if (settings.CONTROL_URL === undefined) refuseMissingControl(data);
  return open(settings, data, openSecret);
}

/** Opens a data folder and a control database that did not belong together, and do from now on. */
export async function adoptInstance(settings: Settings): Promise<Instance> {
  return open(settings, new DataFolder(settings.DATA), adoptSecret);
}

async function open(settings: Settings, data: DataFolder, readSecret: typeof openSecret): Promise<Instance> {
  const control = await openControlDatabase(settings.CONTROL_URL ?? data.control);
  try {
    const secret = await readSecret(control, data);
    const copier = openCopier(settings);
    return {
      control,
      data,
      secret,
      copier,
      spillLimit: settings.SPILL_LIMIT ?? defaultSpillLimit(data.root),
      importMemory: settings.IMPORT_MEMORY ?? defaultImportMemory(),
      importLimits: {
        ...DEFAULT_LIMITS,
        rows: settings.IMPORT_ROWS,
        unpackedBytes: settings.IMPORT_UNPACKED,
        writtenBytes: settings.IMPORT_WRITTEN ?? null,
        minutes: settings.IMPORT_MINUTES,
      },
      [Symbol.asyncDispose]: async () => {
        await copier?.close();
        await control.destroy();
      },
    };
  } catch (error) {
    await control.destroy();
    throw error;
  }
}
