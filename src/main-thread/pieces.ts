/**
 * Work in pieces of about a millisecond or less: between any two of them others may run. What it returns is
 * its result.
 *
 * `function* () { for (const row of rows) { read(row); yield; } return rows.length; }`
 */
export type Pieces<Result> = Generator<undefined, Result>;
