import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDemoTables } from '../../tools/made-shop/generator/write-demo-shop.ts';
import { ofAnybody } from '../support/of-anybody.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** What must hold between the RFM tools (11 of the specification's list), whatever the numbers are. */

interface Score {
  readonly customers_count: number;
  readonly revenue: number;
}
interface Statistics {
  readonly scored_customers_count: number;
  readonly segments: readonly (Score & { segment: string; customers_share: number; revenue_share: number })[];
  readonly recency_scores: readonly Score[];
  readonly frequency_scores: readonly Score[];
  readonly monetary_scores: readonly Score[];
  readonly cells: readonly Score[];
}
interface Transitions {
  readonly from_as_of: string;
  readonly to_as_of: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly segments: readonly (Readonly<Record<string, number>> & { segment: never })[];
  readonly transitions: readonly {
    from_segment: string | null;
    to_segment: string;
    customers_count: number;
    revenue: number;
  }[];
}
interface Trend {
  readonly periods: readonly (Score & { segment: string; period_end_at: string })[];
}

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance();
  const demo = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const folder = join(test.madeFiles, 'demo-shop');
  await writeDemoTables(folder, { scale: 0.1 });
  writeFileSync(
    join(folder, 'rfm_profiles.csv'),
    'rfm_profile_id,name,window_days,scoring\nquintiles,Quintiles,180,quintiles\nquarter,Quarter,90,\n',
  );
  await test.importFolder(demo, folder);
  business_id = demo.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

const ask = async <Answer>(tool: string, args: object) =>
  (await test.ask(ofAnybody(tool), { business_id, ...args })) as Answer;
const sum = (rows: readonly object[], key: string) =>
  rows.reduce((total, row) => total + Math.round(((row as never)[key] ?? 0) * 10_000), 0) / 10_000;

function day(offset: number): string {
  return new Date(Date.UTC(2024, 9, 1 + offset)).toISOString().slice(0, 10);
}

const ranges = fc
  .tuple(fc.nat(650), fc.integer({ min: 1, max: 120 }), fc.constantFrom('T23:59:59', 'T10:20:30'))
  .map(([start, days, time]) => ({ from_date: `${day(start)}T00:00:00`, to_date: day(start + days) + time }));

describe.each([null, 'quintiles', 'quarter'])('11, with the profile %s', (rfm_profile_id) => {
  it('segments, scores and cells are the same customers', async () => {
    await fc.assert(
      fc.asyncProperty(ranges, async ({ to_date }) => {
        const all = await ask<Statistics>('rfm_segment_statistics', {
          rfm_profile_id,
          as_of: to_date,
          include_cells: true,
        });
        const scored = all.segments.filter(({ segment }) => segment !== 'lost');
        expect(all.segments).toHaveLength(11);
        expect(sum(scored, 'customers_count')).toBe(all.scored_customers_count);
        expect(sum(all.cells, 'customers_count')).toBe(all.scored_customers_count);
        for (const scores of [all.recency_scores, all.frequency_scores, all.monetary_scores]) {
          expect(scores).toHaveLength(5);
          expect(sum(scores, 'customers_count')).toBe(all.scored_customers_count);
          expect(sum(scores, 'revenue')).toBe(sum(all.segments, 'revenue'));
        }
        expect(sum(all.segments, 'customers_share')).toBeCloseTo(100, 2);
        expect(sum(all.segments, 'revenue_share')).toBeCloseTo(100, 2);
      }),
      { numRuns: 2 },
    );
  });

  it('transitions lead from the state just before the range to that at its end, with all orders of the range', async () => {
    await fc.assert(
      fc.asyncProperty(ranges, async (range) => {
        const moves = await ask<Transitions>('rfm_segment_transitions', { rfm_profile_id, ...range });
        const state = async (as_of: string) =>
          (await ask<Statistics>('rfm_segment_statistics', { rfm_profile_id, as_of })).segments.map(
            ({ segment, customers_count }) => [segment, customers_count],
          );
        const from = (key: string | null) => moves.transitions.filter((row) => row.from_segment === key);
        const to = (key: string) => moves.transitions.filter((row) => row.to_segment === key);
        const start = moves.segments.map((row) => [row.segment, sum(from(row.segment), 'customers_count')]);
        const end = moves.segments.map((row) => [row.segment, sum(to(row.segment), 'customers_count')]);
        expect(start).toEqual(await state(moves.from_as_of));
        expect(end).toEqual(await state(moves.to_as_of));
        expect(moves.segments.map((row) => [row.segment, row.customers_at_start_count])).toEqual(start);
        expect(moves.segments.map((row) => [row.segment, row.customers_at_end_count])).toEqual(end);
        for (const flow of moves.segments) {
          const { customers_at_start_count = 0, entered_count = 0, left_count = 0 } = flow;
          expect(customers_at_start_count + entered_count - left_count).toBe(flow.customers_at_end_count);
        }
        const { stayed_count, upgraded_count, downgraded_count, new_count } = moves.summary;
        expect(new_count).toBe(sum(from(null), 'customers_count'));
        expect(
          Number(stayed_count) + Number(upgraded_count) + Number(downgraded_count) + Number(new_count),
        ).toBe(sum(moves.transitions, 'customers_count'));
        const orders = await ask<Record<string, number>>('order_statistics', range);
        expect(new_count).toBe(orders.new_customers_count);
        // Orders of nobody move nobody.
        const { rows } = await ask<{ rows: Record<string, unknown>[] }>('order_distribution_statistics', {
          ...range,
          dimension: 'order_number',
        });
        const ofNobody = Number(rows.find(({ key }) => key === '(no customer)')?.revenue ?? 0);
        expect(sum(moves.transitions, 'revenue')).toBeCloseTo(Number(orders.orders_revenues) - ofNobody, 3);
      }),
      { numRuns: 2 },
    );
  });

  it('each period of a trend is the state at its end', async () => {
    await fc.assert(
      fc.asyncProperty(ranges, fc.constantFrom('week', 'month'), async (range, breakdown) => {
        const { periods } = await ask<Trend>('rfm_segment_statistics_trend', {
          rfm_profile_id,
          ...range,
          breakdown,
        });
        const byEnd = Map.groupBy(periods, ({ period_end_at }) => period_end_at);
        for (const [as_of, rows] of [...byEnd].slice(-1)) {
          const { segments } = await ask<Statistics>('rfm_segment_statistics', { rfm_profile_id, as_of });
          const shown = (row: object) =>
            ['segment', 'customers_count', 'customers_share', 'revenue', 'revenue_share'].map(
              (key) => (row as never)[key],
            );
          expect(rows.map(shown)).toEqual(segments.map(shown));
        }
      }),
      { numRuns: 1 },
    );
  });
});
