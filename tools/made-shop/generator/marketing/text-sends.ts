import { type OneOffText, oneOffTexts } from '../../texts/one-off-texts.ts';
import { dayOf, momentOf, momentText } from '../calendar.ts';
import type { RandomStream } from '../random-stream.ts';
import type { World } from '../world.ts';
import { type Campaign, makeCampaign } from './campaign.ts';
import { canLeave, consentAt, isSubscribed, type Recipient } from './recipients.ts';
import { makeSend, type Send, type Sending } from './send.ts';
import { addText, textFate } from './text-delivery.ts';

/** All one-off SMS in order of time; who answers STOP gets no more. */
export function sendOneOffTexts(world: World, recipients: readonly Recipient[]): Sending {
  const stream = world.stream('one-off SMS');
  const hours = world.stream('hours of one-off SMS');
  const sending: Sending = { campaigns: [], entries: [], sends: [], exits: [] };
  const asked = recipients.filter(({ consents }) => consents.sms.length > 0);
  for (const text of oneOffTexts) {
    const at = momentOf(
      dayOf(text.date),
      hours.pick([9, 10, 11, 14, 17]) * 3_600 + hours.pick([0, 600, 1_800]),
    );
    const campaign = makeOneOffText(text, at);
    sending.campaigns.push(campaign);
    const [message] = campaign.messages;
    if (message === undefined) throw new Error(`${text.slug} has no message`);
    for (const recipient of asked) {
      const isSent = isSubscribed(recipient, 'sms', at);
      if (!isSent && consentAt(recipient, 'sms', at) !== 'suppressed') continue;
      const outcome = isSent ? ('sent' as const) : ('skipped_suppressed' as const);
      sending.entries.push({ campaign, recipient, at, outcome, completed_at: null });
      if (!isSent) continue;
      const send = makeSend(stream, message, recipient, at, textFate(stream, message, recipient, at));
      sending.sends.push(send);
      if (sending.sends.length % 60 === 0) answerStop(world, stream, send);
    }
  }
  return sending;
}

/** The answer names no message: it belongs to the last one. */
function answerStop(world: World, stream: RandomStream, { recipient, delivered_at }: Send): void {
  if (delivered_at === null || !canLeave(recipient, 'sms', delivered_at)) return;
  const at = delivered_at + stream.int(60, 20 * 3_600);
  if (at > world.end) return;
  const why = { source: null, source_detail: null, reason: 'STOP' };
  recipient.consents.sms.push({
    ...{ profile_id: recipient.profile_id, channel: 'sms', at, state: 'unsubscribed', ...why },
  });
}

function makeOneOffText({ date, slug, name, category, text }: OneOffText, at: number): Campaign {
  const campaign_id = `${date}-${slug}`;
  const campaign = makeCampaign(
    {
      ...{
        campaign_id,
        name,
        category,
        campaign_type: 'targeted-sms',
        state: 'sent',
        sender_name: 'Kamenice',
      },
      ...{ utm_source: 'sms', utm_medium: 'sms', utm_campaign: campaign_id },
      segment_query: {
        segments: [
          { targetingBlocks: [{ type: 'consent', value: { channel: 'sms', state: 'subscribed' } }] },
        ],
      },
      scheduled_at: momentText(at),
      sending_window: { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], from_hour: 9, to_hour: 19 },
    },
    [
      [at - 2 * 86_400, 'created as draft'],
      [at - 3_600, 'draft → scheduled'],
      [at, 'scheduled → active'],
      [at + 600, 'active → sent'],
    ],
  );
  addText(campaign, { position: 1, text });
  return campaign;
}
