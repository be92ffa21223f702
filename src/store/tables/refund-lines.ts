import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const refundLines: CanonicalTable = {
  name: 'refund_lines',
  key: ['refund_id', 'line_no', 'external_product_id'],
  columns: {
    refund_id: column.recordId({ required: true }),
    order_id: column.recordId({ required: true }),
    line_no: column.integer(),
    external_product_id: column.itemId(),
    quantity: column.quantity({ required: true }),
    amount: column.money({ required: true }),
  },
  rules: [
    { column: 'quantity', condition: 'quantity >= 0', expected: 'must be at least 0' },
    {
      column: 'line_no',
      condition: 'line_no is not null or external_product_id is not null',
      expected: 'or external_product_id is required: which line or product came back',
    },
  ],
};
