import { expect, it } from 'vitest';
import {
  type InvoiceLine,
  matchCreditNotes,
  refundsOfCreditNotes,
} from '../../scripts/online-retail-credit-notes.ts';

let rows = 0;
function line(
  order_id: string,
  line_at: string,
  quantity: number,
  price: number,
  more: Partial<InvoiceLine> = {},
) {
  rows += 1;
  const own = { order_id, line_no: 1, row_no: rows, customer: 'a', code: 'cup', line_at, quantity };
  return { ...own, amount: quantity * price * 10_000, ...more };
}

it('a credit note pays back the latest line of the customer with the product, at its price and with as much left', () => {
  const sold = [
    line('1', '2011-01-01', 5, 2),
    line('2', '2011-01-02', 5, 2),
    line('3', '2011-01-03', 5, 3),
    line('4', '2011-01-09', 5, 2),
    line('5', '2011-01-02', 5, 2, { customer: 'b' }),
    line('6', '2011-01-02', 5, 2, { code: 'plate' }),
    line('7', '2011-01-02', 5, 2, { customer: null }),
  ];
  const credits = [
    line('C1', '2011-01-05', 3, 2),
    line('C2', '2011-01-05', 3, 2),
    line('C3', '2011-01-05', 3, 2.5),
    line('C4', '2011-01-05', 3, 9),
    line('C5', '2011-01-05', 3, 2, { customer: null }),
    line('C6', '2011-01-01', 6, 2),
  ];
  const found = matchCreditNotes(sold, credits).map(({ credit, sold }) => [
    credit.order_id,
    sold?.order_id ?? null,
  ]);
  expect(Object.fromEntries(found)).toEqual({ C1: '2', C2: '1', C3: '3', C4: null, C5: null, C6: null });
});

it('one refund for each order that is paid back, and one for what no order is found for', () => {
  const sold = [
    line('1', '2011-01-01', 5, 2, { line_no: 4 }),
    line('2', '2011-01-02', 5, 2, { code: 'POST' }),
  ];
  const credits = [
    line('C1', '2011-01-05', 1, 2),
    line('C1', '2011-01-05', 2, 2),
    line('C1', '2011-01-05', 1, 2, { code: 'POST' }),
    line('C1', '2011-01-05', 7, 2, { code: 'plate' }),
  ];
  const isProduct = (code: string) => code !== 'POST';
  expect(refundsOfCreditNotes(matchCreditNotes(sold, credits), isProduct)).toEqual({
    refunds: [
      { refund_id: 'C1-1', order_id: '1', refunded_at: '2011-01-05', amount: 60_000 },
      { refund_id: 'C1-2', order_id: '2', refunded_at: '2011-01-05', amount: 20_000 },
      { refund_id: 'C1', order_id: 'C1', refunded_at: '2011-01-05', amount: 140_000 },
    ],
    lines: [
      {
        ...{ refund_id: 'C1-1', order_id: '1', line_no: 4, external_product_id: 'cup' },
        ...{ quantity: 3, amount: 60_000 },
      },
      {
        ...{ refund_id: 'C1', order_id: 'C1', line_no: null, external_product_id: 'plate' },
        ...{ quantity: 7, amount: 140_000 },
      },
    ],
  });
});
