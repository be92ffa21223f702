import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';
import { somebodyByEmail } from './recipient.ts';

export const audienceMembers: CanonicalTable = {
  name: 'audience_members',
  key: ['campaign_id', 'profile_id', 'email', 'entered_at'],
  columns: {
    campaign_id: column.itemId({ required: true }),
    profile_id: column.personId(),
    email: column.email(),
    entered_at: column.moment({ required: true }),
    outcome: column.oneOf(['sent', 'skipped_consent', 'skipped_suppressed', 'skipped_cap', 'control'], {
      required: true,
    }),
    completed_at: column.moment(),
  },
  rules: [somebodyByEmail],
};
