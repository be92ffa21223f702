import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const adCosts: CanonicalTable = {
  name: 'ad_costs',
  meaning: `What advertising cost on a local day, in \`currency\`, else in the business currency. \`source\`, \`medium\` and \`campaign\` are written
as in \`sessions\`. A correction may be below 0.`,
  key: ['day', 'source', 'medium', 'campaign'],
  columns: {
    day: column.date({ required: true }),
    source: column.trafficName({ required: true }),
    medium: column.trafficName({ required: true }),
    campaign: column.trafficName(),
    cost: column.money({ required: true }),
    currency: column.currency(),
    clicks: column.integer(),
    impressions: column.integer(),
  },
  rules: [
    { column: 'clicks', condition: 'clicks is null or clicks >= 0', expected: 'must be at least 0' },
    {
      column: 'impressions',
      condition: 'impressions is null or impressions >= 0',
      expected: 'must be at least 0',
    },
  ],
};
