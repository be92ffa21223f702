import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';
import { somebodyByEmail } from './recipient.ts';

export const audienceMembers: CanonicalTable = {
  name: 'audience_members',
  meaning: `Who entered a campaign, and what came of it: they were sent something, were left out for want of consent
(\`skipped_consent\`), as suppressed, or because they had had enough messages (\`skipped_cap\`), or are in the
control group. \`completed_at\` is when somebody reached the end of an automation.`,
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
