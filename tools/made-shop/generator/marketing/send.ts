import type { ConsentEvent } from '../consents.ts';
import type { RandomStream } from '../random-stream.ts';
import type { ConsentChannel } from '../tables.ts';
import type { Campaign, Message } from './campaign.ts';
import type { Recipient } from './recipients.ts';
import type { AudienceOutcome, LinkRow, MessageEventRow, SendRow } from './rows.ts';

/** A message on its way to somebody, and what happened to it. */
export type Send = {
  /** Rises with time; given when all sends are known. */
  send_id: string;
  channel: ConsentChannel;
  campaign: Campaign;
  message: Message;
  recipient: Recipient;
  at: number;
  outcome: SendRow['outcome'];
  /** Null when it did not arrive. */
  delivered_at: number | null;
  /** Why it did not arrive, or what it cost: what only some sends have. */
  details: Partial<SendRow>;
  /** Whether its recipient clicks, where a test says so; null: as it happens. */
  clicks: boolean | null;
  events: MessageEvent[];
};

/** What becomes of a message when it is handed over. */
export type Fate = Pick<Send, 'outcome' | 'details'>;

export function makeSend(
  stream: RandomStream,
  message: Message,
  recipient: Recipient,
  at: number,
  { outcome, details }: Fate,
): Send {
  return {
    send_id: '',
    channel: message.row.channel === 'sms' ? 'sms' : 'email',
    campaign: message.campaign,
    message,
    recipient,
    at,
    outcome,
    delivered_at: outcome === 'delivered' ? at + stream.int(1, 25) : null,
    details,
    clicks: null,
    events: [],
  };
}

export type MessageEvent = Pick<MessageEventRow, 'kind' | 'client' | 'via'> & {
  at: number;
  link: LinkRow | null;
  isMachine: boolean;
  /** Whether its visit is known. */
  isFollowed?: boolean;
  /** Whether the source said so. Otherwise only its time tells. */
  isFlagged: boolean;
};

/** What campaigns did: whom they met, what they sent, and who left because of it. */
export type Sending = { campaigns: Campaign[]; entries: Entry[]; sends: Send[]; exits: Exit[] };

/** A consent that ends with a message. */
export type Exit = { change: ConsentEvent; send: Send };

/** Somebody met the trigger or the targeting of a campaign. */
export type Entry = {
  campaign: Campaign;
  recipient: Recipient;
  at: number;
  outcome: AudienceOutcome;
  /** When somebody got the last step of an automation. */
  completed_at: number | null;
};
