import { storeFolder } from '../control/data-folder/data-folder.ts';
import type { Base } from '../snapshot/find-base.ts';
import type { Session } from '../store/duckdb-session.ts';
import { areFewBytes, filesBelow } from '../store/few-bytes.ts';

/** Makes the session spare work from here on, where the files to import and the rows before hold little. */
export function spareWorkOfLittle(
  session: Session,
  paths: readonly string[],
  base: Pick<Base, 'folder'> | null,
): void {
  const before = base === null ? [] : filesBelow(storeFolder(base.folder));
  if (areFewBytes([...paths, ...before])) session.spareWork();
}
