import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

/**
 * The states in which a person can be, from the freest to the strictest: of one moment, the strictest counts.
 */
export const CONSENT_STATES = [
  'subscribed',
  'pending',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
] as const;

export const consentEvents: CanonicalTable = {
  name: 'consent_events',
  meaning: `Each time that somebody agreed to messages of a channel, withdrew that, or could not be written to any longer.
\`reason\` is what the person or the mail system said, \`send_id\` the message that it came of.`,
  key: ['profile_id', 'email', 'phone', 'channel', 'at'],
  columns: {
    profile_id: column.personId(),
    email: column.email(),
    phone: column.phone(),
    channel: column.oneOf(['email', 'sms'], { required: true }),
    at: column.moment({ required: true }),
    state: column.oneOf(CONSENT_STATES, { required: true }),
    source: column.label(),
    source_detail: column.name(),
    reason: column.freeText(),
    send_id: column.recordId(),
  },
  rules: [
    {
      column: 'profile_id',
      condition: 'profile_id is not null or email_hash is not null or phone_hash is not null',
      expected: 'is required where neither email nor phone names anybody',
    },
  ],
};
