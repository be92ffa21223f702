import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const campaignHistory: CanonicalTable = {
  name: 'campaign_history',
  key: ['campaign_id', 'at'],
  columns: {
    campaign_id: column.text({ required: true }),
    at: column.moment({ required: true }),
    change: column.text({ required: true }),
  },
};
