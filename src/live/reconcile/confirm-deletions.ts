import { type Access, type Deletion, type Vendor, VendorError } from '../vendor.ts';

/**
 * After these failures the vendor does not answer until somebody changes the key, or this version is
 * replaced.
 */
const NO_ANSWER_SOON: ReadonlySet<string> = new Set(['unauthorized', 'missing_scope', 'api_changed']);

/** This many are asked for at once: see `Listing.missing`. */
const PER_QUESTION = 100;

/**
 * The rows that a webhook says are deleted and that the vendor, asked for each of them, does not have. What a
 * webhook is about need not be signed, so by itself it deletes nothing. Where the vendor refuses to answer,
 * nothing is confirmed: the next comparison finds what is gone.
 *
 * @throws VendorError when the vendor cannot answer now
 */
export async function confirmedDeletions(
  vendor: Vendor,
  access: Access,
  told: readonly Deletion[],
): Promise<readonly Deletion[]> {
  const confirmed: Deletion[] = [];
  for (const { table, column, missing } of vendor.listings ?? []) {
    const rows = told.filter((row) => row.table === table);
    for (let first = 0; first < rows.length; first += PER_QUESTION) {
      const asked = rows.slice(first, first + PER_QUESTION);
      const without = new Set(
        await missing(
          access,
          asked.map(({ key }) => key[column] ?? ''),
        ),
      );
      confirmed.push(...asked.filter(({ key }) => without.has(key[column] ?? '')));
    }
  }
  return confirmed;
}

export function answersNotSoon(error: unknown): boolean {
  return error instanceof VendorError && NO_ANSWER_SOON.has(error.state);
}
