import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import { LOST } from '../../../store/rfm-segments.ts';
import { plural } from '../../../text/plural.ts';

/**
 * Rows whose number is null, of a sum that the answer tells: less what the other rows of it tell, that is
 * what they are together.
 */
export interface HiddenTogether {
  /** What the sum is of; null where its rows say it. */
  readonly of: string | null;
  /** The hidden rows. */
  readonly names: readonly string[];
  readonly customers_count: number;
}

const MOST_SUMS = 5;

/**
 * The segments of a moment whose numbers are hidden, as far as the others tell how many they are together.
 *
 * @param all customers of the moment, which shares tell
 */
export function hiddenTogether(
  {
    segments,
    scored_customers_count: scored,
  }: {
    readonly segments: readonly { readonly segment: string; readonly customers_count: number | null }[];
    readonly scored_customers_count: number | null;
  },
  all: number,
): HiddenTogether[] {
  // If the answer has the number of scored customers, the lost cannot hide a scored segment.
  const among = scored === null ? segments : segments.filter(({ segment }) => segment !== LOST);
  const names = among.flatMap((row) => (row.customers_count === null ? [row.segment] : []));
  if (names.length === 0) return [];
  const shown = among.reduce((sum, { customers_count }) => sum + (customers_count ?? 0), 0);
  return [{ of: null, names, customers_count: (scored ?? all) - shown }];
}

/**
 * Says how many customers are in rows without a number, since adding up the rows misses them. The total of
 * the hidden rows follows from what is shown, so it is given too: two people next to 1,855 hide the 1,855,
 * but not that there are 1,857.
 *
 * @param all customers of all rows; null if the answer does not have it
 * @param list its name in the answer
 */
export function hiddenPeopleNotes(
  list: string,
  all: number | null,
  rows: readonly { readonly customers_count: number | null }[],
  people: FollowedPeople,
  together: readonly HiddenTogether[] = [],
): string[] {
  if (all === null) return [];
  const hidden = all - rows.reduce((sum, { customers_count }) => sum + (customers_count ?? 0), 0);
  if (people.isFew(hidden) || !isTelling({ part: hidden, whole: all })) return [];
  const sums = together
    .filter(({ customers_count: part }) => !people.isFew(part) && isTelling({ part, whole: all }))
    .toSorted((one, other) => other.customers_count - one.customers_count)
    .slice(0, MOST_SUMS)
    .map(
      ({ of, names, customers_count }) =>
        `${of === null ? '' : `from ${of} to `}${names.join(', ')} ${customers_count}`,
    );
  return [
    `In rows of ${list} whose number is null are ${hidden} of ${plural(all, 'customer', 'customers')}: in no other row.${sums.length === 0 ? '' : ` Together have: ${sums.join('; ')}.`}`,
  ];
}
