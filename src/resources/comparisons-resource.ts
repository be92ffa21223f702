import type { Tool } from '../answers/tool.ts';
import { DEFAULT_WINDOWS } from '../business/attribution-windows.ts';
import { DELIVERY_STATUS_RULE } from '../domains/messages/queries/deliverability.ts';
import { LOW_VOLUME } from '../domains/messages/queries/low-volume.ts';
import { CHANNELS } from '../domains/traffic/definitions/channels.ts';
import { list, sections } from './markdown.ts';
import { wordDefinitions } from './metrics/definition-sections.ts';
import { MACHINE_SHARE_LIMIT } from './metrics/metrics-resource.ts';
import type { Resource } from './resource.ts';

const BASIS = list([
  'Compare only numbers of one basis. `email_revenue_statistics` and `sms_revenue_statistics` count orders placed in the range and add up to the store; all other e-mail and SMS tools count messages sent in the range, whatever follows. Never subtract the one from the other.',
  'Compare only with the same filters, include_suspected_bots, breakdown, lookback_days and attribution windows (answers echo them).',
  'One call is one range: a comparison is two calls that differ only in their dates.',
]);

const ADDING = list([
  'May be added: attributed revenue of e-mail and of SMS; new and returning orders; rows of one listing, for counts and revenue of one basis.',
  'Never add attributed revenue and last-click revenue: the same orders seen twice. `contested_revenue` is their overlap with other marketing channels.',
  'Never add revenue of popups to that of e-mail or SMS, nor rows that overlap: product categories, coupons, interest lists.',
  'Distinct numbers (customers, visitors, recipients, members) do not add up over rows, periods or channels.',
  'Rates and means do not add up and are not averaged: recompute them from their counts.',
]);

const PREVIOUS = list([
  'Where nobody says which range is meant: the last whole calendar month that is loaded.',
  'The default: a range of whole calendar months with as many months directly before it; any other range with one of the same length directly before it.',
  'Seasonal shops: the same calendar months of last year.',
  'Months differ in length: compare totals per day where the ranges differ in days, and check that both have as many weekends.',
  'Whole calendar units in business time; a range that begins or ends within a day compares with the same hours.',
  'Nothing of either range may lie after data_until.',
]);

const MATURITY = list([
  `\`is_mature\` false: the last message is younger than the longest attribution window, revenue still grows. Do not compare such rows with mature ones; wait (${Math.max(...Object.values(DEFAULT_WINDOWS)) / 24} days after the last send, with the default windows).`,
  'Cohorts and repeat purchases: quote `mature_` values, others only with is_mature or is_complete true; `return_rate` of all eligible customers is a lower bound.',
  '`may_contain_old_customers`: the history starts too late to know who is new.',
]);

const SIZE = list([
  `\`is_low_volume\`: under ${LOW_VOLUME.email} delivered e-mails or ${LOW_VOLUME.sms} SMS; rates are noise.`,
  'Intervals (`click_rate_low` to `click_rate_high`, 95 %): where those of two rows overlap, say "no visible difference".',
  'With few orders one large one moves averages: tell the count beside every rate and mean.',
  'Many rows compared at once: some differ by chance; a find is a hypothesis to test.',
]);

const MIX = list([
  'An average can fall though no part of it did: look at `email_campaign_type_statistics`, `sms_campaign_type_statistics` or sessions by channel first.',
  'Compare one-off campaigns and automations inside one campaign_category, never across, see analytics://campaign-categories.',
  'Revenue = sessions_count x orders_count per session x last_click_revenue per order + untracked_revenue, all of session_statistics without filters: tell which of them moved. `conversion_rate` counts sessions with an order, so it is close to orders per session, not equal.',
  'A change of tagging, attribution windows, thresholds, consent rules or content inside a range breaks the series; so does a day with `is_anomalous`. Trends list notes of the merchant (spots on TV, outages, new prices) and public holidays as `calendar_events`.',
  `Opens: a larger share of machines (over ${MACHINE_SHARE_LIMIT} % of opened sends by machines alone) changes open rates without readers; compare clicks.`,
]);

const CAUSE = list([
  'Attribution tells which message came last, not what it caused. Only `lift` against a control group is incremental.',
  'First click, last click and markov_revenue are three views of the same orders; none is the true one.',
  'No benchmark of other shops is known here. Compare a shop with itself.',
]);

const WORDING = list([
  'Rates: the difference in percentage points first, then relative ("2.0 % to 2.5 %: +0.5 points, +25 %").',
  'From 0 or null there is no relative change.',
  'Money in primary_currency; refunds are not deducted unless the field says net.',
]);

const MUST_AGREE = list([
  '`total_orders_count`, `total_revenue` of e-mail and SMS revenue = order_statistics of the same range.',
  'sent = delivered + hard and soft bounces; of SMS delivered + failed + pending.',
  'E-mail rows by type, by campaign (all pages), by provider = email_channel_statistics, but for unique_recipients_count.',
  'Without filters: last_click_revenue of all sessions + untracked_revenue = orders_revenues.',
  'RFM: all segments = scored_customers_count + lost.',
]);

const THRESHOLDS = `email_deliverability_statistics, \`status\`: ${DELIVERY_STATUS_RULE} Complaint limits are those of Gmail and Yahoo for senders; bounce limits are a convention of ours.`;

const CHANNEL_ORDER = `A session has the first channel whose rule fits, by source, medium, campaign and referrer: ${CHANNELS.join(', ')}. E-mail, SMS and push come before everything paid, so own messages never count as ads; \`source\` and \`medium\` are always kept.`;

export function comparisonsResource(tools: readonly Tool[]): Resource {
  return {
    uri: 'analytics://comparisons',
    name: 'comparisons',
    title: 'Comparisons',
    description:
      'Which numbers may be compared, added or subtracted, what a previous period is, when a difference means something. ' +
      'Read it before interpreting email or SMS results.',
    text: `# Comparisons\n\n${sections({
      'May these be compared?': BASIS,
      'May these be added?': ADDING,
      'Which previous period?': PREVIOUS,
      'Is it complete yet?': MATURITY,
      'Is the difference real?': SIZE,
      'What else may have changed?': MIX,
      'Did it cause that?': CAUSE,
      'How to say it': WORDING,
      'What must agree': MUST_AGREE,
      'Thresholds of status': THRESHOLDS,
      'Channels of sessions': CHANNEL_ORDER,
      'Flags, choices and texts': `What is no number, in the notation of analytics://metrics. Names and texts of the store are business data. Left out: what says no more than its name, and what echoes an argument.\n\n${wordDefinitions(tools)}`,
    })}\n`,
  };
}
