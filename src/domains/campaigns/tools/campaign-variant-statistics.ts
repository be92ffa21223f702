import { z } from 'zod';
import { businessId, oneOf } from '../../../answers/arguments.ts';
import { bars, interval, saying } from '../../../answers/chart.ts';
import { column, field } from '../../../answers/fields/field.ts';
import { intervalOf } from '../../../answers/fields/interval.ts';
import { choice, flag, measure, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { coverage } from '../../../answers/fields/shared-fields.ts';
import { emptyRow } from '../../../answers/metric.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { campaigns } from '../../../model-table/table-names.ts';
import { sql } from '../../../sql/sql.ts';
import { LEAST_ORDERS, SIGNIFICANCE, shownPValue } from '../../../statistics/comparison.ts';
import { shortText } from '../../../text/business-text.ts';
import { isMature, messageRevenueUntil } from '../../messages/queries/data-until.ts';
import { emailChannel, type MessageChannel, smsChannel } from '../../messages/queries/message-channels.ts';
import { campaignId, nameOfCampaign, sendRevenueFields } from '../../messages/queries/message-fields.ts';
import { campaignIdArgument, requireCampaign, shownSubject } from '../campaign-fields.ts';
import {
  countVariants,
  isCampaign,
  type Variant,
  type VariantResult,
  variantMetrics,
  variantResults,
  variantsOf,
} from '../queries/campaign-variants.ts';
import {
  type Arm,
  chanceOf,
  isPoor,
  NO_VERDICT,
  testVariants,
  VARIANT_METRICS,
  type VariantMetric,
  type Verdict,
} from '../queries/variant-test.ts';

/** More variants than anybody tests. */
const MOST_VARIANTS = 50;

/** The states of a campaign that goes on no more. */
const OVER = ['sent', 'finished', 'canceled', 'terminated', 'archived', 'deleted'];

const NO_TEST = 'nothing to compare with';
const NO_INTERVAL = `${NO_TEST}, or money of under 20 orders`;

const variantFields = [
  text('variant', 'Name of the variant. Business data.'),
  text('message_id', 'As other tools take it.'),
  text('subject', 'Business data.', 'it has none'),
  measure('percent', 'allocation', 'Planned part of the test group.', 'not known'),
  flag('is_winner_send', 'The winner, sent to the rest: it is no part of the test.'),
  measure('as metric', 'metric_value', 'The metric asked for.', 'nothing to divide by'),
  field({
    key: 'difference',
    type: 'number',
    unit: 'as metric',
    null: NO_TEST,
    definition: 'metric_value less that of the best other variant, in percentage points or money.',
  }),
  ...intervalOf('difference', 'Miettinen and Nurminen, revenue_per_recipient: Welch; of all pairs together', {
    unit: 'as metric',
    null: NO_INTERVAL,
  }),
  field({
    key: 'p_value',
    type: 'number',
    unit: '0 to 1',
    null: 'under 100 delivered, or money of under 20 orders',
    definition:
      'How likely a difference as large would be by chance: score test, with Fisher where few are expected, revenue_per_recipient by Welch; times the number of pairs tested. At least 0.0001.',
  }),
  flag('is_significant', 'p_value < 0.05, exactly when the interval leaves out 0.', 'no p_value'),
  field({
    key: 'needed_per_variant',
    type: 'integer',
    unit: 'messages',
    null: 'no difference, or nothing to compare with',
    definition: 'Delivered messages per variant that show the difference seen with a power of 80 %.',
  }),
  field({
    key: 'needed_per_variant_10_percent',
    type: 'integer',
    unit: 'messages',
    null: 'the best other variant is at 0, or has nothing above',
    definition:
      'Delivered messages per variant that show a value 10 % above the best other variant with a power of 80 %.',
  }),
];

export const campaignVariantStatistics = defineTool({
  name: 'campaign_variant_statistics',
  title: 'Campaign variant statistics',
  group: 'Campaign statistics',
  description:
    'A/B variants of one campaign, and whether they differ by more than chance: judge by is_significant and the interval.',
  permissions: ['LIST_CAMPAIGNS', 'DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'variants', uniqueBy: ['variant', 'message_id'] },
  example: { campaign_id: '2026-09-15-dekujeme' },
  chart: [
    saying(
      'How much better a variant did in the test than the best other one.',
      interval('variants', ['variant'], {
        value: 'difference',
        low: 'difference_low',
        high: 'difference_high',
        reference: 0,
        isMutual: true,
      }),
    ),
    saying(
      'Which variant is better, those of the test alone tell. What is sent to the rest goes to other people at another time: it does not tell whether the choice was right.',
      bars('variants', ['variant'], ['metric_value']),
    ),
  ],
  input: z.strictObject({
    business_id: businessId,
    campaign_id: campaignIdArgument,
    metric: oneOf('metric', VARIANT_METRICS).default('click_rate'),
  }),
  fields: [
    ...coverage,
    campaignId,
    nameOfCampaign,
    choice('metric', VARIANT_METRICS, 'What variants are compared by, as asked.'),
    choice(
      'phase',
      ['winner_sent', 'finished', 'testing'],
      'winner_sent: the winner went to the rest; finished: over without that; testing: before.',
    ),
    text('winner_variant', 'As chosen by the sender. Business data.', 'none was'),
    field({
      key: 'winner_value_in_test',
      type: 'number',
      unit: 'as metric',
      null: 'not sent to the rest',
      definition: 'metric_value of the winner in the test.',
    }),
    measure('as metric', 'winner_value_after', 'metric_value of is_winner_send.', 'not sent to the rest'),
    field({
      key: 'variants',
      type: 'list',
      definition: 'At most 50.',
      either: [
        [...variantFields, ...emailChannel.activity, ...sendRevenueFields],
        [...variantFields, ...smsChannel.activity, ...sendRevenueFields],
      ],
    }),
  ],
  plan({ args, facts }) {
    const { campaign_id, metric } = args;
    const until = messageRevenueUntil(facts);
    return plan({
      queries: {
        campaign: query(
          [
            column('name', 'text'),
            column('channel', 'text'),
            column('state', 'text'),
            column('is_automation', 'boolean'),
          ],
          sql`select name, channel, state, is_automation from ${campaigns} where ${isCampaign(campaign_id)}`,
        ),
        messages: variantsOf(campaign_id, MOST_VARIANTS),
        total: countVariants(campaign_id),
        email: variantResults(campaign_id, emailChannel, hasRefunds(facts)),
        sms: variantResults(campaign_id, smsChannel, hasRefunds(facts)),
      },
      answer: ({ campaign, messages, total, email, sms }) => {
        const { name, channel, is_automation, state } = requireCampaign(campaign);
        const isSms = channel === 'sms';
        const results = new Map<string, VariantResult>(
          (isSms ? sms : email).map((row) => [row.message_id, row]),
        );
        const hasValues = !(isSms && metric === 'open_rate');
        const valued = hasValues ? messages : [];
        const arms = armsOf(valued, results, is_automation);
        const verdicts = testVariants(arms, metric);
        const shown = { verdicts, metric: hasValues ? metric : null, facts };
        const winner = winnerOf(valued, results, is_automation);
        return {
          result: {
            business_id: args.business_id,
            data_until: until,
            campaign_id,
            campaign_name: shortText(name, 300),
            metric,
            ...decision(messages, results, state),
            winner_value_in_test: winner?.tested.results[metric] ?? null,
            winner_value_after: winner?.after.results[metric] ?? null,
            variants: isSms
              ? shownVariants(messages, sms, nothingSent(smsChannel, facts), shown)
              : shownVariants(messages, email, nothingSent(emailChannel, facts), shown),
          },
          notes: [
            ...variantNotes(onlyRow(total)),
            ...(hasValues ? [] : ['SMS have no known opens: compare them by another metric.']),
            ...moneyNotes(arms, metric),
            ...winnerNotes(winner, metric, facts),
          ],
        };
      },
    });
  },
});

/** The numbers of a message that was not sent. */
function nothingSent<Channel extends MessageChannel>(channel: Channel, facts: SnapshotFacts) {
  const metrics = variantMetrics(channel, hasRefunds(facts));
  return { ...emptyRow(metrics), refunded_revenue: hasRefunds(facts) ? 0 : null };
}

interface Shown {
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Null: one that the channel does not have. */
  readonly metric: VariantMetric | null;
  readonly facts: SnapshotFacts;
}

function shownVariants<One extends VariantResult, Nothing extends Partial<One>>(
  messages: readonly Variant[],
  results: readonly One[],
  nothing: Nothing,
  { verdicts, metric, facts }: Shown,
) {
  return messages.map(({ position, variant, subject, ...message }) => {
    const row = results.find(({ message_id }) => message_id === message.message_id);
    return {
      ...message,
      variant: shortText(variant, 100),
      subject: shownSubject(subject),
      metric_value: (metric === null ? null : (row ?? nothing)[metric]) ?? null,
      ...(verdicts.get(message.message_id) ?? NO_VERDICT),
      ...(row === undefined ? nothing : numbersOf(row)),
      is_mature: row !== undefined && isMature(row.last_sent_at, facts),
    };
  });
}

/** The row without the fields that only tests need. */
function numbersOf<One extends VariantResult>(row: One) {
  const { message_id, last_sent_at, converted_count, revenue_sum, revenue_squares, ...numbers } = row;
  return numbers;
}

interface VariantArm extends Arm {
  readonly results: VariantResult;
}

/** The messages that were sent in the test itself, or to the rest. */
function armsOf(
  messages: readonly Variant[],
  results: ReadonlyMap<string, VariantResult>,
  hasSteps: boolean,
  { toTheRest } = { toTheRest: false },
): VariantArm[] {
  return messages.flatMap(({ message_id, variant, position, is_winner_send }) => {
    const own = results.get(message_id);
    if (is_winner_send !== toTheRest || own === undefined) return [];
    const step = hasSteps ? position : 1;
    return [{ message_id, variant, step, results: own }];
  });
}

interface Winner {
  readonly tested: VariantArm;
  readonly after: VariantArm;
}

/**
 * What mostly went to the rest, and the same variant of the same step in the test; null where either is
 * missing.
 */
function winnerOf(
  messages: readonly Variant[],
  results: ReadonlyMap<string, VariantResult>,
  hasSteps: boolean,
): Winner | null {
  const largest = (arms: readonly VariantArm[]) =>
    arms.toSorted((first, second) => second.results.sent_count - first.results.sent_count)[0];
  const after = largest(armsOf(messages, results, hasSteps, { toTheRest: true }));
  const tested = largest(
    armsOf(messages, results, hasSteps).filter(
      ({ variant, step }) => variant === after?.variant && step === after.step,
    ),
  );
  return after === undefined || tested === undefined ? null : { tested, after };
}

/** Messages to the rest had other results than the test. */
function winnerNotes(winner: Winner | null, metric: VariantMetric, facts: SnapshotFacts): string[] {
  const chance = winner && chanceOf(winner.tested, winner.after, metric);
  if (winner === null || chance === null || chance >= SIGNIFICANCE) return [];
  const { tested, after } = winner;
  const isFinal = isMature(after.results.last_sent_at, facts);
  return [
    `The winner ${shortText(after.variant, 100)} had a ${metric} of ${tested.results[metric]} in the test, and of ` +
      `${after.results[metric]} when it went to the rest: they differ by more than chance (p ${shownPValue(chance)}). ` +
      (isFinal ? '' : 'What went to the rest has not had all its time yet. ') +
      'Who got it later, and when, differs: do not expect the value of the test of those whom you send it to.',
  ];
}

/** Money of few orders has no verdict. */
function moneyNotes(arms: readonly Arm[], metric: VariantMetric): string[] {
  const isAny = arms.some((arm) =>
    arms.some((other) => other.variant !== arm.variant && isPoor(arm, other, metric)),
  );
  if (!isAny) return [];
  return [
    `Money is not judged where a variant or the best other one has fewer than ${LEAST_ORDERS} orders: one order more or ` +
      'less would turn it round. Do not say which variant earns more; clicks tell earlier.',
  ];
}

/** How far the campaign is, and what its sender chose: the variant that went to the rest, or mostly did. */
function decision(messages: readonly Variant[], results: ReadonlyMap<string, VariantResult>, state: string) {
  const sent = ({ message_id }: Variant) => results.get(message_id)?.sent_count ?? 0;
  const winners = messages.filter(({ is_winner_send }) => is_winner_send);
  const [winner] = winners.toSorted((first, second) => sent(second) - sent(first));
  const isSent = winner !== undefined && sent(winner) > 0;
  return {
    phase: isSent ? 'winner_sent' : OVER.includes(state) ? 'finished' : 'testing',
    winner_variant: winner === undefined ? null : shortText(winner.variant, 100),
  } as const;
}

function variantNotes(counts: { readonly variants_count: number; readonly others_count: number }): string[] {
  const { variants_count: variants, others_count: others } = counts;
  if (variants === 0) return ['The campaign has no e-mails or SMS that are variants of each other.'];
  return [
    ...(variants > MOST_VARIANTS
      ? [`The campaign has ${variants} variants, of which the first ${MOST_VARIANTS} are compared.`]
      : []),
    ...(others > 0 ? [`Messages of the campaign that say no variant, so are in no row: ${others}.`] : []),
  ];
}
