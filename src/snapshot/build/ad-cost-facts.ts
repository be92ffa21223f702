import type { AdCostFacts, FirstAndLastDay } from '../../business/snapshot-facts.ts';
import type { Session, Value } from '../../store/duckdb-session.ts';

/** The most traffic sources kept in the facts. */
const MOST_SOURCES = 100;

/**
 * Tells for which days advertising costs are loaded. It is null where there are none.
 *
 * @param session holds the model
 */
export async function adCostFacts(session: Session): Promise<AdCostFacts | null> {
  const sources = await session.rows(`
    select source, cast(min(spent_date) as varchar) as first_day, cast(max(spent_date) as varchar) as last_day
    from ad_costs group by source
    order by coalesce(sum(cost), 0) desc, source
    limit ${MOST_SOURCES}`);
  const pauses = await session.rows(`
    select cast(spent_date + 1 as varchar) as first_day, cast(next_date - 1 as varchar) as last_day
    from (
      select spent_date, lead(spent_date) over (order by spent_date) as next_date
      from (select distinct spent_date from ad_costs)
    )
    where next_date > spent_date + 1
    order by first_day`);
  const { first_day, last_day } = await session.row(
    'select cast(min(spent_date) as varchar) as first_day, cast(max(spent_date) as varchar) as last_day from ad_costs',
  );
  if (first_day === null) return null;
  return {
    ...daysOf({ first_day, last_day }),
    pauses: pauses.map(daysOf),
    sources: sources.map((row) => ({ source: String(row.source), ...daysOf(row) })),
  };
}

function daysOf({ first_day, last_day }: Readonly<Record<string, Value | undefined>>): FirstAndLastDay {
  return { from: String(first_day), until: String(last_day) };
}
