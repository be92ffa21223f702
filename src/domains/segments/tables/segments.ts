import { optionalMoment, text } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';

export const segments = modelTable({
  name: 'segments',
  scope: 'whole',
  meaning: 'The saved segments, as they were loaded.',
  columns: {
    segment_id: text,
    name: text,
    description: text,
    segment_query: text,
    created_at: optionalMoment,
    updated_at: optionalMoment,
    search_text: text,
  },
  order: [],
  rows: relation`
select segment_id, name, description, segment_query, created_at, updated_at,
  lower(strip_accents(name)) as search_text
from ${stored.segments} order by segment_id`,
});
