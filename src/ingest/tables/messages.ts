import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const messages: CanonicalTable = {
  name: 'messages',
  key: ['message_id'],
  columns: {
    message_id: column.text({ required: true }),
    campaign_id: column.text({ required: true }),
    name: column.text(),
    position: column.integer({ fallback: '1' }),
    variant: column.text(),
    is_winner_send: column.flag({ fallback: 'false' }),
    allocation: column.percent(),
    channel: column.oneOf(['email', 'sms', 'popup'], { required: true }),
    subject: column.text(),
    preheader: column.text(),
    html: column.text(),
    text: column.text(),
    delay_minutes: column.integer(),
    is_active: column.flag({ fallback: 'true' }),
    product_ids: column.list(),
    has_recommendations: column.flag({ fallback: 'false' }),
    popup_fields: column.list(),
  },
};
