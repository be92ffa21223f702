import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { DimensionName } from '../queries/dimensions.ts';
import { addsUpBy, METRICS, type NamedMetric } from '../queries/metric-layer.ts';
import { inOwnCurrency } from '../queries/own-currency.ts';

/**
 * Each metric is what the tool of the contract says that has the same number: of a range, of months, and of
 * each row.
 */
let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance();
  await test.importDemos(/./);
  const { result } = (await test.ask('list_businesses', {})) as { result: { business_id: string }[] };
  business_id = result[0]?.business_id ?? '';
});

afterAll(() => test[Symbol.asyncDispose]());

type Values = Readonly<Record<string, unknown>>;

const RANGE = { from_date: '2026-07-01', to_date: '2026-09-30' };

const of = (...facts: string[]) => METRICS.filter(({ fact }) => facts.includes(fact.name));

/** The rows of these metrics by the text of what they are grouped by; `(total)` among them. */
async function asked(all: readonly NamedMetric[], group_by: readonly string[]) {
  // Two currencies are never added, so these metrics need one.
  const metrics = all.filter((one) => group_by.includes('currency') || inOwnCurrency([one]).length === 0);
  const byKey = new Map<string, Record<string, unknown>>();
  for (let at = 0; at < metrics.length; at += 8) {
    const some = metrics.slice(at, at + 8);
    const { columns, rows } = (await test.ask('query_metrics', {
      business_ids: [business_id],
      metrics: some.map(({ name }) => name),
      group_by,
      ...RANGE,
      limit: 1000,
    })) as { columns: string[]; rows: unknown[][] };
    for (const row of rows) {
      const key = group_by.length === 0 ? '(total)' : String(row[0]);
      const values = byKey.get(key) ?? {};
      byKey.set(key, values);
      for (const { name } of some) values[name] = row[columns.indexOf(name)];
    }
  }
  return byKey;
}

const isOfPeople = ({ metric }: NamedMetric) =>
  ['customers', 'visitors', 'profiles'].includes(metric.unit ?? '');

/**
 * How many numbers were equal; what is of few people is null here, where the contract has an integer there.
 */
function compare(metrics: readonly NamedMetric[], ours: Values | undefined, theirs: Values): number {
  let equal = 0;
  for (const one of metrics) {
    const { key } = one.metric;
    if (!(key in theirs)) continue;
    const [own = null, other] = [ours?.[one.name], theirs[key]];
    // The average of no orders is 0 there.
    if (key.endsWith('average_order_value') && own === null && other === 0) continue;
    if (isOfPeople(one) && own === null && Number(other) < 5) continue;
    expect(own, `${one.name}, ${key} of ${JSON.stringify(theirs).slice(0, 200)}`).toBe(other);
    equal += 1;
  }
  return equal;
}

async function tool(name: string, args: object = {}) {
  return (await test.ask(name, { business_id, ...RANGE, ...args })) as Record<string, Values[]> & Values;
}

it('orders and refunds are those of order_statistics, of its months, and of order_distribution_statistics', async () => {
  const metrics = of('orders', 'refunds');
  const totals = (await asked(metrics, [])).get('(total)');
  expect(compare(metrics, totals, await tool('order_statistics'))).toBeGreaterThanOrEqual(17);
  const months = await asked(metrics, ['month']);
  for (const month of (await tool('order_statistics_trend', { breakdown: 'month' })).periods as Values[])
    expect(compare(metrics, months.get(String(month.period)), month)).toBeGreaterThanOrEqual(17);
  for (const dimension of ['country', 'coupon', 'payment_method', 'shipping_method', 'currency']) {
    const orders = of('orders');
    const rows = await asked(orders, [dimension]);
    const { rows: distribution } = await tool('order_distribution_statistics', { dimension, limit: 100 });
    for (const row of distribution as Values[]) {
      if (row.key === '(other)') continue;
      const key = String(row.key);
      expect(compare(orders, rows.get(key), row), `${dimension} ${key}`).toBeGreaterThanOrEqual(9);
      expect(rows.get(key)?.revenue).toBe(row.revenue);
    }
  }
});

it('order lines are those of the product tools', async () => {
  const metrics = of('order_lines');
  const levels = {
    product: ['product_statistics', 'products', 'external_product_id'],
    brand: ['brand_statistics', 'brands', 'brand'],
    category: ['category_statistics', 'categories', 'category'],
  } as const;
  for (const [dimension, [name, list, id]] of Object.entries(levels)) {
    const rows = await asked(metrics, [dimension]);
    const shown = (await tool(name, { limit: 300, sort_by: 'estimated_revenue' }))[list] as Values[];
    expect(shown.length).toBeGreaterThan(2);
    for (const row of shown.filter(({ unique_orders_count }) => Number(unique_orders_count) > 0)) {
      const ours = { ...rows.get(String(row[id])) };
      // The contract shows a profit that nobody knows as 0 in listings.
      ours.gross_profit ??= 0;
      expect(compare(metrics, ours, row), `${dimension} ${row[id]}`).toBeGreaterThanOrEqual(13);
    }
  }
});

/**
 * Orders that only their time ties to a visit are within the numbers of the contract, and beside those of
 * query_metrics.
 */
function compareVisited(ours: Values | undefined, theirs: Values) {
  const sum = (...names: string[]) => names.reduce((all, name) => all + Number(ours?.[name]), 0);
  expect([
    sum('converting_sessions_count', 'converting_sessions_by_time_count'),
    sum('orders_in_session', 'orders_in_session_by_time'),
  ]).toEqual([theirs.converting_sessions_count, theirs.orders_in_session]);
}

it('visits and advertising are those of session_statistics', async () => {
  const metrics = of('visits');
  const costs = of('ad_costs');
  const own = { landing_page: 'landing_page', referrer_domain: 'referrer_domain' };
  const groups = [
    'channel',
    'source',
    'source_medium',
    'campaign',
    'device',
    'country',
    'weekday',
    'hour',
    ...Object.keys(own),
  ];
  for (const group_by of groups) {
    const [visits, spent] = [
      await asked(metrics, [group_by]),
      ['channel', 'source', 'source_medium', 'campaign'].includes(group_by)
        ? await asked(costs, [group_by])
        : null,
    ];
    const { sessions, totals } = await tool('session_statistics', { group_by, limit: 500 });
    for (const row of sessions as Values[]) {
      expect(compare(metrics, visits.get(String(row.key)), row)).toBeGreaterThan(14);
      compareVisited(visits.get(String(row.key)), row);
      if (spent !== null) compare(costs, spent.get(String(row.key)), row);
    }
    compare(metrics, visits.get('(total)'), totals as unknown as Values);
    compareVisited(visits.get('(total)'), totals as unknown as Values);
  }
  const months = await asked(metrics, ['month']);
  for (const month of (await tool('session_statistics_trend', { breakdown: 'month' })).periods as Values[])
    compare(metrics, months.get(String(month.period)), month);
});

it('e-mails are those of the e-mail tools', async () => {
  const metrics = of('emails');
  const totals = (await asked(metrics, [])).get('(total)');
  expect(compare(metrics, totals, await tool('email_channel_statistics'))).toBeGreaterThanOrEqual(18);
  for (const group_by of ['campaign_type', 'campaign_category']) {
    const rows = await asked(metrics, [group_by]);
    for (const row of (await tool('email_campaign_type_statistics', { group_by })).types as Values[])
      expect(compare(metrics, rows.get(String(row[group_by])), row)).toBeGreaterThan(24);
  }
  const campaigns = await asked(metrics, ['email_campaign']);
  for (const row of (await tool('email_campaign_statistics', { limit: 100 })).campaigns as Values[])
    expect(compare(metrics, campaigns.get(String(row.campaign_id)), row)).toBeGreaterThan(20);
});

it('unknown first orders are told, also where only the type of customers says it', async () => {
  const { result } = (await test.ask('list_businesses', {})) as {
    result: { business_id: string; name: string }[];
  };
  const uci = result.find(({ name }) => name.startsWith('UCI'))?.business_id;
  const first = { from_date: '2010-12-01', to_date: '2010-12-31' };
  const { notes = [] } = await test.run('order_statistics', { business_id: uci, ...first });
  const told = notes.find((note) => note.includes('counted as new may have ordered before'));
  expect(told).toBeDefined();
  const ask = async (args: object) =>
    (await test.run('query_metrics', { business_ids: [uci], ...first, ...args })).notes;
  expect(await ask({ metrics: ['new_orders_count'] })).toContain(told);
  expect(await ask({ metrics: ['orders_count'], group_by: ['customer_type'] })).toContain(told);
  const filters = [{ dimension: 'customer_type', in: ['new'] }];
  expect(await ask({ metrics: ['orders_count'], filters })).toContain(told);
  expect(await ask({ metrics: ['orders_count'] })).not.toContain(told);
});

it('the example of docs/insights.md is what the made shop answers', async () => {
  const text = readFileSync('docs/insights.md', 'utf8');
  const [question, told] = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));
  const answer = (await test.ask('query_metrics', question)) as Values;
  expect(answer).toMatchObject(told);
});

it.each(['month', 'country', 'channel', 'weekday', 'product', 'brand'] satisfies DimensionName[])(
  'rows by %s of what is said to add up are the total',
  async (dimension) => {
    const metrics = METRICS.filter(
      (one) =>
        one.fact.cuts[dimension] !== undefined &&
        addsUpBy(one, [dimension]) &&
        inOwnCurrency([one]).length === 0,
    );
    const rows = await asked(metrics, [dimension]);
    for (const { name } of metrics) {
      const total = Number(rows.get('(total)')?.[name]);
      const keys = [...rows.keys()].filter((key) => key !== '(total)');
      const added = keys.reduce((all, key) => all + Number(rows.get(key)?.[name] ?? 0), 0);
      expect(added, `${name} by ${dimension}`).toBeCloseTo(total, 3);
    }
    expect(metrics.length).toBeGreaterThan(5);
  },
);

it.each([
  [
    ['quantity', 'product_orders_count', 'net_revenue', 'discount', 'customers_count'],
    'month',
    'customers_count',
  ],
  [['quantity', 'product_orders_count', 'product_revenue'], 'product', 'product_orders_count'],
  [['quantity', 'product_orders_count'], 'country', null],
])('a note names of %j by %s what does not add up: %s', async (metrics, dimension, named) => {
  const question = { business_ids: [business_id], metrics, group_by: [dimension], ...RANGE };
  const { notes = [] } = await test.run('query_metrics', question);
  expect(notes.filter((note) => note.startsWith('Do not add up'))).toEqual(
    named === null ? [] : [`Do not add up rows of ${named}: (rest) and (total) are counted anew.`],
  );
});

it('so is that of profit_statement, and its lines are those of other tools', async () => {
  const text = readFileSync('docs/insights.md', 'utf8');
  const parts = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as Values);
  const place = parts.findIndex(({ lines }) => lines !== undefined);
  const [question, told] = [parts[place - 1], parts[place]] as [Values, Values & { lines: Values[] }];
  const { lines, ...about } = (await test.ask('profit_statement', question)) as Values & { lines: Values[] };
  const names = told.lines.map(({ line }) => line);
  expect({ ...about, lines: lines.filter(({ line }) => names.includes(line)) }).toMatchObject(told);
  const days = { from_date: question.from_date, to_date: question.to_date };
  const orders = await tool('order_statistics', days);
  const { totals } = await tool('session_statistics', { group_by: 'channel', ...days });
  const amount = (name: string) => Number(lines.find(({ line }) => line === name)?.amount);
  expect(about.orders_revenues).toBe(orders.orders_revenues);
  const back = Number(orders.orders_revenues) - Number(orders.revenue_after_refunds_by_refund_date);
  expect(-amount('refunds')).toBeCloseTo(back, 4);
  expect(-amount('advertising')).toBe((totals as unknown as Values).ad_cost);
});

it('so is that of stock_cover, whose stock is that of list_products', async () => {
  const text = readFileSync('docs/insights.md', 'utf8');
  const parts = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as Values);
  const place = parts.findIndex(({ total }) => (total as Values | undefined)?.lost_revenue !== undefined);
  const [question, told] = [parts[place - 1], parts[place]] as [Values, Values];
  const answer = (await test.ask('stock_cover', question)) as Values & { products: Values[] };
  expect(answer).toMatchObject(told);
  const filter_external_product_ids = answer.products.map((one) => String(one.external_product_id));
  const { products } = (await test.ask('list_products', { business_id, filter_external_product_ids })) as {
    products: Values[];
  };
  for (const { external_product_id, in_stock, stock_quantity, stock_as_of } of answer.products)
    expect(products).toContainEqual(
      expect.objectContaining({ external_product_id, in_stock, stock_quantity, stock_as_of }),
    );
});

it('so is that of event_effect, whose visits are those of query_metrics', async () => {
  const text = readFileSync('docs/insights.md', 'utf8');
  const parts = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as Values);
  const place = parts.findIndex(({ placebos_count }) => placebos_count !== undefined);
  const [question, told] = [parts[place - 1], parts[place]] as [Values, Values];
  expect(await test.ask('event_effect', question)).toMatchObject(told);
  const { rows } = (await test.ask('query_metrics', {
    business_ids: [business_id],
    metrics: [question.metric],
    filters: [{ dimension: question.dimension, in: question.values }],
    from_date: question.from_date,
    to_date: question.to_date,
  })) as { rows: unknown[][] };
  expect(rows.at(-1)?.at(-1)).toBe(told.actual);
});
