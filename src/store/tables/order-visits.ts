import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const orderVisits: CanonicalTable = {
  name: 'order_visits',
  meaning: `In which visit an order was placed, as another system than the shop saw it, for example Google Analytics.
\`reference\` is the id or the number of the order, with or without \`#\`. \`at\` is when it was placed, and may be
up to a day from the order's own time.`,
  key: ['reference'],
  columns: {
    reference: column.recordId({ required: true }),
    visitor_id: column.personId({ required: true }),
    session_id: column.personId(),
    at: column.moment({ required: true }),
  },
};
