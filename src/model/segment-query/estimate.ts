import { all, identifier, join, type Sql, sql } from '../../sql/sql.ts';
import { quoted } from '../business-text.ts';
import { consentStates, customers, profiles } from '../tables.ts';
import { refuseTooManyBlocks } from './asked-query.ts';
import { flaggedProfiles, flagsOf, keyOf } from './flags.ts';
import type { Condition, SegmentQuery, UnknownBlock } from './parse.ts';
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

/** Beside the conditions. Who is no profile is counted nowhere. */
const FACTS = {
  is_profile: sql`select customer_key from ${profiles}`,
  is_email_reachable: sql`
    select customer_key from ${consentStates} where channel = 'email' and state = 'subscribed'`,
  is_sms_reachable: sql`
    select customer_key from ${consentStates} where channel = 'sms' and state = 'subscribed'`,
  is_customer: sql`select customer_key from ${customers}`,
};

/**
 * One row with all counts. Saved segments are columns, each made once, of the conditions and of those that it names.
 *
 * @throws InputError that names the path of a block that cannot be evaluated, or says what is too much for one statement
 */
export function estimate({ query, exclusion, saved }: Audience, at: EvaluatedAt): Sql {
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

  function meets({ segments }: SegmentQuery): Sql {
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

  const inSegments = savedSegments.reduce(
    (rows, one) => sql`select *, ${meets(one.query)} as ${one.column} from (${rows}) as profiles`,
    flaggedProfiles(flags, FACTS),
  );
  const isMeant = exclusion === null ? meets(query) : sql`${meets(query)} and not ${meets(exclusion)}`;
  return sql`
    select ${join([
      counted('profiles_count', sql`is_meant`),
      counted('email_reachable_count', sql`is_meant and is_email_reachable`),
      counted('sms_reachable_count', sql`is_meant and is_sms_reachable`),
      counted('customers_count', sql`is_meant and is_customer`),
      ...query.segments.flatMap((blocks, segment) =>
        blocks.flatMap((block, place) => [
          counted(`alone_${segment}_${place}`, meetsBlock(block)),
          counted(`cumulative_${segment}_${place}`, meetsAll(blocks.slice(0, place + 1))),
        ]),
      ),
    ])}
    from (select *, ${isMeant} as is_meant from (${inSegments}) as profiles) as profiles
    where is_profile`;
}

function counted(name: string, condition: Sql): Sql {
  return sql`count(*) filter (where ${condition}) as ${identifier(name)}`;
}

/** In brackets; false when there are none. */
function anyOf(conditions: readonly Sql[]): Sql {
  const each = conditions.map((condition) => sql`(${condition})`);
  return each.length === 0 ? sql`(false)` : sql`(${join(each, sql` or `)})`;
}
