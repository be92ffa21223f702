import type { ControlDatabase } from '../database/control-database.ts';
import { contentOf, modelOf, type PublishedSnapshot } from './published-snapshot.ts';

/**
 * Servers of one version of the program serve a model of that version, so that two versions answer side by
 * side while servers are exchanged. Each version has its own pointer to a snapshot of a business;
 * `businesses.snapshot_id` is the newest one, on which imports build.
 */
export interface ServedModel {
  readonly model: string;
  readonly snapshot_id: string;
  /** When a server or a command of that version last asked for data, to the hour. */
  readonly last_seen_at: string;
}

/**
 * A version that nobody has run for so long is gone: what it served goes with the next import. Long enough to
 * go back to it.
 */
const GONE_AFTER_DAYS = 3;

/** It is recorded at most this often. */
const SEEN_EVERY_MS = 3_600_000;

/**
 * What a version serves of a business, and what is newest of it, of one moment. Each is null where there is
 * none.
 */
export interface ServedAndNewest {
  readonly served: PublishedSnapshot | null;
  readonly newest: Pick<PublishedSnapshot, 'snapshot_id' | 'model_version' | 'rebuilt_from'> | null;
}

/** Null when there is no such business. */
export async function findServedAndNewest(
  control: ControlDatabase,
  businessId: string,
  modelVersion: string,
): Promise<ServedAndNewest | null> {
  const row = await control
    .selectFrom('businesses')
    .leftJoin('snapshots as newest', (join) =>
      join
        .onRef('newest.business_id', '=', 'businesses.business_id')
        .onRef('newest.snapshot_id', '=', 'businesses.snapshot_id'),
    )
    .leftJoin('served_models', (join) =>
      join
        .onRef('served_models.business_id', '=', 'businesses.business_id')
        .on('served_models.model', '=', modelOf(modelVersion)),
    )
    .leftJoin('snapshots as served', (join) =>
      join
        .onRef('served.business_id', '=', 'businesses.business_id')
        .onRef('served.snapshot_id', '=', 'served_models.snapshot_id')
        .on('served.model_version', 'like', `%${modelOf(modelVersion)}`),
    )
    .select([
      'newest.snapshot_id as newest_id',
      'newest.model_version as newest_version',
      'newest.rebuilt_from as newest_from',
      'served.snapshot_id as served_id',
      'served.model_version as served_version',
      'served.rebuilt_from as served_from',
      'served.facts',
      'served.created_at',
    ])
    .where('businesses.business_id', '=', businessId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { newest_id, newest_version, served_id, served_version, facts, created_at } = row;
  return {
    newest:
      newest_id === null || newest_version === null
        ? null
        : { snapshot_id: newest_id, model_version: newest_version, rebuilt_from: row.newest_from },
    served:
      served_id === null || served_version === null || facts === null || created_at === null
        ? null
        : {
            snapshot_id: served_id,
            model_version: served_version,
            rebuilt_from: row.served_from,
            facts: JSON.parse(facts),
            created_at,
          },
  };
}

/** What each version serves of a business, those that are gone included. */
export function listServedModels(control: ControlDatabase, businessId: string): Promise<ServedModel[]> {
  return control
    .selectFrom('served_models')
    .leftJoin('models', 'models.model', 'served_models.model')
    .select(({ fn, val }) => [
      'served_models.model',
      'snapshot_id',
      fn.coalesce('last_seen_at', val('')).as('last_seen_at'),
    ])
    .where('business_id', '=', businessId)
    .orderBy('served_models.model')
    .execute();
}

/** Whether somebody may still run that version. */
export function isInUse({ last_seen_at }: ServedModel, now = Date.now()): boolean {
  return now - (Date.parse(last_seen_at) || 0) < GONE_AFTER_DAYS * 86_400_000;
}

/** Points a version to a snapshot; in a transaction of the caller's. */
export async function serveModel(
  control: ControlDatabase,
  businessId: string,
  { model_version, snapshot_id }: Pick<PublishedSnapshot, 'model_version' | 'snapshot_id'>,
): Promise<void> {
  await control
    .insertInto('served_models')
    .values({ business_id: businessId, model: modelOf(model_version), snapshot_id })
    .onConflict((conflict) => conflict.columns(['business_id', 'model']).doUpdateSet({ snapshot_id }))
    .execute();
  await markSeen(control, model_version);
}

/**
 * Serves the models of an earlier snapshot after a rollback: every version serves its model of the same rows.
 * A version that has none has nothing of this business to serve, until it builds one.
 */
export async function serveModelsOf(
  control: ControlDatabase,
  businessId: string,
  target: PublishedSnapshot,
  kept: readonly PublishedSnapshot[],
): Promise<void> {
  for (const { model } of await listServedModels(control, businessId)) {
    const same = kept.find(
      (snapshot) => modelOf(snapshot.model_version) === model && contentOf(snapshot) === contentOf(target),
    );
    if (same !== undefined) await serveModel(control, businessId, same);
    else {
      await control
        .deleteFrom('served_models')
        .where('business_id', '=', businessId)
        .where('model', '=', model)
        .execute();
    }
  }
  await serveModel(control, businessId, target);
}

async function markSeen(control: ControlDatabase, modelVersion: string): Promise<void> {
  const last_seen_at = new Date().toISOString();
  await control
    .insertInto('models')
    .values({ model: modelOf(modelVersion), last_seen_at })
    .onConflict((conflict) => conflict.column('model').doUpdateSet({ last_seen_at }))
    .execute();
}

/** Tells the control database, now and then, that this version is in use. */
export class SeenVersion {
  readonly #control: ControlDatabase;
  readonly #version: string;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(control: ControlDatabase, version: string) {
    this.#control = control;
    this.#version = version;
  }

  /** A control database that cannot be written is no reason not to answer. */
  tell(): void {
    if (Date.now() - this.#toldAt < SEEN_EVERY_MS) return;
    this.#toldAt = Date.now();
    markSeen(this.#control, this.#version).catch(() => {
      this.#toldAt = Number.NEGATIVE_INFINITY;
    });
  }
}
