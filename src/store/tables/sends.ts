import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';
import { somebody } from './recipient.ts';

export const sends: CanonicalTable = {
  name: 'sends',
  key: ['send_id'],
  columns: {
    send_id: column.recordId({ required: true }),
    message_id: column.itemId({ required: true }),
    profile_id: column.personId(),
    email: column.email(),
    phone: column.phone(),
    sent_at: column.moment({ required: true }),
    outcome: column.oneOf(['delivered', 'hard', 'soft', 'block', 'failed', 'pending']),
    delivered_at: column.moment(),
    recipient_domain: column.host(),
    sending_domain: column.host(),
    bounce_class: column.label(),
    smtp_code: column.code(),
    reason_text: column.freeText(),
    failure_reason: column.label(),
    sms_segments: column.integer(),
    sms_encoding: column.oneOf(['gsm7', 'ucs2']),
    sms_country: column.label(),
    cost: column.money(),
  },
  rules: [somebody],
};
