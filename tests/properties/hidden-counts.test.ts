import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSegmentQuery } from '../../src/domains/segments/definitions/parse.ts';
import { blurCounts } from '../../src/domains/segments/queries/blurred-counts.ts';
import { countsOf } from '../../src/domains/segments/queries/profile-counts.ts';
import { noiseUnder } from '../../src/statistics/noise.ts';
import { runs } from '../support/runs.ts';

/**
 * A reader of one answer must not be able to count 1 to 4 people, whether from one count or by subtracting
 * one count from another that stands beside it.
 */
const TAGS = ['a', 'b', 'c', 'd'];

/** So many people with the same tags, of whom the same is known. */
interface Alike {
  readonly tags: readonly string[];
  readonly facts: readonly string[];
  readonly size: number;
}

interface Block {
  readonly type: string;
  readonly operator: string;
  readonly value: string;
  readonly negate: boolean;
}

type Segments = readonly (readonly Block[])[];

const people: fc.Arbitrary<Alike[]> = fc.array(
  fc.record({
    tags: fc.subarray(TAGS),
    facts: fc.subarray(['email', 'sms', 'customer']),
    size: fc.constantFrom(1, 2, 3, 4, 5, 60, 200),
  }),
  { maxLength: 8 },
);

const segments: fc.Arbitrary<Segments> = fc.array(
  fc.array(
    fc.record({
      type: fc.constant('tag'),
      operator: fc.constant('has'),
      value: fc.constantFrom(...TAGS),
      negate: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  { maxLength: 3 },
);

const meetsAll = ({ tags }: Alike, blocks: readonly Block[]) =>
  blocks.every(({ value, negate }) => tags.includes(value) !== negate);
const meets = (one: Alike, any: Segments) => any.some((blocks) => meetsAll(one, blocks));

/** The people of each count, by plain loops. */
function peopleOf(all: readonly Alike[], query: Segments, exclusion: Segments) {
  const meant = all.filter((one) => meets(one, query) && !meets(one, exclusion));
  const having = (fact: string) => meant.filter(({ facts }) => facts.includes(fact));
  return new Map<string, readonly Alike[]>([
    ['everybody_count', all],
    ['unexcluded_count', all.filter((one) => meets(one, query))],
    ...query.flatMap((blocks, segment) =>
      blocks.flatMap((block, place): [string, readonly Alike[]][] => [
        [`alone_${segment}_${place}`, all.filter((one) => meetsAll(one, [block]))],
        [`cumulative_${segment}_${place}`, all.filter((one) => meetsAll(one, blocks.slice(0, place + 1)))],
      ]),
    ),
    ['profiles_count', meant],
    ['email_reachable_count', having('email')],
    ['sms_reachable_count', having('sms')],
    ['customers_count', having('customer')],
  ]);
}

type Pair = readonly [part: string, whole: string];

/** The counts of an answer that are part of another one, as its reader can tell from the query. */
function partsOf(query: Segments, exclusion: Segments): readonly Pair[] {
  const reachable = ['email_reachable_count', 'sms_reachable_count', 'customers_count'];
  // Each count of a segment, with those that include it: all before it, and all its blocks alone.
  const ofSegments = query.map((blocks, segment) =>
    blocks.flatMap((_, place) => {
      const before = blocks.slice(0, place + 1).map((_, index) => index);
      const wholes = before.flatMap((index) => [
        `alone_${segment}_${index}`,
        ...(index < place ? [`cumulative_${segment}_${index}`] : []),
      ]);
      return wholes.map((whole): Pair => [`cumulative_${segment}_${place}`, whole]);
    }),
  );
  const last = (segment: number) => `cumulative_${segment}_${(query[segment]?.length ?? 0) - 1}`;
  const only = query.length === 1 ? [...(ofSegments[0] ?? []).map(([, whole]) => whole), last(0)] : [];
  return [
    ...ofSegments.flat(),
    ...reachable.map((part): Pair => [part, 'profiles_count']),
    ...['profiles_count', ...reachable].flatMap((part) => only.map((whole): Pair => [part, whole])),
    ...(exclusion.length === 0 ? query.map((_, segment): Pair => [last(segment), 'profiles_count']) : []),
  ];
}

const sizeOf = (group: readonly Alike[]) => group.reduce((sum, { size }) => sum + size, 0);
const isOneToFour = (count: number) => count >= 1 && count <= 4;
const parsed = (query: Segments) =>
  parseSegmentQuery({ segments: query.map((targetingBlocks) => ({ targetingBlocks })) });

it('an answer counts no 1 to 4 people, also not by subtraction', () => {
  fc.assert(
    fc.property(
      people,
      segments,
      fc.option(segments, { nil: [] }),
      fc.nat(),
      (all, query, exclusion, key) => {
        const groups = peopleOf(all, query, exclusion);
        const row = Object.fromEntries([...groups].map(([column, group]) => [column, sizeOf(group)]));
        const counts = countsOf(parsed(query), parsed(exclusion));
        const blurred = blurCounts(counts, row, noiseUnder(String(key)));
        const shown = (column: string) => blurred.get(column)?.shown ?? null;
        if (exclusion.length === 0) groups.delete('unexcluded_count');
        expect([...blurred.keys()].sort()).toEqual([...groups.keys()].sort());
        for (const [column, group] of groups) {
          if (isOneToFour(sizeOf(group))) expect(shown(column), column).toBeNull();
        }
        for (const [part, whole] of partsOf(query, exclusion)) {
          const [inner, outer] = [groups.get(part), groups.get(whole)];
          if (inner === undefined || outer === undefined) continue;
          expect(inner.every((one) => outer.includes(one))).toBe(true);
          if (!isOneToFour(sizeOf(outer) - sizeOf(inner))) continue;
          expect([shown(part), shown(whole)], `${part} of ${whole}`).toContain(null);
        }
      },
    ),
    { numRuns: runs(100), endOnFailure: true },
  );
});
