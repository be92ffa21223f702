import { DatabaseSync } from 'node:sqlite';

/**
 * Holds a file, which is made if it is missing. The lock is SQLite's: the operating system lets go of it when
 * the process ends, however it ends, so there is nothing to clean up, and no process number to mistake for
 * another's.
 *
 * @param waitSeconds how long to wait while another holds it
 * @returns null when another process, or another place in this one, holds it
 */
export function lockFile(file: string, waitSeconds = 0): Disposable | null {
  const database = new DatabaseSync(file);
  try {
    database.exec(`pragma busy_timeout = ${waitSeconds * 1000}; begin exclusive`);
  } catch (error) {
    database.close();
    if (/locked|busy/i.test(String(error))) return null;
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}
