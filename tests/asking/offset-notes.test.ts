// Many clients write `Z` behind each time: the range is then not one of days of the store, which is told
// before everything else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { offsetNotes } from '../../src/asking/offset-notes.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { emptyStore } from '../oracle/store.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const notesOf = (from_date: string, to_date: string, more: object = {}, timezone = 'Europe/Prague') =>
  offsetNotes({ from_date, to_date, ...more }, timezone);

it.each([
  ['2026-09-01', '2026-09-30'],
  ['2026-09-01T00:00:00', '2026-09-30T23:59:59'],
  ['2026-09-01T10:00:00', '2026-09-30T18:00'],
  ['2026-09-01T00:00:00+02:00', '2026-09-30T23:59:59+02:00'],
  ['2026-09-01T00:00:00+02:00', '2026-09-30T23:59:59.999+02:00'],
  ['2026-08-31T22:00:00Z', '2026-09-30T21:59:59Z'],
  // Summer time begins and ends within it.
  ['2026-03-01T00:00:00+01:00', '2026-03-31T23:59:59+02:00'],
  ['2026-09-01', '2026-09-30T23:59:59+02:00'],
])('%s to %s needs no note', (from, to) => {
  expect(notesOf(from, to)).toEqual([]);
});

it.each([
  [
    ['2026-09-01T00:00:00Z', '2026-09-30T23:59:59Z'],
    'from_date is 2026-09-01 02:00:00 there, to_date is 2026-10-01 01:59:59 there.',
    'from_date 2026-09-01, to_date 2026-09-30.',
  ],
  [
    ['2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z'],
    'from_date is 2026-09-01 02:00:00 there, to_date is 2026-10-01 02:00:00 there.',
    'from_date 2026-09-01, to_date 2026-09-30.',
  ],
  [
    ['2026-09-01', '2026-09-30T23:59:59Z'],
    'to_date is 2026-10-01 01:59:59 there.',
    'from_date 2026-09-01, to_date 2026-09-30.',
  ],
  [
    ['2026-09-01T00:00:00+02:00', '2026-10-01T00:00:00+02:00'],
    'to_date is 2026-10-01 00:00:00 there.',
    'from_date 2026-09-01, to_date 2026-09-30.',
  ],
  [
    ['2026-12-01T00:00:00+02:00', '2026-12-31T23:59:59+02:00'],
    'from_date is 2026-11-30 23:00:00 there, to_date is 2026-12-31 22:59:59 there.',
    'from_date 2026-12-01, to_date 2026-12-31.',
  ],
] as const)('%j is told by the clock of the store, with how to ask for its days', ([from, to], are, days) => {
  const [note = '', ...others] = notesOf(from, to);
  expect(others).toEqual([]);
  expect(note).toBe(
    `The range is not of whole days of the store (Europe/Prague): with its offset, ${are} For days of the store leave times and offsets out: ${days}`,
  );
});

it('the note says with a breakdown that the range is widened, and without one it says the same otherwise', () => {
  const range = ['2026-09-01T00:00:00Z', '2026-09-30T23:59:59Z'] as const;
  expect(notesOf(...range, { breakdown: 'month' })[0]).toContain(
    'The breakdown widens it to the whole periods that it touches.',
  );
  expect(notesOf(...range, {}, 'UTC')).toEqual([]);
  expect(offsetNotes({ sent_from: range[0], sent_to: null }, 'Europe/Prague')[0]).toContain(
    'sent_from is 2026-09-01 02:00:00',
  );
  expect(notesOf('0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00')).toEqual([]);
});

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  business_id = business.business_id;
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: [{ order_id: 'a', ordered_at: '2024-09-01T00:30:00', total: '10' }],
    campaigns: [
      {
        ...{ campaign_id: 'C1', name: 'C1', campaign_type: 'popup', state: 'active' },
        created_at: '2024-05-01T00:00:00',
      },
    ],
  });
});

afterAll(() => test[Symbol.asyncDispose]());

it('a range that is written with Z misses the order of the first half hour of the month, and the first note says so', async () => {
  const ask = (from_date: string, to_date: string) =>
    test.run('order_statistics', { business_id, from_date, to_date });
  const days = await ask('2024-09-01', '2024-09-30');
  expect(days.result).toMatchObject({ orders_count: 1 });
  expect((days.notes ?? []).join(' ')).not.toContain('offset');
  const shifted = await ask('2024-09-01T00:00:00Z', '2024-09-30T23:59:59Z');
  expect(shifted.result).toMatchObject({ orders_count: 0 });
  expect(shifted.notes?.[0]).toMatch(/^The range is not of whole days of the store/);
});

it.each(CATALOGUE.filter(({ input }) => 'to_date' in input.shape).map(({ name }) => name))(
  '%s says so first',
  async (tool) => {
    const range = { from_date: '2024-09-01T00:00:00Z', to_date: '2024-09-30T23:59:59Z' };
    const { notes } = await test.run(tool, { ...sampleArguments(tool, business_id), ...range });
    expect(notes?.[0]).toMatch(/^The range is not of whole days of the store/);
  },
);
