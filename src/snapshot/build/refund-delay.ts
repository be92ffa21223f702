import type { Session } from '../../store/duckdb-session.ts';

/** A share of so few refunds is chance. */
const LEAST_REFUNDS = 20;
const MOST_REFUNDS = 0.95;

/** Refunds are waited for as long as this at most. */
const MOST_WATCHED_DAYS = 365;

/** Where most refunds have come only near the end of the days watched, later ones are probably missed. */
const LATEST = 0.8;

/**
 * The number of days after its order within which 95 % of the refunds have come, by local dates; null where
 * that is not known. All orders are watched for equally long, half of the history: those that are younger
 * have refunds still to come, and would make it look too short.
 *
 * @param session holds the model
 */
export async function refundsWithinDays(session: Session): Promise<number | null> {
  const counts = await session.rows(`
    with valid as (
      select order_key, ordered_date from orders
      where is_valid and ordered_at <= current_timestamp at time zone 'UTC'
    ),
    history as (
      select max(ordered_date) as last_date,
        least(${MOST_WATCHED_DAYS}, date_diff('day', min(ordered_date), max(ordered_date)) // 2) as watched_days
      from valid
    ),
    refunds as (
      select greatest(0, date_diff('day', ordered_date, refunded_date)) as days, watched_days
      from order_refunds join valid using (order_key) cross join history
      where date_diff('day', ordered_date, last_date) >= watched_days
    )
    select days, watched_days, count(*) as refunds_count
    from refunds where days <= watched_days
    group by days, watched_days order by days`);
  const all = counts.reduce((sum, { refunds_count }) => sum + Number(refunds_count), 0);
  if (all < LEAST_REFUNDS) return null;
  let come = 0;
  for (const { days, watched_days, refunds_count } of counts) {
    come += Number(refunds_count);
    if (come >= MOST_REFUNDS * all) return Number(days) > LATEST * Number(watched_days) ? null : Number(days);
  }
  return null;
}
