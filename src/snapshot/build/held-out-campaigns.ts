import type { HeldOutCampaign } from '../../business/snapshot-facts.ts';
import { LEAST_HELD_OUT } from '../../domains/campaigns/definitions/held-out.ts';
import type { Session } from '../../store/duckdb-session.ts';

/**
 * The campaigns that held a group out, by their id.
 *
 * @param session holds the model
 */
export async function heldOutCampaigns(session: Session): Promise<readonly HeldOutCampaign[]> {
  const found = await session.rows(`
    with held_out as (
      select campaign_key, count(distinct customer_key) as people
      from audience_members where outcome = 'control' group by campaign_key
    ),
    sent as (
      select campaign_key, cast(min(sent_date) as varchar) as first_day, cast(max(sent_date) as varchar) as last_day
      from sends semi join held_out using (campaign_key) group by campaign_key
    )
    select campaign_id, not is_automation and people >= ${LEAST_HELD_OUT} as is_judged, first_day, last_day
    from campaigns join held_out using (campaign_key) left join sent using (campaign_key)
    order by campaign_id`);
  return found.map(({ campaign_id, is_judged, first_day, last_day }) => ({
    campaign_id: String(campaign_id),
    is_judged: is_judged === true,
    sent: first_day === null ? null : { from: String(first_day), until: String(last_day) },
  }));
}
