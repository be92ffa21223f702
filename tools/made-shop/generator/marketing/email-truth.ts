import { plantedEmails } from '../../texts/one-off-emails.ts';
import type { Clicks } from '../attribution.ts';
import { revenueOf } from '../attribution.ts';
import { dateText, localDay, weekdayOf } from '../calendar.ts';
import { revenueText } from '../money.ts';
import { mustBe, Tally } from '../tally.ts';
import { type Credit, countCredit, countEmails, type EmailActivity } from './activity.ts';
import { mistrustingProvider, newSendingDomain } from './delivery.ts';
import type { Outcome } from './outcomes.ts';

/**
 * E-mails by the local month in which they were sent, so send basis, but for `revenue` by the date of the
 * order.
 */
export type EmailTruth = {
  /** A month with too many e-mails, of which fewer are opened than in the one before. */
  months: { before: MonthTruth; month: MonthTruth };
  /** Valid orders of the month that are credited to an e-mail. */
  revenue: Credit & { month: string; click_attributed_orders_count: number };
  /**
   * The newsletter with the most revenue per delivered message, in the category `newsletter`.
   * `last_click_revenue` is by tagged sessions.
   */
  best_newsletter: Credit & {
    month: string;
    campaign_id: string;
    name: string;
    delivered_count: number;
    last_click_orders_count: number;
    last_click_revenue: string;
    most_clicked_link: { link_id: string; unique_clicks_count: number };
  };
  /** The provider that bounces 5 % at least in the month, and less than 2 % in the one before. */
  weak_provider: {
    mailbox_provider: string;
    sending_domain: string;
    before: ProviderTruth;
    month: ProviderTruth;
  };
  /** Most of what is opened at this provider is opened by machines alone. */
  machine_opens: { month: string; mailbox_provider: string } & EmailActivity;
  /** More clicks by bots than in any other campaign of the month. */
  bot_clicks: { month: string; campaign_id: string; bot_clicks_count: number };
  /** The two weeks, by their Mondays, in which most messages drove somebody away; the worst first. */
  unsubscribe_peaks: { week_start: string; unsubscribes_count: number }[];
};

type MonthTruth = { month: string } & EmailActivity;
type ProviderTruth = { month: string; block_bounces_count: number } & EmailActivity;

const [before, month] = ['2026-08', '2026-09'] as const;

/** @param outcomes of e-mails, in order of time */
export function countEmailTruth(outcomes: readonly Outcome[], clicks: Clicks): EmailTruth {
  const byMonth = Map.groupBy(outcomes, ({ send }) => monthOf(send.at));
  const inMonth = byMonth.get(month) ?? [];
  const inMonthBefore = byMonth.get(before) ?? [];
  return {
    months: twoMonths(inMonthBefore, inMonth),
    revenue: revenueOfMonth(outcomes),
    best_newsletter: bestNewsletter(inMonth, clicks),
    weak_provider: weakProvider(inMonthBefore, inMonth),
    machine_opens: machineOpens(inMonth),
    bot_clicks: botClicks(inMonthBefore),
    unsubscribe_peaks: unsubscribePeaks(outcomes),
  };
}

function monthOf(at: number): string {
  return dateText(localDay(at)).slice(0, 7);
}

function twoMonths(inMonthBefore: readonly Outcome[], inMonth: readonly Outcome[]): EmailTruth['months'] {
  const months = {
    before: { month: before, ...countEmails(inMonthBefore) },
    month: { month, ...countEmails(inMonth) },
  };
  const openRate = (truth: EmailActivity) => truth.unique_opens_count / truth.delivered_count;
  const pressure = (truth: EmailActivity) => truth.sent_count / truth.unique_recipients_count;
  const isTooMuch =
    pressure(months.month) > 1.5 * pressure(months.before) &&
    openRate(months.month) < openRate(months.before);
  mustBe('e-mail pressure', isTooMuch ? 'too much' : 'bearable', 'too much');
  return months;
}

function revenueOfMonth(outcomes: readonly Outcome[]): EmailTruth['revenue'] {
  const credited = outcomes
    .flatMap(({ orders }) => orders)
    .filter(({ order }) => monthOf(order.at) === month);
  return {
    month,
    attributed_orders_count: credited.length,
    attributed_revenue: revenueText(credited.reduce((sum, { order }) => sum + revenueOf(order), 0)),
    click_attributed_orders_count: credited.filter(({ kind }) => kind === 'click').length,
  };
}

function bestNewsletter(inMonth: readonly Outcome[], clicks: Clicks): EmailTruth['best_newsletter'] {
  const newsletters = byCampaign(inMonth.filter(({ send }) => send.campaign.row.category === 'newsletter'));
  const perRecipient = new Tally();
  for (const [campaign_id, outcomes] of newsletters) {
    const orders = outcomes.flatMap((outcome) => outcome.orders);
    const revenue = orders.reduce((sum, { order }) => sum + revenueOf(order), 0);
    perRecipient.add(campaign_id, revenue / countEmails(outcomes).delivered_count);
  }
  const { key } = perRecipient.largest();
  mustBe('best newsletter', key, plantedEmails.bestNewsletter);
  const outcomes = newsletters.get(key) ?? [];
  const [first] = outcomes;
  const source = [...clicks.lastBySource.sums.keys()].find(({ campaign }) => campaign === key);
  return {
    month,
    campaign_id: key,
    name: first?.send.campaign.row.name ?? '',
    delivered_count: countEmails(outcomes).delivered_count,
    ...countCredit(outcomes),
    last_click_orders_count: source === undefined ? 0 : clicks.ordersByLastSource.of(source),
    last_click_revenue: revenueText(source === undefined ? 0 : clicks.lastBySource.of(source)),
    most_clicked_link: mostClickedLink(outcomes),
  };
}

function mostClickedLink(outcomes: readonly Outcome[]) {
  const sends = new Tally();
  for (const { contentClicks } of outcomes) {
    for (const link_id of new Set(contentClicks.map(({ link }) => link?.link_id ?? '')))
      sends.add(link_id, 1);
  }
  const { key, count } = sends.largest();
  return { link_id: key, unique_clicks_count: count };
}

function weakProvider(
  inMonthBefore: readonly Outcome[],
  inMonth: readonly Outcome[],
): EmailTruth['weak_provider'] {
  const ofProvider = (name: string, outcomes: readonly Outcome[]): ProviderTruth => {
    const own = outcomes.filter(({ send }) => send.recipient.mailbox.provider === mistrustingProvider);
    const blocked = own.filter(({ send }) => send.outcome === 'block');
    return { month: name, block_bounces_count: blocked.length, ...countEmails(own) };
  };
  const truth = {
    mailbox_provider: mistrustingProvider,
    sending_domain: newSendingDomain,
    before: ofProvider(before, inMonthBefore),
    month: ofProvider(month, inMonth),
  };
  const bounceRate = ({ hard_bounces_count, soft_bounces_count, sent_count }: EmailActivity) =>
    (hard_bounces_count + soft_bounces_count) / sent_count;
  const isWeak =
    truth.month.sent_count >= 200 && bounceRate(truth.month) >= 0.05 && bounceRate(truth.before) < 0.02;
  mustBe('weak provider', isWeak ? 'weak' : 'well', 'weak');
  return truth;
}

function machineOpens(inMonth: readonly Outcome[]): EmailTruth['machine_opens'] {
  const provider = 'apple';
  const counts = countEmails(inMonth.filter(({ send }) => send.recipient.mailbox.provider === provider));
  const isByMachines = counts.unique_machine_only_opens_count > 2 * counts.unique_opens_count;
  mustBe('opens by machines', isByMachines ? 'most' : 'few', 'most');
  return { month, mailbox_provider: provider, ...counts };
}

function botClicks(inMonthBefore: readonly Outcome[]): EmailTruth['bot_clicks'] {
  const clicks = new Tally();
  for (const { send, botClicks: count } of inMonthBefore) clicks.add(send.campaign.row.campaign_id, count);
  const { key, count } = clicks.largest();
  mustBe('bot clicks', key, plantedEmails.scanned);
  return { month: before, campaign_id: key, bot_clicks_count: count };
}

function unsubscribePeaks(outcomes: readonly Outcome[]): EmailTruth['unsubscribe_peaks'] {
  const weeks = new Tally();
  for (const { send, isUnsubscribed } of outcomes) {
    const day = localDay(send.at);
    if (isUnsubscribed) weeks.add(dateText(day - weekdayOf(day)), 1);
  }
  const worst = [...weeks.sums].sort(([, a], [, b]) => b - a).slice(0, 2);
  const planted = Object.keys(plantedEmails.driveAway);
  mustBe(
    'peaks of unsubscribes',
    worst
      .map(([week]) => week)
      .sort()
      .join(),
    planted.sort().join(),
  );
  return worst.map(([week_start, unsubscribes_count]) => ({ week_start, unsubscribes_count }));
}

function byCampaign(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  return Map.groupBy(outcomes, ({ send }) => send.campaign.row.campaign_id);
}
