import { describe, expect, it } from 'vitest';
import { partlyKnownProfitNotes, unseenBuyersNotes } from '../queries/part-known-notes.ts';

const row = {
  ...{ entity: 'a', reach: 240, unique_customers_count: 319 },
  ...{ estimated_gross_profit: 10, revenue_with_known_cost: 52.4 },
};

describe('conversion of viewers', () => {
  const byRate = { sort_by: 'conversion_rate' };

  it('is too high where more people bought than viewed', () => {
    expect(unseenBuyersNotes([row], byRate)).toEqual([
      'conversion_rate is too high where more people bought than are known to have viewed ("a" 319 buyers, 240 viewers): not every view is recorded, and those of buyers more often. Do not say which part of viewers buys.',
    ]);
  });

  it('is told of no row with more viewers or none, and only where it is asked for', () => {
    const fine = [
      { ...row, reach: 320 },
      { ...row, reach: 0 },
    ];
    expect(unseenBuyersNotes(fine, byRate)).toEqual([]);
    expect(unseenBuyersNotes([row], { fields: ['reach'] })).toEqual([]);
  });
});

describe('profit of a part', () => {
  it('says of which part it is, where rows are compared by it', () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((entity) => ({ ...row, entity }));
    expect(partlyKnownProfitNotes(rows, { fields: ['estimated_gross_profit_margin'] })).toEqual([
      'Profit and margin are of the part of the revenue whose cost is known ("a" 52 %, "b" 52 %, "c" 52 %, and 2 more rows): estimated_gross_profit of these is too low beside others, and the margin of the rest may differ.',
    ]);
  });

  it('says nothing where nearly all is known, or nothing, which another note tells', () => {
    const rest = [90, 0, null].map((revenue_with_known_cost) => ({ ...row, revenue_with_known_cost }));
    expect(partlyKnownProfitNotes(rest, { sort_by: 'estimated_gross_profit' })).toEqual([]);
    expect(partlyKnownProfitNotes([row], {})).toEqual([]);
  });
});
