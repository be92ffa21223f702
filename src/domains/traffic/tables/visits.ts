import { secondsOf } from '../../../model-table/business-values.ts';
import { relation, workTable } from '../../../model-table/model-table.ts';
import { visitorKeys } from '../../identity/tables/identity.ts';
import { DETOUR_HOSTS } from '../definitions/detour-hosts.ts';
import { KNOWN_SESSION, knownSessions, referringHostsAmong } from './known-sessions.ts';

/**
 * Visits: the known sessions, of which those that come back from a detour (`detour-hosts.ts`) are one with
 * the session before when the visitor's last hit was not longer ago than this.
 */
const DETOUR_MINUTES = 30;

const HOSTS = `[${DETOUR_HOSTS.map((host) => `'${host}'`).join(', ')}]`;

const detours = workTable({
  name: 'detours',
  types: { session_id: 'varchar', has_own_id: 'boolean', visitor_id: 'varchar', visitor_key: 'integer' },
  needs: [knownSessions],
  rows: relation`
select session_id, has_own_id, visitor_id, visitor_key
from ${knownSessions} join ${visitorKeys} using (visitor_id)
where referring_host in ${referringHostsAmong(knownSessions, HOSTS)}`,
});

/**
 * The sessions of visits that have more than one, each with the first one of its visit. Only visitors with a
 * detour are sorted.
 */
export const detourParts = workTable({
  name: 'detour_parts',
  types: {
    session_id: 'varchar',
    has_own_id: 'boolean',
    visitor_id: 'varchar',
    is_first: 'boolean',
    visit_session_id: 'varchar',
    visit_has_own_id: 'boolean',
    visit_visitor_id: 'varchar',
  },
  needs: [detours],
  rows: relation`
with walked as (
  select s.session_id, s.has_own_id, s.visitor_id, visitor_keys.visitor_key,
    row_number() over own as place,
    d.session_id is not null and coalesce(
      ${secondsOf('started_at')} - ${secondsOf('max(last_hit_at) over (own rows between unbounded preceding and 1 preceding)')}
        <= ${DETOUR_MINUTES * 60}, false) as is_continued
  from ${knownSessions} as s
  join ${visitorKeys} using (visitor_id)
  left join ${detours} as d using (session_id, has_own_id, visitor_id)
  where visitor_keys.visitor_key in (select visitor_key from ${detours})
  window own as (partition by visitor_keys.visitor_key order by started_at, s.session_id, s.visitor_id, s.has_own_id)
),
numbered as (
  select *, count(*) filter (where not is_continued) over (
    partition by visitor_key order by place rows unbounded preceding
  ) as visit
  from walked
)
select session_id, has_own_id, visitor_id, not is_continued as is_first,
  first_value(session_id) over parts as visit_session_id,
  first_value(has_own_id) over parts as visit_has_own_id,
  first_value(visitor_id) over parts as visit_visitor_id
from numbered
window parts as (partition by visitor_key, visit order by place)
qualify count(*) over (partition by visitor_key, visit) > 1`,
});

/** What its first session is, and what all of them do. */
export const visits = workTable({
  name: 'visits',
  types: KNOWN_SESSION,
  needs: [knownSessions],
  rows: relation`
with summed as (
  select visit_session_id as session_id, visit_has_own_id as has_own_id, visit_visitor_id as visitor_id,
    max(last_hit_at) as last_hit_at, max(open_until) as open_until,
    cast(sum(page_views) as bigint) as page_views, sum(engagement_s) as engagement_s,
    bool_or(cart) as cart, bool_or(checkout) as checkout, bool_or(suspected_bot) as suspected_bot
  from ${detourParts} join ${knownSessions} using (session_id, has_own_id, visitor_id)
  group by all
)
select * from ${knownSessions} anti join ${detourParts} using (session_id, has_own_id, visitor_id)
union all by name
select s.* exclude (last_hit_at, open_until, page_views, engagement_s, cart, checkout, suspected_bot),
  summed.* exclude (session_id, has_own_id, visitor_id)
from summed join ${knownSessions} as s using (session_id, has_own_id, visitor_id)`,
});
