import { momentText } from '../calendar.ts';
import type {
  CampaignHistoryRow,
  CampaignRow,
  CampaignState,
  CampaignType,
  LinkRow,
  MessageRow,
} from './rows.ts';

/** A campaign as later concerns need it: its row, and what it sends. */
export type Campaign = {
  row: CampaignRow;
  messages: Message[];
  /** The history in order of time. */
  history: CampaignHistoryRow[];
  /** Compared to others, how many open what it sends. */
  appeal: number;
};

export type Message = {
  campaign: Campaign;
  row: MessageRow;
  links: LinkRow[];
};

/** What every campaign says of itself; the rest of its row depends on its type. */
type Setup = Omit<CampaignRow, 'created_at' | 'updated_at' | 'labels' | 'campaign_type' | 'state'> & {
  campaign_type: CampaignType;
  state: CampaignState;
  labels?: string[];
};

/** @param history what happened to it, oldest first: at least that it was made */
export function makeCampaign(
  setup: Setup,
  history: readonly (readonly [at: number, change: string])[],
  appeal = 1,
): Campaign {
  const { campaign_id, name, campaign_type, state, labels = [], ...rest } = setup;
  const [created_at = 0, updated_at = created_at] = [history.at(0)?.[0], history.at(-1)?.[0]];
  return {
    row: {
      campaign_id,
      name,
      campaign_type,
      state,
      labels,
      created_at: momentText(created_at),
      updated_at: momentText(updated_at),
      ...rest,
    },
    messages: [],
    appeal,
    history: history.map(([at, change]) => ({ campaign_id, at: momentText(at), change })),
  };
}

/** Adds a message; its id is that of the campaign and what tells it from the campaign's others. */
export function addMessage(
  campaign: Campaign,
  part: string | null,
  row: Omit<MessageRow, 'message_id' | 'campaign_id'>,
  links: readonly Omit<LinkRow, 'link_id' | 'message_id'>[] = [],
): Message {
  const { campaign_id } = campaign.row;
  const message_id = part === null ? `${campaign_id}-m` : `${campaign_id}-m-${part}`;
  const message = {
    campaign,
    row: { message_id, campaign_id, ...row },
    links: links.map((link) => ({ link_id: `${message_id}-${link.position}`, message_id, ...link })),
  };
  campaign.messages.push(message);
  return message;
}

/** Links that lead to the shop's content; clicks on the others are no interest in what it sells. */
export function contentLinks({ links }: Message): LinkRow[] {
  return links.filter(({ link_type }) => !['unsubscribe', 'preferences', 'view_online'].includes(link_type));
}
