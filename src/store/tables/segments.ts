import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const segments: CanonicalTable = {
  name: 'segments',
  meaning: `The saved segments. \`segment_query\` says who is in one, in the words of the resource
\`segmentation://conditions\`.`,
  key: ['segment_id'],
  columns: {
    segment_id: column.itemId({ required: true }),
    name: column.name({ required: true }),
    description: column.freeText(),
    segment_query: column.settings({ required: true }),
    created_at: column.moment(),
    updated_at: column.moment(),
  },
};
