import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The folder of a connection's files that are imported as they are, with persons in clear. They lie there
 * only while that is done.
 *
 * @param landed the folder of the connection
 */
export function downloadFolder(landed: string): string {
  return join(landed, 'download');
}

/** Removes downloads, for the run that holds the connection and for the process that ended that run. */
export async function removeDownloads(landed: string): Promise<void> {
  await rm(downloadFolder(landed), { recursive: true, force: true });
}
