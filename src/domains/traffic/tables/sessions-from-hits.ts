import { type Relation, relation } from '../../../model-table/model-table.ts';

/** A visit ends when nothing happens for so long. */
export const SESSION_GAP_MINUTES = 30;

/**
 * A select that makes sessions of hits: those of one visitor with the same `session_id`, and of hits without
 * one those with gaps of less than 30 minutes; midnight does not split. Its columns: `session_id`,
 * `has_own_id` (of the hits), `visitor_id`, `started_at`, `ended_at` (the last hit), `page_views`,
 * `engagement_s`, `cart`, `suspected_bot`.
 *
 * Suspected: more than 100 views, half of them less than a second apart.
 *
 * @param hits a relation of `hit_id`, `visitor_id`, `session_id`, `at`, `is_view`, `is_add_to_cart`,
 *   `engagement_s`
 */
export function sessionsFromHits(hits: Relation): Relation {
  return relation`
    select coalesce(session_id, visitor_id || ' ' || min(hit_id)) as session_id,
      session_id is not null as has_own_id, visitor_id,
      min("at") as started_at, max("at") as ended_at,
      count(*) filter (where is_view) as page_views,
      sum(engagement_s) as engagement_s,
      bool_or(is_add_to_cart) as cart,
      count(*) filter (where is_view) > 100 and median(gap_s) < 1 as suspected_bot
    from (
      select *, sum(is_start) over (partition by visitor_id, session_id order by "at", hit_id) as number
      from (
        select *,
          epoch("at") - epoch(lag("at") over hits_of_visitor) as gap_s,
          case
            when session_id is null
              and coalesce("at" >= lag("at") over hits_of_visitor + interval ${SESSION_GAP_MINUTES} minute, true)
            then 1 else 0
          end as is_start
        from (${hits})
        window hits_of_visitor as (partition by visitor_id, session_id order by "at", hit_id)
      )
    )
    group by visitor_id, session_id, number`;
}
