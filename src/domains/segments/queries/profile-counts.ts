import { createHash } from 'node:crypto';
import type { Condition, SegmentQuery, UnknownBlock } from '../definitions/parse.ts';
import {
  buyerFact,
  CONSENT_GROUPS,
  type ConsentChannel,
  type ConsentGroup,
  consentColumns,
  groupFact,
} from './consent-names.ts';
import { keyOf } from './flagged-profiles.ts';

type Segments = SegmentQuery['segments'];

/** What is known of profiles beside whether they meet conditions. */
export type Fact =
  | 'is_profile'
  | 'is_email_reachable'
  | 'is_sms_reachable'
  | 'is_customer'
  | MeasuredFact
  | ReturnType<typeof groupFact>
  | ReturnType<typeof buyerFact>;

/** What people did in measured days, and their consent when these began. */
type MeasuredFact = 'is_buyer' | 'is_subscriber' | 'is_leaver';

/** Facts that hold for everybody for whom another one holds. */
function wholesOf(fact: Fact): readonly Fact[] {
  const [, channel, group, buyer] =
    /^is_(email|sms)_(subscribed|unsubscribed|never)(_buyer)?$/.exec(fact) ?? [];
  if (fact === 'is_email_reachable') return ['is_email_subscribed'];
  if (fact === 'is_sms_reachable') return ['is_sms_subscribed'];
  if (fact === 'is_leaver') return ['is_subscriber'];
  if (buyer === undefined) return [];
  return ['is_customer', groupFact(channel as ConsentChannel, group as ConsentGroup)];
}

/** A count of profiles that an estimate is made of. */
export interface ProfileCount {
  /** The column of the count in the row of `estimate`. */
  readonly column: string;
  /** How an answer calls it. */
  readonly label: string;
  /** Counts those in any of the segments and in no excluded one, for whom the fact holds. */
  readonly segments: Segments;
  readonly excluded: Segments;
  readonly fact: Fact;
  /** What its segments say, block by block. */
  readonly forms: readonly ReadonlySet<string>[];
  /**
   * The days that the fact is about, or before which the segments are evaluated, in one way for the same days
   * of a snapshot.
   */
  readonly over?: string;
}

/** All counts of an estimate, also those that only decide what is hidden. */
export function countsOf(
  query: SegmentQuery,
  exclusion: SegmentQuery | null,
  by: ConsentChannel | null = null,
): ProfileCount[] {
  const excluded = exclusion?.segments ?? [];
  const forms = formsOf(query.segments);
  const meant = (column: string, fact: Fact): ProfileCount => ({
    column,
    label: column,
    segments: query.segments,
    excluded,
    fact,
    forms,
  });
  const withExcluded = unexcluded('unexcluded_count', 'profiles_count before the exclusion', query.segments);
  return [
    unexcluded('everybody_count', 'all profiles', [[]]),
    ...(excluded.length === 0 ? [] : [withExcluded]),
    meant('profiles_count', 'is_profile'),
    meant('email_reachable_count', 'is_email_reachable'),
    meant('sms_reachable_count', 'is_sms_reachable'),
    meant('customers_count', 'is_customer'),
    ...(by === null ? [] : CONSENT_GROUPS).flatMap((group, place) => {
      const columns = consentColumns(group);
      const named = (key: string) => ({ label: `by_consent[${place}].${key}` });
      return [
        { ...meant(columns.profiles, groupFact(by as ConsentChannel, group)), ...named('profiles_count') },
        { ...meant(columns.buyers, buyerFact(by as ConsentChannel, group)), ...named('customers_count') },
      ];
    }),
    ...blockCounts(query.segments),
  ];
}

function blockCounts(segments: Segments): ProfileCount[] {
  const placed = segments.flatMap((blocks, segment) =>
    blocks.map((block, index) => ({ block, segment, index, until: blocks.slice(0, index + 1) })),
  );
  return placed.flatMap(({ block, segment, index, until }, place) => {
    const [alone, cumulative] = blockColumns(segment, index);
    return [
      unexcluded(alone, `blocks[${place}].alone_count`, [[block]]),
      unexcluded(cumulative, `blocks[${place}].cumulative_count`, [until]),
    ];
  });
}

/** The columns of the counts of a block, alone and with those before it. */
export function blockColumns(segment: number, block: number): readonly [alone: string, cumulative: string] {
  return [`alone_${segment}_${block}`, `cumulative_${segment}_${block}`];
}

function unexcluded(column: string, label: string, segments: Segments): ProfileCount {
  return { column, label, segments, excluded: [], fact: 'is_profile', forms: formsOf(segments) };
}

export function formsOf(segments: Segments): readonly ReadonlySet<string>[] {
  return segments.map((blocks) => new Set(blocks.map(formOfBlock)));
}

/**
 * Writes what a count counts, in one way for all that say the same: the order and repetitions of values,
 * blocks and segments do not matter, and a segment of everybody makes the others needless.
 */
export function formOf({ fact, forms, excluded, over }: ProfileCount): string {
  const days = over === undefined ? [] : [over];
  return JSON.stringify([fact, formOfSegments(forms), formOfSegments(formsOf(excluded)), ...days]);
}

/** Whether the query itself leaves nobody, whatever the data. */
export function isOfNobody({ segments, excluded }: ProfileCount): boolean {
  return segments.length === 0 || excluded.some((blocks) => blocks.length === 0);
}

/** Whether the queries themselves say that all of the part are in the whole, of two counts of one answer. */
export function isPartOf(part: ProfileCount, whole: ProfileCount): boolean {
  const isOfFact =
    whole.fact === 'is_profile' || whole.fact === part.fact || wholesOf(part.fact).includes(whole.fact);
  const isLessExcluded = whole.excluded.length === 0 || whole.excluded === part.excluded;
  return (
    isOfFact &&
    isLessExcluded &&
    part.forms.every((narrow) => whole.forms.some((wide) => [...wide].every((block) => narrow.has(block))))
  );
}

function formOfSegments(forms: readonly ReadonlySet<string>[]): string[] {
  if (forms.some((blocks) => blocks.size === 0)) return ['everybody'];
  return [...new Set(forms.map((blocks) => [...blocks].sort().join(' and ')))].sort();
}

/** Short, and made once for a block, which may be long and is part of many counts. */
function formOfBlock(block: Condition | UnknownBlock): string {
  if (block.type === null) throw new Error('a block that cannot be evaluated is refused before');
  const known = FORMS.get(block);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(keyOf(block)).digest('base64url');
  const form = block.block.negate ? `not ${hash}` : hash;
  FORMS.set(block, form);
  return form;
}

const FORMS = new WeakMap<Condition, string>();
