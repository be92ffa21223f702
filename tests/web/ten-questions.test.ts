import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { DIMENSION_LISTS, TOOL_LISTS } from '../../src/overview/cards-and-lists.ts';
import { Person } from '../oauth/person.ts';
import { emptyStore } from '../oracle/store.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** What merchants ask first: the overview answers it, by the numbers of the tools, and these by hand. */
let test: TestInstance;
let server: TestServer;
let business_id: string;
let overview: string;
let findings: string;

const DAYS = { from_date: '2026-08-01', to_date: '2026-08-31' };
const BEFORE = { compare_from_date: '2026-07-01', compare_to_date: '2026-07-31' };

/** The day, the customer, the pieces of the tent (100, costs 40) and of the cup (50, costs 10), the visit. */
const ORDERS = [
  ['2026-06-30', 'z', 1, 0, 'v9'],
  ['2026-07-10', 'a', 1, 0, 'v0'],
  ['2026-08-05', 'a', 2, 0, 'v1'],
  ['2026-08-06', 'b', 0, 1, 'v2'],
  ['2026-08-20', 'c', 1, 1, 'v3'],
] as const;
const emailOf = (customer: string) => `${customer}@example.com`;

function shop() {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  store.products = [
    { external_product_id: 'T', name: 'Tent', price: '100', purchase_price: '40', categories: 'Camping' },
    { external_product_id: 'C', name: 'Cup', price: '50', purchase_price: '10', categories: 'Kitchen' },
  ];
  store.orders = ORDERS.map(([day, customer, tents, cups, session_id], index) => ({
    ...{ order_id: `o${index}`, ordered_at: `${day}T12:00:00Z`, email: emailOf(customer), session_id },
    ...{ total: String(100 * tents + 50 * cups), country: 'DE', currency: 'EUR', coupon_codes: 'SUMMER' },
  }));
  store.order_items = ORDERS.flatMap(([, , tents, cups], index) =>
    (
      [
        ['T', tents, '100', '40'],
        ['C', cups, '50', '10'],
      ] as const
    ).flatMap(([external_product_id, quantity, unit_price, unit_cost], line) =>
      quantity === 0
        ? []
        : [
            {
              ...{ order_id: `o${index}`, line_no: String(line + 1), external_product_id },
              ...{ quantity: String(quantity), unit_price, unit_cost, tax_rate: '0' },
            },
          ],
    ),
  );
  store.refunds = [{ refund_id: 'r', order_id: 'o3', refunded_at: '2026-08-10T12:00:00Z', amount: '20' }];
  store.sessions = [
    ...ORDERS.map(([day, customer, , , session_id]) => ({
      ...{ session_id, visitor_id: customer, started_at: `${day}T11:50:00Z`, ended_at: `${day}T12:05:00Z` },
      ...(customer === 'b' ? { source: 'news', medium: 'email' } : { source: 'google', medium: 'cpc' }),
    })),
    { session_id: 'v4', visitor_id: 'd', started_at: '2026-08-31T23:00:00Z' },
  ];
  store.ad_costs = [{ day: '2026-08-05', source: 'google', medium: 'cpc', cost: '30', clicks: '3' }];
  store.campaigns = [
    {
      ...{ campaign_id: 'k', campaign_type: 'targeted-emailing', name: 'August news', state: 'finished' },
      created_at: '2026-08-01T00:00:00Z',
    },
  ];
  store.messages = [{ message_id: 'm', campaign_id: 'k', channel: 'email', subject: 'News' }];
  store.sends = [
    {
      ...{ send_id: 's', message_id: 'm', email: emailOf('b'), outcome: 'delivered' },
      ...{ sent_at: '2026-08-06T08:00:00Z', delivered_at: '2026-08-06T08:00:01Z' },
    },
  ];
  store.message_events = [{ event_id: 'e', send_id: 's', kind: 'click', at: '2026-08-06T11:49:00Z' }];
  return store;
}

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  server = await startTestServer(test);
  const business = await test.createBusiness({ name: 'Tents', timezone: 'UTC', currency: 'EUR' });
  business_id = business.business_id;
  await test.importStore(business, shop());
  const reader = await Person.join(test.instance.control);
  await grantAccess(test.instance.control, reader.account_id, business_id, [
    ...['DISPLAY_ANALYTICS_DASHBOARD', 'LIST_PRODUCT', 'LIST_CAMPAIGNS'],
  ] as never);
  await reader.open(`${server.baseUrl}/stores`);
  const query = '?period=own&from=2026-08-01&to=2026-08-31';
  const pageAt = async (path: string) =>
    (await reader.browser.get(`${server.baseUrl}/stores/${business_id}/${path}${query}`)).text;
  overview = await pageAt('overview');
  findings = await pageAt('overview/findings');
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

/** The numbers of a card: of the days, and of those before. */
function card(key: string): number[] {
  const [, own = ''] = overview.split(`data-card="${key}"`);
  const [numbers = ''] = own.split(/<dd class="(?:sparkline|mark)">|<\/div>/);
  return [...numbers.matchAll(/data-value="(.*?)"/g)].map(([, value]) => Number(value));
}

/** The rows of a list: its name, then its numbers. */
function rows(page: string, key: string): (string | number | null)[][] {
  const [, own = ''] = page.split(`<section class="card" id="${key}">`);
  const [body = ''] = (own.split('<tbody>')[1] ?? '').split('</tbody>');
  return body
    .split('<tr>')
    .slice(1)
    .map((row) => [
      /<bdi>(.*?)<\/bdi>/.exec(row)?.[1] ?? '',
      ...[...row.matchAll(/<td(?: data-value="(.*?)")?>/g)].map(([, value]) =>
        value === undefined ? null : Number(value),
      ),
    ]);
}

const ask = (tool: string, args: object) =>
  test.ask(tool, { business_id, ...args }) as Promise<Record<string, unknown>>;

it.each([
  ['revenue', 'order_statistics', 'orders_revenues', [400, 100]],
  ['orders', 'order_statistics', 'orders_count', [3, 1]],
  ['average', 'order_statistics', 'average_order_value', [400 / 3, 100]],
  ['new', 'order_statistics', 'new_customers_count', [2, 1]],
  ['returning', 'order_statistics', 'returning_customers_count', [1, 0]],
  ['refunds', 'order_statistics', 'refunded_revenue_by_refund_date', [20, 0]],
])('%s are those of %s: %s', async (key, tool, field, byHand) => {
  const told = (await ask(tool, DAYS))[field];
  const shown = card(key);
  expect(shown[0]).toBe(told);
  expect(shown.map((value) => Number(value.toFixed(2)))).toEqual(byHand.map((one) => Number(one.toFixed(2))));
});

it('profit is that of the lines, by what their pieces cost', async () => {
  const { totals } = await ask('product_statistics', { ...DAYS, sort_by: 'estimated_revenue', limit: 5 });
  const told = (totals as { estimated_gross_profit: number }).estimated_gross_profit;
  expect(card('profit')).toEqual([told, 60]);
  expect(told).toBe(400 - 3 * 40 - 2 * 10);
  expect(card('known')).toEqual([100, 100]);
});

it('what could be misread of a number stands at it', () => {
  const marks = (key: string) =>
    [
      ...(overview.split(`data-card="${key}"`)[1]?.split('</div>')[0] ?? '').matchAll(
        /<dd class="mark">(.*?)<\/dd>/g,
      ),
    ].map(([, mark]) => mark);
  // Three of the visits v1 to v4 had an order in them, and 300 of 400 is no large order of three.
  expect(marks('conversion')).toEqual([
    '3 of 4 visits had an order in them. Orders without a known visit are not counted here.',
  ]);
  expect(marks('email')).toEqual(['Credited: bought after an e-mail. Many would have bought without it.']);
  expect(['revenue', 'orders', 'profit', 'refunds'].map(marks)).toEqual([[], [], [], []]);
});

it.each([
  [
    'products',
    [
      ['Tent', 300, 2],
      ['Cup', 100, 2],
    ],
  ],
  [
    'channels',
    [
      ['Paid Search', 350, 2, 2],
      ['Email', 50, 1, 1],
    ],
  ],
  ['advertising', [['Paid Search', 30, 350]]],
  ['campaigns', [['August news', 50, 1]]],
  [
    'categories',
    [
      ['Camping', 300, 2],
      ['Kitchen', 100, 2],
    ],
  ],
  ['countries', [['Germany', 400, 3]]],
  ['coupons', [['SUMMER', 400, 3]]],
] as const)('%s are the first rows of their tool', async (key, byHand) => {
  const shown = rows(overview, key);
  expect(shown.map((row) => row.slice(1))).toEqual(await toldRows(key));
  expect(shown).toEqual(byHand);
});

/** What the tool of a list answers: `query_metrics`, or the tool that knows more. */
async function toldRows(key: string): Promise<unknown[][]> {
  const own = TOOL_LISTS.find((list) => list.key === key);
  if (own !== undefined) {
    const told = (await ask(own.tool, { ...DAYS, ...own.args }))[own.rows] as Record<string, unknown>[];
    return told
      .map((row) => own.columns.map(({ field }) => row[field] ?? null))
      .filter(([first]) => first !== null);
  }
  const { dimension, isOfProducts } = DIMENSION_LISTS.find(
    (list) => list.key === key,
  ) as (typeof DIMENSION_LISTS)[number];
  const metrics = [
    ...(isOfProducts ? ['product_revenue', 'product_orders_count'] : ['revenue', 'orders_count']),
    ...(key === 'channels' ? ['sessions_count'] : []),
  ];
  const {
    columns,
    rows: told,
    groups_count,
  } = (await test.ask('query_metrics', {
    ...{ business_ids: [business_id], metrics, group_by: [dimension], ...DAYS },
    ...{ having: [{ metric: metrics[0], min: 1 }] },
  })) as { columns: string[]; rows: unknown[][]; groups_count: number };
  return told.slice(0, groups_count).map((cells) => metrics.map((metric) => cells[columns.indexOf(metric)]));
}

it('a row has its share of all and what it was before', () => {
  const [, products = ''] = overview.split('<section class="card" id="products">');
  const [body = ''] = products.split('</tbody>');
  // The tent has 300 of 400, and had 100 before; the cup has 100, and had nothing.
  expect([...body.matchAll(/<small>([^<]*)<\/small>/g)].map(([, one]) => one)).toEqual([
    'share of all, change',
    '75\u00a0%, +200\u00a0%',
    '25\u00a0%, new',
  ]);
});

it('questions to copy name the best product, channel and campaign', () => {
  const questions = [...overview.matchAll(/<p class="copyable"><code>(.*?)<\/code>/g)].map(
    ([, one = '']) => one,
  );
  expect(questions).toHaveLength(6);
  for (const name of ['product “Tent”', 'channel “Paid Search”', 'campaign “August news”'])
    expect(questions.filter((one) => one.includes(name))).toHaveLength(1);
});

it('what changed is one click away, in a sentence with the numbers of its tool', async () => {
  const told = await ask('explain_change', { metric: 'revenue', ...DAYS, compare: 'range', ...BEFORE });
  expect(overview).toContain('/overview/findings?period=own');
  // Orders are loaded from the first to the last one, which are not the first and the last of these days.
  expect(told.summary).toMatch(
    /^Days are missing, so equal days are not compared: nothing is loaded of [^.]*\. Revenue rose from 100\.00 .* to 400\.00 EUR/,
  );
  expect(findings).toContain(
    'Revenue: €400 (1 – 31 August 2026), before €100 (1 – 31 July 2026). Difference: +€300 (+300%).',
  );
  // By hand: a came back with 200; b and c are new with 50 and 150, where a was new with 100. Tents bring 200
  // more, cups 100.
  const largest = findings.split('The largest parts of the difference</h3>')[1]?.split('</ul>')[0] ?? '';
  const lines = new Map(
    [...largest.matchAll(/<li>(.*?): (.*?)<\/li>/g)].map(([, name, parts = '']) => [
      name,
      parts.replaceAll(/<.*?>/g, ''),
    ]),
  );
  expect(lines.get('By new and returning customers')).toBe(
    'Later orders: orders +€200, First orders: customers +€100',
  );
  expect(lines.get('By country')).toBe('Germany +€300');
  expect(lines.size).toBe(5);
  expect(findings.indexOf('id="look"')).toBeLessThan(findings.indexOf('id="apart"'));
});
