import { type OneOffEmail, oneOffEmails, plantedEmails } from '../../texts/one-off-emails.ts';
import { weeklyTips } from '../../texts/weekly-tips.ts';
import { dayOf, momentOf } from '../calendar.ts';
import type { Product } from '../product.ts';
import { type RandomStream, at as valueAt } from '../random-stream.ts';
import type { World } from '../world.ts';
import { membersOf, type OrdersByCustomer } from './audiences.ts';
import type { Campaign, Message } from './campaign.ts';
import { chooseControlGroup } from './control-group.ts';
import { domainOfNewsletters, drawFate, unknownUser } from './delivery.ts';
import type { Membership } from './interest-lists.ts';
import { decisionTime, makeOneOff } from './one-off-campaign.ts';
import { canLeave, consentAt, type Recipient } from './recipients.ts';
import type { AudienceOutcome } from './rows.ts';
import { type Entry, type Exit, makeSend, type Send, type Sending } from './send.ts';

export type Audience = {
  recipients: readonly Recipient[];
  memberships: readonly Membership[];
  orders: OrdersByCustomer;
};

/**
 * All one-off e-mails in order of time, since who leaves gets no more: exits are added to the histories of
 * consent.
 */
export function sendOneOffEmails(world: World, products: readonly Product[], audience: Audience): Sending {
  const stream = world.stream('one-off e-mails');
  const sending: Sending = { campaigns: [], entries: [], sends: [], exits: [] };
  const hours = world.stream('hours of one-off e-mails');
  const sentTo = new Map<Recipient, number[]>();
  for (const email of inOrder) {
    const at = momentOf(dayOf(email.date), secondOfDay(hours, email));
    const campaign = makeOneOff(products, email, at);
    sending.campaigns.push(campaign);
    const entries = meetAudience(stream, email, campaign, at, audience, sentTo);
    const leaving = new Leaving(stream, campaign);
    const messages = chooseMessages(stream, email, campaign, entries.length);
    for (const [index, entry] of entries.entries()) {
      sending.entries.push(entry);
      if (entry.outcome !== 'sent') continue;
      const { recipient } = entry;
      const { message, waits } = valueAt(messages, index);
      // Who is compared with a control group is so from one moment on.
      const queued = email.control_group_share === undefined ? Math.floor(index / 4) % 900 : 0;
      const sent_at = at + waits + queued;
      const fate = drawFate(stream, recipient, domainOfNewsletters(sent_at));
      const send = makeSend(stream, message, recipient, sent_at, fate);
      sending.sends.push(send);
      const before = sentTo.get(recipient);
      if (before === undefined) sentTo.set(recipient, [send.at]);
      else before.push(send.at);
      const exit = leaveBecauseOf(world, stream, send, leaving);
      if (exit !== null) sending.exits.push(exit);
    }
    if (email.test !== undefined) plantClicks(clicksEveryOf(world, email.test), campaign, sending.sends);
  }
  return sending;
}

const inOrder = [...oneOffEmails, ...weeklyTips].sort((a, b) => (a.date < b.date ? -1 : 1));

/**
 * The second of the day at which somebody finds the time to send it: on the full, half or quarter hour, most
 * in the morning.
 */
function secondOfDay(stream: RandomStream, { control_group_share }: OneOffEmail): number {
  const hour = stream.pick([7, 8, 8, 9, 9, 10, 10, 11, 13, 16]);
  const part = stream.pick([0, 0, 900, 1_800, 2_700]);
  // Who buys within days of it is counted from the moment for which it was planned long before.
  return control_group_share === undefined ? hour * 3_600 + part : 9 * 3_600;
}

/** Everybody whom the campaign means, and what comes of it. */
function meetAudience(
  stream: RandomStream,
  { audience, control_group_share, frequency_cap }: OneOffEmail,
  campaign: Campaign,
  at: number,
  { recipients, memberships, orders }: Audience,
  sentTo: ReadonlyMap<Recipient, number[]>,
): Entry[] {
  const entries = membersOf(audience, recipients, at, memberships, orders).flatMap((recipient): Entry[] => {
    const outcome = outcomeByConsent(recipient, at);
    return outcome === null ? [] : [{ campaign, recipient, at, outcome, completed_at: null }];
  });
  const reachable = entries.filter(({ outcome }) => outcome === 'sent');
  if (frequency_cap !== undefined) {
    const since = at - frequency_cap.days * 86_400;
    for (const entry of reachable) {
      const sent = (sentTo.get(entry.recipient) ?? []).filter((sent_at) => sent_at > since);
      if (sent.length >= frequency_cap.messages) entry.outcome = 'skipped_cap';
    }
  }
  if (control_group_share !== undefined) {
    const members = reachable.map(({ recipient }) => recipient);
    const control = chooseControlGroup(stream, members, control_group_share, at, orders);
    for (const entry of reachable) if (control.has(entry.recipient)) entry.outcome = 'control';
  }
  return entries;
}

/** Who has unsubscribed is not on the list; who bounced or complained is, but gets nothing. */
function outcomeByConsent(recipient: Recipient, at: number): AudienceOutcome | null {
  switch (consentAt(recipient, 'email', at)) {
    case 'subscribed':
      return 'sent';
    case 'bounced':
    case 'complained':
    case 'suppressed':
      return 'skipped_suppressed';
    default:
      return null;
  }
}

/** The message for each, and how long it waits: those outside of a test get the winner. */
function chooseMessages(
  stream: RandomStream,
  { test }: OneOffEmail,
  { messages }: Campaign,
  count: number,
): { message: Message; waits: number }[] {
  let tested = 0;
  return Array.from({ length: count }, () => {
    if (test === undefined) return { message: valueAt(messages, 0), waits: 0 };
    if (!stream.chance(test.share / 100)) return { message: valueAt(messages, 2), waits: decisionTime };
    return { message: valueAt(messages, tested++ % 2), waits: 0 };
  });
}

/**
 * Who leaves because of a campaign. After a sale it is the shop's usual number, counted so that each sale has
 * it; after others it is chance.
 */
class Leaving {
  readonly #stream: RandomStream;
  readonly #share: number;
  readonly #isCounted: boolean;
  #due = 0.5;

  constructor(stream: RandomStream, { row }: Campaign) {
    this.#stream = stream;
    this.#isCounted = row.category === 'sale' || annoying.has(row.campaign_id);
    this.#share = annoying.has(row.campaign_id) ? 0.0042 : this.#isCounted ? 0.0029 : 0.001;
  }

  isDue(recipient: Recipient, { at, delivered_at }: Send): boolean {
    if (!this.#isCounted) return this.#stream.chance(this.#share);
    this.#due += this.#share;
    if (this.#due < 1 || delivered_at === null || !canLeave(recipient, 'email', at)) return false;
    this.#due -= 1;
    return true;
  }
}

/** A few leave at any time, some more when there is too much; an address may have died. */
function leaveBecauseOf(world: World, stream: RandomStream, send: Send, leaving: Leaving): Exit | null {
  const { recipient, delivered_at } = send;
  const isDead = stream.chance(0.0012);
  const leaves = leaving.isDue(recipient, send);
  const left_at = send.at + stream.int(90, 8 * 3_600);
  if (delivered_at === null || left_at > world.end || !canLeave(recipient, 'email', send.at)) return null;
  if (!isDead && !leaves) return null;
  const change = {
    ...{ profile_id: recipient.profile_id, channel: 'email' as const, source: null, source_detail: null },
    ...(leaves
      ? { state: 'unsubscribed' as const, at: left_at, reason: 'link in a message' }
      : { state: 'bounced' as const, at: send.at + 60, reason: 'hard bounce' }),
  };
  if (!leaves) {
    send.outcome = 'hard';
    send.delivered_at = null;
    send.details = { ...send.details, ...unknownUser };
  }
  recipient.consents.email.push(change);
  return { change, send };
}

const annoying = new Set<string>(Object.values(plantedEmails.driveAway).flat());

/**
 * How many recipients there are for each click. In a small shop a difference as small as in real ones would
 * be no difference to anybody.
 */
function clicksEveryOf({ emphasis }: World, { clicksEvery: [a, b] }: NonNullable<OneOffEmail['test']>) {
  return [a > b ? a * emphasis : a, b] as const;
}

/**
 * How many click on each variant of a test is decided by counting, so that the difference is there at any
 * size.
 */
function plantClicks(
  clicksEvery: readonly [number, number],
  campaign: Campaign,
  sends: readonly Send[],
): void {
  const own = sends.filter((send) => send.campaign === campaign && send.outcome === 'delivered');
  const winner = own.filter(({ message }) => message.row.is_winner_send === true);
  const tested = own.filter(({ message }) => message.row.is_winner_send !== true);
  // Who gets the better one later clicks as those did that it was tested on.
  const wonBy = winner[0]?.message.row.variant === 'A' ? 0 : 1;
  for (const [number, send] of winner.entries())
    send.clicks = (number + 1) % valueAt(clicksEvery, wonBy) === 0;
  for (const [index, variant] of ['A', 'B'].entries()) {
    const ofVariant = tested.filter(({ message }) => message.row.variant === variant);
    for (const [number, send] of ofVariant.entries()) {
      send.clicks = (number + 1) % valueAt(clicksEvery, index) === 0;
    }
  }
}
