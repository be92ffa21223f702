import { z } from 'zod';
import {
  bounceReasons,
  DELIVERY_GROUPINGS,
  DELIVERY_STATUS_RULE,
  deliveryMetrics,
  deliveryRow,
  deliveryTotals,
  domainsOfSender,
  listDelivery,
} from '../../model/marketing/deliverability.ts';
import { emailActivity } from '../../model/marketing/email-activity.ts';
import { emailChannel } from '../../model/marketing/message-channels.ts';
import { knownCampaigns, sentIn, unknownCampaignNotes } from '../../model/marketing/sent.ts';
import { metricFields } from '../../model/metrics/metric.ts';
import { readRange } from '../../model/range.ts';
import type { Row } from '../../sql/row.ts';
import { oneOf, pagingArguments, rangeArguments, sortArguments } from '../arguments.ts';
import { campaignIdsFilter } from '../marketing-arguments.ts';
import { sendBasis } from '../marketing-fields.ts';
import { count, coverageFields, percent, totalCountField } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const topReason = z.strictObject({
  bounce_class: z.string(),
  smtp_code: z.string().nullable(),
  count: count('Bounces for the reason.'),
  sample: z.string().nullable(),
});

const knownRow = {
  ...metricFields([...emailActivity, ...deliveryMetrics]),
  external_spam_rate: percent('As loaded (Google Postmaster Tools); only by sending_domain.'),
  complaints_available: z.boolean(),
  top_reasons: z.array(topReason),
  status: z.string(),
};

const setting = z.string().nullable();

export const emailDeliverabilityStatistics = defineTool({
  name: 'email_deliverability_statistics',
  title: 'Email deliverability statistics',
  group: 'Email analytics',
  description:
    'Whether e-mails of one range arrived: bounces, blocks and complaints by mailbox provider, domain of recipients ' +
    'or of the sender, or reason of the bounce, and how the sending domains are set up. For reading and clicking use ' +
    'email_channel_statistics.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    ...rangeArguments,
    group_by: oneOf('group_by', DELIVERY_GROUPINGS)
      .default('mailbox_provider')
      .describe('What a row is; bounce_reason has only bounced messages.'),
    ...sortArguments(
      ['sent_count', 'delivery_rate', 'bounce_rate', 'spam_complaint_rate', 'open_rate', 'unsubscribe_rate'],
      { sort_by: 'sent_count', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    ...campaignIdsFilter,
  }),
  output: z.strictObject({
    ...coverageFields,
    ...sendBasis,
    group_by: z.string(),
    ...totalCountField,
    totals: z
      .strictObject({ key: z.string(), ...knownRow })
      .describe('All e-mails sent in the range; key (all).'),
    rows: z.array(
      z.strictObject({
        key: z.string().describe('Provider, domain or bounce class; (not set) when unknown.'),
        ...knownRow,
        ...metricFields(deliveryMetrics),
        complaints_available: z
          .boolean()
          .describe('False: its providers report no complaints (Gmail, Apple), so 0 means nothing.'),
        top_reasons: z.array(topReason).describe('At most 5 reasons of bounces; sample is business data.'),
        status: z.string().describe(DELIVERY_STATUS_RULE),
      }),
    ),
    sending_domains: z
      .array(
        z.strictObject({
          domain: z.string(),
          ...{ spf: setting, dkim: setting, dmarc: setting },
          one_click_unsubscribe: z.boolean().nullable(),
        }),
      )
      .describe('Null: not loaded. One click by RFC 8058.'),
  }),
  plan({ args, timezone, facts }) {
    const sent = sentIn(emailChannel, readRange(args, timezone), args);
    return plan({
      queries: {
        rows: listDelivery(sent, args),
        totals: deliveryTotals(sent, args.group_by),
        reasons: bounceReasons(sent, args),
        domains: domainsOfSender(sent),
        known: knownCampaigns(emailChannel, args),
      },
      answer: ({ rows, totals: [totals], reasons, domains, known }) => {
        const { total_count, ...whole }: Row = { key: '(all)', external_spam_rate: null, ...totals };
        const reasonsOf = Map.groupBy(reasons, ({ row_key }) => row_key);
        return {
          result: {
            business_id: args.business_id,
            data_until: facts.messages_until,
            basis: 'send',
            group_by: args.group_by,
            total_count,
            totals: deliveryRow(whole, whole, reasonsOf.get(null) ?? []),
            rows: rows.map((row) => deliveryRow(row, whole, reasonsOf.get(row.key as string) ?? [])),
            sending_domains: domains,
          },
          notes: unknownCampaignNotes(emailChannel, args, known),
        };
      },
    });
  },
});
