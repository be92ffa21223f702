import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const popupEvents: CanonicalTable = {
  name: 'popup_events',
  key: ['event_id'],
  columns: {
    event_id: column.text({ required: true }),
    campaign_id: column.text({ required: true }),
    visitor_id: column.text({ required: true }),
    session_id: column.text(),
    at: column.moment({ required: true }),
    kind: column.oneOf(['display', 'close', 'submit'], { required: true }),
    device: column.text(),
    profile_id: column.text(),
    email: column.email(),
  },
};
