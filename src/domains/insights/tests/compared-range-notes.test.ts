import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * What is said of a range is said of the range that it is compared with, too. Ten people order in January
 * 2025, when the data begin, and again a month later; all but the first one have a profile of 2020. In March
 * 2026 ten others do, of whom nothing is to be said.
 */
let test: TestInstance;
let business_id: string;

const NOW = { from_date: '2026-03-01', to_date: '2026-03-31' };
const BEFORE = { compare_from_date: '2025-01-10', compare_to_date: '2025-02-09' };
const COMPARED = { ...NOW, compare: 'range', ...BEFORE };

const BEGAN =
  'Orders are loaded from 2025-01-10 on: until 2025-04-10 some of those counted as new may have ordered before.';
const older = (range: string) =>
  `9 of those whose first loaded order is in ${range} have a profile from before 2024-10-12, more than 90 days before the loaded orders begin: they are counted as new, but whether they are is not known.`;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  business_id = business.business_id;
  const people = Array.from({ length: 20 }, (_, index) => index);
  const profiles = people.map((index) => ({
    profile_id: `p${index}`,
    created_at: index > 0 && index < 10 ? '2020-05-05T10:00:00Z' : '2026-03-01T10:00:00Z',
  }));
  const orders = people.flatMap((index) => {
    const days = index < 10 ? ['2025-01-10', '2025-02-08'] : ['2026-03-02', '2026-03-31'];
    return days.map((day) => ({
      order_id: `${index}-${day}`,
      ordered_at: `${day}T12:00:00`,
      profile_id: `p${index}`,
      total: '100',
    }));
  });
  const others = [
    { order_id: 'euro', profile_id: 'p3', ordered_at: '2025-01-20T12:00:00', total: '7', currency: 'EUR' },
    { order_id: 'nobody', ordered_at: '2025-01-21T12:00:00', total: '30' },
  ];
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    profiles,
    orders: [...orders, ...others],
  });
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesOf(tool: string, args: object): Promise<readonly string[]> {
  const store = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  return (await test.run(tool, { ...store, ...args })).notes ?? [];
}

const UNPRICED = /^Without an exchange rate to CZK: 1 order of 7 EUR in the compared range, whatever/;

describe('notes on the compared range', () => {
  it('tell who of it counts as new and may not be, as those on the range alone do', async () => {
    const metrics = ['new_customers_count', 'returning_customers_count'];
    const alone = await notesOf('query_metrics', { metrics, from_date: '2025-01-10', to_date: '2025-02-09' });
    expect(alone).toEqual(expect.arrayContaining([BEGAN, older('the range')]));
    const compared = await notesOf('query_metrics', { metrics, ...COMPARED });
    expect(compared).toEqual(
      expect.arrayContaining([`In the compared range: ${BEGAN}`, older('the compared range')]),
    );
    // There is nothing to say about the range itself.
    expect(compared).not.toContain(BEGAN);
    expect(compared).not.toContain(older('the range'));
    for (const metric of ['customers_count', 'revenue'])
      expect(await notesOf('explain_change', { metric, ...COMPARED }), metric).toEqual(
        expect.arrayContaining([`In the compared range: ${BEGAN}`, older('the compared range')]),
      );
  });

  it('are not told where nothing depends on who is new', async () => {
    const notes = await notesOf('query_metrics', { metrics: ['revenue'], ...COMPARED });
    expect(notes.join('\n')).not.toContain('may have ordered before');
  });

  it('tell money without a rate, and orders without a customer', async () => {
    const notes = await notesOf('query_metrics', { metrics: ['revenue', 'customers_count'], ...COMPARED });
    expect(notes).toContainEqual(expect.stringMatching(UNPRICED));
    expect(notes).toContain(
      'In the compared range: 1 order worth 30 CZK has no known customer: it counts in orders and revenue, in no number about customers.',
    );
    expect(await notesOf('explain_change', { metric: 'revenue', ...COMPARED })).toContainEqual(
      expect.stringMatching(UNPRICED),
    );
  });

  it('tell once what is so of both ranges', async () => {
    const args = { metrics: ['new_customers_count', 'sessions_count'], ...NOW, compare: 'range' };
    const both = await notesOf('query_metrics', {
      ...args,
      ...{ from_date: '2025-02-01', to_date: '2025-02-09' },
      ...{ compare_from_date: '2025-01-10', compare_to_date: '2025-01-18' },
    });
    expect(both.filter((note) => note.includes('may have ordered before'))).toEqual([BEGAN]);
    expect(both.filter((note) => note.startsWith('No sessions are loaded'))).toHaveLength(1);
  });

  it('tell once that it begins or ends before the data', async () => {
    const of = async (compare_from_date: string, compare_to_date: string) =>
      (
        await notesOf('query_metrics', {
          metrics: ['revenue'],
          ...{ ...COMPARED, compare_from_date, compare_to_date },
        })
      ).filter((note) => note.startsWith('Orders are loaded'));
    expect(await of('2025-01-01', '2025-01-31')).toEqual([
      'Orders are loaded from 2025-01-10 on, and the compared range begins before: its numbers are too low, and changes to them say nothing.',
    ]);
    expect(await of('2024-12-01', '2024-12-31')).toEqual([
      "Orders are loaded from 2025-01-10T11:00:00Z on; the compared range ends before that, and nothing is known of it: its zeros are not the store's.",
    ]);
  });
});

describe('days without data are no fall of the store', () => {
  async function explained(range: readonly [string, string], compared: readonly [string, string]) {
    const [from_date, to_date] = range;
    const [compare_from_date, compare_to_date] = compared;
    const days = { from_date, to_date, compare: 'range', compare_from_date, compare_to_date };
    return (await test.run('explain_change', { business_id, metric: 'orders_count', ...days })).result;
  }

  it('a range without a loaded day is unknown, also where both are', async () => {
    const unknown = { change: null, change_percent: null, bridges: [], stands_out: [] };
    expect(await explained(['2026-04-01', '2026-04-10'], ['2026-04-11', '2026-04-20'])).toMatchObject({
      ...{ ...unknown, from: null, to: null },
      summary:
        'Nothing is loaded of 2026-04-11 to 2026-04-20 and 2026-04-01 to 2026-04-10: what the metric was is not known, so nothing is explained.',
    });
    // Ten people ordered on the first of the ten days.
    expect(await explained(['2025-01-10', '2025-01-19'], ['2024-12-01', '2024-12-10'])).toMatchObject({
      ...{ ...unknown, from: null, to: 10 },
      summary:
        'Nothing is loaded of 2024-12-01 to 2024-12-10: what the metric was is not known, so nothing is explained.',
    });
  });

  it('a range with some of them is said to have them before its number', async () => {
    expect(await explained(['2026-03-31', '2026-04-03'], ['2026-03-02', '2026-03-05'])).toMatchObject({
      ...{ from: 10, to: 10, change: 0 },
      summary:
        'Days are missing, so equal days are not compared: nothing is loaded of 3 of the 4 days from 2026-03-31 to 2026-04-03. No change from 2026-03-02 to 2026-03-05 to 2026-03-31 to 2026-04-03: 10 orders in both.',
    });
    // Four years, of which only the last days are loaded, are no range without a loaded day.
    expect(await explained(['2025-02-01', '2026-03-31'], ['2021-01-01', '2025-01-10'])).toMatchObject({
      from: expect.any(Number),
    });
    const whole = await explained(['2026-03-31', '2026-03-31'], ['2026-03-30', '2026-03-30']);
    expect(whole).toMatchObject({ from: 0, to: 10, summary: expect.stringMatching(/^Orders rose/) });
  });
});

it('says in which currency the money of orders in another one is', async () => {
  const asked = { from_date: '2025-01-10', to_date: '2025-02-09' };
  const said =
    'Money is in CZK in every row, also of orders that were paid in another currency; revenue_in_own_currency is as paid.';
  const notes = (more: object) => notesOf('query_metrics', { ...asked, metrics: ['revenue'], ...more });
  const filters = [{ dimension: 'currency', in: ['EUR'] }];
  expect(await notes({ group_by: ['currency'] })).toContain(said);
  expect(await notes({ filters })).toContain(said);
  expect(await notes({ group_by: ['country'] })).not.toContain(said);
  expect(await notes({ filters, metrics: ['orders_count'] })).not.toContain(said);
});
