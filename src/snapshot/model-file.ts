import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Business } from '../business/business.ts';
import type { SnapshotFacts } from '../business/snapshot-facts.ts';
import { modelFile } from '../control/data-folder/data-folder.ts';
import { literal, Session, type SessionBounds } from '../store/duckdb-session.ts';
import type { HashKey } from '../store/keyed-hash.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import { buildModel, type ModelBusiness } from './build/build-model.ts';
import type { KeyParts } from './build/keys.ts';
import type { IsEmpty } from './build/make-tables.ts';
import { readFacts } from './build/model-facts.ts';
import type { Reconciliation } from './import-report.ts';
import type { ModelChanges } from './incremental/model-changes.ts';
import { buildPartialModel } from './incremental/partial-model.ts';
import { updateModel } from './incremental/update-model.ts';
import type { ModelBefore } from './model-before.ts';
import type { ModelBuild } from './model-build.ts';
import { reconcile } from './reconcile-sources.ts';
import { countRows, type SnapshotRows } from './snapshot-rows.ts';
import type { OrderFacts } from './staged-tables.ts';
import { attachChanges } from './table-changes.ts';
import { refuseUnconvertible } from './unconvertible-money.ts';
import { type Doubts, doubtsAfter, findWarnings } from './warnings.ts';
import { attachStore } from './write-canonical.ts';

/**
 * How much of a file may be rows that were replaced, as a share of its rows: they are never asked, but lie
 * among the others.
 */
const MOST_REPLACED = 0.5;

interface ModelWork {
  /** The folder of the new snapshot, with its canonical tables. */
  readonly building: string;
  readonly business: ModelBusiness;
  readonly key: HashKey;
  readonly keys: KeyParts;
  readonly bounds: SessionBounds;
  readonly signal: AbortSignal | undefined;
  /**
   * The session in which the canonical tables of a store of few bytes were written, and which ends with it.
   */
  readonly session: Session | null;
  readonly onTable: (name: string, doneShare: number) => void;
  /** All tables are made; what is left is to look at them. */
  readonly onChecking: () => void;
  /** The business before, where it had rows: those must fit a changed currency, before anything is built. */
  readonly businessBefore?: Business | null;
  /** What the imported files say, to compare with what the new model answers. */
  readonly orderFacts?: readonly OrderFacts[];
}

interface Before extends ModelBefore {
  /** The folder with what the import changed. */
  readonly changes: string;
}

export interface MadeModel {
  readonly facts: SnapshotFacts;
  readonly rows: SnapshotRows;
  readonly warnings: readonly string[];
  readonly doubts: Doubts;
  readonly build: ModelBuild;
  readonly reconciliation: readonly Reconciliation[];
  /** Null where all of it is new. What it names is there as long as the folder for spilling. */
  readonly changes: ModelChanges | null;
}

/**
 * Makes the model of a new snapshot: of the model before where that is possible and worth it, else of
 * everything.
 *
 * @param before or why the model has to be built whole
 */
export async function makeModel(work: ModelWork, before: Before | string): Promise<MadeModel> {
  if (typeof before === 'string') return makeWhole(work, before);
  const partial = await makePartial(work, before);
  return 'whyWhole' in partial ? makeWhole(work, partial.whyWhole) : update(work, before, partial);
}

async function makeWhole(work: ModelWork, reason: string): Promise<MadeModel> {
  const { building, business, key, keys, onTable, onChecking, businessBefore = null } = work;
  using session = await openModel(work);
  session.defineKeyedHash(key);
  const loaded = [...(await attachStore(session, CANONICAL_TABLES, building)).keys()];
  if (businessBefore !== null) await refuseUnconvertible(session, businessBefore, business);
  const isEmpty = await buildModel(session, business, loaded, keys, onTable);
  onChecking();
  const made = await finish(session, work, loaded, isEmpty, null);
  const free_share = await freeShare(session);
  const build = { kind: 'whole', reason, affected_persons: null, replaced_share: 0, free_share } as const;
  return { ...made, build, changes: null };
}

async function openModel({ building, bounds, signal, session: before }: ModelWork): Promise<Session> {
  const file = modelFile(building);
  if (before === null) return Session.open(file, bounds, signal);
  const session = await before.next(file, bounds);
  session.spareWork();
  return session;
}

const partialFile = ({ bounds }: ModelWork) => join(bounds.spillFolder, 'partial.duckdb');

async function makePartial(work: ModelWork, { folder, changes, mostAffected, build, doubts }: Before) {
  const { building, business, key, keys, bounds, signal, onTable } = work;
  using session = await Session.open(partialFile(work), bounds, signal);
  session.defineKeyedHash(key);
  await attachStore(session, CANONICAL_TABLES, folder, 'before');
  const rows = await attachStore(session, CANONICAL_TABLES, building, 'whole');
  const changed = await attachChanges(session, CANONICAL_TABLES, changes);
  await session.run(`attach ${literal(modelFile(folder))} as old (read_only)`);
  const partial = await buildPartialModel(session, business, changed, rows, keys, mostAffected, onTable);
  if ('whyWhole' in partial) return partial;
  const replaced_share = build.replaced_share + partial.share;
  if (replaced_share > Math.max(MOST_REPLACED, mostAffected)) {
    return { whyWhole: `too much of the file is replaced rows (${Math.round(replaced_share * 100)}%)` };
  }
  const known = doubts === null ? null : await doubtsAfter(session, doubts);
  return { ...partial, changed, replaced_share, doubts: known };
}

async function update(
  work: ModelWork,
  { folder, snapshotId }: Before,
  {
    affectedPersons,
    changed,
    replaced_share,
    doubts,
  }: { affectedPersons: number; changed: ReadonlySet<string>; replaced_share: number; doubts: Doubts | null },
): Promise<MadeModel> {
  const { building, business, key, keys, bounds, signal, onTable, onChecking } = work;
  await copyFile(modelFile(folder), modelFile(building), constants.COPYFILE_FICLONE);
  using session = await Session.open(modelFile(building), bounds, signal);
  session.defineKeyedHash(key);
  const loaded = [...(await attachStore(session, CANONICAL_TABLES, building)).keys()];
  await session.run(`attach ${literal(partialFile(work))} as part (read_only)`);
  const { isEmpty, madeAnew } = await updateModel(session, business, changed, loaded, keys, onTable);
  onChecking();
  const made = await finish(session, work, loaded, isEmpty, doubts);
  const build: ModelBuild = {
    kind: 'incremental',
    reason: 'only what belongs to affected persons was made anew',
    affected_persons: affectedPersons,
    replaced_share,
    free_share: await freeShare(session),
  };
  const changes = { since: snapshotId, partialModel: partialFile(work), madeAnew };
  return { ...made, build, changes };
}

async function finish(
  session: Session,
  { business, orderFacts = [] }: ModelWork,
  loaded: readonly string[],
  isEmpty: IsEmpty,
  known: Doubts | null,
) {
  const facts = await readFacts(session, business, loaded, isEmpty);
  const rows = await countRows(session);
  const store = { currency: business.primary_currency, loadedTables: loaded };
  const { doubts, warnings } = await findWarnings(session, store, known);
  const reconciliation = await reconcile(session, orderFacts);
  // Left to the end of the session, a disk that is full by now would go unnoticed.
  await session.run('checkpoint');
  return { facts, rows, doubts, warnings, reconciliation };
}

async function freeShare(session: Session): Promise<number> {
  const { share } = await session.row(
    `select free_blocks / greatest(total_blocks, 1) as share from pragma_database_size()
      where database_name = current_database()`,
  );
  return Number(share);
}
