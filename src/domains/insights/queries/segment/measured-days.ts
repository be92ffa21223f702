import { Temporal } from 'temporal-polyfill';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { InputError } from '../../../../errors.ts';
import { consentChanges, orders, profiles, sends, sessions } from '../../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../../sql/sql.ts';
import { localDate } from '../../../../time/moment.ts';
import {
  type EvaluatedAt,
  endOfData,
  momentBefore,
  secondAfter,
} from '../../../segments/queries/condition-periods.ts';

/** last: the segment as it is at the end of the days; next: as it was when they began. */
export const DIRECTIONS = ['last', 'next'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The days of which people are measured: the last ones of the data. */
export interface MeasuredDays {
  readonly days: number;
  readonly direction: Direction;
  /** The measured orders came after this moment: ISO 8601 in UTC. */
  readonly begin: EvaluatedAt;
  readonly end: EvaluatedAt;
  /** The moment at which the people of the segment are looked up. */
  readonly chosen: EvaluatedAt;
}

/** @throws InputError where who was in the segment cannot be known, as the data begin later */
export function measuredDays(
  days: number,
  direction: Direction,
  facts: SnapshotFacts,
  timezone: string,
): MeasuredDays {
  const end = endOfData(facts, timezone);
  const begin: EvaluatedAt = { ...end, moment: momentBefore(days, end), isPast: true };
  if (direction === 'next') refuseBeforeData(begin, facts);
  return { days, direction, begin, end, chosen: direction === 'next' ? begin : end };
}

function refuseBeforeData(
  { moment, timezone }: EvaluatedAt,
  { history_starts_at, latest_at }: SnapshotFacts,
) {
  if (history_starts_at === null || history_starts_at < moment) return;
  const start = localDate(history_starts_at, timezone);
  const most = start.until(localDate(latest_at, timezone)).total({ unit: 'day' }) - 1;
  throw new InputError(
    `days with direction next reach back to ${localDate(moment, timezone)}, but orders are loaded from ${start} on: who was in the segment before is not known`,
    most < 1 ? 'Ask with direction last.' : `Ask for at most ${most} days, better for half of that.`,
  );
}

/** SQL: whether a moment is in the days. */
export function isMeasured(moment: Sql, { begin, end }: MeasuredDays): Sql {
  return sql`${moment} >= ${secondAfter(begin)} and ${moment} < ${secondAfter(end)}`;
}

/**
 * SQL of everybody about whom anything is measured: all profiles, or those who had ordered, visited, got a
 * message or consented before.
 */
export function measuredPeople({ direction, begin }: MeasuredDays): Sql {
  if (direction === 'last') return sql`select customer_key from ${profiles}`;
  const then = secondAfter(begin);
  return sql`
    select customer_key from ${profiles}
    where customer_key in (
      select customer_key from ${orders} where ordered_at < ${then} and customer_key is not null
      union all select customer_key from ${consentChanges} where changed_at < ${then}
      union all select customer_key from ${sends} where sent_at < ${then}
      union all select visitor_key from ${sessions} where started_at < ${then})`;
}

/** The local dates of the days, the first of which may be a part of a day. */
export function datesOf({ begin, end }: MeasuredDays): { readonly first: string; readonly last: string } {
  const after = Temporal.Instant.from(begin.moment).add({ seconds: 1 }).toString();
  return {
    first: localDate(after, begin.timezone).toString(),
    last: localDate(end.moment, end.timezone).toString(),
  };
}
