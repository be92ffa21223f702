import { clickIdOf, hostOf, pathOf } from '../addresses.ts';
import { idMadeOf, storedId } from '../stored-id.ts';
import { countryCodes } from './countries.ts';
import { knownText, momentOfMicros, SESSION_ID } from './fields.ts';

/** Events that Google makes by itself: they have no page, and no parameter of a page. */
const AUTOMATIC = `event_name in ('session_start', 'first_visit', 'first_open', 'user_engagement')`;

const PAGE = 1;
const CART = 2;
const CHECKOUT = 4;

const KIND = `case
    when event_name in ('page_view', 'screen_view') then ${PAGE}
    when event_name in ('add_to_cart', 'view_cart') then ${CART}
    when event_name in ('begin_checkout', 'add_shipping_info', 'add_payment_info', 'purchase') then ${CHECKOUT}
    else 0 end`;

const HAS_SOURCE = 'coalesce(click_source, click_ads, collected_source, collected_medium) is not null';

/** SQL: the events of visits, as numbers. */
const KNOWN = `
  select _row, at_us, hash(user_pseudo_id, ga_session_id) as visit, hash(event_name, batch_event_index) as event, ${KIND} as kind,
    try_cast(engagement_time_msec as double) as engagement_ms,
    (case when ${AUTOMATIC} then 1 else 0 end) * (cast(1 as hugeint) << 62) + at_us * 2 + (case when event_name = 'page_view' then 0 else 1 end) as place,
    ${HAS_SOURCE} as has_source, case when click_source is not null or click_ads is not null then _row end as click_row,
    case when user_id is not null then _row end as user_row, 1 as rows
  from ga4_events
  where user_pseudo_id is not null and ga_session_id is not null and at_us is not null and event_name is not null`;

/** SQL: the visits that events make, each of which stands there once. */
function visitsOf(events: string): string {
  return `
    select visit, min(at_us) as started_us, max(at_us) as ended_us, count(*) filter (where kind = ${PAGE}) as page_views,
      sum(engagement_ms) as engagement_ms, bit_or(kind) as kinds, arg_min(_row, place * ${2 ** 42} + _row) as first_row,
      min(click_row) as click_row, min(user_row) as user_row, cast(sum(rows) as bigint) as rows,
      count(distinct hash(at_us, event)) < count(*) as is_repeated
    from (${events}) group by visit`;
}

/** SQL: the events of the visits that have one twice, put together. */
const ONCE = `
  select visit, at_us, event, any_value(kind) as kind, max(engagement_ms) as engagement_ms, min(place) as place,
    min(_row + case when has_source then 0 else ${2 ** 42} end) % ${2 ** 42} as _row,
    min(click_row) as click_row, min(user_row) as user_row, sum(rows) as rows
  from (${KNOWN}) where visit in (select visit from ga4_visits where is_repeated) group by visit, at_us, event`;

/**
 * Statements that make `ga4_sessions`. An event may stand in several files, once without its source
 * (`events_intraday_…`): it counts once, as the row that knows more. The first pass over the events has
 * numbers alone, so that it needs little memory. It finds the visits that have an event twice, and only
 * theirs are put together. The last pass reads texts of the first event of each visit.
 *
 * And `ga4_visits_before`: what earlier imports say of those visits, for example of one that began before
 * midnight and is in the files of both days. What the files have all the time of is not among them: it is
 * replaced, so that a day can be imported again.
 */
export const SESSIONS = [
  `create temp table ga4_visits as ${visitsOf(KNOWN)}`,
  `create temp table ga4_repeated_visits as ${visitsOf(ONCE)}`,
  `delete from ga4_visits where is_repeated;
  insert into ga4_visits from ga4_repeated_visits`,
  'create temp table ga4_told_rows as select unnest([first_row, click_row, user_row]) as _row from ga4_visits',
  `create temp table ga4_told as
    select _row, ${knownText('user_pseudo_id')} as visitor_id, ${SESSION_ID} as session_id, ${knownText('user_id')} as user_id, ${knownText('device')} as device, ${knownText('country')} as country,
      page_location as page, page_referrer as referrer,
      ${source('click')} as click, ${source('collected')} as collected, ${source('first')} as params,
      click_ads is not null as is_ads,
      case when gclid is not null then 'gclid' when dclid is not null then 'dclid' when srsltid is not null then 'srsltid' end as click_id
    from ga4_events_of('ga4_told_rows')`,
  ...countryCodes('ga4_countries'),
  `create temp table ga4_sessions as
    with sourced as (
      select v.*, f.visitor_id, f.session_id, u.user_id, f.device, f.country, f.page, f.referrer, click_id_of_page,
        coalesce(f.click_id, click_id_of_page) as click_id,
        coalesce(c.is_ads or c.click.source is not null or c.click.medium is not null, false) as has_click,
        case
          when c.click.source is not null or c.click.medium is not null then c.click
          when c.is_ads then {'source': 'google', 'medium': 'cpc', 'campaign': c.click.campaign, 'content': c.click.content, 'term': c.click.term}
          when f.collected.source is not null or f.collected.medium is not null then f.collected
          when f.click_id in ('gclid', 'dclid') then {'source': 'google', 'medium': 'cpc', 'campaign': f.collected.campaign, 'content': f.collected.content, 'term': f.collected.term}
          else f.params end as whence
      from ga4_visits as v
      join (select *, ${clickIdOf('page')} as click_id_of_page from ga4_told) as f
        on f._row = first_row
      left join ga4_told as c on c._row = click_row
      left join ga4_told as u on u._row = user_row
    )
    select *, whence.source in ('(direct)') and coalesce(whence.medium, '(none)') in ('(none)', '(not set)') as is_direct
    from sourced where session_id is not null`,
  `create temp table ga4_visits_before as
    with known as (
      select s.session_id, make_timestamp(started_us) as begins, make_timestamp(ended_us) as ends, b.* exclude (session_id, ended_at),
        coalesce(b.ended_at, b.started_at) as ended_at
      from ga4_sessions as s join before_sessions as b on b.session_id = ${storedId('personId', 's.session_id')}
    )
    select *, case
      when begins > ended_at or ends < started_at then 'apart'
      when begins >= started_at and ends <= ended_at then 'within'
      else 'overlapping' end as meets
    from known where not (begins <= started_at and ends >= ended_at)`,
];

function source(name: 'click' | 'collected' | 'first'): string {
  const parts = ['source', 'medium', 'campaign', 'content', 'term'];
  return `{${parts.map((part) => `'${part}': ${knownText(`${name}_${part}`)}`).join(', ')}}`;
}

const whence = (part: string) =>
  `case when not coalesce(is_direct, false) then nullif(whence.${part}, '(none)') end`;

/** Whether the visit begins in the files, and no earlier import has its beginning. */
const BEGINS_HERE = '(b.session_id is null or v.begins < b.started_at)';

/**
 * Google's attribution is of the whole visit: it counts, too, where the beginning of the visit says nothing.
 */
const IS_SOURCE_HERE = `(${BEGINS_HERE} or (v.has_click and b.source is null and b.medium is null))`;

const chosen = (condition: string, names: readonly string[]) =>
  names.map((name) => `case when ${condition} then v."${name}" else b."${name}" end as "${name}"`).join(', ');

/**
 * Joins both halves of a visit over midnight. The greater value is taken where an earlier import had the same
 * events.
 */
const together = (name: string) => `case when b.meets = 'apart' then v.${name} + cast(b.${name} as double)
  else greatest(v.${name}, cast(b.${name} as double)) end`;

export const TRANSLATED_SESSIONS = `
  with visits as (
    select first_row as _row, session_id, visitor_id, ${profileOf('user_id')} as profile_id,
      started_us, ended_us, make_timestamp(started_us) as begins, has_click,
      ${whence('source')} as source, ${whence('medium')} as medium,
      case when not coalesce(is_direct, false) and whence.campaign not in ('(direct)', '(organic)', '(referral)') then whence.campaign end as campaign,
      ${whence('content')} as content, ${whence('term')} as term, click_id as click_id_kind,
      ${hostOf('referrer')} as referrer_host,
      ${pathOf('page')} as landing_path,
      case when device in ('desktop', 'mobile', 'tablet') then device when device is not null then 'other' end as device,
      coalesce(code, country) as country, page_views, coalesce(engagement_ms, 0) / 1000 as engagement_s,
      (kinds & ${CART}) > 0 as cart, (kinds & ${CHECKOUT}) > 0 as checkout
    from ga4_sessions left join ga4_countries using (country)
  )
  select v._row, cast(null as varchar) as _malformed, v.session_id, v.visitor_id,
    case when ${BEGINS_HERE} then coalesce(v.profile_id, b.profile_id) else coalesce(b.profile_id, v.profile_id) end as profile_id,
    ${momentOfMicros('least(v.started_us, epoch_us(b.started_at))')} as started_at,
    ${momentOfMicros('greatest(v.ended_us, epoch_us(b.ended_at))')} as ended_at,
    ${chosen(IS_SOURCE_HERE, ['source', 'medium', 'campaign', 'content', 'term'])},
    ${chosen(BEGINS_HERE, ['click_id_kind', 'referrer_host', 'landing_path', 'device', 'country'])},
    cast(${together('page_views')} as bigint) as page_views, ${together('engagement_s')} as engagement_s,
    v.cart or coalesce(b.cart, false) as cart, v.checkout or coalesce(b.checkout, false) as checkout
  from visits as v left join ga4_visits_before as b using (session_id)
  union all by name
  select _row, case when _is_record then 'has no event_name, or no event_timestamp of our calendar' else 'is no JSON document' end as _malformed
  from ga4_events where event_name is null or at_us is null
  order by _row`;

/**
 * A person who signed in, by the id that the shop gave them. TRICKY: the id of the profile sorts behind all
 * others, so that another profile of the same customer owns it.
 */
function profileOf(user: string): string {
  return idMadeOf(user, { before: '~ga4 user ' });
}

export const TRANSLATED_PROFILES = `
  select min(first_row) as _row, ${profileOf('user_id')} as profile_id,
    case when contains(user_id, '@') then user_id end as email,
    case when not contains(user_id, '@') then user_id end as external_customer_id
  from ga4_sessions where user_id is not null group by user_id order by _row`;
