import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';
import { somebody } from './recipient.ts';

export const sends: CanonicalTable = {
  name: 'sends',
  meaning: `One row per message to a person. \`outcome\` is the final one: \`hard\`, \`soft\` and \`block\` are bounces of
e-mails, \`failed\` is of SMS. Where it is empty, an e-mail counts as delivered and an SMS as pending.
\`recipient_domain\` is needed where no e-mail address tells it. \`bounce_class\`, \`smtp_code\` and \`reason_text\`
say why an e-mail bounced, \`failure_reason\` why an SMS failed, in the words of whoever sent it. An SMS is billed
in \`sms_segments\`; where they and \`sms_encoding\` are empty, the text of the message tells. \`cost\` is what the
SMS cost, in \`currency\`, else in the business currency.`,
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
    currency: column.currency(),
  },
  rules: [somebody],
};
