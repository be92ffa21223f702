import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const refunds: CanonicalTable = {
  name: 'refunds',
  meaning:
    'One row each time that money of an order was paid back. `amount` is in the currency of the order.',
  key: ['refund_id'],
  isToldByMany: true,
  columns: {
    refund_id: column.recordId({ required: true }),
    order_id: column.recordId({ required: true }),
    refunded_at: column.moment({ required: true }),
    amount: column.money({ required: true }),
  },
};
