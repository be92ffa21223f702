/**
 * Tools against SQL that someone would write by hand for the same main numbers on the same tables,
 * alternating in one process: medians of time and of processor time, and their ratios. Both have as many
 * threads as the server gives DuckDB.
 *
 *   node bench/hand-written.ts <data folder> [rounds; default 60] [from] [to] [words that names of questions hold]
 *
 * The business is that of calls.ts, or the first one of a folder that has others, such as one of
 * `days.ts --keep`.
 */
import { availableParallelism, loadavg } from 'node:os';
import { DuckDBInstance } from '@duckdb/node-api';
import { runTool } from '../src/asking/run-tool.ts';
import { CATALOGUE, EXTENSION_TOOLS } from '../src/catalogue.ts';
import { listBusinesses } from '../src/control/businesses/businesses.ts';
import { operatorCaller } from '../src/control/people/callers.ts';
import { openInstance } from '../src/server/instance.ts';
import { openWarehouse } from '../src/server/open-warehouse.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { BUSINESS } from './calls.ts';

const [folder, rounds = '60', from_date = '2011-01-01', to_date = '2011-06-30', ...words] =
  process.argv.slice(2);
const settings = readSettings({ STORESIGHT_DATA: folder, STORESIGHT_KEPT_ANSWERS: '0MB' });
const instance = await openInstance(settings);
const warehouse = await openWarehouse(instance, settings);
const environment = toolEnvironment(instance, warehouse);
const businesses = await listBusinesses(instance.control);
const business_id = (businesses.find((one) => one.business_id === BUSINESS) ?? businesses[0])?.business_id;
const served = await environment.findServed(business_id ?? '');
if (business_id === undefined || served === null) throw new Error('no data');
const { history_starts_at: first, orders_until: last } = served.facts;
const threads = String(Math.max(1, availableParallelism() - 1));
const direct = await (await DuckDBInstance.create(':memory:', { threads })).connect();
await direct.run(
  `attach '${instance.data.model(business_id, served.snapshot.snapshot_id)}' as snapshot (read_only)`,
);

const range = { from_date, to_date };
const history = { from_date: String(first).slice(0, 10), to_date: String(last).slice(0, 10) };
const days = `ordered_date between date '${from_date}' and date '${to_date}'`;
const isNew = `first_ordered_date >= date '${from_date}'`;
const orders = `count(*), count(*) filter (where order_number = 1), count(*) filter (where order_number > 1), sum(revenue),
  sum(revenue) filter (where order_number = 1), sum(revenue) filter (where order_number > 1), sum(tax), count(distinct customer_key)`;
const sums = 'sum(quantity), sum(revenue), sum(discount), sum(net_revenue), sum(profit), sum(known_revenue)';
const buyers = `count(distinct customer_key), count(distinct customer_key) filter (where ${isNew})`;
const ofGroup = (column: string) => `
  select ${column}, count(distinct order_key) as orders, count(distinct order_key) filter (where order_number = 1),
    count(distinct order_key) filter (where order_number = 2), ${sums}, ${buyers}
  from snapshot.order_products join snapshot.products using (product_key)
  where ${days} group by 1 order by orders desc limit 10`;

interface Compared {
  /** It is the name of the question, unless this says another. */
  readonly tool?: string;
  readonly args: object;
  /** There are none of what nobody would write by hand: its times stand alone. */
  readonly statements: readonly string[];
}

/** A statement as callers of query_sql write it. */
const OWN_STATEMENT = `select country, count(*) as orders, sum(revenue) as revenue from orders
  where is_valid and ${days} group by country order by revenue desc`;

const HAND_WRITTEN: Readonly<Record<string, Compared>> = {
  order_statistics: {
    args: range,
    statements: [`select ${orders} from snapshot.orders where is_valid and ${days}`],
  },
  order_statistics_trend: {
    args: { ...range, breakdown: 'month' },
    statements: [
      `select date_trunc('month', ordered_date) as period, ${orders} from snapshot.orders where is_valid and ${days} group by 1 order by 1`,
    ],
  },
  product_statistics: {
    args: range,
    statements: [
      `select product_key, count(*) as orders, count(*) filter (where order_number = 1), count(*) filter (where order_number = 2),
        avg(order_revenue), ${sums}, ${buyers}
      from snapshot.order_products where ${days} group by 1 order by orders desc limit 10`,
      `select count(distinct order_key), ${sums} from snapshot.order_products where ${days}`,
    ],
  },
  brand_statistics: {
    args: range,
    statements: [
      ofGroup('brand'),
      `select count(distinct order_key), ${sums} from snapshot.order_products where ${days}`,
    ],
  },
  master_product_statistics: {
    args: range,
    statements: [
      ofGroup('master_product_id'),
      `select count(distinct order_key), ${sums} from snapshot.order_products where ${days}`,
    ],
  },
  first_purchase_cohorts: {
    args: history,
    statements: [
      `select date_trunc('month', first_ordered_date) as cohort, floor((ordered_date - first_ordered_date) / 30) as period,
        count(distinct customer_key), count(*), sum(revenue)
      from snapshot.orders join snapshot.customers using (customer_key) where is_valid group by 1, 2`,
      `select date_trunc('month', first_ordered_date) as cohort, median(ordered_date - first_ordered_date)
      from snapshot.orders join snapshot.customers using (customer_key) where is_valid and order_number = 2 group by 1`,
    ],
  },
  repeat_purchase_cycle: {
    args: range,
    statements: [
      `select order_number, count(*), count(days_to_next_order), avg(days_to_next_order),
        quantile_cont(days_to_next_order, [0.25, 0.5, 0.75, 0.9]), count(*) filter (where days_to_next_order <= 30),
        count(*) filter (where days_to_next_order <= 90), count(*) filter (where days_to_next_order <= 365)
      from snapshot.orders where is_valid and order_number <= 5 and ${days} group by 1`,
    ],
  },
  product_affinity_statistics: {
    args: { ...range, level: 'product' },
    statements: [
      `with lines as (select order_key, product_key, revenue from snapshot.order_products where ${days}),
      sold as (select product_key, count(*) as orders from lines group by 1)
      select one, other, pairs, revenue, a.orders, b.orders
      from (
        select x.product_key as one, y.product_key as other, count(*) as pairs, sum(x.revenue) + sum(y.revenue) as revenue
        from lines x join lines y on x.order_key = y.order_key and x.product_key < y.product_key
        group by 1, 2 having count(*) >= 5
      ) join sold a on a.product_key = one join sold b on b.product_key = other
      order by pairs desc limit 10`,
    ],
  },
  order_distribution_statistics: {
    args: { ...range, dimension: 'weekday_hour' },
    statements: [
      `select ordered_weekday, ordered_hour, count(*), sum(revenue), avg(revenue), count(distinct customer_key), sum(pieces),
        sum(refunded), sum(discount), sum(shipping), sum(tax)
      from snapshot.orders where is_valid and ${days} group by 1, 2`,
      `select quantile_cont(revenue, [0.1, 0.25, 0.5, 0.75, 0.9, 0.99]), count(*), sum(revenue), sum(discount), sum(shipping), sum(tax)
      from snapshot.orders where is_valid and ${days}`,
    ],
  },
  'query_metrics, totals': {
    tool: 'query_metrics',
    args: { ...range, metrics: ['revenue', 'orders_count', 'average_order_value'] },
    statements: [
      `select sum(revenue), count(*), avg(revenue) from snapshot.orders where is_valid and ${days}`,
    ],
  },
  'query_metrics, by month and country': {
    tool: 'query_metrics',
    args: { ...range, metrics: ['revenue', 'orders_count'], group_by: ['month', 'country'] },
    statements: [
      `select date_trunc('month', ordered_date) as month, country, sum(revenue), count(*)
      from snapshot.orders where is_valid and ${days} group by rollup((month, country))`,
    ],
  },
  'query_metrics, customers by weekday': {
    tool: 'query_metrics',
    args: { ...range, metrics: ['customers_count', 'new_customers_count'], group_by: ['weekday'] },
    statements: [
      `select ordered_weekday, count(distinct customer_key), count(distinct customer_key) filter (where order_number = 1)
      from snapshot.orders where is_valid and ${days} group by rollup(ordered_weekday)`,
    ],
  },
  'query_metrics, products by brand': {
    tool: 'query_metrics',
    args: { ...range, metrics: ['product_revenue', 'quantity'], group_by: ['brand'] },
    statements: [
      `select brand, sum(revenue), sum(quantity) from snapshot.order_products join snapshot.products using (product_key)
      where ${days} group by rollup(brand)`,
    ],
  },
  query_sql: {
    args: { sql: OWN_STATEMENT },
    statements: [OWN_STATEMENT.replace(' orders\n', ' snapshot.orders\n')],
  },
  explain_change: { args: { ...range, metric: 'revenue' }, statements: [] },
  profit_statement: { args: { ...range, by: 'month' }, statements: [] },
  watch: { args: {}, statements: [] },
};

console.log('tool | tool ms | by hand ms | ratio | tool processor ms | by hand | ratio');
for (const [name, { args, statements, ...of }] of Object.entries(HAND_WRITTEN)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const tool = [...CATALOGUE, ...EXTENSION_TOOLS].find((one) => one.name === (of.tool ?? name));
  if (tool === undefined) throw new Error(name);
  const asked = { ...(tool.scope === 'stores' ? { business_ids: [business_id] } : { business_id }), ...args };
  const costs: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < Number(rounds); round += 1) {
    costs[0].push(await costOf(() => runTool(environment, tool, asked, operatorCaller(instance.control))));
    costs[1].push(
      await costOf(async () => {
        for (const statement of statements) await direct.runAndReadAll(statement);
      }),
    );
  }
  const figures = (['time', 'processor'] as const).map((kind) => {
    const [ours, byHand] = costs.map((all) => median(all.map((one) => one[kind]))) as [number, number];
    return `${ours.toFixed(1)} | ${byHand.toFixed(1)} | ${(ours / byHand).toFixed(2)}`;
  });
  console.log(`${name} | ${figures.join(' | ')}`);
}
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
await warehouse.close();

interface Cost {
  readonly time: number;
  readonly processor: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [before, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { time: performance.now() - before, processor: (user + system) / 1000 };
}

/** The median of the later four fifths: the first fifth warms the process up. */
function median(figures: readonly number[]): number {
  const warm = figures.slice(Math.floor(figures.length / 5)).sort((a, b) => a - b);
  return warm[Math.floor(warm.length / 2)] ?? NaN;
}
