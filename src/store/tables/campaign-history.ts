import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const campaignHistory: CanonicalTable = {
  name: 'campaign_history',
  meaning: 'What was changed of a campaign, in words, and when.',
  key: ['campaign_id', 'at'],
  columns: {
    campaign_id: column.itemId({ required: true }),
    at: column.moment({ required: true }),
    change: column.freeText({ required: true }),
  },
};
