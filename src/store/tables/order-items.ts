import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const orderItems: CanonicalTable = {
  name: 'order_items',
  meaning: `One row per line of an order. \`quantity\` times \`unit_price\` is its revenue: the price of one piece with VAT,
after discounts of the line, in the currency of the order. \`unit_cost\` is what one piece cost you, without VAT, in
the same currency; where it is empty, \`product_prices\` and \`products\` tell. \`tax_rate\` is the VAT in its price in percent; where it is
empty, the line bears its part of the \`tax\` of the order. Numbers about products count the
lines of kind \`product\`. \`name\` is what the order calls the product; it is shown where \`products\` does not
have it.`,
  key: ['order_id', 'line_no'],
  list: { owner: 'orders', position: 'line_no' },
  columns: {
    order_id: column.recordId({ required: true }),
    line_no: column.integer(),
    kind: column.oneOf(['product', 'shipping', 'payment', 'discount', 'gift'], { fallback: 'product' }),
    external_product_id: column.itemId(),
    name: column.name(),
    quantity: column.quantity({ required: true }),
    unit_price: column.unitMoney({ required: true }),
    unit_cost: column.unitMoney(),
    tax_rate: column.percent(),
  },
  rules: [
    {
      column: 'quantity',
      condition: 'abs(cast(quantity as double) * unit_price) < 1e13',
      expected: 'times unit_price must be below 10^13',
    },
    {
      column: 'external_product_id',
      condition: "kind <> 'product' or external_product_id is not null",
      expected: 'is required on lines of kind product',
    },
  ],
};
