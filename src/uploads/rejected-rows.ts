import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DataFolder } from '../control/data-folder/data-folder.ts';

/**
 * The list of rows that an import refused, for a spreadsheet: what it would take for a formula has an
 * apostrophe before it.
 *
 * @param list its name in the folder of the store's rejects
 * @returns null where it is there no more
 */
export async function readRejects(
  data: DataFolder,
  businessId: string,
  list: string,
): Promise<string | null> {
  const file = join(data.rejects(businessId), basename(list));
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : text.replace(/(^|[,\n])("?)([=+@\t\r]|-(?![0-9]))/g, "$1$2'$3");
}
