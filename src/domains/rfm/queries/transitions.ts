import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { knownSum } from '../../../answers/metric.ts';
import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { orders } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { roundedPercent } from '../../../statistics/rounded.ts';
import { LOST, RFM_SEGMENTS } from '../../../store/rfm-segments.ts';
import type { AsOf } from './as-of.ts';
import { chosenProfile } from './profiles.ts';
import { membersAt } from './scoring.ts';
import { knownSegments, shownSegments } from './shown-segments.ts';

const PAIR = [
  nullableColumn('from_segment', 'text'),
  column('to_segment', 'text'),
  column('customers_count', 'integer'),
  nullableColumn('revenue', 'number'),
];
type Pair = ObjectOf<typeof PAIR>;

/**
 * One row per pair of segments with customers at the two moments; null: no valid order until the first one.
 */
export function segmentPairs(from: AsOf, to: AsOf, profileId: string | null) {
  return query(
    PAIR,
    sql`
    with ${membersAt([from, to], chosenProfile(profileId))},
    before as (
      select customer_key, segment as from_segment from members where place = 0
    ),
    bought as (
      select customer_key, sum(revenue) as bought, 1 as has_bought
      from ${orders}
      where is_valid and ordered_at >= ${afterSecond(from)} and ordered_at < ${afterSecond(to)}
      group by customer_key
    )
    select from_segment, segment as to_segment, count(*) as customers_count, ${knownSum(sql`bought`, sql`has_bought = 1`)} as revenue
    from members
    left join before using (customer_key)
    left join bought using (customer_key)
    where place = 1
    group by from_segment, segment`,
  );
}

/** A moment covers its second to the end. */
function afterSecond({ moment }: AsOf): Sql {
  return sql`(${parameter.timestamp(moment)} + interval 1 second)`;
}

/**
 * What moves there were: those of enough people, also beside the states at both ends, which other tools tell
 * too.
 */
export function transitionAnswer(pairs: readonly Pair[], people: FollowedPeople) {
  const transitions = transitionRows(pairs);
  const sizeOf = (group: Group) => sumCustomers(transitions.filter(group));
  const endBy = (segmentOf: (move: Transition) => string | null) => {
    const told = shownSegments((key) => sizeOf((move) => segmentOf(move) === key), people);
    return { told: told.segments, ...knownSegments(told, segmentOf) };
  };
  const start = endBy(({ from_segment }) => from_segment);
  const end = endBy(({ to_segment }) => to_segment);
  const moves = transitions.map((row) => ({ row, group: (move: Transition) => move === row }));
  const segments = RFM_SEGMENTS.map(({ key }) => ({
    key,
    entered: ({ from_segment: from, to_segment: to }: Transition) => from !== key && to === key,
    left: ({ from_segment: from, to_segment: to }: Transition) => from === key && to !== key,
  }));
  const told = people.toldGroups(transitions, ({ customers_count }) => customers_count, {
    known: [...start.known, ...end.known],
    decided: [...start.decided, ...end.decided],
    asked: [
      [SUMMARY.stayed_count, SUMMARY.upgraded_count, SUMMARY.downgraded_count, SUMMARY.new_count],
      [SUMMARY.lost_count, SUMMARY.reactivated_count],
      segments.map(({ entered }) => entered),
      segments.map(({ left }) => left),
      moves.map(({ group }) => group),
    ],
  });
  const toldSize = (group: Group) => (told.has(group) ? sizeOf(group) : null);
  const startOf = (from: string | null) =>
    from === null ? told.has(SUMMARY.new_count) : start.told.has(from);
  const together = [...Map.groupBy(moves, ({ row }) => row.from_segment)].flatMap(([from, own]) => {
    const hidden = own.filter(({ group }) => !told.has(group));
    if (hidden.length === 0 || !startOf(from)) return [];
    return [
      {
        of: from ?? 'new customers',
        names: hidden.map(({ row }) => row.to_segment),
        customers_count: sumCustomers(hidden.map(({ row }) => row)),
      },
    ];
  });
  const answer = {
    summary: {
      stayed_count: toldSize(SUMMARY.stayed_count),
      upgraded_count: toldSize(SUMMARY.upgraded_count),
      downgraded_count: toldSize(SUMMARY.downgraded_count),
      new_count: toldSize(SUMMARY.new_count),
      lost_count: toldSize(SUMMARY.lost_count),
      reactivated_count: toldSize(SUMMARY.reactivated_count),
    },
    segments: segments.map(({ key, entered, left }) => ({
      segment: key,
      customers_at_start_count: start.told.has(key) ? sizeOf((move) => move.from_segment === key) : null,
      entered_count: toldSize(entered),
      left_count: toldSize(left),
      customers_at_end_count: end.told.has(key) ? sizeOf((move) => move.to_segment === key) : null,
    })),
    transitions: moves.map(({ row, group }) => {
      const isTold = told.has(group);
      // Its share tells how many there were at the start.
      const isShareTold = isTold && (row.from_segment === null || start.told.has(row.from_segment));
      return {
        ...row,
        customers_count: isTold ? row.customers_count : null,
        share_of_from: isShareTold ? row.share_of_from : null,
        revenue: isTold ? row.revenue : null,
      };
    }),
  };
  return { answer, together };
}

type Group = (move: Transition) => boolean;

/** The moves that the summary counts. */
const SUMMARY = {
  stayed_count: ({ direction }: Transition) => direction === 'stay',
  upgraded_count: ({ direction }: Transition) => direction === 'up',
  downgraded_count: ({ direction }: Transition) => direction === 'down',
  new_count: ({ direction }: Transition) => direction === 'new',
  lost_count: ({ direction, to_segment }: Transition) => direction === 'down' && to_segment === LOST,
  reactivated_count: ({ from_segment, to_segment }: Transition) =>
    from_segment === LOST && to_segment !== LOST,
} as const;

type Transition = ReturnType<typeof transitionRows>[number];

/** The rows from the best segment to the best first, with new customers last. */
function transitionRows(pairs: readonly Pair[]) {
  const keys: readonly (string | null)[] = [...RFM_SEGMENTS.map(({ key }) => key), null];
  return keys.flatMap((from) => {
    const own = pairs.filter(({ from_segment }) => from_segment === from);
    const atStart = sumCustomers(own);
    return RFM_SEGMENTS.flatMap(({ key: to }) =>
      own
        .filter(({ to_segment }) => to_segment === to)
        .map((row) => ({
          from_segment: from,
          to_segment: to,
          customers_count: row.customers_count,
          share_of_from: from === null ? null : roundedPercent(row.customers_count, atStart),
          direction: directionOf(from, to),
          revenue: row.revenue,
        })),
    );
  });
}

function directionOf(from: string | null, to: string): 'stay' | 'up' | 'down' | 'new' {
  if (from === null) return 'new';
  const move = rankOf(to) - rankOf(from);
  if (move === 0) return 'stay';
  return move < 0 ? 'up' : 'down';
}

function rankOf(key: string): number {
  return RFM_SEGMENTS.find((segment) => segment.key === key)?.value_rank ?? Number.NaN;
}

function sumCustomers(rows: readonly { readonly customers_count: number }[]): number {
  return rows.reduce((sum, { customers_count }) => sum + customers_count, 0);
}
