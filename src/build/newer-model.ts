import { OperatorError } from '../model/errors.ts';
import { MODEL_VERSION } from './build-model.ts';

/**
 * An older version of the program must not build the data of a newer one anew: what only the newer one knows would be
 * lost, and the two would go on undoing each other's work.
 */
export function refuseNewerModel(version: number): void {
  if (version <= MODEL_VERSION) return;
  throw new OperatorError(
    'the data of this business were built by a newer version of Storesight than the one that runs here ' +
      `(model ${version}; this one knows ${MODEL_VERSION}); whoever runs it must install the newer version`,
  );
}
