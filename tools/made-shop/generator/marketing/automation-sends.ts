import { type Automation, automations, broken } from '../../texts/automations.ts';
import { dayOf, momentOf } from '../calendar.ts';
import type { Product } from '../product.ts';
import type { RandomStream } from '../random-stream.ts';
import { endOf, makeAutomation } from './automation-campaign.ts';
import { type Known, triggers } from './automation-triggers.ts';
import type { Campaign } from './campaign.ts';
import { drawFate, sendingDomain } from './delivery.ts';
import { consentAt, type Recipient } from './recipients.ts';
import type { AudienceOutcome } from './rows.ts';
import { type Entry, makeSend, type Send, type Sending } from './send.ts';
import { textFate } from './text-delivery.ts';

/** What automations sent since they were made active. */
export function runAutomations(
  known: Known,
  products: readonly Product[],
  recipients: readonly Recipient[],
): Sending {
  const stream = known.world.stream('automations');
  const all = automations.map((automation) => {
    const campaign = makeAutomation(products, automation);
    const ran = run(stream, known, automation, campaign, recipients);
    return { campaign, ...(isSilent(known, automation, ran.sends) ? atRest(known, ran) : ran) };
  });
  return {
    campaigns: all.map(({ campaign }) => campaign),
    entries: all.flatMap(({ entries }) => entries),
    sends: all.flatMap(({ sends }) => sends),
    exits: [],
  };
}

type Ran = Pick<Sending, 'entries' | 'sends'>;

function run(
  stream: RandomStream,
  known: Known,
  automation: Automation,
  campaign: Campaign,
  recipients: readonly Recipient[],
): Ran {
  const ran: Ran = { entries: [], sends: [] };
  const started_at = momentOf(dayOf(automation.from), 10 * 3_600);
  const stopped_at = endOf(automation) ?? known.world.end;
  const trigger = triggers[automation.trigger];
  for (const recipient of recipients) {
    let entered_at = Number.NEGATIVE_INFINITY;
    for (const at of trigger(known, recipient)) {
      const isAgain = at < entered_at + (automation.re_entry_days ?? 0) * 86_400;
      if (isAgain || at < started_at || at > stopped_at) continue;
      const outcome = outcomeByConsent(automation, recipient, at);
      if (outcome === null) continue;
      entered_at = at;
      const entry: Entry = { campaign, recipient, at, outcome, completed_at: null };
      ran.entries.push(entry);
      if (outcome === 'sent') ran.sends.push(...sendSteps(stream, known, automation, entry, stopped_at));
    }
  }
  return ran;
}

/** Null: does not enter. */
function outcomeByConsent(
  { channel, consent }: Automation,
  recipient: Recipient,
  at: number,
): AudienceOutcome | null {
  const state = consentAt(recipient, channel, at);
  if (state === 'bounced' || state === 'complained' || state === 'suppressed') return 'skipped_suppressed';
  // A telephone number is known only of those who gave it for this.
  if (state === null) return consent === 'given' || channel === 'sms' ? null : 'sent';
  return consent === 'not needed' || state === 'subscribed' ? 'sent' : 'skipped_consent';
}

function sendSteps(
  stream: RandomStream,
  { orders, world }: Known,
  automation: Automation,
  entry: Entry,
  stopped_at: number,
): Send[] {
  const { campaign, recipient, at: entered_at } = entry;
  const sends: Send[] = [];
  for (const [index, { delay_minutes }] of automation.steps.entries()) {
    const at = entered_at + delay_minutes * 60 + stream.int(0, 50);
    const message = campaign.messages[index];
    const ofCustomer = recipient.customer === null ? [] : (orders.get(recipient.customer) ?? []);
    const hasOrdered = ofCustomer.some((order) => order.at > entered_at && order.at <= at);
    if (message === undefined || at > Math.min(stopped_at, world.end)) break;
    if (automation.endsWithOrder && hasOrdered) break;
    if (outcomeByConsent(automation, recipient, at) !== 'sent') break;
    const fate =
      automation.channel === 'sms'
        ? textFate(stream, message, recipient, at)
        : drawFate(stream, recipient, sendingDomain);
    sends.push(makeSend(stream, message, recipient, at, fate));
    if (index === automation.steps.length - 1) entry.completed_at = at;
  }
  return sends;
}

/** Active, but nothing sent in the last week though something was in the four weeks before. */
function isSilent({ world }: Known, { state, campaign_id }: Automation, sends: readonly Send[]): boolean {
  if (state !== 'active' || campaign_id === broken.campaign_id) return false;
  const weeks = (count: number) => world.end - count * 7 * 86_400;
  return sends.some(({ at }) => at > weeks(5)) && !sends.some(({ at }) => at > weeks(1));
}

/**
 * An automation with little to do would look broken by chance in a small shop, so one that is at rest had
 * nothing to do for longer.
 */
function atRest({ world }: Known, { entries, sends }: Ran): Ran {
  const isBefore = ({ at }: { at: number }) => at < world.end - 36 * 86_400;
  return { entries: entries.filter(isBefore), sends: sends.filter(isBefore) };
}
