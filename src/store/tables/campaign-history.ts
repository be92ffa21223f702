import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

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
