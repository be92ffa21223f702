import { plantedEmails } from '../../texts/one-off-emails.ts';
import type { Order } from '../orders.ts';
import type { RandomStream } from '../random-stream.ts';
import type { Session } from '../sessions.ts';
import { direct, type Source } from '../traffic-sources.ts';
import type { World } from '../world.ts';
import { type Campaign, contentLinks } from './campaign.ts';
import { byCustomer, type Recipient } from './recipients.ts';
import type { LinkRow } from './rows.ts';
import type { Send } from './send.ts';

/**
 * A person clicks; the message was open then, which is seen where nothing fetched it before.
 *
 * @param isFollowed whether the visit that it began is known, or known to be unknown
 */
export function click(stream: RandomStream, send: Send, at: number, link: LinkRow, isFollowed = true): void {
  const { mailbox } = send.recipient;
  const client = send.channel === 'email' ? mailbox.client : undefined;
  const event = { client, via: undefined, isMachine: false, isFlagged: false };
  if (send.channel === 'email' && !mailbox.prefetches) {
    const opened_at = Math.max(at - stream.int(3, 60), (send.delivered_at ?? send.at) + 4);
    send.events.push({ ...event, kind: 'open', at: opened_at, link: null });
  }
  send.events.push({ ...event, kind: 'click', at, link, isFollowed });
}

/** Links further up are clicked more. */
export function drawContentLink(stream: RandomStream, { message }: Send): LinkRow | undefined {
  const links = contentLinks(message);
  return links[Math.min(stream.int(0, links.length - 1), stream.int(0, links.length - 1))];
}

/** What arrived and wants to sell, by its recipient, in order of time. */
export function arrivedByRecipient(sends: readonly Send[]): Map<Recipient, Send[]> {
  const selling = sends.filter(
    ({ delivered_at, message, campaign }) =>
      delivered_at !== null &&
      message.links.length > 0 &&
      // Who looked and buys seldom does so by the e-mail that reminds of it.
      campaign.row.campaign_id !== 'auto-prohlizene' &&
      !['transactional', 'double_opt_in'].includes(campaign.row.category ?? ''),
  );
  return Map.groupBy(selling, ({ recipient }) => recipient);
}

type Arrived = ReadonlyMap<Recipient, readonly Send[]>;

/** The last message of a channel that somebody got before a moment, if it is not too old. */
function lastBefore(
  sends: readonly Send[],
  channel: Send['channel'],
  at: number,
  days: number,
): Send | undefined {
  const send = sends.findLast((candidate) => candidate.channel === channel && hasArrived(candidate, at));
  return send !== undefined && send.at > at - days * 86_400 ? send : undefined;
}

function hasArrived({ delivered_at }: Send, at: number): boolean {
  return delivered_at !== null && delivered_at + 30 <= at;
}

/** The sources from which a campaign's links bring people: as they are tagged. */
export class CampaignSources {
  readonly #known = new Map<Campaign, Source>();

  of(campaign: Campaign): Source {
    const known = this.#known.get(campaign);
    if (known !== undefined) return known;
    const { utm_source = null, utm_medium = null, utm_campaign = null } = campaign.row;
    const source: Source = {
      ...{ channel: utm_medium === 'sms' ? 'SMS' : 'Email', source: utm_source, medium: utm_medium },
      ...{ campaign: utm_campaign, referrer_host: null, click_id_kind: null, cost_per_click: null },
      click_rate: 0,
    };
    this.#known.set(campaign, source);
    return source;
  }
}

/**
 * The sessions that newsletters and SMS brought, with the campaign whose link led there: the last one that
 * the customer got in the weeks before. Who got none has it from somebody: it is the last one that went to
 * many. Before the first of these there is nothing to pass on, and the visitor came directly.
 */
export function clickToSessions(
  world: World,
  sessions: readonly Session[],
  recipients: readonly Recipient[],
  sends: readonly Send[],
  arrived: Arrived,
  sources: CampaignSources,
): Session[] {
  const stream = world.stream('clicks that led to sessions');
  const customers = byCustomer(recipients);
  const passedOn = { email: firstSends(sends, 'email'), sms: firstSends(sends, 'sms') };
  return sessions.map((session) => {
    const channel = session.source.channel === 'Email' ? 'email' : 'sms';
    if (session.source.channel !== 'Email' && session.source.channel !== 'SMS') return session;
    const recipient = session.customer === null ? undefined : customers.get(session.customer);
    const got = recipient === undefined ? [] : (arrived.get(recipient) ?? []);
    const send = lastBefore(got, channel, session.at, 45);
    const link = send && drawContentLink(stream, send);
    if (send !== undefined && link !== undefined) {
      click(stream, send, session.at - stream.int(1, 3), link);
      return { ...session, source: sources.of(send.campaign) };
    }
    const toMany = passedOn[channel].findLast(({ at }) => at < session.at);
    return { ...session, source: toMany === undefined ? direct : sources.of(toMany.campaign) };
  });
}

/** The first message of each campaign that went to many, in order of time. */
function firstSends(sends: readonly Send[], channel: Send['channel']): Send[] {
  const ofMany = sends.filter(
    (send) => send.channel === channel && send.campaign.row.campaign_type.startsWith('targeted-'),
  );
  return [...Map.groupBy(ofMany, ({ campaign }) => campaign).values()].flatMap(([first]) => first ?? []);
}

/**
 * Clicks shortly before orders. Where the visit of the order seemed to come from nowhere, the click began it,
 * and it has the tags of the campaign. Of the others no session tells: trackers are refused, or the mail
 * program opens the shop in a window of its own. Of the best newsletter's recipients a third of those who
 * order in the next days came by it.
 */
export function clickBeforeOrders(
  world: World,
  orders: readonly Order[],
  sessions: readonly Session[],
  recipients: readonly Recipient[],
  arrived: Arrived,
  sources: CampaignSources,
): Session[] {
  const stream = world.stream('clicks before orders');
  const customers = byCustomer(recipients);
  const places = new Map(sessions.flatMap((session, place) => session.orders.map((order) => [order, place])));
  const tagged = [...sessions];
  for (const order of orders) {
    const { customer, at } = order;
    const recipient = customer === null ? undefined : customers.get(customer);
    const got = recipient === undefined ? [] : (arrived.get(recipient) ?? []);
    const clicked_at = at - stream.int(150, 1_500);
    const [isByEmail, isByText] = [stream.chance(0.05), stream.chance(0.08)];
    const isByBest = stream.chance(0.35);
    const best = got.find(
      (send) =>
        isByBest &&
        send.campaign.row.campaign_id === plantedEmails.bestNewsletter &&
        hasArrived(send, clicked_at) &&
        send.at > at - 12 * 86_400,
    );
    const text = isByText ? lastBefore(got, 'sms', clicked_at, 2) : undefined;
    const email = isByEmail ? lastBefore(got, 'email', clicked_at, 3) : undefined;
    const send = best ?? text ?? (email && isRivalOfBest(email) ? undefined : email);
    const link = send && drawContentLink(stream, send);
    if (send === undefined || link === undefined) continue;
    const place = places.get(order);
    const session = place === undefined ? undefined : tagged[place];
    if (place !== undefined && session?.source === direct && hasArrived(send, session.at - 3)) {
      click(stream, send, session.at - stream.int(1, 3), link);
      tagged[place] = { ...session, source: sources.of(send.campaign) };
    } else {
      click(stream, send, clicked_at, link);
    }
  }
  return tagged;
}

/** Another newsletter of its month. */
function isRivalOfBest({ campaign }: Send): boolean {
  const { campaign_id, category } = campaign.row;
  return category === 'newsletter' && campaign_id.slice(0, 7) === plantedEmails.bestNewsletter.slice(0, 7);
}
