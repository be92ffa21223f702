import { momentText } from '../calendar.ts';
import type { Campaign } from './campaign.ts';
import type { AudienceMemberRow, MessageEventRow, SendRow } from './rows.ts';
import type { Entry, Send } from './send.ts';

export function* makeSendRows(sends: readonly Send[]): Generator<SendRow> {
  for (const { send_id, message, recipient, at, outcome, delivered_at, details } of sends) {
    yield {
      send_id,
      message_id: message.row.message_id,
      profile_id: recipient.profile_id,
      sent_at: momentText(at),
      outcome,
      delivered_at: delivered_at === null ? undefined : momentText(delivered_at),
      ...details,
    };
  }
}

/** Send by send, within one in order of time. */
export function* makeMessageEventRows(sends: readonly Send[]): Generator<MessageEventRow> {
  for (const { send_id, events } of sends) {
    for (const [index, { kind, at, link, client, via, isMachine, isFlagged }] of events.entries()) {
      yield {
        event_id: `${send_id}-${index + 1}`,
        send_id,
        kind,
        at: momentText(at),
        link_id: link?.link_id,
        client,
        is_machine: isMachine && isFlagged && kind === 'open' ? true : undefined,
        is_bot: isMachine && isFlagged && kind === 'click' ? true : undefined,
        via,
      };
    }
  }
}

export function* makeAudienceRows(entries: readonly Entry[]): Generator<AudienceMemberRow> {
  for (const { campaign, recipient, at, outcome, completed_at } of entries) {
    yield {
      campaign_id: campaign.row.campaign_id,
      profile_id: recipient.profile_id,
      entered_at: momentText(at),
      outcome,
      completed_at: completed_at === null ? undefined : momentText(completed_at),
    };
  }
}

export function contentRows(campaigns: readonly Campaign[]) {
  const messages = campaigns.flatMap((campaign) => campaign.messages);
  return {
    campaigns: campaigns.map(({ row }) => row),
    campaign_history: campaigns.flatMap(({ history }) => history),
    messages: messages.map(({ row }) => row),
    links: messages.flatMap(({ links }) => links),
  };
}
