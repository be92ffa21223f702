import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { randomTraffic } from '../../../../tests/support/random-traffic.ts';
import { runs } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { addMoney } from '../../../statistics/rounded.ts';
import { EXPLAINED_NAMES } from '../queries/explained/explained-metrics.ts';

/** Bridges of stores: they add up, turn their sign on the way back, and are about what query_metrics says. */
let test: TestInstance;
let made: string;

beforeAll(async () => {
  test = await createTestInstance();
  await test.importDemos(/./);
  const { result } = (await test.ask('list_businesses', {})) as { result: { business_id: string }[] };
  made = result[0]?.business_id ?? '';
});

afterAll(() => test[Symbol.asyncDispose]());

interface Explained {
  readonly from: number | null;
  readonly to: number | null;
  readonly change: number | null;
  readonly bridges: readonly {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly change: number;
    readonly parts: readonly {
      readonly name: string;
      readonly change: number;
      readonly share_of_change: number | null;
    }[];
  }[];
  readonly notes: readonly string[];
}

type Days = readonly [from_date: string, to_date: string];

async function explain(business_id: string, metric: string, range: Days, compared: Days): Promise<Explained> {
  const { result, notes = [] } = await test.run('explain_change', {
    business_id,
    metric,
    from_date: range[0],
    to_date: range[1],
    compare: 'range',
    compare_from_date: compared[0],
    compare_to_date: compared[1],
  });
  return { ...(result as unknown as Explained), notes };
}

async function totalOf(business_id: string, metric: string, [from_date, to_date]: Days): Promise<unknown> {
  const question = { business_ids: [business_id], metrics: [metric], from_date, to_date };
  const { rows } = (await test.ask('query_metrics', question)) as { rows: unknown[][] };
  return rows.at(-1)?.[0];
}

/** A range without a loaded day has no number here and is not explained. `query_metrics` says 0 of it. */
function expectTotal(there: Explained, told: number | null, total: unknown): void {
  if (told !== null || total === null) {
    expect(told).toBe(total);
    return;
  }
  expect(total).toBe(0);
  expect(JSON.stringify(there)).toContain('Nothing is loaded of');
  expect(there.bridges).toEqual([]);
}

/** @returns how many bridges there were */
async function check(business_id: string, metric: string, range: Days, compared: Days): Promise<number> {
  const there = await explain(business_id, metric, range, compared);
  const back = await explain(business_id, metric, compared, range);
  expectTotal(there, there.to, await totalOf(business_id, metric, range));
  expectTotal(there, there.from, await totalOf(business_id, metric, compared));
  for (const bridge of there.bridges) {
    const about = `${metric} by ${bridge.name}`;
    expect([bridge.from, bridge.to, bridge.change], about).toEqual([there.from, there.to, there.change]);
    expect(addMoney(...bridge.parts.map(({ change }) => change)), about).toBe(there.change);
    const other = back.bridges.find(({ name }) => name === bridge.name);
    const byName = (one: typeof bridge) =>
      one.parts
        .map(({ name, change }) => [name.replace(/ (not sold|sold only) before/, ' of one'), change] as const)
        .toSorted();
    const turned = byName(bridge).map(([name, change]) => [name, 0 - change]);
    if (bridge.name.endsWith('_mix'))
      expect(
        byName(other as typeof bridge)
          .map(([, change]) => change)
          .toSorted(),
        about,
      ).toEqual(turned.map(([, change]) => change).toSorted());
    else expect(byName(other as typeof bridge), about).toEqual(turned);
  }
  expect(back.bridges.map(({ name }) => name)).toEqual(there.bridges.map(({ name }) => name));
  return there.bridges.length;
}

const JUNE: Days = ['2026-06-01', '2026-06-30'];
const AUGUST: Days = ['2026-08-01', '2026-08-31'];

describe('in the made shop', () => {
  const AT_LEAST: Readonly<Record<string, number>> = {
    revenue: 7,
    net_revenue: 7,
    orders_count: 5,
    customers_count: 3,
    gross_profit: 7,
    sessions_count: 4,
    email_attributed_revenue: 4,
  };

  it.each(EXPLAINED_NAMES)('%s is told apart by bridges that add up, both ways', async (metric) => {
    const count = await check(made, metric, AUGUST, JUNE);
    expect(count).toBeGreaterThanOrEqual(AT_LEAST[metric] ?? 0);
  });

  it('prices are those of products, and a brand has also which of its products were sold', async () => {
    const { bridges } = await explain(made, 'revenue', AUGUST, JUNE);
    const parts = (name: string) => bridges.find((one) => one.name === name)?.parts.map((part) => part.name);
    expect(parts('product_price_volume_mix')?.slice(0, 3)).toEqual([
      'volume: pieces of products sold in both ranges',
      'mix: which of these products',
      'price per piece',
    ]);
    expect(parts('brand_price_volume_mix')?.slice(0, 3)).toEqual([
      'volume: pieces of brands sold in both ranges',
      'mix: which of these brands',
      'revenue per piece within a brand (also which of its products)',
    ]);
  });

  it('the days before are compared by default', async () => {
    const question = { business_id: made, metric: 'revenue', from_date: '2026-08-11', to_date: '2026-08-20' };
    const { compared_range } = (await test.ask('explain_change', question)) as { compared_range: object };
    expect(compared_range).toEqual({ from_date: '2026-08-01', to_date: '2026-08-10' });
  });
});

it('the example of docs/insights.md is what the made shop answers', async () => {
  const blocks = [...readFileSync('docs/insights.md', 'utf8').matchAll(/```json\n(.*?)```/gs)];
  const [question, expected] = blocks.slice(2).map(([, json = '']) => JSON.parse(json));
  const answer = (await test.ask('explain_change', question)) as Record<string, unknown> & {
    bridges: readonly { name: string }[];
    facts: readonly object[];
  };
  expect(answer.bridges).toHaveLength(7);
  const bridges = answer.bridges.filter(({ name }) => name === expected.bridges[0].name);
  expect({ ...answer, bridges, facts: expected.facts }).toMatchObject(expected);
  for (const fact of expected.facts) expect(answer.facts).toContainEqual(fact);
});

it('random stores add up, whatever is in them', async () => {
  const halves: readonly Days[] = [
    ['2024-01-01', '2024-02-29'],
    ['2024-03-01', '2024-03-31'],
    ['2024-04-01', '2024-12-31'],
  ];
  await fc.assert(
    fc.asyncProperty(randomTraffic('Europe/Prague'), async (store: Store) => {
      const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
      await test.importStore(business, store);
      for (const metric of EXPLAINED_NAMES)
        for (const [one, other] of [
          [0, 1],
          [2, 1],
        ] as const)
          await check(business.business_id, metric, halves[one] as Days, halves[other] as Days);
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
}, 1_800_000);

describe('explain_change refuses', () => {
  const ask = (args: object) =>
    test.run('explain_change', {
      business_id: made,
      metric: 'revenue',
      from_date: '2026-08-01',
      to_date: '2026-08-31',
      ...args,
    });

  it('a metric that is not explained, and times', async () => {
    await expect(ask({ metric: 'tax' })).rejects.toThrow('metric must be one of revenue, net_revenue,');
    await expect(ask({ from_date: '2026-08-01T08:00:00' })).rejects.toThrow(
      'explain_change compares whole days; from_date and to_date begin or end within one',
    );
  });

  it('but not the first and the last second of days', async () => {
    const ends = { from_date: '2026-08-01T00:00:00', to_date: '2026-08-31T23:59:59' };
    expect((await ask(ends)).result).toEqual((await ask({})).result);
  });

  it('ranges that share a day', async () => {
    await expect(
      ask({ compare: 'range', compare_from_date: '2026-07-15', compare_to_date: '2026-08-01' }),
    ).rejects.toThrow('the compared range, 2026-07-15 to 2026-08-01, has days of 2026-08-01 to 2026-08-31');
    await expect(ask({ compare: 'range' })).rejects.toThrow(
      'compare range needs compare_from_date and compare_to_date',
    );
  });
});

it('a store without anything has nothing to explain', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: [{ order_id: 'o1', ordered_at: '2020-01-01T10:00:00', total: '1', email: 'a@example.com' }],
  });
  for (const metric of EXPLAINED_NAMES) {
    const { bridges, change } = await explain(business.business_id, metric, AUGUST, JUNE);
    for (const bridge of bridges) expect(bridge.change).toBe(0);
    expect(change === null || change === 0).toBe(true);
  }
});
