import { plantedEmails } from '../../texts/one-off-emails.ts';
import type { RandomStream } from '../random-stream.ts';
import type { World } from '../world.ts';
import { contentLinks } from './campaign.ts';
import { click, drawContentLink } from './clicks.ts';
import { isMistrusted } from './delivery.ts';
import type { Recipient } from './recipients.ts';
import type { Send } from './send.ts';

/** What people and machines do with what arrived, beside the clicks that sessions and orders tell of. */
export function react(world: World, sends: readonly Send[]): void {
  const people = world.stream('reactions of people');
  const machines = world.stream('reactions of machines');
  const recent = new Map<Recipient, number[]>();
  for (const send of sends) {
    if (send.delivered_at === null) continue;
    if (send.channel === 'sms') {
      reactToText(people, send);
      continue;
    }
    const before = (recent.get(send.recipient) ?? []).filter((at) => at > send.at - 14 * 86_400);
    recent.set(send.recipient, before);
    reactAsMachine(machines, send, send.delivered_at);
    reactAsPerson(people, send, send.delivered_at, before.length);
    before.push(send.at);
  }
  for (const send of sends) {
    if (send.events.length === 0) continue;
    send.events = send.events.filter(({ at }) => at <= world.end).sort((a, b) => a.at - b.at);
  }
}

/** @param pressure messages in the two weeks before */
function reactAsPerson(stream: RandomStream, send: Send, delivered_at: number, pressure: number): void {
  const { recipient, campaign, details } = send;
  const delay = stream.next();
  const at = delivered_at + 45 + Math.floor(delay * delay * delay * 3 * 86_400);
  const isBuried = isMistrusted(recipient.mailbox.provider, details.sending_domain) && !stream.chance(0.2);
  const isFresh = send.at < firstSubscribed(recipient) + 60 * 86_400;
  const tired = [1, 1, 0.85, 0.7, 0.55][Math.min(pressure, 4)] ?? 1;
  const chance = recipient.openness * campaign.appeal * tired * (isFresh ? 1.3 : 1);
  const opens = stream.chance(chance) && !isBuried;
  const clicks = send.clicks ?? (opens && stream.chance(0.11));
  const link = drawContentLink(stream, send);
  if (clicks && link !== undefined) click(stream, send, at + stream.int(20, 600), link, false);
  else if (opens && !recipient.mailbox.prefetches) {
    const event = { kind: 'open', client: recipient.mailbox.client, via: undefined, link: null } as const;
    send.events.push({ ...event, at, isMachine: false, isFlagged: false });
    if (stream.chance(0.2)) {
      const again_at = at + stream.int(600, 2 * 86_400);
      send.events.push({ ...event, at: again_at, isMachine: false, isFlagged: false });
    }
  }
}

function firstSubscribed({ consents }: Recipient): number {
  return consents.email.find(({ state }) => state === 'subscribed')?.at ?? Number.NEGATIVE_INFINITY;
}

/**
 * Apple's program fetches all; the filter of a company opens every link, on one day that of all companies.
 */
function reactAsMachine(stream: RandomStream, send: Send, delivered_at: number): void {
  const { mailbox } = send.recipient;
  if (mailbox.prefetches) {
    const at = delivered_at + stream.int(4, 900);
    const event = { kind: 'open', client: mailbox.client, via: undefined, link: null } as const;
    send.events.push({ ...event, at, isMachine: true, isFlagged: true });
  }
  const isScanned = send.campaign.row.campaign_id === plantedEmails.scanned || stream.chance(0.1);
  if (!mailbox.isScanned || !isScanned) return;
  const isFlagged = stream.chance(0.5);
  const event = { client: undefined, via: undefined, isMachine: true, isFlagged };
  send.events.push({ ...event, kind: 'open', at: delivered_at + 1, link: null });
  for (const [index, link] of contentLinks(send.message).entries()) {
    send.events.push({ ...event, kind: 'click', at: delivered_at + 1 + Math.floor(index / 4), link });
  }
}

function reactToText(stream: RandomStream, send: Send): void {
  const link = drawContentLink(stream, send);
  if (link === undefined || !stream.chance(0.05)) return;
  click(stream, send, (send.delivered_at ?? send.at) + stream.int(40, 10 * 3_600), link, false);
}
