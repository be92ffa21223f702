/**
 * Tools against SQL that someone would write by hand for the same numbers on the same tables, alternating in one
 * process: the ratio of medians. A tool should cost no more than 1.3 times.
 *
 *   node bench/hand-written.ts <data folder with the demo businesses> [rounds; default 60]
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { CATALOGUE } from '../src/catalogue.ts';
import { operatorCaller } from '../src/control/people/callers.ts';
import { runTool } from '../src/mcp/run-tool.ts';
import { openInstance } from '../src/server/instance.ts';
import { openWarehouse } from '../src/server/open-warehouse.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { BUSINESS, CALLS } from './calls.ts';

const settings = readSettings({ STORESIGHT_DATA: process.argv[2] });
const rounds = Number(process.argv[3] ?? 60);
const instance = await openInstance(settings);
const warehouse = await openWarehouse(instance, settings);
const environment = toolEnvironment(instance, warehouse);
const served = await environment.findServed(BUSINESS);
const direct = await (await DuckDBInstance.create()).connect();
await direct.run(
  `attach '${instance.data.model(BUSINESS, served?.snapshot.snapshot_id ?? '')}' as snapshot (read_only)`,
);

const inRange = `ordered_at >= timestamp '2011-01-01' and ordered_at < timestamp '2011-07-01'`;
const isNew = `first_ordered_at >= timestamp '2011-01-01'`;
const HAND_WRITTEN: Readonly<Record<string, string>> = {
  order_statistics: `
    select count(*), count(*) filter (where order_number = 1), sum(revenue), sum(revenue) filter (where order_number = 1),
      count(distinct customer_key)
    from snapshot.orders where is_valid and ${inRange}`,
  order_statistics_trend: `
    select date_trunc('month', ordered_date) as period, count(*), count(*) filter (where order_number = 1), sum(revenue),
      sum(revenue) filter (where order_number = 1), count(distinct customer_key)
    from snapshot.orders where is_valid and ${inRange} group by 1 order by 1`,
  product_statistics: `
    select product_key, count(*) as orders, count(*) filter (where order_number = 1),
      count(*) filter (where order_number = 2), sum(quantity), sum(revenue), sum(profit), avg(order_revenue),
      count(distinct customer_key), count(distinct customer_key) filter (where ${isNew})
    from snapshot.order_products where ${inRange} group by 1 order by orders desc limit 10`,
  master_product_statistics: `
    select master_product_id, count(distinct order_key) as orders, sum(quantity), sum(revenue), sum(profit),
      count(distinct customer_key), count(distinct customer_key) filter (where ${isNew})
    from snapshot.order_products join snapshot.products using (product_key)
    where ${inRange} group by 1 order by orders desc limit 10`,
  first_purchase_cohorts: `
    select date_trunc('month', first_ordered_date) as cohort, floor((ordered_date - first_ordered_date) / 30) as window,
      count(distinct customer_key), count(*), sum(revenue)
    from snapshot.orders join snapshot.customers using (customer_key)
    where is_valid and first_ordered_date between date '2011-01-01' and date '2011-06-30' group by 1, 2`,
};

console.log('tool | tool ms | by hand ms | ratio');
for (const [name, statement] of Object.entries(HAND_WRITTEN)) {
  const tool = CATALOGUE.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(name);
  const args = CALLS[name] as Record<string, unknown>;
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(
      await milliseconds(() => runTool(environment, tool, args, operatorCaller(instance.control))),
    );
    times[1].push(await milliseconds(() => direct.run(statement)));
  }
  const [ours, byHand] = times.map(median) as [number, number];
  console.log(`${name} | ${ours.toFixed(1)} | ${byHand.toFixed(1)} | ${(ours / byHand).toFixed(2)}`);
}
await warehouse.close();

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** The median of the later four fifths of the times: the first fifth warms the process up. */
function median(times: readonly number[]): number {
  const warm = times.slice(Math.floor(times.length / 5)).sort((a, b) => a - b);
  return warm[Math.floor(warm.length / 2)] ?? NaN;
}
