import { describe, expect, it } from 'vitest';
import { partlyKnownProfitNotes, unseenBuyersNotes } from '../queries/part-known-notes.ts';
import { knownPartNotes } from '../queries/unlike-costs.ts';

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

describe('the part of the revenue that profit is of', () => {
  const rows = (...shares: readonly (readonly [name: string, share: number])[]) =>
    shares.map(([name, share]) => ({ name, share, revenue: 100 }));

  it('is said of both ranges where they differ by less than makes them unlike', () => {
    expect(knownPartNotes(rows(['the range', 88], ['the compared range', 85.7]), 'gross_profit')).toEqual([
      'gross_profit is of the products whose cost is known: 85.7 % of the product revenue of the compared range, 88.0 % of the product revenue of the range.',
    ]);
  });

  it('is said once where it is the same, and not where it is nearly all', () => {
    const [before, now] = [85.71, 85.74];
    expect(knownPartNotes(rows(['the range', now], ['the compared range', before]), 'profit')).toEqual([
      'profit is of the products whose cost is known: 85.7 % of the product revenue.',
    ]);
    expect(knownPartNotes(rows(['the range', 90], ['the compared range', 93]), 'profit')).toEqual([]);
    expect(knownPartNotes([], 'profit')).toEqual([]);
  });
});
