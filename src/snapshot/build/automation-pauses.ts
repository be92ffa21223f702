import type { AutomationPause } from '../../business/snapshot-facts.ts';
import { LEAST_SENT, QUIET_DAYS } from '../../domains/messages/definitions/usual-pauses.ts';
import type { Session } from '../../store/duckdb-session.ts';

/**
 * The pauses of automations after which one could be called quiet, by the day of its last message. Where
 * several sent on that day, the longest pause counts.
 *
 * @param session holds the model
 */
export async function automationPauses(session: Session): Promise<readonly AutomationPause[]> {
  const found = await session.rows(`
    with automated as (
      select campaign_key, channel, sent_date
      from sends
      semi join (select campaign_key from campaigns where is_automation) as automations using (campaign_key)
    ),
    pauses as (
      select campaign_key, sent_date as last_day,
        lead(sent_date) over (partition by campaign_key, channel order by sent_date) as next_day
      from (select distinct campaign_key, channel, sent_date from automated)
    ),
    enough as (select campaign_key from automated group by campaign_key having count(*) >= ${LEAST_SENT})
    select cast(last_day as varchar) as last_day,
      case when count(next_day) = count(*) then cast(max(next_day) as varchar) end as next_day
    from pauses semi join enough using (campaign_key)
    where next_day is null or date_diff('day', last_day, next_day) > ${QUIET_DAYS}
    group by last_day order by last_day`);
  return found.map(({ last_day, next_day }) => ({
    last_day: String(last_day),
    next_day: next_day === null ? null : String(next_day),
  }));
}
