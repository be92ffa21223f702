import { join } from 'node:path';
import { storeFolder } from '../control/data-folder/data-folder.ts';
import type { Session } from '../store/duckdb-session.ts';
import { areFewBytes, filesBelow } from '../store/few-bytes.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import type { Base } from './find-base.ts';
import { PROGRESS } from './import-context.ts';
import { UnchangedError } from './import-errors.ts';
import type { Merged, OpenSnapshot, SnapshotWork } from './snapshot-work.ts';
import type { Staged } from './staged-tables.ts';
import { isGated, writeStore } from './write-canonical.ts';

interface MergeOptions {
  /** Whether an `UnchangedError` ends what would make a snapshot with the rows of the one before. */
  readonly refusesUnchanged?: boolean;
}

/**
 * Writes the canonical tables of a new snapshot: those of the one before, with the staged rows. @throws
 * UnchangedError
 */
export async function mergeStaged(
  { context, settings, base, modelBefore, building, bounds }: SnapshotWork,
  { session, personalDataRemoved }: OpenSnapshot,
  { batches, addsLines, losing, forgets, orderFacts, report }: Staged,
  { refusesUnchanged = false }: MergeOptions = {},
): Promise<Merged> {
  context.onStep?.('merging with what was loaded before', PROGRESS.merging);
  const isIncremental = base !== null && typeof modelBefore !== 'string';
  const changes = join(bounds.spillFolder, 'changes');
  const why = await whyEverybody(session, isIncremental ? base : null, forgets);
  const stored = await writeStore(session, CANONICAL_TABLES, batches, base, building, {
    addsLines,
    losing,
    forgets: forgets !== null,
    changes: isIncremental ? changes : null,
  });
  const isChanged = base === null || stored.isChanged || Object.keys(settings).length > 0;
  if (refusesUnchanged && !isChanged)
    throw new UnchangedError('all rows were there as they are, so nothing was changed', {
      tables: report.tables,
      rejects_file: report.rejects_file,
    });
  const isOfFewBytes = areFewBytes(filesBelow(storeFolder(building)));
  // The memory that it took is free for the model.
  if (!isOfFewBytes) session[Symbol.dispose]();
  return {
    session: isOfFewBytes ? session : null,
    forgets,
    orderFacts,
    modelBefore: why ?? (typeof modelBefore === 'string' ? modelBefore : { ...modelBefore, changes }),
    report: {
      ...report,
      changes: stored.changes,
      personal_data_removed: personalDataRemoved,
      warnings: [...report.warnings, ...stored.warnings],
    },
  };
}

/**
 * Why the model is built of everybody's rows, whomever the import affects; null where it need not be. @param
 * base what an update would go on from
 */
async function whyEverybody(
  session: Session,
  base: Base | null,
  forgets: Staged['forgets'],
): Promise<string | null> {
  // A copy of the file before would still tell of them, in pages that nothing reads any more.
  if (forgets !== null) return 'a person was deleted for good';
  if (base === null || (await isGated(session, CANONICAL_TABLES, base))) return null;
  return 'what is personal data is told in another way than before';
}
