import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const interestLists: CanonicalTable = {
  name: 'interest_lists',
  key: ['code'],
  columns: {
    code: column.itemId({ required: true }),
    name: column.name({ required: true }),
    description: column.freeText(),
    channels: column.list('label'),
    is_double_opt_in: column.flag({ fallback: 'false' }),
    is_public: column.flag({ fallback: 'false' }),
    state: column.oneOf(['active', 'archived'], { fallback: 'active' }),
    created_at: column.moment(),
  },
};
