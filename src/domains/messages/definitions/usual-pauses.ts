import { quantile, ranked } from '../../../sql/quantile.ts';
import { type Sql, sql } from '../../../sql/sql.ts';

/** Decides when an automation has fallen silent, for `is_silent`, the notes beside messages, and `watch`. */

/** Fewer days without a message may be a weekend, or the wait of a trigger. */
export const QUIET_DAYS = 7;
/** An automation has a usual pause once it has sent on at least this many days. */
export const HABIT_DAYS = 5;
/** An automation that sent fewer messages is one that seldom sends anything. */
export const LEAST_SENT = 10;

/**
 * SQL: how long each campaign usually pauses, as rows of `campaign_key` and `usual_pause` (days). Nine of ten
 * of its pauses are no longer; a campaign that sent on one day alone has no row.
 *
 * @param days a relation of `campaign_key`, `sent_date` and `place`, the number of the day among those of its
 *   campaign
 */
export function usualPauses(days: Sql): Sql {
  return sql`
      select campaign_key, ${quantile(sql`pause`, 90)} as usual_pause
      from (
        select campaign_key, pause, ${ranked(sql`pause`, { group: sql`campaign_key` })}
        from (
          select one.campaign_key as campaign_key, date_diff('day', one.sent_date, next.sent_date) as pause
          from ${days} as one join ${days} as next on next.campaign_key = one.campaign_key and next.place = one.place + 1
        ) as between_days
      ) as ranked_pauses
      group by campaign_key`;
}

interface Habit {
  /** The number of days on which it sent something. */
  readonly sending_days: number;
  /** Nine of ten of its pauses are no longer, in days; null without any. */
  readonly usual_pause: number | null;
}

/**
 * Says whether an automation that has sent nothing for `quietDays` days pauses for longer than it usually
 * does. Whether there was something to write about is another question.
 *
 * @returns null where it has sent too seldom to have a usual pause
 * @example isBeyondHabit(14, { sending_days: 30, usual_pause: 2 }) // true
 */
export function isBeyondHabit(quietDays: number, { sending_days, usual_pause }: Habit): boolean | null {
  if (quietDays < QUIET_DAYS) return false;
  if (sending_days < HABIT_DAYS || usual_pause === null) return null;
  return quietDays >= 2 * usual_pause;
}
