import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const popupEvents: CanonicalTable = {
  name: 'popup_events',
  meaning: `Each time that a popup was displayed, closed or submitted. Whom a submission names, by \`profile_id\` or \`email\`,
is who submitted it.`,
  key: ['event_id'],
  columns: {
    event_id: column.recordId({ required: true }),
    campaign_id: column.itemId({ required: true }),
    visitor_id: column.personId({ required: true }),
    session_id: column.personId(),
    at: column.moment({ required: true }),
    kind: column.oneOf(['display', 'close', 'submit'], { required: true }),
    device: column.label(),
    profile_id: column.personId(),
    email: column.email(),
  },
};
