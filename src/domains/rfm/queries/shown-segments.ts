import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { LOST, RFM_SEGMENTS } from '../../../store/rfm-segments.ts';

/**
 * Decides which numbers of customers are shown for a moment. It depends on the sizes of the segments alone,
 * so that each tool hides the same ones: what one of them hides must not follow from what another shows.
 *
 * @param sizeOf a segment
 */
export function shownSegments(sizeOf: (segment: string) => number, people: FollowedPeople): ShownSegments {
  const keys = RFM_SEGMENTS.map(({ key }) => key);
  const segments = new Map(keys.map((key) => [key, (segment: string) => segment === key]));
  const isScored = (segment: string) => segment !== LOST;
  const told = people.toldGroups(keys, sizeOf, {
    // Shares tell how many all are.
    known: [() => true],
    asked: [[isScored], [...segments.values()]],
  });
  return {
    isScoredTold: told.has(isScored),
    segments: new Set([...segments].flatMap(([key, isOf]) => (told.has(isOf) ? [key] : []))),
  };
}

interface ShownSegments {
  /** Whether the number of scored customers is shown. */
  readonly isScoredTold: boolean;
  /** Keys of the segments whose number of customers is shown. */
  readonly segments: ReadonlySet<string>;
}

/** What is known of a moment beside other numbers of it, and what of it must not follow from these. */
export function knownSegments<Part>(
  { isScoredTold, segments }: ShownSegments,
  segmentOf: (part: Part) => string | null,
) {
  const groups = RFM_SEGMENTS.map(({ key }) => ({ key, group: (part: Part) => segmentOf(part) === key }));
  return {
    known: [
      (part: Part) => segmentOf(part) !== null,
      ...(isScoredTold ? [(part: Part) => ![null, LOST].includes(segmentOf(part))] : []),
      ...groups.filter(({ key }) => segments.has(key)).map(({ group }) => group),
    ],
    decided: [groups.map(({ group }) => group)],
  };
}
