/**
 * New counts of people whom conditions describe, of one business, that an account gets in a day: with the
 * error of each (`src/domains/segments/queries/blurred-counts.ts`) it decides how much a day's answers can
 * tell of one person.
 */
export const COUNTS_A_DAY = 200;
