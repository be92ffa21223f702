import { DEFAULT_LIMITS, type ImportLimits } from '../../src/snapshot/import-limits.ts';

/** The limits of an import with some of them so small that a test reaches them. */
export function tightLimits(some: Partial<ImportLimits>): ImportLimits {
  return { ...DEFAULT_LIMITS, ...some };
}
