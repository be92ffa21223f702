import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import { counted } from '../../../text/counted.ts';

/**
 * How many customers are in rows that tell no number: the rest of a sum that the answer tells otherwise. Who adds up rows misses them.
 *
 * @param all customers that the rows have together; null where that is not told
 * @param list its name in the answer
 */
export function hiddenPeopleNotes(
  list: string,
  all: number | null,
  rows: readonly { readonly customers_count: number | null }[],
  people: FollowedPeople,
): string[] {
  if (all === null) return [];
  const hidden = all - rows.reduce((sum, { customers_count }) => sum + (customers_count ?? 0), 0);
  if (people.isFew(hidden) || !isTelling({ part: hidden, whole: all })) return [];
  return [
    `In rows of ${list} whose number is null are ${hidden} of ${counted(all, 'customer', 'customers')}: in no other row.`,
  ];
}
