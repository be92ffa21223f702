import { expect, it } from 'vitest';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { hiddenPeopleNotes, hiddenTogether } from '../queries/hidden-people.ts';

const people = new FollowedPeople();
const rows = (...counts: (number | null)[]) => counts.map((customers_count) => ({ customers_count }));

it('says how many customers are in rows without a number', () => {
  expect(hiddenPeopleNotes('cells', 120, rows(80, 30, null, null), people)).toEqual([
    'In rows of cells whose number is null are 10 of 120 customers: in no other row.',
  ]);
});

it('says how many hidden rows have together where that follows from what is told, the most first', () => {
  const together = [
    { of: 'at_risk', names: ['loyal', 'at_risk'], customers_count: 110 },
    { of: 'lost', names: ['new', 'lost'], customers_count: 1857 },
    // Few, and of noise.
    { of: 'loyal', names: ['lost'], customers_count: 3 },
    { of: 'promising', names: ['new', 'loyal'], customers_count: 9 },
  ];
  expect(
    hiddenPeopleNotes('transitions', 5000, rows(3021, null, null, null, null), people, together),
  ).toEqual([
    'In rows of transitions whose number is null are 1979 of 5000 customers: in no other row. Together have: from lost to new, lost 1857; from at_risk to loyal, at_risk 110.',
  ]);
});

it('adds up the hidden segments of a moment by what the others tell', () => {
  const segments = [
    { segment: 'champions', customers_count: 80 },
    { segment: 'cant_lose', customers_count: null },
    { segment: 'at_risk', customers_count: null },
    { segment: 'lost', customers_count: 400 },
  ];
  // Computed by hand: 190 scored less 80; or all 590 less 480 where the lost are few and hidden too.
  expect(hiddenTogether({ segments, scored_customers_count: 190 }, 590)).toEqual([
    { of: null, names: ['cant_lose', 'at_risk'], customers_count: 110 },
  ]);
  expect(hiddenTogether({ segments, scored_customers_count: null }, 590)).toEqual([
    { of: null, names: ['cant_lose', 'at_risk'], customers_count: 110 },
  ]);
});

it('says nothing where all are told, the sum is not, or what is hidden is of few', () => {
  expect(hiddenPeopleNotes('cells', 110, rows(80, 30), people)).toEqual([]);
  expect(hiddenPeopleNotes('cells', null, rows(80, null), people)).toEqual([]);
  expect(hiddenPeopleNotes('cells', 83, rows(80, null), people)).toEqual([]);
});
