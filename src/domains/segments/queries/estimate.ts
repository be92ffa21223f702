import { column } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { consentStates, customers, profiles } from '../../../model-table/table-names.ts';
import { all, identifier, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { SUPPRESSED_STATES } from '../../../store/suppressed-states.ts';
import { quoted } from '../../../text/business-text.ts';
import type { Condition, SegmentQuery, UnknownBlock } from '../definitions/parse.ts';
import { refuseTooManyBlocks } from './asked-query.ts';
import { BOUGHT, consentFacts } from './consent-groups.ts';
import { CONSENT_GROUPS, type ConsentChannel, consentColumns } from './consent-names.ts';
import type { Fact, ProfileCount } from './counts.ts';
import { flaggedProfiles, flagsOf, keyOf } from './flags.ts';
import type { EvaluatedAt } from './periods.ts';
import { inOrderOfNeed, type SavedSegments } from './saved-segments.ts';

/** Whom a query means. */
export interface Audience {
  readonly query: SegmentQuery;
  /** Who is left out; null: nobody. */
  readonly exclusion: SegmentQuery | null;
  /** All that the two name, and those name. */
  readonly saved: SavedSegments;
}

/** Who is no profile is counted nowhere. */
const FACTS = {
  is_profile: sql`select customer_key from ${profiles}`,
  is_email_reachable: reachableBy('email'),
  is_sms_reachable: reachableBy('sms'),
  is_customer: sql`select customer_key from ${customers}`,
} satisfies Partial<Record<Fact, Sql>>;

/** Whoever consented and is not suppressed. */
function reachableBy(channel: 'email' | 'sms'): Sql {
  return sql`
    select customer_key from ${consentStates}
    where channel = ${parameter.text(channel)} and state = 'subscribed'
      and customer_key not in (select customer_key from ${consentStates} where state in (${parameter.texts(SUPPRESSED_STATES)}))`;
}

/**
 * One row with the counts. Saved segments are columns, each made once, of the conditions and of those that it names.
 *
 * @param counts of `countsOf` for the query and the exclusion
 * @throws InputError that names the path of a block that cannot be evaluated, or says what is too much for one statement
 */
export function estimate(
  { query, exclusion, saved }: Audience,
  counts: readonly ProfileCount[],
  at: EvaluatedAt,
  by: ConsentChannel | null = null,
) {
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

  function isCounted({ segments, excluded, fact }: ProfileCount): Sql {
    return sql`${identifier(fact)} and ${meets(segments)} and not ${meets(excluded)}`;
  }

  function sumsOf(all: readonly ProfileCount[]): Sql[] {
    return CONSENT_GROUPS.flatMap((group) => {
      const { buyers, orders, revenue } = consentColumns(group);
      const count = all.find((one) => one.column === buyers);
      if (count === undefined) throw new Error(`no count of buyers who are ${group}`);
      return [
        sql`coalesce(sum(orders_counted) filter (where ${isCounted(count)}), 0) as ${identifier(orders)}`,
        sql`coalesce(sum(revenue_counted) filter (where ${isCounted(count)}), 0) as ${identifier(revenue)}`,
      ];
    });
  }

  const inSegments = savedSegments.reduce(
    (rows, one) => sql`select *, ${meets(one.query.segments)} as ${one.column} from (${rows}) as profiles`,
    flaggedProfiles(flags, by === null ? FACTS : { ...FACTS, ...consentFacts(by) }),
  );
  return asCounts(
    counts,
    by,
    sql`
    select ${join([
      ...counts.map(
        (count) => sql`count(*) filter (where ${isCounted(count)}) as ${identifier(count.column)}`,
      ),
      ...(by === null ? [] : [sql`coalesce(max(usual_value), 0) as usual_value`, ...sumsOf(counts)]),
    ])}
    from (${inSegments}) as profiles
    ${by === null ? sql`` : sql`left join (${BOUGHT}) as bought using (customer_key)`}
    where is_profile`,
  );
}

/** One row, a column for each count. */
function asCounts(counts: readonly ProfileCount[], by: ConsentChannel | null, sums: Sql) {
  const ofGroups = CONSENT_GROUPS.flatMap((group) => {
    const { orders, revenue } = consentColumns(group);
    return [column(orders, 'integer'), column(revenue, 'number')];
  });
  return query(
    [
      ...counts.map((count) => column(count.column, 'integer')),
      ...(by === null ? [] : [column('usual_value', 'number'), ...ofGroups]),
    ],
    sums,
  );
}

/** Any of the conditions, in brackets. It is false when there are none. */
function anyOf(conditions: readonly Sql[]): Sql {
  const each = conditions.map((condition) => sql`(${condition})`);
  return each.length === 0 ? sql`(false)` : sql`(${join(each, sql` or `)})`;
}
