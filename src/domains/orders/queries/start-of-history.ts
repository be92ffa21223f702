import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { orders } from '../../../model-table/table-names.ts';
import { quantile, ranked } from '../../../sql/quantile.ts';
import { sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';

const LONG_PAUSE = [nullableColumn('days', 'number'), column('customers_count', 'integer')];

/** After this many days of history, nobody is warned. */
const MOST_DAYS = 365;

/** `may_contain_old_customers` of cohorts holds for so many days whatever the pauses. */
const LEAST_DAYS = 90;

const NINE_OF_TEN = 90;

const IS_PAUSE = sql`is_valid and days_to_next_order is not null`;

/** The first local day that is asked about, of the data in question. */
interface Beginning {
  readonly firstDate: { toString(): string };
  readonly timezone: string;
  readonly facts: SnapshotFacts;
}

/** Than which one pause in ten is longer, between two orders of a customer. Null where the history began long before. */
export function longPause(beginning: Beginning) {
  const days = daysIntoHistory(beginning);
  if (days === null || days >= MOST_DAYS) return null;
  return query(
    LONG_PAUSE,
    sql`
    select days, customers_count
    from (select ${quantile(sql`days`, NINE_OF_TEN)} as days
    from (
      select days, ${ranked(sql`days`, { count: sql`orders_count` })}
      from (
        select days_to_next_order as days, count(*) as orders_count
        from ${orders} where ${IS_PAUSE} group by days_to_next_order
      ) as pauses
    ) as ranked_pauses) as long_pause
    cross join (select count(distinct customer_key) as customers_count from ${orders} where ${IS_PAUSE}) as repeaters`,
  );
}

/**
 * Who ordered before the data begin is counted as new. How long this goes on, the pauses tell that customers make: where
 * nobody ordered twice, nothing does, and the pauses of few customers are theirs.
 */
export function startOfHistoryNotes(
  [pause]: readonly ObjectOf<typeof LONG_PAUSE>[],
  beginning: Beginning,
): string[] {
  const into = daysIntoHistory(beginning);
  if (into === null || pause?.days == null || pause.customers_count < LEAST_SHARING) return [];
  const longest = Math.ceil(pause.days);
  const days = Math.min(MOST_DAYS, Math.max(LEAST_DAYS, longest));
  if (into >= days) return [];
  const start = historyStart(beginning);
  const why =
    longest > LEAST_DAYS ? `, and one pause between orders in ten is of more than ${days} days` : '';
  return [
    `Orders are loaded from ${start} on${why}: until ${start?.add({ days })} some of those counted as new may have ordered before.`,
  ];
}

function daysIntoHistory(beginning: Beginning): number | null {
  const firstDate = beginning.firstDate.toString();
  return historyStart(beginning)?.until(firstDate, { largestUnit: 'days' }).days ?? null;
}

function historyStart({ timezone, facts }: Beginning) {
  return facts.history_starts_at === null ? null : localDate(facts.history_starts_at, timezone);
}
