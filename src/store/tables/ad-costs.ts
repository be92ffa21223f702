import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

/** More than all people see in a day; sums of thousands of rows are still exact numbers in JSON. */
const MOST = 1_000_000_000_000;

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
  rules: ['clicks', 'impressions'].map((name) => ({
    column: name,
    condition: `${name} is null or ${name} between 0 and ${MOST}`,
    expected: `must be between 0 and ${MOST}`,
  })),
};
