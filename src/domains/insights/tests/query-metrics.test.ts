import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { DIMENSION_NAMES } from '../queries/dimensions.ts';
import { METRICS } from '../queries/metric-layer.ts';

let test: TestInstance;
let id: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: process.env.BOTH_ENGINES === undefined });
  await test.importDemos(/./);
  const { result } = (await test.run('list_businesses', {})) as {
    result: { result: { business_id: string }[] };
  };
  id = result.result[0]?.business_id ?? '';
}, 120_000);
afterAll(() => test[Symbol.asyncDispose]());

const RANGE = { from_date: '2026-08-01', to_date: '2026-09-30' };

it('each metric by each dimension that cuts it gives rows that add up to the total, where it adds up', async () => {
  const wrong: string[] = [];
  for (const dimension of [...DIMENSION_NAMES, null]) {
    const able = METRICS.filter(({ fact }) => dimension === null || fact.cuts[dimension] !== undefined);
    for (const fact of new Set(able.map((one) => one.fact))) {
      const of = able.filter((one) => one.fact === fact);
      for (let at = 0; at < of.length; at += 8) {
        const metrics = of.slice(at, at + 8);
        const { result, notes } = await test.run('query_metrics', {
          business_ids: [id],
          metrics: metrics.map(({ name }) => name),
          group_by: dimension === null ? [] : [dimension],
          ...RANGE,
          limit: 3,
        });
        const { rows, columns } = result as { rows: (number | null)[][]; columns: { name: string }[] };
        if (process.env.SHOW) console.log(dimension, JSON.stringify(rows), notes);
        if (dimension === 'coupon' || dimension === 'category' || dimension === null) continue;
        for (const { name, addsUp } of metrics) {
          const place = columns.findIndex((one) => one.name === name);
          const sum = rows.slice(0, -1).reduce((all, row) => all + (row[place] ?? 0), 0);
          const total = rows.at(-1)?.[place] ?? 0;
          const close = Math.abs(sum - total) < 1e-6 * Math.max(1, Math.abs(total));
          if (addsUp && !close) wrong.push(`${name} by ${dimension}: ${sum} ${total}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
}, 300_000);
