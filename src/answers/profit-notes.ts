import type { SnapshotFacts } from '../business/snapshot-facts.ts';

/** Which of the two bases that definitions of profit name is in force, where it is not the usual one. */
export function profitNotes({ vat_rate }: SnapshotFacts): string[] {
  if (vat_rate === null) return [];
  return [`Gross profit and margins are without VAT, by the rate of the business: ${vat_rate} %.`];
}
