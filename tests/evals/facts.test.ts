import { expect, it } from 'vitest';
import { missingIn, missingInAnswers } from '../../evals/facts.ts';

const REVENUE = [{ what: 'revenue', number: 1_509_496.33 }];

it.each([
  'It was £1,509,496.33.',
  'It was 1509496 GBP.',
  'It was 1 509 496,33.'.replace(',33', ''),
  'About 1.51 million.',
  'About 1.509m in all.',
  'Some 1,509k.',
])('a number that is rounded to three digits or more is said: %s', (text) => {
  expect(missingIn(text, REVENUE)).toEqual([]);
});

it.each([
  'It was 1.5 million.',
  'It was 1.52 million.',
  'It was 1,509,497.',
  'It was 150,949.63.',
  'In 2011.',
  '',
])('a number that is another one, or too coarse, is not: %s', (text) => {
  expect(missingIn(text, REVENUE)).toEqual(['revenue']);
});

it('a small number must be itself, and one of the words is enough', () => {
  expect(
    missingIn('There were 7 of them on Thursdays', [
      { what: 'a', number: 7 },
      { what: 'b', words: ['thursday', 'day 4'] },
    ]),
  ).toEqual([]);
  expect(
    missingIn('There were 8 of them', [
      { what: 'a', number: 7 },
      { what: 'b', words: ['thursday'] },
    ]),
  ).toEqual(['a', 'b']);
});

it('answers of tools hold numbers to the cent, at any depth, and words in any text', () => {
  const answers = [{ rows: [{ revenue: 1_509_496.33 }] }, 'No messages are loaded'];
  expect(missingInAnswers(answers, REVENUE)).toEqual([]);
  expect(missingInAnswers([{ revenue: 1_509_496.34 }], REVENUE)).toEqual(['revenue']);
  expect(missingInAnswers(answers, [{ what: 'why', words: ['no messages'] }])).toEqual([]);
  expect(missingInAnswers(answers, [{ what: 'why', words: ['no sessions'] }])).toEqual(['why']);
});
