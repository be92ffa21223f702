import { describe, expect, it } from 'vitest';
import { shapeRows } from '../../src/answers/row-formats.ts';
import type { Arguments } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { isLeftOut } from '../../src/charts/answered.ts';
import { atOnce } from '../../src/main-thread/turns.ts';
import { answerResult } from '../../src/mcp/answer-result.ts';

/** Answers of more than 40 KB, which nobody asked for as they are. */
async function sent(name: string, result: object, args: Arguments = {}) {
  const tool = CATALOGUE.find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  const shaped = atOnce(shapeRows(tool, args, result as never));
  const answered = await answerResult(tool, args, { result: shaped, notes: ['A note.'] } as never, {
    inTurn: async (work) => atOnce(work),
    sendWritten: undefined,
  });
  const data = answered.structuredContent as { readonly notes: readonly string[] } & Record<string, unknown>;
  return { data, first: data.notes[0], bytes: Buffer.byteLength(JSON.stringify(data)) };
}

const dayOf = (place: number) => new Date(Date.UTC(2024, 0, 1 + place)).toISOString().slice(0, 10);

function days(count: number) {
  return {
    business_id: 'x',
    periods: Array.from({ length: count }, (_, place) => ({
      ...{ period: dayOf(place), period_start: dayOf(place), sessions_count: place, visitors_count: 1e11 },
      ...{ engaged_sessions_count: 2e11, bounce_rate: 3e11 },
    })),
  };
}

describe('an answer that nobody asked for as a table or as objects', () => {
  it('leaves out its last numbers until it has 40 KB, and says first which', async () => {
    const { data, first, bytes } = await sent('session_statistics_trend', days(1100));
    expect(bytes).toBeLessThan(40_000);
    expect(data.columns).toEqual(['period', 'period_start', 'sessions_count']);
    expect(data.rows).toEqual(
      Array.from({ length: 1100 }, (_, place) => [dayOf(place), dayOf(place), place]),
    );
    expect(first).toBe(
      'Left out for length: of `periods` visitors_count, engaged_sessions_count, bounce_rate. All, which is 78 KB: format "table". Ask for less: fields with only what you need, or a coarser breakdown, or a shorter range.',
    );
    expect(data.notes[1]).toBe('A note.');
    expect(isLeftOut(data)).toBe(true);
  });

  it('leaves out rows where names alone are too long, and no part of a period', async () => {
    const segments = Array.from({ length: 11 }, (_, place) => `segment${place}`);
    const periods = days(300).periods.flatMap(({ period }) =>
      segments.map((segment) => ({
        period,
        period_start: period,
        segment,
        customers_count: 7,
        revenue: 1e9,
      })),
    );
    const { data, first, bytes } = await sent('rfm_segment_statistics_trend', { periods });
    expect(bytes).toBeLessThan(40_000);
    expect(bytes).toBeGreaterThan(38_000);
    const rows = data.rows as readonly unknown[];
    expect(rows).toEqual(
      periods
        .slice(0, rows.length)
        .map(({ period, segment, customers_count }) => [period, period, segment, customers_count]),
    );
    expect(rows.length % segments.length).toBe(0);
    expect(first).toMatch(
      new RegExp(
        `^Left out for length: of \`periods\` revenue, and all \`periods\` but the first ${rows.length} of 3300\\. All, which is \\d+ KB: `,
      ),
    );
  });

  it('leaves out lists within rows before numbers', async () => {
    const cohorts = Array.from({ length: 60 }, (_, place) => ({
      ...{ cohort: dayOf(place), cohort_start: dayOf(place), segment: null, customers_count: place },
      periods: Array.from({ length: 36 }, (_, index) => ({ period_index: index, orders_count: 1e12 })),
      three_orders_rate: 1,
    }));
    const { data } = await sent('first_purchase_cohorts', { cohorts });
    expect(data.columns).toEqual([
      'cohort',
      'cohort_start',
      'segment',
      'customers_count',
      'three_orders_rate',
    ]);
  });

  it('leaves out no field that was chosen', async () => {
    const { data, bytes } = await sent('session_statistics_trend', days(1100), { fields: ['bounce_rate'] });
    expect(bytes).toBeLessThan(40_000);
    expect(data.columns).toEqual(['period', 'period_start', 'bounce_rate']);
    expect((data.rows as readonly unknown[]).length).toBeLessThan(1100);
  });
});

it.each([
  ['session_statistics_trend', { format: 'table' }, 'rows'],
  ['session_statistics_trend', { format: 'objects' }, 'periods'],
  // The contract says how the rows of this one are sent.
  ['order_statistics_trend', {}, 'periods'],
])('%s with %o is whole, however long', async (tool, args, list) => {
  const { data, bytes } = await sent(tool, days(1100), args);
  expect(bytes).toBeGreaterThan(40_000);
  expect(data[list]).toHaveLength(1100);
  expect(isLeftOut(data)).toBe(false);
});
