import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const segments: CanonicalTable = {
  name: 'segments',
  key: ['segment_id'],
  columns: {
    segment_id: column.text({ required: true }),
    name: column.text({ required: true }),
    description: column.text(),
    segment_query: column.json({ required: true }),
    created_at: column.moment(),
    updated_at: column.moment(),
  },
};
