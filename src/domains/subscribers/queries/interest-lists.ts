import {
  type ExistingNames,
  isOneOf,
  type KnownName,
  type Names,
  namedButUnknown,
  namesThatExist,
} from '../../../answers/existing-names.ts';
import { column, NO_RATE } from '../../../answers/fields/field.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { totalCount } from '../../../answers/fields/shared-fields.ts';
import { counted, metric, orZero, rate, selectMetrics } from '../../../answers/metric.ts';
import { rankedPage } from '../../../answers/ranking.ts';
import {
  consentChanges,
  customers,
  interestListCampaigns,
  interestListChanges,
  interestLists,
  orders,
  sends,
} from '../../../model-table/table-names.ts';
import type { Paging, Sorting } from '../../../sql/page.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { SUPPRESSED_STATES } from '../../../store/suppressed-states.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import { holdsBefore } from './consents.ts';

type ListFilter = Names<'filter_codes'>;

const existingNames: ExistingNames = { filter_codes: sql`select code as name from ${interestLists}` };

/** The given codes that exist, for `unknownListNotes`. Null when none are given. */
export function knownLists(filter: ListFilter): Query<KnownName> | null {
  return namesThatExist(existingNames, filter);
}

/** A sentence about given codes that do not exist. */
export function unknownListNotes(filter: ListFilter, known: readonly KnownName[]): string[] {
  return namedButUnknown(existingNames, filter, known);
}

const netGrowth = sql`(${orZero(sql`joined`)} - ${orZero(sql`departed`)})`;

/**
 * The metrics over rows of lists with all that `listResults` joins to them. They are null where nothing of
 * the kind happened.
 */
export const listMetrics = [
  profiles(
    'subscribed_at_start_count',
    'Members just before anything of the range happened.',
    orZero(sql`at_start`),
  ),
  profiles('subscribed_count', 'Joined, also again.', orZero(sql`joined`)),
  profiles('unsubscribed_count', 'Left, whatever the cause.', orZero(sql`departed`)),
  profiles('net_growth', 'subscribed_count - unsubscribed_count.', netGrowth),
  profiles(
    'subscribed_at_end_count',
    'subscribed_at_start_count + net_growth.',
    sql`${orZero(sql`at_start`)} + ${netGrowth}`,
  ),
  rate(
    'churn_rate',
    'Members at the start that left / subscribed_at_start_count.',
    sql`churned`,
    sql`at_start`,
  ),
  profiles(
    'consented_count',
    'Members at to_date subscribed then in a channel of the list (none: e-mail).',
    orZero(sql`consented`),
  ),
  profiles('reachable_count', 'consented_count without the suppressed.', orZero(sql`reachable`)),
  profiles(
    'suppressed_count',
    'Member profiles at to_date suppressed then in e-mail or SMS.',
    orZero(sql`suppressed`),
  ),
  profiles(
    'customers_count',
    'Member profiles at to_date with a valid order until then.',
    orZero(sql`with_order`),
  ),
  counted(
    'orders',
    'orders_count',
    'Valid orders of the range, placed while a member. No attribution.',
    orZero(sql`placed_orders`),
  ),
  metric({
    key: 'orders_revenue',
    type: 'number',
    unit: 'money',
    definition: 'Revenue of orders_count.',
    null: NO_RATE,
    value: sql`case when placed_orders is null then 0 else placed_revenue end`,
  }),
  counted(
    'messages',
    'delivered_count',
    'E-mails and SMS of the range, delivered, of campaigns whose own targeting takes the list.',
    orZero(sql`delivered`),
  ),
  rate(
    'open_rate',
    'E-mails with a human open or click / e-mails delivered.',
    sql`opened_emails`,
    sql`delivered_emails`,
  ),
  rate('click_rate', 'Messages with a human click / delivered_count.', sql`clicked`, sql`delivered`),
  rate(
    'unsubscribe_rate',
    'E-mails with an unsubscribe and SMS with an opt-out / delivered_count.',
    sql`exits`,
    sql`delivered`,
  ),
  metric({
    key: 'attributed_revenue',
    type: 'number',
    unit: 'money',
    revenue: 'credited',
    definition:
      'Credited to messages of delivered_count, whenever ordered; a campaign on two lists counts in both.',
    value: orZero(sql`attributed_revenue`),
  }),
];

export const listNames = [text('code', 'As conditions name it.'), text('name', 'Business data.')];

/** The fields of a source of a list. */
export const sourceFields = [
  text('source', 'unknown: not told. Business data.'),
  profiles('subscribed_count', 'Joined from this source, also again.', sql`subscribed_count`),
];

/** The fields of a reason for which members left a list. */
export const reasonFields = [
  text('reason', 'Why they left or, where that is not told, where; unknown: neither. Business data.'),
  profiles('unsubscribed_count', 'Left for this reason.', sql`unsubscribed_count`),
];

/** The columns of `listResults`. */
export const listResultColumns = [...listNames, ...listMetrics, column('churned_count', 'integer')];

/** All lists that match with what happened to them in the range, one page of them. */
export function listResults(range: Range, listing: ListFilter & Sorting & Paging) {
  const first = parameter.timestamp(range.start);
  const after = parameter.timestamp(range.end);
  return query(
    listResultColumns,
    rankedPage(
      sql`
    with memberships as (${memberships(range)}),
    members as (
      select list_key, customer_key from memberships where ends_at is null or ends_at >= ${after}
    ),
    blocked as (
      select distinct customer_key from ${consentChanges} where state in (${parameter.texts(SUPPRESSED_STATES)}) and ${holdsBefore(range.end)}
    )
    select code, name, ${selectMetrics(listMetrics)}, ${orZero(sql`churned`)} as churned_count
    from ${interestLists} as lists
    left join (
      select list_key,
        count(*) filter (where changed_at < ${first}) as at_start,
        count(*) filter (where changed_at >= ${first}) as joined,
        count(*) filter (where ends_at < ${after}) as departed,
        count(*) filter (where changed_at < ${first} and ends_at < ${after}) as churned
      from memberships group by list_key
    ) as flow using (list_key)
    left join (
      select list_key, count(distinct customer_key) as consented,
        count(distinct case when suppressed_key is null then customer_key end) as reachable
      from members
      join (
        select customer_key, channel from ${consentChanges} where state = 'subscribed' and ${holdsBefore(range.end)}
      ) as subscribed using (customer_key)
      join (select list_key, by_email, by_sms from ${interestLists}) as channels using (list_key)
      left join (select customer_key, customer_key as suppressed_key from blocked) as others using (customer_key)
      where channel = 'email' and by_email or channel = 'sms' and by_sms
      group by list_key
    ) as reached using (list_key)
    left join (
      select list_key, count(*) as suppressed from members join blocked using (customer_key) group by list_key
    ) as unreachable using (list_key)
    left join (
      select list_key, count(*) as with_order
      from members
      join (select customer_key from ${customers} where first_ordered_at < ${after}) as buyers using (customer_key)
      group by list_key
    ) as bought using (list_key)
    left join (
      select list_key, count(*) as placed_orders, sum(revenue) as placed_revenue
      from memberships
      join (
        select customer_key, ordered_at, revenue from ${orders} where is_valid and ${orderedIn(range)}
      ) as placed using (customer_key)
      where changed_at <= ordered_at and (ends_at is null or ordered_at < ends_at)
      group by list_key
    ) as placed using (list_key)
    left join (
      select list_key,
        count(*) filter (where outcome = 'delivered') as delivered,
        count(*) filter (where outcome = 'delivered' and channel = 'email') as delivered_emails,
        count(*) filter (where is_opened and channel = 'email') as opened_emails,
        count(*) filter (where clicks > 0) as clicked,
        count(*) filter (where is_unsubscribed) as exits,
        sum(attributed_revenue) as attributed_revenue
      from ${sends} join ${interestListCampaigns} as targets using (campaign_key)
      where sent_at >= ${first} and sent_at < ${after}
      group by list_key
    ) as messages using (list_key)
    where ${isOneOf(sql`code`, listing.filter_codes)}`,
      listing,
      'code',
      listMetrics,
    ),
  );
}

export function countLists({ filter_codes }: ListFilter) {
  return query(
    [totalCount],
    sql`select count(*) as total_count from ${interestLists} where ${isOneOf(sql`code`, filter_codes)}`,
  );
}

/** One member can join and leave often, so it is people that decide what may be told. */
const PEOPLE = column('people_count', 'integer');

/**
 * Where those who joined in the range came from: rows of (code, source, subscribed_count), the ten largest of
 * each list.
 */
export function listSources(range: Range, { filter_codes }: ListFilter) {
  return query(
    [column('code', 'text'), ...sourceFields, PEOPLE],
    sql`
    select code, source, subscribed_count, people_count
    from (
      select list_key, source, subscribed_count, people_count,
        row_number() over (partition by list_key order by subscribed_count desc, source) as place
      from (
        select list_key, coalesce(source, 'unknown') as source, count(*) as subscribed_count,
          count(distinct customer_key) as people_count
        from (${memberships(range)}) as memberships
        where changed_at >= ${parameter.timestamp(range.start)}
        group by list_key, coalesce(source, 'unknown')
      ) as counted
    ) as ranked
    join (select list_key, code from ${interestLists}) as lists using (list_key)
    where place <= 10 and ${isOneOf(sql`code`, filter_codes)}
    order by code, place`,
  );
}

/**
 * Why members left in the range: rows of (code, reason, unsubscribed_count), the ten most frequent of each
 * list.
 */
export function listReasons(range: Range, { filter_codes }: ListFilter) {
  return query(
    [column('code', 'text'), ...reasonFields, PEOPLE],
    sql`
    select code, reason, unsubscribed_count, people_count
    from (
      select list_key, reason, unsubscribed_count, people_count,
        row_number() over (partition by list_key order by unsubscribed_count desc, reason) as place
      from (
        select list_key, coalesce(next_reason, 'unknown') as reason, count(*) as unsubscribed_count,
          count(distinct customer_key) as people_count
        from (${memberships(range)}) as memberships
        where ends_at < ${parameter.timestamp(range.end)}
        group by list_key, coalesce(next_reason, 'unknown')
      ) as counted
    ) as ranked
    join (select list_key, code from ${interestLists}) as lists using (list_key)
    where place <= 10 and ${isOneOf(sql`code`, filter_codes)}
    order by code, place`,
  );
}

/** The memberships that held at some time of the range. */
function memberships({ start, end }: Range): Sql {
  return sql`
    select list_key, customer_key, changed_at, ends_at, source, next_reason from ${interestListChanges}
    where is_member and changed_at < ${parameter.timestamp(end)}
      and (ends_at is null or ends_at >= ${parameter.timestamp(start)})`;
}

function profiles<const Key extends string>(key: Key, definition: string, value: Sql) {
  return counted('profiles', key, definition, value);
}
