import { clickIdOf, hostOf, parameterOf, pathOf } from '../addresses.ts';
import { idMadeOf, storedId } from '../stored-id.ts';
import { isEvent, momentText, ORDER_COMPLETED } from './calls.ts';

/** The gap between two visits, as Google Analytics has it. */
const GAP = 'interval 30 minutes';

const CART = isEvent('product added', 'added product', 'cart viewed', 'wishlist product added to cart');
const CHECKOUT = `(${ORDER_COMPLETED} or ${isEvent('checkout started', 'checkout step viewed', 'checkout step completed', 'payment info entered')})`;

const OF_FIRST = ['source', 'medium', 'campaign', 'content', 'term', 'url', 'path', 'referrer'];

/** What the first call of a visit that goes on says. */
const KEPT = [
  ...['source', 'medium', 'campaign', 'content', 'term'],
  ...['click_id_kind', 'referrer_host', 'landing_path', 'device'],
];

/** What else is needed of a stored visit that goes on. */
const BEFORE = ['started_at', 'ended_at', 'page_views', 'cart', 'checkout', 'profile_id', ...KEPT];

/**
 * Statements that make `segment_visits`: the calls of one visitor with no gap of half an hour between them.
 * What a server tells, without a page, makes no visit. A visit that is stored and goes on here, or begins
 * here, keeps its id; two stored ones stay two, whatever was between them.
 */
export const VISITS = [
  `create temp table segment_visits_here as
    with seen as (
      select *, coalesce(happened_at - lag(happened_at) over (partition by visitor_id order by happened_at, place) > ${GAP}, true) as begins
      from segment_calls where visitor_id is not null and (is_seen or type in ('page', 'screen'))
    ),
    numbered as (
      select *, count(*) filter (begins) over (partition by visitor_id order by happened_at, place rows unbounded preceding) as visit from seen
    )
    select min(_row) as _row, visitor_id, min(happened_at) as started_at, max(happened_at) as ended_at,
      count(*) filter (type in ('page', 'screen')) as page_views, bool_or(${CART}) as cart, bool_or(${CHECKOUT}) as checkout,
      arg_min({${OF_FIRST.map((name) => `'${name}': ${name}`).join(', ')}}, (happened_at, place)) as first,
      arg_min(device, (happened_at, place)) as device,
      arg_min(user_id, (happened_at, place)) as user_id, bool_or(email is not null) as has_email
    from numbered group by visitor_id, visit`,
  `create temp table segment_visits as
    with told as (
      select v.* exclude (first), coalesce(first.source, ${parameterOf('first.url', 'utm_source')}) as source,
        coalesce(first.medium, ${parameterOf('first.url', 'utm_medium')}) as medium, coalesce(first.campaign, ${parameterOf('first.url', 'utm_campaign')}) as campaign,
        coalesce(first.content, ${parameterOf('first.url', 'utm_content')}) as content, coalesce(first.term, ${parameterOf('first.url', 'utm_term')}) as term,
        ${clickIdOf('first.url')} as click_id_kind, ${hostOf('first.referrer')} as referrer_host,
        ${pathOf('coalesce(first.path, first.url)')} as landing_path
      from segment_visits_here as v
    ),
    matched as (
      select v.*, b.session_id as before_id, b.started_at as before_started_at, coalesce(b.ended_at, b.started_at) as before_ended_at,
        b.page_views as before_page_views, b.cart as before_cart, b.checkout as before_checkout, b.profile_id as before_profile_id,
        ${KEPT.map((name) => `b.${name} as before_${name}`).join(', ')}
      from told as v left join before_sessions as b
        on b.visitor_id = ${storedId('personId', 'v.visitor_id')} and b.started_at <= v.ended_at + ${GAP}
          and coalesce(b.ended_at, b.started_at) >= v.started_at - ${GAP}
      qualify row_number() over (
        partition by v.visitor_id, v.started_at
        order by coalesce(b.started_at <= v.started_at, false) desc, abs(epoch_us(b.started_at) - epoch_us(v.started_at))
      ) = 1
    ),
    -- Calls that were told late may be several pieces of a stored visit.
    together as (
      select min(_row) as _row, visitor_id, arg_min(user_id, started_at) as user_id, bool_or(has_email) as has_email,
        min(started_at) as started_at, max(ended_at) as ended_at, bool_or(cart) as cart, bool_or(checkout) as checkout,
        coalesce(sum(page_views) filter (started_at > before_ended_at or ended_at < before_started_at), 0) as page_views_outside,
        coalesce(sum(page_views) filter (before_id is null or started_at <= before_ended_at and ended_at >= before_started_at), 0) as page_views,
        unnest(arg_min({${KEPT.map((name) => `'${name}': ${name}`).join(', ')}}, started_at)),
        any_value(before_id) as before_id, ${BEFORE.map((name) => `any_value(before_${name}) as before_${name}`).join(', ')}
      from matched group by visitor_id, coalesce(before_id, ''), case when before_id is null then matched.started_at end
    )
    select _row, visitor_id, user_id, has_email, before_profile_id,
      coalesce(before_id, ${idMadeOf('visitor_id', { after: `'.' || cast(epoch_ms(started_at) as varchar)` })}) as session_id,
      least(started_at, before_started_at) as started_at, greatest(ended_at, before_ended_at) as ended_at,
      greatest(page_views, before_page_views) + page_views_outside as page_views,
      cart or coalesce(before_cart, false) as cart, checkout or coalesce(before_checkout, false) as checkout,
      ${KEPT.map((name) => `case when before_started_at < started_at then before_${name} else ${name} end as ${name}`).join(', ')}
    from together`,
  // What is stored about those who called counts too, also where nothing of this import goes on with it: a
  // visit of yesterday comes before an order of today.
  `create temp table segment_known_visits as
    select visitor_id, started_at, ended_at, session_id from segment_visits
    union all
    select c.visitor_id, b.started_at, coalesce(b.ended_at, b.started_at), b.session_id
    from (select distinct visitor_id from segment_calls where visitor_id is not null) as c
    join before_sessions as b on b.visitor_id = ${storedId('personId', 'c.visitor_id')}
    anti join segment_visits as v on v.session_id = b.session_id`,
];

/**
 * SQL: the id of the profile of a person who signed in. It sorts behind all others, as that of Google
 * Analytics.
 */
export const profileOfUser = (user: string) => idMadeOf(user, { before: '~segment user ' });

/** SQL: … of somebody who left an e-mail address and did not sign in. */
export const profileOfVisitor = (visitor: string) => idMadeOf(visitor, { before: '~segment visitor ' });

export const TRANSLATED_SESSIONS = `
  select _row, cast(null as varchar) as _malformed, session_id, visitor_id,
    coalesce(case when user_id is not null then ${profileOfUser('user_id')} when has_email then ${profileOfVisitor('visitor_id')} end, before_profile_id) as profile_id,
    ${momentText('started_at')} as started_at, ${momentText('ended_at')} as ended_at, ${KEPT.join(', ')}, page_views, cart, checkout
  from segment_visits
  union all by name
  select _row, case when type is null then 'is no call of Segment: it has no type' else 'has no timestamp' end as _malformed
  from segment_told where type is null or happened_at is null
  union all by name
  select _row, 'is no JSON document' as _malformed from segment_documents where document is null
  order by _row`;

/**
 * SQL: the visits that calls belong to, by the moment of each: also of what a server told in the meantime.
 */
export const withVisit = (calls: string) => `
  select c.*, case when c.happened_at <= v.ended_at + ${GAP} then v.session_id end as session_id
  from (${calls}) as c asof left join segment_known_visits as v on c.visitor_id = v.visitor_id and c.happened_at >= v.started_at`;
