import { DataFolder } from '../control/data-folder.ts';
import { type ControlDatabase, openControlDatabase } from '../control/database.ts';
import { loadSecret } from '../control/secret.ts';
import { defaultSpillLimit } from '../control/spill-folder.ts';
import type { SnapshotPublisher } from '../ingest/publisher.ts';
import { InputError } from '../model/errors.ts';
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
