import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { knownSum } from '../../../answers/metric.ts';
import type { FollowedPeople } from '../../../answers/small-groups.ts';
import { orders } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { roundedPercent } from '../../../statistics/rounded.ts';
import { LOST, RFM_SEGMENTS } from '../../../store/rfm-segments.ts';
import type { AsOf } from './moments.ts';
import { chosenProfile } from './profiles.ts';
import { membersAt } from './scoring.ts';

const PAIR = [
  nullableColumn('from_segment', 'text'),
  column('to_segment', 'text'),
  column('customers_count', 'integer'),
  nullableColumn('revenue', 'number'),
];
type Pair = ObjectOf<typeof PAIR>;

/** One row per pair of segments that anyone was in at the two moments; null: no valid order until the first one. */
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

/** What moves there were: those of enough people, also by the sums that stand beside them. */
export function transitionAnswer(pairs: readonly Pair[], people: FollowedPeople) {
  const transitions = transitionRows(pairs);
  const hidden = people.hiddenParts(transitions, ({ customers_count }) => customers_count, [
    ({ from_segment }) => from_segment,
    ({ to_segment }) => to_segment,
    ({ direction }) => direction,
  ]);
  const counted = (condition: (row: Transition) => boolean) => sumCustomers(transitions.filter(condition));
  const toldCount = (condition: (row: Transition) => boolean) =>
    people.told([counted(condition)], counted(condition));
  return {
    summary: {
      stayed_count: toldCount(({ direction }) => direction === 'stay'),
      upgraded_count: toldCount(({ direction }) => direction === 'up'),
      downgraded_count: toldCount(({ direction }) => direction === 'down'),
      new_count: toldCount(({ direction }) => direction === 'new'),
      lost_count: toldCount(({ direction, to_segment }) => direction === 'down' && to_segment === LOST),
      reactivated_count: toldCount(
        ({ from_segment, to_segment }) => from_segment === LOST && to_segment !== LOST,
      ),
    },
    segments: RFM_SEGMENTS.map(({ key }) => {
      const atStart = counted(({ from_segment }) => from_segment === key);
      const atEnd = counted(({ to_segment }) => to_segment === key);
      const isStay = ({ from_segment, to_segment }: Transition) => from_segment === key && to_segment === key;
      const stayed = counted(isStay);
      // Who entered and who left would tell who stayed.
      const isStayHidden = [...hidden].some(isStay);
      const moved = (count: number) => (isStayHidden ? people.hidden() : people.told([count], count));
      return {
        segment: key,
        customers_at_start_count: people.told([atStart], atStart),
        entered_count: moved(atEnd - stayed),
        left_count: moved(atStart - stayed),
        customers_at_end_count: people.told([atEnd], atEnd),
      };
    }),
    transitions: transitions.map((row) => {
      const told = <Value>(value: Value) => (hidden.has(row) ? null : value);
      return {
        ...row,
        customers_count: told(row.customers_count),
        share_of_from: told(row.share_of_from),
        revenue: told(row.revenue),
      };
    }),
  };
}

type Transition = ReturnType<typeof transitionRows>[number];

/** From the best segment to the best first, new customers last. */
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
