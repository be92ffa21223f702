import { all, identifier, join, type Sql, sql } from '../../../sql/sql.ts';
import { quoted } from '../../../text/business-text.ts';
import type { Condition, SegmentQuery, UnknownBlock } from '../definitions/parse.ts';
import { refuseTooManyBlocks } from './asked-query.ts';
import type { EvaluatedAt } from './condition-periods.ts';
import { flaggedProfiles, flagsOf, keyOf } from './flagged-profiles.ts';
import type { ProfileCount } from './profile-counts.ts';
import { inOrderOfNeed, type SavedSegments } from './saved-segments.ts';

/** The query for people, and what it leaves out. */
export interface Audience {
  readonly query: SegmentQuery;
  /** The people who are left out; null: nobody. */
  readonly exclusion: SegmentQuery | null;
  /** All that the two name, and those name. */
  readonly saved: SavedSegments;
}

interface AudienceMembers {
  /** A query of everybody who is in one of the sets, with a column for each fact. */
  readonly rows: Sql;
  /** The condition on such a row that a count counts it. */
  isCounted(count: ProfileCount): Sql;
}

/**
 * Everybody for whom a fact holds, with flags for those whom the query means. Saved segments are columns,
 * each computed once from its conditions and the segments that it names.
 *
 * @param facts SQL of the `customer_key` of everybody for whom each fact holds, by its name
 * @throws InputError that names the path of a block that cannot be evaluated, or says what is too much for
 *   one statement
 */
export function audienceMembers(
  { query, exclusion, saved }: Audience,
  facts: Readonly<Record<string, Sql>>,
  at: EvaluatedAt,
): AudienceMembers {
  const savedSegments = inOrderOfNeed(saved).map((segment, place) => ({
    ...segment,
    path: `saved segment ${quoted(segment.id)}: `,
    column: identifier(`is_in_${place}`),
  }));
  const asked = [
    { query, path: '' },
    ...(exclusion === null ? [] : [{ query: exclusion, path: 'exclude_segment_query.' }]),
    ...savedSegments,
  ];
  refuseTooManyBlocks(asked.map((one) => one.query));
  const flags = flagsOf(asked, at);
  const columns = new Map(savedSegments.map(({ id, column }) => [id, column]));

  function meets(segments: SegmentQuery['segments']): Sql {
    return anyOf(segments.map(meetsAll));
  }

  function meetsAll(blocks: SegmentQuery['segments'][number]): Sql {
    return all(blocks.map(meetsBlock));
  }

  function meetsBlock(block: Condition | UnknownBlock): Sql {
    if (block.type === null) throw new Error('a block that cannot be evaluated is refused before');
    const isMet = block.type === 'segment' ? isInSegment(block) : flags.get(keyOf(block))?.flag;
    if (isMet === undefined) throw new Error(`no flag for ${block.type}`);
    return block.block.negate ? sql`not ${isMet}` : isMet;
  }

  function isInSegment({ block }: Extract<Condition, { type: 'segment' }>): Sql {
    const isInAny = anyOf(block.value.map((id) => columns.get(id) ?? sql`false`));
    return block.operator === 'in' ? isInAny : sql`not ${isInAny}`;
  }

  const rows = savedSegments.reduce(
    (rows, one) => sql`select *, ${meets(one.query.segments)} as ${one.column} from (${rows}) as profiles`,
    flaggedProfiles(flags, facts),
  );
  return {
    rows,
    isCounted: ({ segments, excluded, fact }) =>
      sql`${identifier(fact)} and ${meets(segments)} and not ${meets(excluded)}`,
  };
}

/** Any of the conditions, in brackets. It is false when there are none. */
function anyOf(conditions: readonly Sql[]): Sql {
  const each = conditions.map((condition) => sql`(${condition})`);
  return each.length === 0 ? sql`(false)` : sql`(${join(each, sql` or `)})`;
}
