import { z } from 'zod';

/**
 * A walk over a list that is sorted by the moment of the last change, as it lies in a cursor: it may go on in
 * a later run.
 */
export const WALK = z.object({
  /**
   * When the walk began, by our clock. It is null where it was begun by a version of the program that did not
   * keep that.
   */
  begun: z.string().nullable().default(null),
  /** The latest moment that the walk has met, by the vendor's clock; null when it has met none. */
  latest: z.string().nullable(),
});

export type Walk = z.infer<typeof WALK>;

/** The walk after it has met these moments. */
export function walkedOver(walk: Walk, moments: Iterable<string>): Walk {
  let { latest } = walk;
  for (const moment of moments) if (latest === null || isEarlier(latest, moment)) latest = moment;
  return { ...walk, latest };
}

/**
 * The moment from which the next walk reads, less what the vendor tells late. Example: a walk begins at 12:00
 * and comes to an order that was changed at 12:05. Another was changed at 12:02, and the vendor told it when
 * the walk was past that moment: what was changed since 12:00 is read once more. It is null where that is not
 * known.
 *
 * @param behind how far the vendor's clock is behind ours, in milliseconds
 */
export function goOnFrom({ begun, latest }: Walk, behind: number): string | null {
  if (begun === null || latest === null) return null;
  const began = new Date(Date.parse(begun) - behind).toISOString();
  return isEarlier(began, latest) ? began : latest;
}

function isEarlier(moment: string, other: string): boolean {
  return Date.parse(moment) < Date.parse(other);
}
