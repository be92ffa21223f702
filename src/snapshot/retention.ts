import {
  contentOf,
  haveSameModel,
  modelOf,
  type PublishedSnapshot,
} from '../control/businesses/published-snapshot.ts';
import { isInUse, type ServedModel } from '../control/businesses/served-models.ts';
import { MODEL_VERSION } from './build/model-version.ts';

/** How many imports are kept for a rollback, the newest included. */
const KEPT_IMPORTS = 3;

/** What there is when a snapshot has been built, and is served next. */
export interface Kept {
  /** The snapshots whose folder is here, newest first. */
  readonly snapshots: readonly PublishedSnapshot[];
  /** The snapshot on which the new one is built. */
  readonly newest: PublishedSnapshot;
  readonly servedModels: readonly ServedModel[];
  /** Whether the new one has the rows of the newest, and only another model. */
  readonly isRebuild: boolean;
}

/**
 * The snapshots that stay beside a new one: of each of the last imports one, of this version of the model
 * where there is one, and what other versions serve that are still in use.
 *
 * History is a line: what a rollback left behind goes, so that going back from the new one leads to the one
 * it was built on.
 */
export function stayingSnapshots({ snapshots, newest, servedModels, isRebuild }: Kept): readonly string[] {
  const line = snapshots.filter((snapshot) => contentOf(snapshot) <= contentOf(newest));
  const contents = [...new Set(line.map(contentOf))].sort().reverse();
  const ofImports = contents.slice(0, isRebuild ? KEPT_IMPORTS : KEPT_IMPORTS - 1).flatMap((content) => {
    const same = line.filter((snapshot) => contentOf(snapshot) === content);
    if (isRebuild && content === contentOf(newest)) return isOwn(newest) ? [] : [newest];
    return same.find(isOwn) ?? same.slice(0, 1);
  });
  const ofOthers = servedModels.filter(
    (served) => served.model !== modelOf(MODEL_VERSION) && isInUse(served),
  );
  const staying = new Set([...ofImports, ...ofOthers].map(({ snapshot_id }) => snapshot_id));
  return line.map(({ snapshot_id }) => snapshot_id).filter((id) => staying.has(id));
}

function isOwn({ model_version }: PublishedSnapshot): boolean {
  return haveSameModel(model_version, MODEL_VERSION);
}
