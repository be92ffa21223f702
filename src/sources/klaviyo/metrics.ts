/**
 * Metrics that tell of a message, and what they make of its send; by the channel. Klaviyo calls a delivered
 * send received.
 */
export const SENDS = [
  { metric: 'Received Email', channel: 'email', outcome: "'delivered'", rank: 1 },
  {
    metric: 'Bounced Email',
    channel: 'email',
    outcome: "case when lower(bounce_type) = 'soft' then 'soft' else 'hard' end",
    rank: 2,
  },
  { metric: 'Received SMS', channel: 'sms', outcome: "'delivered'", rank: 1 },
  { metric: 'Failed to Deliver SMS', channel: 'sms', outcome: "'failed'", rank: 2 },
] as const;

export const MESSAGE_EVENTS: Readonly<Record<string, string>> = {
  'Opened Email': 'open',
  'Clicked Email': 'click',
  'Clicked SMS': 'click',
  'Marked Email as Spam': 'complaint',
  Unsubscribed: 'unsubscribe',
  'Unsubscribed from Email Marketing': 'unsubscribe',
  'Unsubscribed from SMS': 'unsubscribe',
  'Unsubscribed from SMS Marketing': 'unsubscribe',
};

export const CONSENTS = [
  { metric: 'Subscribed to Email Marketing', channel: 'email', state: 'subscribed' },
  { metric: 'Unsubscribed', channel: 'email', state: 'unsubscribed' },
  { metric: 'Unsubscribed from Email Marketing', channel: 'email', state: 'unsubscribed' },
  { metric: 'Marked Email as Spam', channel: 'email', state: 'complained' },
  { metric: 'Subscribed to SMS Marketing', channel: 'sms', state: 'subscribed' },
  { metric: 'Consented to Receive SMS', channel: 'sms', state: 'subscribed' },
  { metric: 'Unsubscribed from SMS', channel: 'sms', state: 'unsubscribed' },
  { metric: 'Unsubscribed from SMS Marketing', channel: 'sms', state: 'unsubscribed' },
] as const;

export const METRICS_OF_SENDS: readonly string[] = SENDS.map(({ metric }) => metric);
export const METRICS_OF_CONSENT: readonly string[] = CONSENTS.map(({ metric }) => metric);

/** All that is read, by the names that Klaviyo gives them. */
export const MESSAGE_METRICS: ReadonlySet<string> = new Set([
  ...METRICS_OF_SENDS,
  ...Object.keys(MESSAGE_EVENTS),
  ...METRICS_OF_CONSENT,
]);
