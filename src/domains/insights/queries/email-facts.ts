import { type Metric, selectMetrics } from '../../../answers/metric.ts';
import { campaigns, orderAttribution, sends } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { automatedAmong } from '../../messages/queries/automated-times.ts';
import { pressureMetrics } from '../../messages/queries/channel-activity.ts';
import { emailChannel } from '../../messages/queries/message-channels.ts';
import {
  matureMeasures,
  matureRevenue,
  sendRevenue,
  sendRevenueMeasures,
} from '../../messages/queries/send-revenue.ts';
import { sentIn } from '../../messages/queries/sent-campaigns.ts';
import { periodCuts } from './dimensions.ts';
import { type Fact, type FactQuestion, readOf } from './fact.ts';
import { named } from './order-facts.ts';

const JOIN_CAMPAIGNS = sql`join (
  select campaign_key, campaign_id, campaign_type, campaign_category from ${campaigns}
) as described using (campaign_key)`;

/** How many of the e-mails that a question is about are of automations. */
export function automatedEmails({ conditions, range, facts }: Omit<FactQuestion, 'metrics'>) {
  const { condition, joins } = readOf(emailsFact, { conditions, range, facts, dimensions: [], rest: null });
  return automatedAmong(sql`
    select campaign_key from ${sends} ${joins} where ${sentIn(emailChannel, range)} and ${condition}`);
}

export const emailsFact: Fact = {
  name: 'emails',
  definition: 'E-mails, by when they were sent, with all that followed until the end of the data.',
  cuts: {
    ...periodCuts(sql`sent_date`),
    weekday: { value: sql`sent_weekday` },
    hour: { value: sql`sent_hour` },
    email_campaign: { value: sql`campaign_id`, joins: [JOIN_CAMPAIGNS] },
    campaign_type: { value: sql`campaign_type`, joins: [JOIN_CAMPAIGNS] },
    campaign_category: { value: sql`campaign_category`, joins: [JOIN_CAMPAIGNS] },
  },
  metrics: {
    ...named([...emailChannel.activity, ...pressureMetrics] as readonly Metric[], {
      emails_sent_count: 'sent_count',
      email_recipients_count: 'unique_recipients_count',
      emails_delivered_count: 'delivered_count',
      email_hard_bounces_count: 'hard_bounces_count',
      email_soft_bounces_count: 'soft_bounces_count',
      email_opens_count: 'opens_count',
      email_unique_opens_count: 'unique_opens_count',
      email_machine_opens_count: 'machine_opens_count',
      email_clicks_count: 'clicks_count',
      email_unique_clicks_count: 'unique_clicks_count',
      email_unsubscribes_count: 'unsubscribes_count',
      email_spam_complaints_count: 'spam_complaints_count',
      email_delivery_rate: 'delivery_rate',
      email_bounce_rate: 'bounce_rate',
      email_open_rate: 'open_rate',
      email_click_rate: 'click_rate',
      email_click_to_open_rate: 'click_to_open_rate',
      email_unsubscribe_rate: 'unsubscribe_rate',
      email_campaigns_count: 'campaigns_count',
    }),
    ...named(sendRevenue(emailChannel.delivered, true) as readonly Metric[], {
      email_attributed_orders_count: 'attributed_orders_count',
      email_attributed_revenue: 'attributed_revenue',
      email_click_attributed_revenue: 'click_attributed_revenue',
      email_average_order_value: 'average_order_value',
      email_conversion_rate: 'conversion_rate',
      email_revenue_per_recipient: 'revenue_per_recipient',
    }),
    ...named(matureRevenue as readonly Metric[], {
      email_mature_conversion_rate: 'mature_conversion_rate',
      email_mature_revenue_per_recipient: 'mature_revenue_per_recipient',
    }),
  },
  adds: [
    ...[
      'emails_sent_count',
      'emails_delivered_count',
      'email_hard_bounces_count',
      'email_soft_bounces_count',
    ],
    ...['email_opens_count', 'email_unique_opens_count', 'email_machine_opens_count', 'email_clicks_count'],
    ...['email_unique_clicks_count', 'email_unsubscribes_count', 'email_spam_complaints_count'],
    ...['email_attributed_orders_count', 'email_attributed_revenue', 'email_click_attributed_revenue'],
  ],
  large: {
    sum: 'the revenue credited to e-mails',
    orders(question) {
      const { key, condition, joins } = readOf(emailsFact, question);
      return sql`
        select row_key, ordered_date, revenue
        from ${orderAttribution}
        join (
          select send_key, ${key} as row_key from ${sends} ${joins}
          where ${sentIn(emailChannel, question.range)} and ${condition}
        ) as cut using (send_key)
        where scenario = 'configured'`;
    },
  },
  rows(question) {
    const { key, condition, joins } = readOf(this, question);
    return sql`
      select row_key, ${selectMetrics(question.metrics)}
      from (
        select row_key, count(distinct campaign_key) as campaigns, ${emailChannel.measures}, ${sendRevenueMeasures},
          ${matureMeasures(question.facts)}
        from (
          select *, ${key} as row_key from ${sends} ${joins}
          where ${sentIn(emailChannel, question.range)} and ${condition}
        ) as cut
        group by row_key
      ) as measures`;
  },
};
