import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../../tests/oracle/periods.ts';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { readRange } from '../../../time/range.ts';
import { outOfStep, reasonsInWords, type VisitDay, visitNotes } from '../queries/visits-and-orders.ts';

/**
 * Visits that rise or fall while orders do not, against what the shop's own weeks and the year before tell.
 */
const ZONE = 'Europe/Prague';
const KNOWN = {
  history_starts_at: '2024-01-01T11:00:00Z',
  orders_until: '2026-06-30T20:00:00Z',
  sessions_until: '2026-06-30T20:00:00Z',
  spans: { sessions: { from: '2024-01-01T11:00:00Z', until: '2026-06-30T20:00:00Z' } },
} as unknown as SnapshotFacts;
const MAY = readRange({ from_date: '2026-05-01', to_date: '2026-05-31' }, ZONE);

interface Counts {
  readonly visits: number;
  readonly orders: number;
}

/** All days that are known: on Sundays a third of visits and orders. */
function shop(on: (day: string) => Partial<Counts> = () => ({})): VisitDay[] {
  const rows: VisitDay[] = [];
  for (let day = '2024-01-01'; day <= '2026-06-30'; day = addDays(day, 1)) {
    const isSunday = new Date(`${day}T00:00:00Z`).getUTCDay() === 0;
    const { visits, orders } = { visits: isSunday ? 200 : 600, orders: isSunday ? 7 : 20, ...on(day) };
    rows.push({
      ...{ day, sessions_count: visits, orders_count: orders, converting_sessions_count: orders },
      ...{ cart_sessions_count: visits / 10, checkout_sessions_count: visits / 2 },
    });
  }
  return rows;
}

const isIn = (day: string, ...days: readonly string[]) => days.includes(day);
const noteOf = (name: string, first_date: string, last_date = first_date) => ({
  name,
  first_date,
  last_date,
});
const notes = (rows: readonly VisitDay[], noted: ReturnType<typeof noteOf>[] = []) =>
  visitNotes(rows, MAY, ZONE, KNOWN, { noted, isFiltered: false });

describe('days on which visits went another way than orders', () => {
  it('are none where only the day of the week differs', () => {
    expect(notes(shop())).toEqual([]);
  });

  it('are told where visits fell and orders stayed', () => {
    const rows = shop((day) => (isIn(day, '2026-05-12', '2026-05-13') ? { visits: 100 } : {}));
    expect(notes(rows)).toEqual([
      'Visits were far fewer than on the same weekdays before on 2026-05-12, 2026-05-13 (200, usually 1200), but orders did not fall with them (40, usually 40): tracking may have broken. Then visits are too few, and conversion is too high.',
    ]);
  });

  it('are told where visits rose and orders did not follow', () => {
    const rows = shop((day) => (isIn(day, '2026-05-12', '2026-05-13') ? { visits: 1300, orders: 22 } : {}));
    expect(notes(rows)).toEqual([
      'Visits were far more than on the same weekdays before on 2026-05-12, 2026-05-13 (2600, usually 1200), but orders rose far less (44, usually 40), so conversion with these days is low. Bots, a tag that counts twice, or people who only look may be among them. Ask session_statistics of these days by source.',
    ]);
  });

  it('are of what the merchant noted of them, and then of no bots', () => {
    const rows = shop((day) => (isIn(day, '2026-05-12', '2026-05-13') ? { visits: 1300, orders: 22 } : {}));
    const tv = noteOf('TV', '2026-05-12');
    const reasons = (noted: ReturnType<typeof noteOf>[]) =>
      notes(rows, noted).map((note) => /days is low\. (.*) Ask/.exec(note)?.[1]);
    expect(reasons([tv, noteOf('Fair', '2026-05-13', '2026-05-15'), noteOf('Later', '2026-05-14')])).toEqual([
      'Noted then: "TV" (2026-05-12), "Fair" (2026-05-13 to 2026-05-15).',
    ]);
    expect(reasons([tv])).toEqual([
      'Noted then: "TV" (2026-05-12). On the other days bots, a tag that counts twice, or people who only look may be among them.',
    ]);
  });

  it('say on pages too that bots may be among those of the days that nobody noted', () => {
    const dates = ['2026-05-12', '2026-05-13'];
    const tv = noteOf('TV', '2026-05-12');
    const written = (noted: readonly ReturnType<typeof noteOf>[]) => {
      const reason = reasonsInWords(dates, noted);
      return typeof reason === 'object' && 'sentence' in reason ? reason.sentence.key : reason;
    };
    expect(written([])).toEqual({ say: 'note.reason-bots' });
    expect(written([tv])).toBe('note.reason-noted-of-some');
    expect(written([tv, noteOf('Fair', '2026-05-13')])).toBe('note.reason-noted');
  });

  it('are none where orders fell or rose with the visits, as on holidays and in sales', () => {
    const holiday = shop((day) => (isIn(day, '2026-05-12') ? { visits: 100, orders: 3 } : {}));
    const sale = shop((day) => (isIn(day, '2026-05-12') ? { visits: 1800, orders: 50 } : {}));
    expect(notes(holiday)).toEqual([]);
    expect(notes(sale)).toEqual([]);
    expect(outOfStep(holiday, MAY, 'sessions_count', 'fewer', ZONE, KNOWN)?.isOfCounting).toBe(false);
  });

  it('are none where the same days of the year before were so, too', () => {
    const isSeason = (day: string) => ['05-11', '05-12', '05-13'].includes(day.slice(5));
    const low = shop((day) => (isSeason(day) ? { visits: 100 } : {}));
    const high = shop((day) => (isSeason(day) ? { visits: 1500 } : {}));
    expect(notes(low)).toEqual([]);
    expect(notes(high)).toEqual([]);
  });

  it('are judged by the weeks before each, and not by those of another year with more visits', () => {
    // In 2025 the shop has half of the visits of 2026, and the same number of orders.
    const grown = shop((day) => (day < '2026' ? { visits: 290 } : {}));
    const lastYear = readRange({ from_date: '2025-05-01', to_date: '2025-05-31' }, ZONE);
    expect(outOfStep(grown, lastYear, 'sessions_count', 'fewer', ZONE, KNOWN)).toBeNull();
  });

  it('are never the last day of the data, which may have ended within it', () => {
    const rows = shop((day) => (day === '2026-06-30' ? { visits: 10 } : {}));
    const june = readRange({ from_date: '2026-06-01', to_date: '2026-06-30' }, ZONE);
    expect(outOfStep(rows, june, 'sessions_count', 'fewer', ZONE, KNOWN)).toBeNull();
  });

  it('are not judged where a hundred visits are chance', () => {
    const few = shop((day) =>
      isIn(day, '2026-05-12') ? { visits: 6, orders: 1 } : { visits: 2, orders: 1 },
    );
    expect(notes(few)).toEqual([]);
  });
});

describe('more orders than can be', () => {
  it('are told beside the recorded visits, and beside the recorded checkouts', () => {
    const few = shop((day) => (day >= '2026-03' ? { visits: 10 } : {}));
    const [bought, visits] = ['orders_count', 'sessions_count'].map((name) =>
      few
        .filter(({ day }) => day.startsWith('2026-05'))
        .reduce((sum, row) => sum + Number(row[name as 'orders_count']), 0),
    );
    expect(notes(few)).toEqual([
      `The range has ${bought} orders and ${visits} recorded visits: most buyers are not among these. conversion is of recorded visits alone, and orders divided by visits says nothing.`,
    ]);
    const unrecorded = shop().map((row) => ({ ...row, checkout_sessions_count: 1 }));
    expect(notes(unrecorded)).toEqual([
      '555 visits have an order and only 31 a recorded checkout: checkouts are not all recorded, so no share of visits that reach or leave the checkout can be told.',
    ]);
    // Where no checkout is recorded at all, nobody takes its zeros for a step.
    expect(notes(shop().map((row) => ({ ...row, checkout_sessions_count: 0 })))).toEqual([]);
  });
});

let test: TestInstance;
let business_id: string;

/** Each day of ten weeks has 40 visits and 10 orders; on two days 150 visits and 10 orders. */
const DAYS = Array.from({ length: 70 }, (_, index) => addDays('2024-03-01', index));
const DOUBLED = ['2024-05-02', '2024-05-03'];
const visitsOn = (day: string) => (DOUBLED.includes(day) ? 150 : 40);

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: ZONE, currency: 'CZK' });
  business_id = business.business_id;
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);
  await test.importStore(business, {
    ...emptyStore({ timezone: ZONE, primary_currency: 'CZK' }),
    sessions: DAYS.flatMap((day) =>
      many(visitsOn(day)).map((index) => ({
        ...{ session_id: `${day} ${index}`, visitor_id: `${day} ${index}`, source: 'google' },
        started_at: `${day}T${String(8 + (index % 12)).padStart(2, '0')}:${String(10 + (index % 50))}:00`,
      })),
    ),
    calendar_events: [
      { first_date: '2024-05-02', last_date: '2024-05-02', name: 'Report on TV', kind: 'other' },
    ],
    orders: DAYS.flatMap((day) =>
      many(10).map((index) => ({
        ...{ order_id: `${day} ${index}`, email: `${day}${index}@example.com`, total: '100' },
        ordered_at: `${day}T12:${10 + index}:00`,
      })),
    ),
  });
});

afterAll(() => test[Symbol.asyncDispose]());

const TOLD =
  'Visits were far more than on the same weekdays before on 2024-05-02, 2024-05-03 (300, usually 80), but orders did not rise (20, usually 20), so conversion with these days is low. Noted then: "Report on TV" (2024-05-02). On the other days bots, a tag that counts twice, or people who only look may be among them. Ask session_statistics of these days by source.';

async function told(
  tool: string,
  args: object = {},
  range = ['2024-05-01', '2024-05-08'],
): Promise<string[]> {
  const store = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  const [from_date, to_date] = range;
  const { notes = [] } = await test.run(tool, { ...store, from_date, to_date, ...args });
  return notes.filter((note) => note.includes('far more'));
}

it('say so in each answer with visits, and in no other', async () => {
  for (const [tool, args] of [
    ['session_statistics', {}],
    ['session_statistics_trend', { breakdown: 'day' }],
    ['journey_statistics', {}],
    ['query_metrics', { metrics: ['conversion_rate'] }],
    ['query_metrics', { metrics: ['sessions_count', 'revenue'], group_by: ['channel'] }],
  ] as const)
    expect(await told(tool, args), tool).toEqual([TOLD]);
  expect(await told('query_metrics', { metrics: ['revenue'] })).toEqual([]);
  // Nothing is said about all visits when only a part of them is asked for.
  expect(await told('session_statistics', { filter_sources: ['google'] })).toEqual([]);
  expect(await told('session_statistics', { filter_channels: [] })).toEqual([TOLD]);
  const filters = [{ dimension: 'device', in: ['mobile'] }];
  expect(await told('query_metrics', { metrics: ['sessions_count'], filters })).toEqual([]);
  expect(await told('order_statistics')).toEqual([]);
  expect(await told('session_statistics', {}, ['2024-05-04', '2024-05-08'])).toEqual([]);
});

it('silent days are told about the compared range, and as a fact of a change', async () => {
  const compared = ['2024-05-06', '2024-05-08'];
  const more = { compare: 'range', compare_from_date: '2024-05-01', compare_to_date: '2024-05-03' };
  expect(await told('query_metrics', { metrics: ['conversion_rate'], ...more }, compared)).toEqual([
    `In the compared range: ${TOLD}`,
  ]);
  const { result } = await test.run('explain_change', {
    ...{ business_id, metric: 'revenue', from_date: compared[0], to_date: compared[1], ...more },
  });
  const { facts } = result as { facts: { kind: string; text: string }[] };
  expect(facts.filter(({ kind }) => kind === 'tracking').map(({ text }) => text)).toEqual([
    'Visits were far more than on the same weekdays before on 2024-05-02, 2024-05-03; these days have 20 orders, usually 20: orders did not rise. Noted then: "Report on TV" (2024-05-02). On the other days bots, a tag that counts twice, or people who only look may be among them.',
  ]);
});
