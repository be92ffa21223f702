/**
 * Rows of the canonical tables about marketing, in the words of the canonical format. Timestamps are ISO 8601
 * text with an offset. A key that is left out, or undefined, is null.
 */

export type CampaignRow = {
  campaign_id: string;
  name: string;
  campaign_type: CampaignType;
  category?: string | undefined;
  state: CampaignState;
  trigger?:
    | { type: string; description: string; delay_minutes: number; re_entry_days: number | null }
    | undefined;
  labels: string[];
  created_at: string;
  updated_at: string;
  scheduled_at?: string | undefined;
  utm_source?: string | undefined;
  utm_medium?: string | undefined;
  utm_campaign?: string | undefined;
  segment_query?: SegmentQuery | undefined;
  exclude_segment_query?: SegmentQuery | undefined;
  ab_test?:
    | { variants: string[]; test_share: number; decide_by: string; decide_after_hours: number }
    | undefined;
  control_group_share?: number | undefined;
  frequency_cap?: { messages: number; days: number } | undefined;
  sending_window?: { weekdays: string[]; from_hour: number; to_hour: number } | undefined;
  sender_name?: string | undefined;
  sender_address?: string | undefined;
};

export type CampaignType =
  | 'targeted-emailing'
  | 'targeted-emailing-ab'
  | 'incremental-emailing'
  | 'targeted-sms'
  | 'incremental-sms'
  | 'popup';
export type CampaignState =
  | 'draft'
  | 'scheduled'
  | 'active'
  | 'paused'
  | 'sent'
  | 'finished'
  | 'canceled'
  | 'terminated'
  | 'archived'
  | 'deleted';

/** Any of the segments, in each of them all blocks. */
export type SegmentQuery = { segments: { targetingBlocks: TargetingBlock[] }[] };
export type TargetingBlock = { type: string } & Record<string, unknown>;

export type CampaignHistoryRow = { campaign_id: string; at: string; change: string };

export type MessageRow = {
  message_id: string;
  campaign_id: string;
  name?: string | undefined;
  position: number;
  variant?: string | undefined;
  is_winner_send?: boolean | undefined;
  allocation?: number | undefined;
  channel: 'email' | 'sms' | 'popup';
  subject?: string | undefined;
  preheader?: string | undefined;
  html?: string | undefined;
  text?: string | undefined;
  delay_minutes?: number | undefined;
  is_active?: boolean | undefined;
  product_ids?: string[] | undefined;
  has_recommendations?: boolean | undefined;
  popup_fields?: string[] | undefined;
};

export type LinkRow = {
  link_id: string;
  message_id: string;
  url: string;
  label: string;
  link_type: LinkType;
  position: number;
};
export type LinkType =
  | 'product'
  | 'category'
  | 'content'
  | 'social'
  | 'unsubscribe'
  | 'preferences'
  | 'view_online'
  | 'other';

export type AudienceMemberRow = {
  campaign_id: string;
  profile_id: string;
  entered_at: string;
  outcome: AudienceOutcome;
  completed_at: string | undefined;
};
export type AudienceOutcome = 'sent' | 'skipped_consent' | 'skipped_suppressed' | 'skipped_cap' | 'control';

export type SendRow = {
  send_id: string;
  message_id: string;
  profile_id: string;
  sent_at: string;
  outcome: 'delivered' | 'hard' | 'soft' | 'block' | 'failed' | 'pending';
  delivered_at: string | undefined;
  recipient_domain?: string;
  sending_domain?: string;
  bounce_class?: string;
  smtp_code?: string;
  reason_text?: string;
  failure_reason?: string;
  sms_segments?: number;
  sms_encoding?: 'gsm7' | 'ucs2';
  sms_country?: string;
  cost?: string;
};

export type MessageEventRow = {
  event_id: string;
  send_id: string;
  kind: 'open' | 'click' | 'unsubscribe' | 'complaint';
  at: string;
  link_id: string | undefined;
  client: string | undefined;
  is_machine: true | undefined;
  is_bot: true | undefined;
  via: string | undefined;
};

export type InterestListRow = {
  code: string;
  name: string;
  description: string;
  channels: string[];
  is_double_opt_in: boolean;
  is_public: boolean;
  state: 'active' | 'archived';
  created_at: string;
};

export type InterestListEventRow = {
  code: string;
  profile_id: string;
  at: string;
  kind: 'subscribed' | 'unsubscribed';
  source: string;
};

export type PopupEventRow = {
  event_id: string;
  campaign_id: string;
  visitor_id: string;
  session_id: string | undefined;
  at: string;
  kind: 'display' | 'close' | 'submit';
  device: string;
  profile_id: string | undefined;
};

export type SegmentRow = {
  segment_id: string;
  name: string;
  description: string;
  segment_query: SegmentQuery;
  created_at: string;
  updated_at: string;
};

export type SendingDomainRow = {
  domain: string;
  spf: string;
  dkim: string;
  dmarc: string;
  one_click_unsubscribe: boolean;
  external_spam_rate?: number;
};
