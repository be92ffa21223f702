import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const links: CanonicalTable = {
  name: 'links',
  meaning: `One row per link in a message. Where \`link_type\` is empty, the URL tells it. Clicks on \`unsubscribe\`,
\`preferences\` and \`view_online\` show no interest in what the message is about, and are no clicks in numbers.`,
  key: ['link_id'],
  columns: {
    link_id: column.itemId({ required: true }),
    message_id: column.itemId({ required: true }),
    url: column.url({ required: true }),
    label: column.name(),
    link_type: column.oneOf([
      'product',
      'category',
      'content',
      'social',
      'unsubscribe',
      'preferences',
      'view_online',
      'other',
    ]),
    position: column.integer(),
  },
};
