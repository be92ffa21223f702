import { z } from 'zod';
import { shortText } from '../../model/business-text.ts';
import {
  countVariants,
  isCampaign,
  variantMetrics,
  variantResults,
  variantsOf,
} from '../../model/marketing/campaign-variants.ts';
import { isMature, messageRevenueUntil } from '../../model/marketing/data-until.ts';
import { emailChannel, smsChannel } from '../../model/marketing/message-channels.ts';
import { type Arm, NO_VERDICT, testVariants, VARIANT_METRICS } from '../../model/marketing/variant-test.ts';
import { emptyRow, metricFields, valuesOf } from '../../model/metrics/metric.ts';
import { hasRefunds } from '../../model/snapshot.ts';
import { campaigns } from '../../model/tables.ts';
import type { Row } from '../../sql/row.ts';
import { sql } from '../../sql/sql.ts';
import { businessId, oneOf } from '../arguments.ts';
import { campaignIdArgument, requireCampaign, shownSubject } from '../campaign-fields.ts';
import { sendRevenueFields } from '../marketing-fields.ts';
import { coverageFields } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

/** More variants would be tested by nobody. */
const MOST_VARIANTS = 50;

/** The states of a campaign that goes on no more. */
const OVER = ['sent', 'finished', 'canceled', 'terminated', 'archived', 'deleted'];

const INTERVAL =
  'end of the 95 % interval of difference: by Newcombe, revenue_per_recipient by Welch. [percentage points or money]';

const number = (definition: string) => z.number().nullable().describe(definition);

const variantFields = {
  variant: z.string(),
  message_id: z.string(),
  subject: z.string().nullable().describe('Business data.'),
  allocation: number('Planned part of the test group. [percent]'),
  is_winner_send: z.boolean().describe('The winner, sent to the rest: it is no part of the test.'),
  metric_value: number('The metric asked for. [percent or money]'),
  difference: number('metric_value less that of the best other variant. [percentage points or money]'),
  difference_low: number(`Lower ${INTERVAL}`),
  difference_high: number(`Upper ${INTERVAL}`),
  p_value: number(
    'How likely a difference as large would be by chance: two-proportion z-test, revenue_per_recipient by Welch; of more ' +
      'than two variants corrected by Holm over all pairs. Null under 100 delivered. [0 to 1]',
  ),
  is_significant: z.boolean().nullable().describe('p_value < 0.05.'),
};

export const campaignVariantStatistics = defineTool({
  name: 'campaign_variant_statistics',
  title: 'Campaign variant statistics',
  group: 'Campaign statistics',
  description:
    'The A/B variants of one campaign, with what came of each and whether they differ by more than chance. Judge by ' +
    'is_significant and the interval, not by metric_value alone.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  input: z.strictObject({
    business_id: businessId,
    campaign_id: campaignIdArgument,
    metric: oneOf('metric', VARIANT_METRICS).default('click_rate').describe('What variants are compared by.'),
  }),
  output: z.strictObject({
    ...coverageFields,
    campaign_id: z.string(),
    metric: z.string(),
    phase: z
      .string()
      .describe('winner_sent: the winner went to the rest; finished: over without that; testing: before.'),
    winner_variant: z.string().nullable().describe('As chosen by the sender; null: none was.'),
    variants: z.array(
      z.union([
        z.strictObject({
          ...variantFields,
          ...metricFields(emailChannel.activity),
          ...sendRevenueFields,
        }),
        z.strictObject({ ...variantFields, ...metricFields(smsChannel.activity), ...sendRevenueFields }),
      ]),
    ),
  }),
  plan({ args, facts }) {
    const { campaign_id, metric } = args;
    const until = messageRevenueUntil(facts);
    return plan({
      queries: {
        campaign: sql`select channel, state, is_automation from ${campaigns} where ${isCampaign(campaign_id)}`,
        messages: variantsOf(campaign_id, MOST_VARIANTS),
        total: countVariants(campaign_id),
        email: variantResults(campaign_id, emailChannel, hasRefunds(facts)),
        sms: variantResults(campaign_id, smsChannel, hasRefunds(facts)),
      },
      answer: ({ campaign, messages, total, email, sms }) => {
        const { channel, is_automation, state } = requireCampaign(campaign);
        const isSms = channel === 'sms';
        const results = new Map((isSms ? sms : email).map((row) => [row.message_id, row]));
        const hasValues = !(isSms && metric === 'open_rate');
        const verdicts = testVariants(
          hasValues ? armsOf(messages, results, Boolean(is_automation)) : [],
          metric,
        );
        const metrics = variantMetrics(isSms ? smsChannel : emailChannel, hasRefunds(facts));
        const nothing: Row = { ...emptyRow(metrics), refunded_revenue: hasRefunds(facts) ? 0 : null };
        return {
          result: {
            business_id: args.business_id,
            data_until: until,
            campaign_id,
            metric,
            ...decision(messages, results, String(state)),
            variants: messages.map(({ position, variant, subject, ...message }) => {
              const row = results.get(message.message_id);
              const numbers = row === undefined ? nothing : valuesOf(metrics, row);
              return {
                ...message,
                variant: shortText(String(variant), 100),
                subject: shownSubject(subject),
                metric_value: hasValues ? numbers[metric] : null,
                ...(verdicts.get(String(message.message_id)) ?? NO_VERDICT),
                ...numbers,
                is_mature: row !== undefined && isMature(String(row.last_sent_at), facts),
              };
            }),
          },
          notes: [
            ...variantNotes(total[0] ?? {}),
            ...(hasValues ? [] : ['SMS have no known opens: compare them by another metric.']),
          ],
        };
      },
    });
  },
});

/** The messages that were sent in the test itself. */
function armsOf(messages: readonly Row[], results: ReadonlyMap<unknown, Row>, hasSteps: boolean): Arm[] {
  return messages.flatMap(({ message_id, variant, position, is_winner_send }) => {
    const own = results.get(message_id);
    if (is_winner_send || own === undefined) return [];
    const step = hasSteps ? Number(position) : 1;
    return [{ message_id: String(message_id), variant: String(variant), step, results: own }];
  });
}

/** How far the campaign is, and what its sender chose: the variant that went to the rest, or mostly did. */
function decision(messages: readonly Row[], results: ReadonlyMap<unknown, Row>, state: string) {
  const sent = ({ message_id }: Row) => Number(results.get(message_id)?.sent_count ?? 0);
  const winners = messages.filter(({ is_winner_send }) => is_winner_send);
  const [winner] = winners.toSorted((first, second) => sent(second) - sent(first));
  const isSent = winner !== undefined && sent(winner) > 0;
  return {
    phase: isSent ? 'winner_sent' : OVER.includes(state) ? 'finished' : 'testing',
    winner_variant: winner === undefined ? null : shortText(String(winner.variant), 100),
  };
}

function variantNotes({ variants_count, others_count }: Row): string[] {
  const [variants, others] = [Number(variants_count), Number(others_count)];
  if (variants === 0) return ['The campaign has no e-mails or SMS that are variants of each other.'];
  return [
    ...(variants > MOST_VARIANTS
      ? [`The campaign has ${variants} variants, of which the first ${MOST_VARIANTS} are compared.`]
      : []),
    ...(others > 0 ? [`Messages of the campaign that say no variant, so are in no row: ${others}.`] : []),
  ];
}
