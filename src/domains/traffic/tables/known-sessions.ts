import { HAS_SESSIONS } from '../../../model-table/business-values.ts';
import { type BuildTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { SESSION_GAP_MINUTES, sessionsFromHits } from './sessions-from-hits.ts';

/**
 * The store tells e-mail addresses in such names apart by letters, so that costs keep their rows; answers do
 * not.
 */
const withoutLetters = (value: string) =>
  `case when contains(${value}, '(e-mail ') or contains(${value}, '(phone ')
    then regexp_replace(${value}, '[(](e-mail|phone) [a-p]+[)]', '(\\1)', 'g') else ${value} end`;

/** A name that says something; null for the words that tools write instead of a missing one. */
export const given = (value: string) =>
  `case when lower(trim(${value})) not in ('', '(direct)', '(none)', '(not set)', '(organic)', '(referral)')
    then ${withoutLetters(`trim(${value})`)} end`;

const plainHost = (host: string) => `nullif(regexp_replace(lower(trim(${host})), '^www[.]', ''), '')`;

export const KNOWN_SESSION = {
  session_id: 'varchar',
  has_own_id: 'boolean',
  visitor_id: 'varchar',
  started_at: 'timestamp',
  last_hit_at: 'timestamp',
  open_until: 'timestamp',
  has_source: 'boolean',
  source: 'varchar',
  medium: 'varchar',
  campaign: 'varchar',
  click_id: 'varchar',
  referrer_host: 'varchar',
  referring_host: 'varchar',
  landing_path: 'varchar',
  device: 'varchar',
  country: 'varchar',
  page_views: 'bigint',
  engagement_s: 'decimal(38,4)',
  cart: 'boolean',
  checkout: 'boolean',
  suspected_bot: 'boolean',
};

/**
 * The known facts of each session as it is loaded. The last hit is the latest of which a moment is known.
 * `referring_host`: also where it stands as the source of a referral.
 */
export const knownSessions = workTable({
  name: 'known_sessions',
  types: KNOWN_SESSION,
  rows: relation`
with loaded as (
  select session_id, true as has_own_id, visitor_id, started_at, greatest(started_at, ended_at) as last_hit_at,
    case when ended_at >= started_at then ended_at else started_at + interval ${SESSION_GAP_MINUTES} minute end as open_until,
    true as has_source,
    ${given('source')} as source, ${given('medium')} as medium, ${given('campaign')} as campaign,
    lower(trim(click_id_kind)) as click_id,
    ${plainHost('referrer_host')} as referrer_host, nullif(regexp_extract(trim(landing_path), '^[^?#]*'), '') as landing_path,
    device, nullif(trim(country), '') as country, page_views, engagement_s, cart, checkout, suspected_bot
  from ${stored.sessions}
  union all by name
  select session_id, has_own_id, * exclude (session_id, has_own_id, ended_at), ended_at as last_hit_at, ended_at + interval ${SESSION_GAP_MINUTES} minute as open_until,
    false as has_source, false as checkout
  from (${sessionsFromHits(relation`
    select event_id as hit_id, visitor_id, session_id, "at", kind = 'view' as is_view,
      kind = 'add_to_cart' as is_add_to_cart,
      case when kind = 'view' then least(engagement_s, 1800) else 0 end as engagement_s
    from ${stored.productEvents}
    where not ${HAS_SESSIONS}`)})
)
select *, coalesce(referrer_host, case when lower(medium) = 'referral' then ${plainHost('source')} end) as referring_host
from loaded`,
});

/**
 * The hosts that sessions come from and that are in a list, or below one that is.
 *
 * TRICKY: grouped, not `distinct`. DuckDB asks a condition of distinct values of each row before it, and this
 * one takes a microsecond or two.
 *
 * @param hosts SQL of a list
 */
export const referringHostsAmong = (sessions: BuildTable, hosts: string) => relation`(
  select host from (select any_value(referring_host) as host from ${sessions} group by referring_host)
  where len(list_filter(${hosts}, lambda listed: host = listed or ends_with(host, '.' || listed))) > 0
)`;
