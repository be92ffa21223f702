import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const links: CanonicalTable = {
  name: 'links',
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
