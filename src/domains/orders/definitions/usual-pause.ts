import { LEAST_SHARING } from '../../../answers/shared-values.ts';

/** The pauses between orders of fewer customers are theirs. */
export const LEAST_REPEATERS = LEAST_SHARING;
