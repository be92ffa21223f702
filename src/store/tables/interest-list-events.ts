import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';
import { somebodyByEmail } from './recipient.ts';

export const interestListEvents: CanonicalTable = {
  name: 'interest_list_events',
  meaning: 'Each time that somebody joined or left a list, from where, and why.',
  key: ['code', 'profile_id', 'email', 'at'],
  columns: {
    code: column.itemId({ required: true }),
    profile_id: column.personId(),
    email: column.email(),
    at: column.moment({ required: true }),
    kind: column.oneOf(['subscribed', 'unsubscribed'], { required: true }),
    source: column.label(),
    reason: column.freeText(),
  },
  rules: [somebodyByEmail],
};
