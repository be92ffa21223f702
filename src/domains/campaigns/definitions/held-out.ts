import { LEAST_SHARING } from '../../../answers/shared-values.ts';

/** The smallest control group for which the effect of a campaign is given. */
export const LEAST_HELD_OUT = LEAST_SHARING;
