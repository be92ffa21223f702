import { ImportError, isDiskFull, ownWords, UNFORESEEN, UncertainImportError } from './import-errors.ts';
import { gigabytes } from './import-limits.ts';
import { bytesWritten } from './import-meter.ts';
import { removeKnown } from './leftovers.ts';
import { buildingFolder } from './snapshot-folders.ts';
import type { SnapshotWork } from './snapshot-work.ts';

/**
 * Removes a snapshot that failed, so that nothing has changed.
 *
 * @returns the error to throw: why it failed
 */
export async function undoSnapshot(
  { context, id, snapshotId, building }: SnapshotWork,
  error: unknown,
): Promise<unknown> {
  if (error instanceof UncertainImportError) return error;
  const full = isDiskFull(error) ? diskFull(await bytesWritten(building), error) : null;
  await removeKnown(context, id, [buildingFolder(snapshotId), snapshotId]);
  if (context.signal?.aborted) return whyStopped(context.signal);
  if (full !== null || error instanceof ImportError) return full ?? error;
  return new ImportError(
    `the import failed, so nothing was changed: ${ownWords(error) ?? UNFORESEEN}`,
    undefined,
    error,
  );
}

/** Says why an import was stopped: the caller that stops it may give a reason, such as a limit of it. */
function whyStopped({ reason }: AbortSignal): ImportError {
  return reason instanceof ImportError
    ? reason
    : new ImportError('the import was stopped, so nothing was changed');
}

function diskFull(written: number, cause: unknown): ImportError {
  return new ImportError(
    `the disk of this server is full: this import had written ${gigabytes(written)} when nothing more fitted on it, and needs more than that. ` +
      'Nothing was changed. Whoever runs this server must make room; then import again',
    undefined,
    cause,
  );
}
