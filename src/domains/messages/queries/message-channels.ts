import { NOTHING_TO_DIVIDE_BY, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Metric, metric, ratio } from '../../../answers/metric.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import { delivered, emailActivity, emailMeasures } from './email-activity.ts';
import { smsActivity, smsMeasures } from './sms-activity.ts';

/** What distinguishes the channels that messages are sent by. */
export interface MessageChannel {
  /** The channel's name in `sends`, `campaigns` and `order_attribution`. */
  readonly name: 'email' | 'sms';
  /** The channel of sessions that its links lead to. */
  readonly lastClickChannel: string;
  readonly campaignTypes: readonly string[];
  /** The measures over rows of `sends`. */
  readonly measures: Sql;
  /** The metrics over rows of `measures`. */
  readonly activity: readonly Metric[];
  readonly delivered: Sql;
  /** The metrics over rows of `measures` and `sendRevenueMeasures`. */
  readonly spending: readonly Metric[];
  /** The scenarios of `order_attribution`, in the order of the answer. */
  readonly scenarios: readonly string[];
}

/**
 * A row of a channel's activity by a key. The compiler works its type out for a channel that it knows, and
 * not for any channel.
 */
export type ActivityBy<Key extends string, Channel extends MessageChannel> = Readonly<Record<Key, string>> &
  ObjectOf<Channel['activity']>;

export const emailChannel = {
  name: 'email',
  lastClickChannel: 'Email',
  campaignTypes: ['targeted-emailing', 'targeted-emailing-ab', 'incremental-emailing'],
  measures: emailMeasures,
  activity: emailActivity,
  delivered,
  spending: [] as const,
  scenarios: ['click_24h', 'click_configured', 'configured', 'configured_with_machine_opens'],
} satisfies MessageChannel;

const returnOnSpend = [
  metric({
    key: 'return_on_spend',
    type: 'number',
    unit: 'ratio',
    null: NOTHING_TO_DIVIDE_BY,
    definition: 'attributed_revenue / cost.',
    value: ratio(sql`attributed_revenue`, sql`cost`),
  }),
];

export const smsChannel = {
  name: 'sms',
  lastClickChannel: 'SMS',
  campaignTypes: ['targeted-sms', 'incremental-sms'],
  measures: smsMeasures,
  activity: smsActivity,
  delivered: sql`delivered`,
  spending: returnOnSpend,
  scenarios: ['click_24h', 'configured', 'configured_with_delivery_12h'],
} satisfies MessageChannel;
