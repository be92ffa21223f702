import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where files of a connection lie that are imported as they are, with persons in clear: only while that is done.
 *
 * @param landed the folder of the connection
 */
export function downloadFolder(landed: string): string {
  return join(landed, 'download');
}

/** For the run that holds the connection, and for whoever ended it. */
export async function removeDownloads(landed: string): Promise<void> {
  await rm(downloadFolder(landed), { recursive: true, force: true });
}
