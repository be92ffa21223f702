import { expect, it } from 'vitest';
import { youngGroupNotes } from '../queries/value/value-notes.ts';

const group = (name: string | null, customers_count: number | null, ...mature: (number | null)[]) => ({
  group: name,
  customers_count,
  after: mature.map((mature_customers_count, place) => ({
    ...{ days: [30, 90, 180, 365][place] ?? 0, mature_customers_count },
  })),
});

it('names groups of which some customers have not been observed for so many days', () => {
  expect(
    youngGroupNotes([group('2025-10', 50, 50, 50, 20, 0), group('2025-01', 60, 60, 60, 60, 60)]),
  ).toEqual([
    'Too young, in part or whole, so that mature_customers_count is below customers_count and values are of the older ones alone: 180 days: "2025-10"; 365 days: "2025-10".',
  ]);
});

it('says so of all groups at once, and names three at most', () => {
  const young = ['a', 'b', 'c', 'd'].map((name) => group(name, 9, 9, 9, 9, 5));
  expect(youngGroupNotes(young)[0]).toMatch(/: 365 days: all groups\.$/);
  expect(youngGroupNotes([...young, group('e', 9, 9, 9, 9, 9)])[0]).toMatch(
    /: 365 days: "a","b","c" and 1 more\.$/,
  );
});

it('says nothing about groups that are old enough, and about those that are hidden', () => {
  expect(youngGroupNotes([group('a', 9, 9, 9, 9, 9), group('b', null, null, null, null, null)])).toEqual([]);
});
