import { revenueOf } from '../attribution.ts';
import { revenueText } from '../money.ts';
import type { Outcome } from './outcomes.ts';

/** Counts in the words of the tools; messages that were sent, with all that happened to them since. */
export type EmailActivity = {
  sent_count: number;
  unique_recipients_count: number;
  delivered_count: number;
  hard_bounces_count: number;
  soft_bounces_count: number;
  opens_count: number;
  unique_opens_count: number;
  machine_opens_count: number;
  unique_machine_only_opens_count: number;
  clicks_count: number;
  unique_clicks_count: number;
  bot_clicks_count: number;
  unsubscribes_count: number;
  spam_complaints_count: number;
};

export function countEmails(outcomes: readonly Outcome[]): EmailActivity {
  const count = (isMeant: (outcome: Outcome) => boolean) => outcomes.filter(isMeant).length;
  const sum = (value: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + value(outcome), 0);
  return {
    sent_count: outcomes.length,
    unique_recipients_count: new Set(outcomes.map(({ send }) => send.recipient)).size,
    delivered_count: count(isDelivered),
    hard_bounces_count: count(({ send }) => send.outcome === 'hard'),
    soft_bounces_count: count(({ send }) => send.outcome === 'soft' || send.outcome === 'block'),
    opens_count: sum(({ opens }) => opens.length),
    unique_opens_count: count(({ isOpened }) => isOpened),
    machine_opens_count: sum(({ machineOpens }) => machineOpens),
    unique_machine_only_opens_count: count((outcome) => isSeenByMachinesOnly(outcome)),
    clicks_count: sum(({ clicks }) => clicks),
    unique_clicks_count: count(({ clicks }) => clicks > 0),
    bot_clicks_count: sum(({ botClicks }) => botClicks),
    unsubscribes_count: count(({ isUnsubscribed }) => isUnsubscribed),
    spam_complaints_count: count(({ isComplained }) => isComplained),
  };
}

export function isDelivered({ send }: Outcome): boolean {
  return send.outcome === 'delivered';
}

function isSeenByMachinesOnly(outcome: Outcome): boolean {
  return outcome.machineOpens > 0 && !outcome.isOpened && isDelivered(outcome);
}

/** Valid orders credited to the messages, and their revenue: exact decimal text in CZK. */
export type Credit = { attributed_orders_count: number; attributed_revenue: string };

export function countCredit(outcomes: readonly Outcome[]): Credit {
  const orders = outcomes.flatMap((outcome) => outcome.orders.map(({ order }) => order));
  return {
    attributed_orders_count: orders.length,
    attributed_revenue: revenueText(orders.reduce((sum, order) => sum + revenueOf(order), 0)),
  };
}
