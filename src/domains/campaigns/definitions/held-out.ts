import { LEAST_SHARING } from '../../../answers/shared-values.ts';

/** The effect of a campaign is told where its group of people who got nothing is at least so large. */
export const LEAST_HELD_OUT = LEAST_SHARING;
