import { OperatorError } from '../../errors.ts';
import { VERSION } from '../../version.ts';

/**
 * An older version of the program must not build on the data of a newer one: what only the newer one knows
 * would be lost. Versions of the model that are of one version of the package have no order: each may build
 * on the other.
 */
export function refuseNewerModel(version: string): void {
  if (!isNewerModel(version)) return;
  throw new OperatorError(
    'the data of this business were built by a newer version of Storesight than the one that runs here ' +
      `(${packageVersion(version)}; this is ${VERSION}); whoever runs it must install the newer version`,
  );
}

export function isNewerModel(version: string): boolean {
  return isNewer(packageVersion(version), VERSION);
}

function packageVersion(modelVersion: string): string {
  return modelVersion.split('+', 1)[0] ?? '';
}

/** `1.10.0` is newer than `1.9.2`. */
function isNewer(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) > 0;
}
