import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Business } from '../business/business.ts';
import { currentSnapshot, listSnapshots } from '../control/businesses/businesses.ts';
import { InputError } from '../errors.ts';
import { beginSnapshot, openSnapshot } from '../snapshot/begin-snapshot.ts';
import { finishSnapshot } from '../snapshot/build-snapshot.ts';
import { dropSnapshot } from '../snapshot/drop-snapshot.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { ImportError, ownWords } from '../snapshot/import-errors.ts';
import { lockBusiness } from '../snapshot/lock-business.ts';
import { findSnapshotFolders } from '../snapshot/snapshot-folders.ts';
import { NOTHING_STAGED } from '../snapshot/staged-tables.ts';
import { undoSnapshot } from '../snapshot/undo-snapshot.ts';
import type { Session } from '../store/duckdb-session.ts';
import { nameSome } from '../text/name-some.ts';
import { type FoundPersons, findPersons } from './find-persons.ts';

/** The report says what a deletion took away, and nothing of whom. */
export interface DeletionReport {
  /** The snapshot that is served now. */
  readonly snapshot: string | null;
  /** Rows by canonical table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Older snapshots, which held the rows too. */
  readonly snapshots_removed: number;
  /** The identifiers that named nobody, by their place among those given, from 1. */
  readonly unknown_identifiers: readonly number[];
}

const MOST_IDENTIFIERS = 1000;
const LONGEST_IDENTIFIER = 1000;

/** One on each line, without blanks around it. @throws InputError when there are none, or too many */
export function readIdentifiers(text: string): string[] {
  const identifiers = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (identifiers.length === 0) {
    throw new InputError(
      'standard input named nobody: write e-mail addresses, phone numbers or ids there, one on a line',
    );
  }
  if (identifiers.length > MOST_IDENTIFIERS) {
    throw new InputError(
      `at most ${MOST_IDENTIFIERS} identifiers are taken at once; these are ${identifiers.length}`,
    );
  }
  const tooLong = identifiers.findIndex((identifier) => identifier.length > LONGEST_IDENTIFIER);
  if (tooLong >= 0) {
    throw new InputError(
      `identifier ${tooLong + 1} is longer than ${LONGEST_IDENTIFIER} characters; is it one on each line?`,
    );
  }
  return identifiers;
}

/**
 * Takes persons out of a business for good: out of the canonical tables, the model, the names of keys, older
 * snapshots and files of rejects. Until the new snapshot is served nothing has changed, and afterwards a
 * repetition removes what is left.
 *
 * @throws ImportError when nothing has changed, or folders are left that the next try removes
 */
export async function deletePersons(
  context: ImportContext,
  business: Business,
  identifiers: readonly string[],
): Promise<DeletionReport> {
  const { control } = context;
  const id = business.business_id;
  const listed = await listSnapshots(control, id);
  const { found, snapshot } = await withoutPersons(context, id, identifiers);
  await refuseLeftovers(context, id);
  await forgetInWarehouse(context, id);
  if (snapshot === null) {
    const served = await currentSnapshot(control, id);
    return {
      snapshot: served?.snapshot_id ?? null,
      rows: {},
      snapshots_removed: 0,
      unknown_identifiers: found.unknown,
    };
  }
  return {
    snapshot,
    rows: found.rows,
    snapshots_removed: Math.max(0, listed.length - 1),
    unknown_identifiers: found.unknown,
  };
}

interface WithoutPersons {
  readonly found: FoundPersons;
  /** Null if no snapshot has any of them, so that no new one was made. */
  readonly snapshot: string | null;
}

/** Makes a snapshot in which the persons are not. */
async function withoutPersons(
  context: ImportContext,
  id: string,
  identifiers: readonly string[],
): Promise<WithoutPersons> {
  using _lock = lockBusiness(context.data.lock(id));
  const work = await beginSnapshot(context, id);
  try {
    using open = await openSnapshot(work);
    await refuseUnknownSnapshots(context, id, work.snapshotId);
    await rm(context.data.rejects(id), { recursive: true, force: true });
    const isBelow = await isInFiles(open.session, context, id, identifiers);
    const found = await findPersons(open.session, identifiers, work.base);
    if (found.losing.size === 0 && !isBelow) {
      open[Symbol.dispose]();
      await dropSnapshot(work);
      return { found, snapshot: null };
    }
    const staged = { ...NOTHING_STAGED, losing: found.losing, forgets: found.rows };
    const { snapshot } = await finishSnapshot(work, open, staged);
    return { found, snapshot };
  } catch (error) {
    throw await undoSnapshot(work, error);
  }
}

/** Nobody knows whom they hold. */
async function refuseUnknownSnapshots(
  { control, data }: ImportContext,
  id: string,
  own: string,
): Promise<void> {
  const listed = (await listSnapshots(control, id)).map(({ snapshot_id }) => snapshot_id);
  const served = await currentSnapshot(control, id);
  const { unknown } = await findSnapshotFolders(data.snapshots(id), listed, served?.snapshot_id ?? null);
  const others = unknown.filter((name) => !name.startsWith(own));
  if (others.length === 0) return;
  throw new ImportError(
    `${data.snapshots(id)} holds snapshots that the control database does not know: ${nameSome(others)}. The person may be in ` +
      `them, so nothing was deleted. Remove them with \`snapshot remove ${id} <snapshot>\`, then delete again`,
  );
}

/** Whether the persons are in files of any snapshot, be it in rows that later ones replaced. */
async function isInFiles(
  session: Session,
  { control, data }: ImportContext,
  id: string,
  identifiers: readonly string[],
): Promise<boolean> {
  for (const { snapshot_id, facts } of await listSnapshots(control, id)) {
    const folder = data.snapshot(id, snapshot_id);
    if (!existsSync(folder)) continue;
    const stored = { folder, tables: facts.loaded_tables };
    try {
      const { losing } = await findPersons(session, identifiers, stored, { withDeleted: true });
      if (losing.size > 0) return true;
    } catch (error) {
      // The snapshot that is served decides whom they name. Here it is enough that they may name somebody.
      if (error instanceof ImportError) return true;
      throw error;
    }
  }
  return false;
}

/** The persons are in nothing that is served or listed by now. */
async function refuseLeftovers({ control, data }: ImportContext, id: string): Promise<void> {
  const listed = (await listSnapshots(control, id)).map(({ snapshot_id }) => snapshot_id);
  const served = await currentSnapshot(control, id);
  const { leftovers } = await findSnapshotFolders(data.snapshots(id), listed, served?.snapshot_id ?? null);
  if (leftovers.length === 0) return;
  const folders = leftovers.map((name) => join(data.snapshots(id), name));
  throw new ImportError(
    `the rows are deleted from what is served, but older snapshots could not be removed yet: ${nameSome(folders)}. ` +
      'Delete again when the warehouse can be reached: that removes them',
  );
}

async function forgetInWarehouse({ copier }: ImportContext, id: string): Promise<void> {
  try {
    await copier?.forget(id);
  } catch (error) {
    throw new ImportError(
      'the rows are deleted from what is served, but the warehouse may still have them on its disk: ' +
        `${ownWords(error) ?? 'it did not do what it was asked'}. Delete again when it can be reached: that removes them`,
      undefined,
      error,
    );
  }
}
