import { expect, it } from 'vitest';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { hiddenPeopleNotes } from '../queries/hidden-people.ts';

const people = new FollowedPeople();
const rows = (...counts: (number | null)[]) => counts.map((customers_count) => ({ customers_count }));

it('says how many customers are in rows without a number', () => {
  expect(hiddenPeopleNotes('cells', 120, rows(80, 30, null, null), people)).toEqual([
    'In rows of cells whose number is null are 10 of 120 customers: in no other row.',
  ]);
});

it('says nothing where all are told, the sum is not, or what is hidden is of few', () => {
  expect(hiddenPeopleNotes('cells', 110, rows(80, 30), people)).toEqual([]);
  expect(hiddenPeopleNotes('cells', null, rows(80, null), people)).toEqual([]);
  expect(hiddenPeopleNotes('cells', 83, rows(80, null), people)).toEqual([]);
});
