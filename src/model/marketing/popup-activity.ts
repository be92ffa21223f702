import { type Sql, sql } from '../../sql/sql.ts';
import { type Metric, percent } from '../metrics/metric.ts';
import { campaigns, popupEvents } from '../tables.ts';
import { POPUP_WINDOWS_D } from './popup-windows.ts';

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
  coalesce(sum(attributed_revenue), 0) as attributed_revenue,
  coalesce(sum(refunded_revenue), 0) as refunded,
  count(distinct visitor_key) filter (where attributed_orders > 0) as converted,
  min(case when kind = 'display' then happened_at end) as first_displayed_at,
  max(case when kind = 'display' then happened_at end) as last_displayed_at,
  max(case when kind = 'submit' then happened_at end) as last_submitted_at`;

const { order, subscription, unsubscription, firstOrder } = POPUP_WINDOWS_D;

/** PopupActivity but its devices, over rows of `popupMeasures`: what happened in the range, and what came of it since. */
export const popupActivity: readonly Metric[] = [
  {
    key: 'displays_count',
    type: 'integer',
    unit: 'displays',
    definition: 'Displays of the popup.',
    value: sql`displays`,
  },
  {
    key: 'unique_displays_count',
    type: 'integer',
    unit: 'visitors',
    definition: 'Distinct visitors who saw it; who closes or submits it did.',
    value: sql`reached`,
  },
  {
    key: 'closes_count',
    type: 'integer',
    unit: 'closes',
    definition: 'Closes of the popup.',
    value: sql`closes`,
  },
  {
    key: 'submissions_count',
    type: 'integer',
    unit: 'submissions',
    definition: 'Forms sent.',
    value: sql`submissions`,
  },
  {
    key: 'unique_submissions_count',
    type: 'integer',
    unit: 'visitors',
    definition: 'Distinct visitors who sent the form.',
    value: sql`submitters`,
  },
  {
    key: 'submission_rate',
    type: 'number',
    unit: 'percent',
    nullable: true,
    definition: 'unique_submissions_count / unique_displays_count.',
    value: percent(sql`submitters`, sql`reached`),
  },
  {
    key: 'new_subscribers_count',
    type: 'integer',
    unit: 'profiles',
    definition: `Submitters subscribed for the first time ever, with it or within ${subscription} days.`,
    value: sql`new_subscribers`,
  },
  {
    key: 'unsubscribed_30d_count',
    type: 'integer',
    unit: 'profiles',
    definition: `New subscribers who left within ${unsubscription} days.`,
    value: sql`lost_subscribers`,
  },
  {
    key: 'new_customers_count',
    type: 'integer',
    unit: 'customers',
    definition: `Submitters with a new order within ${firstOrder} days.`,
    value: sql`new_customers`,
  },
  {
    key: 'attributed_orders_count',
    type: 'integer',
    unit: 'orders',
    definition: `Orders of submitters within ${order} days, once per popup; overlaps with e-mail and SMS.`,
    value: sql`attributed_orders`,
  },
  {
    key: 'attributed_revenue',
    type: 'number',
    unit: 'money',
    definition: `Orders of submitters within ${order} days, once per popup; overlaps with e-mail and SMS.`,
    value: sql`attributed_revenue`,
  },
];

/** By popup and device, the most seen first; a visitor may have several. */
export function popupDevices(events: Sql): Sql {
  return sql`
    select campaign_id, device, unique_displays_count, unique_submissions_count
    from (
      select campaign_key, coalesce(device, '(not set)') as device, ${reached} as unique_displays_count,
        ${submitters} as unique_submissions_count
      from (select campaign_key, visitor_key, kind, device from ${popupEvents} where ${events}) as seen
      group by campaign_key, coalesce(device, '(not set)')
    ) as measures
    join (select campaign_key, campaign_id from ${campaigns}) as described using (campaign_key)
    order by unique_displays_count desc, device`;
}
