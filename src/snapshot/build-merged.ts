import { hashKey } from '../store/keyed-hash.ts';
import { PROGRESS } from './import-context.ts';
import { carryKeys } from './key-parts.ts';
import { type MadeModel, makeModel } from './model-file.ts';
import type { Merged, SnapshotWork } from './snapshot-work.ts';

/**
 * Builds the model of merged rows, and checks it against them. @throws ImportError where they do not fit
 * changed settings
 */
export async function buildMerged(
  {
    context: { secret, signal, onStep },
    id,
    businessBefore,
    modelBusiness,
    base,
    building,
    bounds,
  }: SnapshotWork,
  { session, forgets, orderFacts, modelBefore }: Merged,
): Promise<MadeModel> {
  const span = PROGRESS.checking - PROGRESS.building;
  // A store without rows can lose nothing.
  const hadRows = base !== null && base.tables.length > 0;
  return makeModel(
    {
      building,
      business: modelBusiness,
      key: hashKey(secret, id),
      keys: await carryKeys(base?.folder ?? null, building, { forgets: forgets !== null }),
      bounds,
      signal,
      session,
      onTable: (name, doneShare) => onStep?.(`building ${name}`, PROGRESS.building + span * doneShare),
      onChecking: () => onStep?.('checking', PROGRESS.checking),
      businessBefore: hadRows ? businessBefore : null,
      orderFacts,
    },
    modelBefore,
  );
}
