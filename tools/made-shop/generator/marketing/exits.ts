import type { ConsentEvent } from '../consents.ts';
import type { RandomStream } from '../random-stream.ts';
import type { World } from '../world.ts';
import { unknownUser } from './delivery.ts';
import type { Recipient } from './recipients.ts';
import type { Exit, Send } from './send.ts';

/**
 * What ended consents to e-mail happened to messages: those that campaigns planned themselves, and those of
 * the shop's own history, which belong to the last message of the month before.
 */
export function endConsents(
  world: World,
  sends: readonly Send[],
  planned: readonly Exit[],
  recipients: readonly Recipient[],
): void {
  const stream = world.stream('exits');
  const plannedChanges = new Set(planned.map(({ change }) => change));
  const sent = Map.groupBy(
    sends.filter(({ channel }) => channel === 'email'),
    ({ recipient }) => recipient,
  );
  for (const { send, change } of planned) {
    change.send_id = send.send_id;
    leave(stream, send, change);
  }
  for (const recipient of recipients) {
    for (const change of recipient.consents.email) {
      if (plannedChanges.has(change)) continue;
      const send = (sent.get(recipient) ?? []).findLast(
        ({ at, delivered_at, events, campaign }) =>
          delivered_at !== null &&
          at + 90 < change.at &&
          at > change.at - 30 * 86_400 &&
          // What a sale drives away is counted out beforehand.
          campaign.row.category !== 'sale' &&
          (change.state !== 'bounced' || events.length === 0),
      );
      if (send !== undefined) leave(stream, send, change);
    }
  }
}

function leave(stream: RandomStream, send: Send, { state, at }: ConsentEvent): void {
  const { message, recipient } = send;
  const event = { client: recipient.mailbox.client, isMachine: false, isFlagged: false };
  if (state === 'complained') {
    send.events.push({
      ...event,
      client: undefined,
      kind: 'complaint',
      at,
      via: 'feedback-loop',
      link: null,
    });
  }
  if (state === 'bounced') {
    send.outcome = 'hard';
    send.delivered_at = null;
    send.details = { ...send.details, ...unknownUser };
  }
  if (state !== 'unsubscribed') return;
  const link = message.links.find(({ link_type }) => link_type === 'unsubscribe');
  const usesLink = link !== undefined && stream.chance(0.7);
  if (usesLink) {
    send.events.push({ ...event, kind: 'click', at: at - stream.int(4, 40), via: undefined, link });
  }
  const via = usesLink ? 'link' : 'list-unsubscribe';
  send.events.push({ ...event, client: undefined, kind: 'unsubscribe', at, via, link: null });
}
