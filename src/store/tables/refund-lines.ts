import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const refundLines: CanonicalTable = {
  name: 'refund_lines',
  meaning: `What of an order a refund was for, where that is known. \`line_no\` is the line of the order; without it
\`external_product_id\` says which product. \`quantity\` are the pieces that came back, \`amount\` what was paid
back for them, in the currency of the order.`,
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
