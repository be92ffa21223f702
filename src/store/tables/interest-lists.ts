import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const interestLists: CanonicalTable = {
  name: 'interest_lists',
  meaning: `One row per list that people can join. \`code\` is its id. \`channels\` (\`email\`, \`sms\`) say how its members are
written to; where it is empty, by e-mail.`,
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
