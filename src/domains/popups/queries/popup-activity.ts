import {
  AS_NAMED,
  column,
  fieldsNamed,
  NO_RATE,
  type ObjectOf,
  sinceFirst,
} from '../../../answers/fields/field.ts';
import { list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { counted, knownSum, metric, rate } from '../../../answers/metric.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import { isTelling } from '../../../answers/telling-share.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { campaigns, popupEvents } from '../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';
import { POPUP_WINDOWS_D } from '../../messages/definitions/popup-windows.ts';

const ofSubmitters = (condition: Sql) =>
  sql`count(distinct coalesce(customer_key, visitor_key)) filter (where ${condition})`;

/** Whoever closes or submits a popup has seen it, whenever it was displayed. */
const reached = sql`count(distinct visitor_key)`;
const submitters = sql`count(distinct visitor_key) filter (where kind = 'submit')`;

/** What the activity of popups is made of, over rows of `popup_events`. */
export const popupMeasures: Sql = sql`
  count(*) filter (where kind = 'display') as displays,
  ${reached} as reached,
  count(*) filter (where kind = 'close') as closes,
  count(*) filter (where kind = 'submit') as submissions,
  ${submitters} as submitters,
  ${ofSubmitters(sql`is_new_subscriber`)} as new_subscribers,
  ${ofSubmitters(sql`is_lost_subscriber`)} as lost_subscribers,
  ${ofSubmitters(sql`is_new_customer`)} as new_customers,
  coalesce(sum(attributed_orders), 0) as attributed_orders,
  coalesce(sum(priced_orders), 0) as priced_orders,
  ${knownSum(sql`attributed_revenue`, sql`attributed_orders > 0`)} as attributed_revenue,
  ${knownSum(sql`refunded_revenue`, sql`attributed_orders > 0`)} as refunded,
  count(distinct visitor_key) filter (where attributed_orders > 0) as converted,
  min(case when kind = 'display' then happened_at end) as first_displayed_at,
  max(case when kind = 'display' then happened_at end) as last_displayed_at,
  max(case when kind = 'submit' then happened_at end) as last_submitted_at`;

const { order, subscription, unsubscription, firstOrder } = POPUP_WINDOWS_D;

/**
 * PopupActivity but its devices, over rows of `popupMeasures`: what happened in the range, and what came of
 * it since.
 */
export const popupActivity = [
  counted('displays', 'displays_count', AS_NAMED, sql`displays`),
  counted(
    'visitors',
    'unique_displays_count',
    'Distinct visitors who saw it; who closes or submits it did.',
    sql`reached`,
  ),
  counted('closes', 'closes_count', AS_NAMED, sql`closes`),
  counted('submissions', 'submissions_count', 'Forms sent.', sql`submissions`),
  counted('visitors', 'unique_submissions_count', 'Distinct visitors who sent the form.', sql`submitters`),
  rate('submission_rate', 'unique_submissions_count / unique_displays_count.', sql`submitters`, sql`reached`),
  counted(
    'profiles',
    'new_subscribers_count',
    `Submitters first ever subscribed to e-mail or SMS, with it or within ${subscription} days.`,
    sql`new_subscribers`,
  ),
  counted(
    'profiles',
    'unsubscribed_30d_count',
    `New subscribers who left within ${unsubscription} days.`,
    sql`lost_subscribers`,
  ),
  sinceFirst(
    counted(
      'customers',
      'new_customers_count',
      `Submitters with a new order within ${firstOrder} days.`,
      sql`new_customers`,
    ),
  ),
  counted(
    'orders',
    'attributed_orders_count',
    `Orders of submitters within ${order} days, once per popup; overlaps with e-mail and SMS.`,
    sql`attributed_orders`,
  ),
  metric({
    key: 'attributed_revenue',
    type: 'number',
    unit: 'money',
    null: NO_RATE,
    revenue: 'credited',
    definition: `Revenue of orders of submitters within ${order} days, as attributed_orders_count.`,
    value: sql`attributed_revenue`,
  }),
];

const deviceFields = [
  text('device', 'desktop, mobile, tablet, other, (not set).'),
  ...fieldsNamed(popupActivity, ['unique_displays_count', 'unique_submissions_count']),
];
type Device = ObjectOf<typeof deviceFields>;

/** The devices of popups, beside their activity. */
export const devicesField = list('devices', 'What people saw it on; some on several.', deviceFields);

/** A row of `popupDevices`, among those of its popup. */
export function shownDevice({
  campaign_id: _,
  ...device
}: Device & { readonly campaign_id: string }): Device {
  return device;
}

/** The devices of popups, the most seen first. A visitor may have several. */
export function popupDevices(events: Sql) {
  return query(
    [column('campaign_id', 'text'), ...deviceFields],
    sql`
    select campaign_id, device, unique_displays_count, unique_submissions_count
    from (
      select campaign_key, coalesce(device, '(not set)') as device, ${reached} as unique_displays_count,
        ${submitters} as unique_submissions_count
      from (select campaign_key, visitor_key, kind, device from ${popupEvents} where ${events}) as seen
      group by campaign_key, coalesce(device, '(not set)')
    ) as measures
    join (select campaign_key, campaign_id from ${campaigns}) as described using (campaign_key)
    order by unique_displays_count desc, device`,
  );
}

const SUBSCRIBERS = [column('new_subscribers', 'integer'), column('by_email', 'integer')];

/** @param seen rows of `popup_events` */
export function newSubscribers(seen: Sql) {
  return query(
    SUBSCRIBERS,
    sql`
    select ${ofSubmitters(sql`is_new_subscriber`)} as new_subscribers,
      ${ofSubmitters(sql`is_new_email_subscriber`)} as by_email
    from ${seen}`,
  );
}

/** Tools about subscribers count those of one channel. */
export function channelNotes([found]: readonly ObjectOf<typeof SUBSCRIBERS>[]): string[] {
  if (found === undefined) return [];
  const { new_subscribers: all, by_email } = found;
  if (!isTelling({ part: all - by_email, whole: all })) return [];
  const some = (count: number) => (count < LEAST_SHARING ? `fewer than ${LEAST_SHARING}` : String(count));
  return [
    `new_subscribers_count is of e-mail or SMS: of ${some(all)} distinct people ${some(by_email)} are new to e-mail, ${some(all - by_email)} to SMS alone. subscriber_statistics counts one channel.`,
  ];
}

/**
 * What is counted of popups, and within what time, where anybody saw one: it is people who saw a popup, and
 * no visits.
 */
export function popupDefinitionNotes(reached: number): string[] {
  if (reached === 0) return [];
  return [
    `Of popups: unique_displays_count is visitors who saw it, however often; submission_rate is of these, and of no visits. What came of it is within ${order} days of sending the form for orders, ${subscription} for subscriptions, ${firstOrder} for new customers.`,
  ];
}

/**
 * Forms that were sent so late that what comes of them is not all known: they look worse than earlier ones.
 */
export function youngFormNotes(lastDate: string, popupsUntil: string | null, timezone: string): string[] {
  if (popupsUntil === null) return [];
  const until = localDate(popupsUntil, timezone);
  const young = until.subtract({ days: firstOrder - 1 }).toString();
  if (lastDate < young) return [];
  const youngest = until.subtract({ days: order - 1 }).toString();
  return [
    `Forms sent since ${young} have not had ${firstOrder} days for a first order yet, and those since ${youngest} not ${order} for any: new_customers_count and credited orders of these days grow still, so do not compare them with earlier ones.`,
  ];
}

/** A zero of a store without consents does not mean that nobody subscribed. */
export function popupNotes({ loaded_tables }: SnapshotFacts): string[] {
  return loaded_tables.includes('consent_events')
    ? []
    : ['No consent events are loaded, so new subscribers are not known.'];
}
