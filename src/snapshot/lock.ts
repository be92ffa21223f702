import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { lockFile } from '../control/file-lock.ts';
import { BusinessLockedError } from './errors.ts';

/**
 * Holds a business for one import.
 *
 * @throws BusinessLockedError when another process holds it
 */
export function lockBusiness(file: string): Disposable {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = lockFile(file);
  if (lock !== null) return lock;
  throw new BusinessLockedError('another import of this business is running; try again when it has ended');
}
