import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BusinessLockedError } from './errors.ts';

/**
 * Holds a business for one import. The lock is SQLite's lock on a file: the operating system lets go of it when the
 * process ends, however it ends, so there is nothing to clean up.
 *
 * @throws BusinessLockedError when another process holds it
 */
export function lockBusiness(file: string): Disposable {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive');
  } catch (error) {
    database.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    throw new BusinessLockedError('another import of this business is running; try again when it has ended');
  }
  return { [Symbol.dispose]: () => database.close() };
}
