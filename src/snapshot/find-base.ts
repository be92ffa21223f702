import { join } from 'node:path';
import {
  contentOf,
  haveSameModel,
  type PublishedSnapshot,
} from '../control/businesses/published-snapshot.ts';
import { nameSome } from '../text/name-some.ts';
import { MODEL_VERSION } from './build/model-version.ts';
import { refuseNewerModel } from './build/newer-model.ts';
import { ImportError } from './import-errors.ts';
import { findDamage, type PersonDeletion, readDescription } from './snapshot-description.ts';
import type { SnapshotFolders } from './snapshot-folders.ts';

/** The snapshot on whose canonical tables a new one is built. */
export interface Base {
  readonly snapshot_id: string;
  readonly folder: string;
  /** The tables that are known to hold rows. */
  readonly tables: readonly string[];
  /** Fingerprints of the secrets that hashed its personal data; empty where nobody wrote them down. */
  readonly secrets: readonly string[];
  /** When persons were forgotten. */
  readonly deletions: readonly PersonDeletion[];
}

interface Known {
  readonly newest: PublishedSnapshot | null;
  /** All that the control database lists. */
  readonly snapshots: readonly PublishedSnapshot[];
  readonly folders: SnapshotFolders;
}

/**
 * The newest snapshot, or this version's model of the same rows; null when there is none yet.
 *
 * @throws ImportError when it is not whole, or not known: what is built without its rows would be a store
 *   without them
 * @throws OperatorError when a newer version of the program built it
 */
export async function findBase(
  snapshots: string,
  businessId: string,
  { newest, snapshots: listed, folders: { kept, unknown } }: Known,
): Promise<Base | null> {
  const look = `\`snapshot list ${businessId}\` shows what there is`;
  if (newest === null && unknown.length > 0) {
    throw new ImportError(
      `the control database knows no snapshot of this business, and ${snapshots} holds some: ${nameSome(unknown)}. ` +
        `Take one up with \`snapshot adopt\`, or remove them with \`snapshot remove\`; ${look}`,
    );
  }
  if (newest === null) return null;
  refuseNewerModel(newest.model_version);
  const own = listed.find(
    (snapshot) =>
      haveSameModel(snapshot.model_version, MODEL_VERSION) &&
      contentOf(snapshot) === contentOf(newest) &&
      kept.includes(snapshot.snapshot_id),
  );
  const { snapshot_id, facts } = own ?? newest;
  const folder = join(snapshots, snapshot_id);
  const others = unknown.length === 0 ? '' : `, or take up one that is there (${nameSome(unknown)})`;
  const next = `Restore it from a backup${others}; ${look}`;
  if (!kept.includes(snapshot_id)) {
    throw new ImportError(`the served snapshot ${folder} is missing, so nothing can be added to it. ${next}`);
  }
  const description = await readDescription(folder);
  const damage = description && (await findDamage(folder, description, 'store/'));
  if (damage) throw new ImportError(`the served snapshot is damaged: ${damage}. ${next}`);
  const { secrets = [], deletions = [] } = description ?? {};
  return { snapshot_id, folder, tables: facts.loaded_tables, secrets, deletions };
}
