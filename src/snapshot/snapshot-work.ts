import type { Business } from '../business/business.ts';
import type { BusinessSettings } from '../control/businesses/business-settings.ts';
import type { PublishedSnapshot } from '../control/businesses/published-snapshot.ts';
import type { Session, SessionBounds } from '../store/duckdb-session.ts';
import type { PersonalDataRemoved } from '../store/personal-data/session-gate.ts';
import type { ModelBusiness } from './build/build-model.ts';
import type { Base } from './find-base.ts';
import type { ImportContext } from './import-context.ts';
import type { ImportReport } from './import-report.ts';
import type { ModelBefore } from './model-before.ts';
import type { SnapshotFolders } from './snapshot-folders.ts';
import type { OrderFacts, Staged } from './staged-tables.ts';
import type { Unfinished } from './unfinished.ts';

/** A snapshot that is to be made: what it is built on, and where. Nothing of it is on the disk yet. */
export interface SnapshotWork {
  readonly context: ImportContext;
  readonly id: string;
  /** The business as the control database has it. */
  readonly businessBefore: Business;
  /** The business as the new snapshot is to have it. */
  readonly business: Business;
  /** What its model is built with. */
  readonly modelBusiness: Business & ModelBusiness;
  readonly settings: Partial<BusinessSettings>;
  readonly isRebuild: boolean;
  readonly adopted: Base | null;
  readonly newest: PublishedSnapshot | null;
  /** All that the control database lists. */
  readonly snapshots: readonly PublishedSnapshot[];
  readonly folders: SnapshotFolders;
  readonly base: Base | null;
  /** The model to bring up to date, or why all of it is built. */
  readonly modelBefore: ModelBefore | string;
  readonly snapshotId: string;
  /** The folder that gets its final name at last. */
  readonly building: string;
  readonly bounds: SessionBounds;
  readonly mark: Unfinished;
}

/** The session in which rows are staged and merged. */
export interface OpenSnapshot extends Disposable {
  readonly session: Session;
  /** Grows as cells pass the gate. */
  readonly personalDataRemoved: PersonalDataRemoved;
}

/** The canonical tables of a new snapshot, which are on the disk. */
export interface Merged {
  /**
   * The session in which they were written, where they are of few bytes: the model can be built in it.
   * Otherwise it is null, and the session has ended.
   */
  readonly session: Session | null;
  readonly forgets: Staged['forgets'];
  readonly orderFacts: readonly OrderFacts[];
  /** The model to bring up to date, with the folder of what changed; or why all of it is built. */
  readonly modelBefore: (ModelBefore & { readonly changes: string }) | string;
  readonly report: Omit<ImportReport, 'snapshot' | 'builds_on' | 'build' | 'reconciliation'>;
}
