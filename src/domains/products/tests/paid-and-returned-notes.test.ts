import { describe, expect, it } from 'vitest';
import { paidPriceNotes } from '../queries/paid-prices.ts';
import { returnedMoneyNotes } from '../queries/refund-metrics.ts';

describe('the paid price per piece', () => {
  const row = { entity: 'a', total_quantity: 4, estimated_revenue: 300, price: 100 };

  it('is told beside the price of the catalogue, where they differ', () => {
    expect(paidPriceNotes([row], {}, 'price')).toEqual([
      'price is of the catalogue now. Paid per piece on average, with VAT, before discounts of whole orders and refunds: estimated_revenue / total_quantity ("a" 75, price 100).',
    ]);
  });

  it('names the first three rows', () => {
    const rows = ['a', 'b', 'c', 'd'].map((entity) => ({ ...row, entity }));
    expect(paidPriceNotes(rows, {}, 'price')[0]).toMatch(/"a" 75.*"b" 75.*"c" 75, price 100\)\.$/);
  });

  it('is not told where it is the price, nearly, or nothing was sold or is listed', () => {
    const nothing = [
      { ...row, estimated_revenue: 385 },
      { ...row, total_quantity: 0, estimated_revenue: 0 },
      { ...row, estimated_revenue: null },
      { ...row, price: 0 },
    ];
    expect(paidPriceNotes(nothing, {}, 'price')).toEqual([]);
    expect(paidPriceNotes([row], { fields: ['impressions'] }, 'price')).toEqual([]);
  });
});

describe('the part that came back', () => {
  const row = { entity: 'a', return_rate: 10, refunded_revenue: 60, estimated_revenue: 200 };

  it('is told of money where pieces say something else', () => {
    expect(returnedMoneyNotes([row], { sort_by: 'return_rate' })).toEqual([
      'return_rate is of pieces. Of money, refunded_revenue / estimated_revenue: "a" 30 %, return_rate 10 %.',
    ]);
  });

  it('is not told where both say the same, or nobody asks for rates', () => {
    expect(returnedMoneyNotes([{ ...row, refunded_revenue: 25 }], { fields: ['return_rate'] })).toEqual([]);
    expect(returnedMoneyNotes([{ ...row, refunded_revenue: null }], { sort_by: 'return_rate' })).toEqual([]);
    expect(returnedMoneyNotes([row], { sort_by: 'estimated_revenue' })).toEqual([]);
  });
});
