import { z } from 'zod';
import { oneOf, pagingArguments, rangeArguments, sortArguments } from '../../../answers/arguments.ts';
import { bars, line, saying } from '../../../answers/chart.ts';
import { field } from '../../../answers/fields/field.ts';
import { list, object } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { coverage, groupByField, totalCount } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { coverWithPeriods } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import { campaignIdsFilter, optionalBreakdown } from '../marketing-arguments.ts';
import { complaintNotes, complaints } from '../queries/complaints.ts';
import {
  bounceReasons,
  DELIVERY_GROUPINGS,
  deliveryByPeriod,
  deliveryFields,
  deliveryKey,
  deliveryPeriodFields,
  deliveryPeriods,
  deliveryRow,
  deliveryTotals,
  domainFields,
  domainsOfSender,
  listDelivery,
} from '../queries/deliverability.ts';
import { emailChannel } from '../queries/message-channels.ts';
import { sendBasis } from '../queries/message-fields.ts';
import { knownCampaigns, sentDuring, sentIn, unknownCampaignNotes } from '../queries/sent-campaigns.ts';

export const emailDeliverabilityStatistics = defineTool({
  name: 'email_deliverability_statistics',
  title: 'Email deliverability statistics',
  group: 'Email analytics',
  description:
    'Whether e-mails of the range arrived: bounces, blocks, complaints by mailbox provider, domain or bounce reason; set-up of the sending domains.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'rows', uniqueBy: ['key'] },
  chart: [
    line('periods', 'period', ['delivery_rate', 'bounce_rate'], { by: ['key'], groupedBy: 'group_by' }),
    saying(
      'All days together; above, a point is one period.',
      bars('rows', ['key'], ['delivery_rate', 'bounce_rate'], { groupedBy: 'group_by' }),
    ),
    saying(
      'Dotted: Gmail asks senders to stay below 0.1 %, and never to reach 0.3 %. A 0 may mean that a provider reports none: Gmail tells complaints in its Postmaster Tools.',
      bars('rows', ['key'], ['spam_complaint_rate'], { groupedBy: 'group_by', limits: [0.1, 0.3] }),
    ),
    bars('rows', ['key'], ['spam_complaints_count'], { groupedBy: 'group_by' }),
  ],
  input: z.strictObject({
    ...rangeArguments,
    ...optionalBreakdown,
    group_by: oneOf('group_by', DELIVERY_GROUPINGS)
      .default('mailbox_provider')
      .describe('bounce_reason: only bounced messages.'),
    ...sortArguments(
      ['sent_count', 'delivery_rate', 'bounce_rate', 'spam_complaint_rate', 'open_rate', 'unsubscribe_rate'],
      { sort_by: 'sent_count', sort_order: 'desc' },
    ),
    ...pagingArguments(),
    ...campaignIdsFilter,
  }),
  fields: [
    ...coverage,
    sendBasis,
    groupByField(DELIVERY_GROUPINGS),
    totalCount,
    object('totals', 'All e-mails sent in the range.', [deliveryKey, ...deliveryFields]),
    list('rows', 'The page of rows asked for.', [deliveryKey, ...deliveryFields]),
    field({
      key: 'periods',
      type: 'list',
      null: 'no breakdown asked for',
      definition: 'Every period of the whole and of each of the rows.',
      fields: deliveryPeriodFields,
    }),
    list('sending_domains', 'Domains that sent in the range or that something is known of.', domainFields),
  ],
  plan({ args, timezone, facts }) {
    const range = readRange(args, timezone);
    const periods = args.breakdown && coverWithPeriods(range, args.breakdown, args.limit + 1);
    const sent = sentIn(emailChannel, range, args);
    return plan({
      queries: {
        rows: listDelivery(sent, args),
        totals: deliveryTotals(sent, args.group_by),
        reasons: bounceReasons(sent, args),
        complaints: complaints('email', range),
        domains: domainsOfSender(sent),
        buckets: periods && deliveryByPeriod(sent, sentDuring(emailChannel, periods, args), periods, args),
        known: knownCampaigns(emailChannel, args),
      },
      answer: ({ rows, totals, reasons, domains, buckets, known, complaints: complained }) => {
        const { total_count, ...whole } = onlyRow(totals);
        const reasonsOf = Map.groupBy(reasons, ({ row_key }) => row_key);
        const keys = rows.map(({ key }) => key);
        const byPeriod = periods && deliveryPeriods(periods, keys, buckets);
        return {
          result: {
            business_id: args.business_id,
            data_until: facts.messages_until,
            basis: 'send',
            group_by: args.group_by,
            total_count,
            totals: deliveryRow(
              { key: '(all)', external_spam_rate: null, ...whole },
              whole,
              reasonsOf.get(null) ?? [],
            ),
            rows: rows.map((row) => deliveryRow(row, whole, reasonsOf.get(row.key) ?? [])),
            periods: byPeriod?.periods ?? null,
            sending_domains: domains,
          },
          notes: [
            ...unknownCampaignNotes(emailChannel, args, known),
            ...(byPeriod?.notes ?? []),
            ...complaintNotes(complained),
          ],
        };
      },
    });
  },
});
