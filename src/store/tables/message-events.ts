import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const messageEvents: CanonicalTable = {
  name: 'message_events',
  key: ['event_id'],
  columns: {
    event_id: column.recordId({ required: true }),
    send_id: column.recordId({ required: true }),
    kind: column.oneOf(['open', 'click', 'unsubscribe', 'complaint'], { required: true }),
    at: column.moment({ required: true }),
    link_id: column.itemId(),
    url: column.url(),
    client: column.code(),
    is_machine: column.flag({ fallback: 'false' }),
    is_bot: column.flag({ fallback: 'false' }),
    via: column.label(),
  },
};
