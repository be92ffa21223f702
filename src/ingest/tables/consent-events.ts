import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const consentEvents: CanonicalTable = {
  name: 'consent_events',
  key: ['profile_id', 'email', 'phone', 'channel', 'at'],
  columns: {
    profile_id: column.text(),
    email: column.email(),
    phone: column.phone(),
    channel: column.oneOf(['email', 'sms'], { required: true }),
    at: column.moment({ required: true }),
    state: column.oneOf(['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained', 'suppressed'], {
      required: true,
    }),
    source: column.text(),
    source_detail: column.text(),
    reason: column.text(),
    send_id: column.text(),
  },
  rules: [
    {
      column: 'profile_id',
      condition: 'profile_id is not null or email_hash is not null or phone_hash is not null',
      expected: 'is required where neither email nor phone names anybody',
    },
  ],
};
