import { dirname } from 'node:path';
import { lockFile } from '../control/data-folder/file-lock.ts';
import { makeFolder, whyNotWritable } from '../control/data-folder/make-folder.ts';
import { BusinessLockedError, ImportError, ownWords, UNFORESEEN } from './import-errors.ts';

/**
 * Holds a business for one import.
 *
 * @throws BusinessLockedError when another process holds it; ImportError when nothing can be written there
 */
export function lockBusiness(file: string): Disposable {
  const lock = lockOf(file);
  if (lock !== null) return lock;
  throw new BusinessLockedError('another import of this business is running; try again when it has ended');
}

function lockOf(file: string): Disposable | null {
  try {
    makeFolder(dirname(file));
    return lockFile(file);
  } catch (error) {
    const why = ownWords(whyNotWritable(file) ?? error) ?? UNFORESEEN;
    throw new ImportError(
      `nothing can be written to the folder of this business, so nothing was changed: ${why}`,
      undefined,
      error,
    );
  }
}
