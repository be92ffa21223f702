import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';
import { somebody } from './recipient.ts';

export const sends: CanonicalTable = {
  name: 'sends',
  key: ['send_id'],
  columns: {
    send_id: column.text({ required: true }),
    message_id: column.text({ required: true }),
    profile_id: column.text(),
    email: column.email(),
    phone: column.phone(),
    sent_at: column.moment({ required: true }),
    outcome: column.oneOf(['delivered', 'hard', 'soft', 'block', 'failed', 'pending']),
    delivered_at: column.moment(),
    recipient_domain: column.text(),
    sending_domain: column.text(),
    bounce_class: column.text(),
    smtp_code: column.text(),
    reason_text: column.text(),
    failure_reason: column.text(),
    sms_segments: column.integer(),
    sms_encoding: column.oneOf(['gsm7', 'ucs2']),
    sms_country: column.text(),
    cost: column.money(),
  },
  rules: [somebody],
};
