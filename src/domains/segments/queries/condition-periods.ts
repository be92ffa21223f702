import { Temporal } from 'temporal-polyfill';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { isBetween } from '../../../time/range.ts';
import type { Period } from '../definitions/conditions.ts';

/** The moment at which a query is evaluated. */
export interface EvaluatedAt {
  /** ISO 8601 in UTC with `Z`, whole seconds. */
  readonly moment: string;
  readonly timezone: string;
  readonly facts: SnapshotFacts;
  /** Things happened after the moment, of which the query must know nothing. */
  readonly isPast?: true;
}

/**
 * The end of the data. Nobody knows what happened after it, so days counted from the clock would be days
 * without data.
 */
export function endOfData(facts: SnapshotFacts, timezone: string): EvaluatedAt {
  return { moment: facts.latest_at, timezone, facts };
}

/**
 * The condition that something happened in the period, by the whole second. Days are counted back on the
 * clock of the business: 30 days before 18:00 it is 18:00 too, so `last_days` and `more_than_days_ago` have
 * nothing in common, and leave nothing out but what is after `as_of`.
 */
export function inPeriod(column: Sql, period: Period | undefined, at: EvaluatedAt): Sql {
  if (at.isPast) return sql`(${withinPeriod(column, period, at)} and ${column} < ${secondAfter(at)})`;
  return withinPeriod(column, period, at);
}

function withinPeriod(column: Sql, period: Period | undefined, at: EvaluatedAt): Sql {
  if (period === undefined) return sql`true`;
  const { last_days, more_than_days_ago, from, to } = period;
  if (last_days !== undefined) {
    return sql`${column} >= ${daysBefore(last_days, at)} and ${column} < ${secondAfter(at)}`;
  }
  if (more_than_days_ago !== undefined) return sql`${column} < ${daysBefore(more_than_days_ago, at)}`;
  return isBetween(column, [from ?? null, to ?? null], ['from', 'period.to:'], at.timezone);
}

/** The condition that something happened before a day or a moment. */
export function happenedBefore(column: Sql, date: string, { timezone }: EvaluatedAt): Sql {
  return sql`not (${isBetween(column, [date, null], ['value', 'value'], timezone)})`;
}

/** The condition that something happened after a day or a moment. */
export function happenedAfter(column: Sql, date: string, { timezone }: EvaluatedAt): Sql {
  return sql`not (${isBetween(column, [null, date], ['value', 'value'], timezone)})`;
}

/** A period of more days than this is all of the time. */
const MOST_DAYS = 1_000_000;

function daysBefore(days: number, at: EvaluatedAt): Sql {
  const then = momentBefore(days, at);
  return sql`${parameter.timestamp(then.replace('Z', ''))}`;
}

/** The moment `days` days before, on the clock of the business: ISO 8601 in UTC. */
export function momentBefore(days: number, { moment, timezone }: EvaluatedAt): string {
  const now = Temporal.Instant.from(moment).toZonedDateTimeISO(timezone);
  const then = now.subtract({ days: Math.min(days, MOST_DAYS) });
  return then.year < 2 ? '0001-01-01T00:00:00Z' : then.toInstant().toString();
}

/** The end of what is known at the moment. */
export function secondAfter({ moment }: EvaluatedAt): Sql {
  return sql`${parameter.timestamp(Temporal.Instant.from(moment).add({ seconds: 1 }).toString())}`;
}
