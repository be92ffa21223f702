import { csvOf } from './translated.ts';

export const COLUMNS = [
  ...[
    'Name',
    'Email',
    'Financial Status',
    'Paid at',
    'Fulfillment Status',
    'Currency',
    'Subtotal',
    'Shipping',
    'Taxes',
  ],
  ...[
    'Total',
    'Discount Code',
    'Discount Amount',
    'Created at',
    'Lineitem quantity',
    'Lineitem name',
    'Lineitem price',
  ],
  ...[
    'Lineitem sku',
    'Notes',
    'Cancelled at',
    'Payment Method',
    'Refunded Amount',
    'Vendor',
    'Id',
    'Lineitem discount',
  ],
];

const ORDER = {
  ...{ 'Financial Status': 'paid', 'Fulfillment Status': 'unfulfilled', Currency: 'EUR' },
  ...{
    'Created at': '2026-03-05 15:40:14 +0100',
    'Discount Amount': '0.00',
    'Refunded Amount': '0.00',
    Shipping: '0.00',
    Taxes: '0.00',
  },
};

/** An order of one line. */
export function order(
  name: string,
  total: string,
  cells: Record<string, string> = {},
): Record<string, string> {
  return {
    ...ORDER,
    ...{ Name: name, Id: `60000${name.replace(/\D/g, '')}`, Total: total, Subtotal: total },
    ...{
      'Lineitem quantity': '1',
      'Lineitem name': 'Mug',
      'Lineitem price': total,
      'Lineitem sku': 'MUG',
      Vendor: 'Acme',
    },
    ...cells,
  };
}

/** A further line of an order. */
export function line(
  name: string,
  item: string,
  quantity: string,
  price: string,
  cells: Record<string, string> = {},
) {
  return {
    ...{
      Name: name,
      'Created at': ORDER['Created at'],
      'Lineitem quantity': quantity,
      'Lineitem name': item,
    },
    ...{ 'Lineitem price': price, 'Lineitem sku': item.toUpperCase(), Vendor: 'Acme' },
    ...cells,
  };
}

export const file = (rows: readonly Record<string, string>[], columns = COLUMNS) => ({
  'export.csv': csvOf(columns, rows),
});
