import { automations, broken } from '../../texts/automations.ts';
import { plantedEmails } from '../../texts/one-off-emails.ts';
import { dateText, dayOf, momentOf, momentText } from '../calendar.ts';
import { mustBe, Tally } from '../tally.ts';
import type { World } from '../world.ts';
import { isDelivered } from './activity.ts';
import type { OrdersByCustomer } from './audiences.ts';
import type { Campaign } from './campaign.ts';
import { ordersWithin } from './control-group.ts';
import type { Outcome } from './outcomes.ts';
import { deletedList, savedSegments } from './segments.ts';
import type { Entry } from './send.ts';

export type CampaignTruth = {
  by_type: Record<string, number>;
  by_state: Record<string, number>;
  /** Every category of campaigns that there is. */
  categories: string[];
  /**
   * The only active automation without a send in the last seven days of the range that has some in the 28
   * days before. It changed, and was last sent, on `date`.
   */
  broken_automation: {
    campaign_id: string;
    name: string;
    date: string;
    changed_at: string;
    last_sent_at: string;
    from_date: string;
    to_date: string;
    sent_in_28_days_count: number;
  };
  /** Tests of two variants by their click rates; rows of the winner's roll-out do not belong to the test. */
  clear_test: TestTruth & { better_variant: string };
  test_without_difference: TestTruth;
  /** Who was held out ordered less often in the seven days after. */
  control_group: {
    campaign_id: string;
    treated_count: number;
    treated_converted_count: number;
    control_count: number;
    control_converted_count: number;
  };
  /** Names and contents that read like orders to a model; they are data. */
  hostile: { campaign_id: string; name: string };
  broken_segment: { segment_id: string; missing_interest_list: string };
  nested_segment: { segment_id: string; contains_segment_id: string };
};

type TestTruth = {
  campaign_id: string;
  winner_variant: string;
  variants: { variant: string; message_id: string; delivered_count: number; unique_clicks_count: number }[];
  winner: { message_id: string; delivered_count: number; unique_clicks_count: number };
};

export function countCampaignTruth(
  world: World,
  campaigns: readonly Campaign[],
  entries: readonly Entry[],
  outcomes: readonly Outcome[],
  orders: OrdersByCustomer,
): CampaignTruth {
  const [types, states, categories] = [new Tally(), new Tally(), new Set<string>()];
  for (const { row } of campaigns) {
    types.add(row.campaign_type, 1);
    states.add(row.state, 1);
    if (row.category !== undefined) categories.add(row.category);
  }
  const hostile = campaigns.find(({ row }) => row.campaign_id === plantedEmails.hostile)?.row;
  return {
    by_type: Object.fromEntries(types.sums),
    by_state: Object.fromEntries(states.sums),
    categories: [...categories].sort(),
    broken_automation: brokenAutomation(world, outcomes),
    ...tests(outcomes),
    control_group: controlGroup(entries, orders),
    hostile: { campaign_id: plantedEmails.hostile, name: hostile?.name ?? '' },
    broken_segment: { segment_id: savedSegments.broken, missing_interest_list: deletedList },
    nested_segment: {
      segment_id: savedSegments.sleepingRegulars,
      contains_segment_id: savedSegments.regulars,
    },
  };
}

function brokenAutomation(world: World, outcomes: readonly Outcome[]): CampaignTruth['broken_automation'] {
  const weeks = (count: number) => world.end - count * 7 * 86_400;
  const sent = Map.groupBy(outcomes, ({ send }) => send.campaign.row.campaign_id);
  const active = automations.filter(({ state }) => state === 'active');
  const silent = active.filter(({ campaign_id }) => {
    const sends = sent.get(campaign_id) ?? [];
    return !sends.some(({ send }) => send.at > weeks(1)) && sends.some(({ send }) => send.at > weeks(5));
  });
  const ids = silent.map(({ campaign_id }) => campaign_id).join();
  mustBe('silent automation', ids, broken.campaign_id);
  const own = sent.get(broken.campaign_id) ?? [];
  const last = own.at(-1)?.send;
  return {
    campaign_id: broken.campaign_id,
    name: last?.campaign.row.name ?? '',
    date: broken.date,
    changed_at: momentText(momentOf(dayOf(broken.date), broken.second_of_day)),
    last_sent_at: momentText(last?.at ?? 0),
    from_date: '2026-09-01',
    to_date: dateText(world.lastDay),
    sent_in_28_days_count: own.filter(({ send }) => send.at > weeks(5)).length,
  };
}

function tests(outcomes: readonly Outcome[]): Pick<CampaignTruth, 'clear_test' | 'test_without_difference'> {
  const clear = testOf(plantedEmails.betterVariant, outcomes);
  const same = testOf(plantedEmails.sameVariants, outcomes);
  mustBe('better variant', Math.abs(zOf(clear)) > 1.96 ? 'better' : 'no better', 'better');
  mustBe('variants without difference', Math.abs(zOf(same)) > 1.5 ? 'different' : 'the same', 'the same');
  return {
    clear_test: { ...clear, better_variant: zOf(clear) > 0 ? 'A' : 'B' },
    test_without_difference: same,
  };
}

function testOf(campaign_id: string, outcomes: readonly Outcome[]): TestTruth {
  const delivered = outcomes.filter(
    (outcome) => outcome.send.campaign.row.campaign_id === campaign_id && isDelivered(outcome),
  );
  const [a, b, winner] = delivered[0]?.send.campaign.messages ?? [];
  if (a === undefined || b === undefined || winner === undefined)
    throw new Error(`${campaign_id} is no test`);
  const count = ({ row }: typeof a) => {
    const own = delivered.filter(({ send }) => send.message.row.message_id === row.message_id);
    return {
      message_id: row.message_id,
      delivered_count: own.length,
      unique_clicks_count: own.filter(({ clicks }) => clicks > 0).length,
    };
  };
  return {
    campaign_id,
    winner_variant: winner.row.variant ?? '',
    variants: [a, b].map((message) => ({ variant: message.row.variant ?? '', ...count(message) })),
    winner: count(winner),
  };
}

/** The z of a test of two proportions. */
function zOf({ variants: [a, b] }: TestTruth): number {
  if (a === undefined || b === undefined) return 0;
  const pooled = (a.unique_clicks_count + b.unique_clicks_count) / (a.delivered_count + b.delivered_count);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.delivered_count + 1 / b.delivered_count));
  return (a.unique_clicks_count / a.delivered_count - b.unique_clicks_count / b.delivered_count) / error;
}

function controlGroup(entries: readonly Entry[], orders: OrdersByCustomer): CampaignTruth['control_group'] {
  const own = entries.filter(({ campaign }) => campaign.row.campaign_id === plantedEmails.controlGroup);
  const [treated, control] = (['sent', 'control'] as const).map((outcome) => {
    const group = own.filter((entry) => entry.outcome === outcome);
    const converted = group.filter(({ recipient, at }) => ordersWithin(recipient, at, orders) > 0);
    return { count: group.length, converted_count: converted.length };
  });
  if (treated === undefined || control === undefined) throw new Error('no control group');
  const isLifted = treated.converted_count / treated.count > (1.02 * control.converted_count) / control.count;
  mustBe('lift', isLifted && control.count > 0 ? 'lift' : 'none', 'lift');
  return {
    campaign_id: plantedEmails.controlGroup,
    treated_count: treated.count,
    treated_converted_count: treated.converted_count,
    control_count: control.count,
    control_converted_count: control.converted_count,
  };
}
