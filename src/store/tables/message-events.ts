import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';
import { MESSAGE_EVENT_KINDS } from '../message-event-kinds.ts';

export const messageEvents: CanonicalTable = {
  name: 'message_events',
  meaning: `What happened to a send afterwards. A click names its link by \`link_id\` or \`url\`. \`client\` is the mail program
or its user agent. \`is_machine\` marks what a machine opened or clicked, as the privacy protection of Apple Mail
does, \`is_bot\` what a scanner did; neither is a person's. Others are recognised by how soon they follow the
delivery.`,
  key: ['event_id'],
  columns: {
    event_id: column.recordId({ required: true }),
    send_id: column.recordId({ required: true }),
    kind: column.oneOf(MESSAGE_EVENT_KINDS, { required: true }),
    at: column.moment({ required: true }),
    link_id: column.itemId(),
    url: column.url(),
    client: column.code(),
    is_machine: column.flag({ fallback: 'false' }),
    is_bot: column.flag({ fallback: 'false' }),
    via: column.label(),
  },
};
