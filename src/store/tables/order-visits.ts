import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

/** In which visit an order was placed, as another system than the shop saw it. */
export const orderVisits: CanonicalTable = {
  name: 'order_visits',
  key: ['reference'],
  columns: {
    /** The order's id or number; a `#` before it does not matter. */
    reference: column.recordId({ required: true }),
    visitor_id: column.personId({ required: true }),
    session_id: column.personId(),
    at: column.moment({ required: true }),
  },
};
