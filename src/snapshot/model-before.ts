import { isDeepStrictEqual } from 'node:util';
import type { AttributionWindows } from '../business/attribution-windows.ts';
import type { Business } from '../business/business.ts';
import type { BusinessSettings } from '../control/businesses/business-settings.ts';
import { haveSameModel, type PublishedSnapshot } from '../control/businesses/published-snapshot.ts';
import { fingerprintOf } from '../control/tokens/instance-secret.ts';
import { MODEL_VERSION } from './build/model-version.ts';
import type { Base } from './find-base.ts';
import type { ModelBuild } from './model-build.ts';
import { findDamage, readDescription } from './snapshot-description.ts';
import type { SnapshotRows } from './snapshot-rows.ts';
import type { Doubts } from './warnings.ts';

/** The limits within which an import brings the model before up to date. Otherwise, all of it is built. */
export interface IncrementalLimits {
  /** The largest part of the rows about persons. Beyond it, making everything anew is not slower. */
  readonly mostAffected: number;
  /**
   * The fewest rows. In a smaller store, making everything anew takes less time than planning what is
   * affected and then building that.
   */
  readonly fewestRows: number;
}

export const INCREMENTAL_LIMITS: IncrementalLimits = { mostAffected: 0.2, fewestRows: 150_000 };

/**
 * How much of a model's file may be blocks that nothing uses, as a share: each import leaves some, and the
 * next ones take most of them. Together with `MOST_REPLACED` it bounds what a file grows to beside the rows
 * that it has.
 */
const MOST_FREE = 0.5;

/** The model of the snapshot before, and what is known of it. */
export interface ModelBefore {
  readonly snapshotId: string;
  readonly folder: string;
  readonly build: ModelBuild;
  /** It is null where nobody wrote them down. */
  readonly doubts: Doubts | null;
  readonly mostAffected: number;
}

interface Known {
  readonly adopted: Base | null;
  /** The settings that are new from this snapshot on. */
  readonly settings: Partial<BusinessSettings>;
  readonly newest: PublishedSnapshot | null;
  readonly base: Base | null;
  readonly incremental: IncrementalLimits | null;
  readonly secret: Buffer;
  /** The business as the new model is to have it. */
  readonly now: ModelSettings;
}

/**
 * @returns the model of which the new one can be made, if not too much changes; else why all of it has to be
 *   built
 */
export async function findModelBefore({
  adopted,
  settings,
  newest,
  base,
  incremental,
  secret,
  now,
}: Known): Promise<ModelBefore | string> {
  if (adopted !== null) return 'taken up into a control database that did not know it';
  if (newest === null || base === null) return 'the first of this business';
  if (Object.keys(settings).length > 0) return SETTINGS_CHANGED;
  if (!haveSameModel(newest.model_version, MODEL_VERSION)) return OTHER_VERSION;
  if (incremental === null) return 'it was asked for';
  const description = await readDescription(base.folder);
  if (description?.model_version !== MODEL_VERSION) return OTHER_VERSION;
  const { build, rows, business, facts, secrets } = description;
  if (build?.replaced_share === undefined || rows === undefined) {
    return 'nothing is said of how the model before was built';
  }
  if (build.free_share > MOST_FREE) return 'too much of the file before is unused';
  if (rowsAboutPersons(rows) < incremental.fewestRows) return 'the store is small';
  if (!isDeepStrictEqual(settingsOf({ ...business, ...facts }), settingsOf(now))) return SETTINGS_CHANGED;
  if (secrets.at(-1) !== fingerprintOf(secret)) return 'the secret of this instance was replaced';
  if ((await findDamage(base.folder, description, '')) !== null) return 'the model before is damaged';
  return {
    snapshotId: base.snapshot_id,
    folder: base.folder,
    build,
    doubts: description.doubts ?? null,
    mostAffected: incremental.mostAffected,
  };
}

const SETTINGS_CHANGED = 'settings of the business changed';
const OTHER_VERSION = 'another version of the model before';

/**
 * The rows that persons have, roughly: most of what belongs to an order or a send, such as lines and events,
 * is not counted.
 */
function rowsAboutPersons({ products: _, ...rows }: SnapshotRows): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

/** The settings that every row may depend on. */
interface ModelSettings extends Pick<Business, 'timezone' | 'primary_currency' | 'link'> {
  readonly attribution_windows: AttributionWindows;
  readonly vat_rate: number | null;
}

function settingsOf({
  timezone,
  primary_currency,
  link,
  attribution_windows,
  vat_rate,
}: ModelSettings): ModelSettings {
  return { timezone, primary_currency, link, attribution_windows, vat_rate };
}
