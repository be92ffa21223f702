import { LEAST_REPEATERS } from '../../domains/orders/definitions/usual-pause.ts';
import type { Session } from '../../store/duckdb-session.ts';

/** One pause in ten is longer. */
const PERCENTAGE = 90;

const PAUSES = 'orders where is_valid and days_to_next_order is not null';

/**
 * The usual pause between two orders of a customer, in days, rounded up: the 90th percentile, interpolated
 * between its neighbours. Null where too few customers ordered twice.
 *
 * @param session holds the model
 */
export async function usualPauseDays(session: Session): Promise<number | null> {
  const pauses = await session.rows(`
    select days_to_next_order as days, count(*) as pauses_count
    from ${PAUSES}
      and (select count(*) from (select distinct customer_key from ${PAUSES} limit ${LEAST_REPEATERS})) = ${LEAST_REPEATERS}
    group by days order by days`);
  const size = pauses.reduce((sum, { pauses_count }) => sum + Number(pauses_count), 0);
  if (size === 0) return null;
  // The place is in hundredths: whole numbers, so that nothing is rounded before the end.
  const place = PERCENTAGE * (size - 1);
  const at = (index: number) => {
    let passed = 0;
    for (const { days, pauses_count } of pauses) {
      passed += Number(pauses_count);
      if (index < passed) return Number(days);
    }
    return 0;
  };
  const below = Math.floor(place / 100);
  const part = place % 100;
  return Math.ceil((at(below) * (100 - part) + at(below + 1) * part) / 100);
}
