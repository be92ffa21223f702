// One order that makes a large part of a number is told in every answer that has the number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let business_id: string;
const SETTINGS = { timezone: 'Europe/Prague', primary_currency: 'CZK' };

/**
 * The orders of April and May: 20 of 100 in each, in May one of 1500 more, which a click in the newsletter of
 * that day brought.
 */
const ORDERS = ['2024-04', '2024-05'].flatMap((month) =>
  Array.from({ length: 20 }, (_, place) => ({
    day: `${month}-${String(place + 1).padStart(2, '0')}`,
    total: 100,
    product: place % 2 === 0 ? 'even' : 'odd',
  })),
);
const LARGE = { day: '2024-05-23', total: 1500, product: 'odd' };

function shop(): Store {
  const store = emptyStore(SETTINGS);
  store.campaigns.push({
    ...{ campaign_id: 'news', campaign_type: 'targeted-emailing', name: 'News', state: 'sent' },
    created_at: '2024-01-01T00:00:00Z',
  });
  store.messages.push({ message_id: 'news-1', campaign_id: 'news', channel: 'email', subject: 'x' });
  for (const external_product_id of ['even', 'odd'])
    store.products.push({ external_product_id, name: external_product_id, price: '100', brand: 'b' });
  for (const [place, { day, total, product }] of [...ORDERS, LARGE].entries()) {
    const [order_id, email] = [`o${place}`, `p${place}@x.cz`];
    const session_id = order_id;
    store.orders.push({
      ...{ order_id, email, session_id, ordered_at: `${day}T12:00:00Z` },
      total: String(total),
    });
    store.order_items.push({
      ...{ order_id, line_no: '1', external_product_id: product, name: product, quantity: '1' },
      unit_price: String(total),
    });
    store.sessions.push({
      ...{ session_id, visitor_id: order_id, started_at: `${day}T11:50:00Z` },
      ...(total === 1500 ? { source: 'news', medium: 'email' } : { source: 'google', medium: 'cpc' }),
    });
    if (!(day.startsWith('2024-05') && (place % 5 === 0 || total === 1500))) continue;
    store.sends.push({ send_id: order_id, message_id: 'news-1', email, sent_at: `${day}T08:00:00Z` });
    store.message_events.push({
      ...{ event_id: order_id, send_id: order_id, kind: 'click', at: `${day}T11:00:00Z` },
    });
  }
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, shop());
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

const APRIL = { from_date: '2024-04-01', to_date: '2024-04-30' };
const MAY = { from_date: '2024-05-01', to_date: '2024-05-31' };

const isOfOne = (note: string) => /ne order (?:of|makes)/.test(note);

async function notesOf(tool: string, more: object) {
  const id = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  return ((await test.run(tool, { ...id, ...more })).notes ?? []).filter(isOfOne);
}

/** Counts over the rows above the part of the large order in what is chosen. */
function part(chosen: (order: (typeof ORDERS)[number]) => boolean): number {
  const sum = [...ORDERS, LARGE].filter(chosen).reduce((all, { total }) => all + total, 0);
  return Math.round((100 * LARGE.total) / sum);
}
const inMay = ({ day }: { day: string }) => day.startsWith('2024-05');
const credited = [LARGE, ...ORDERS.filter(({ day }, place) => day.startsWith('2024-05') && place % 5 === 0)];

it('says how much one order makes of the range, and the mean of the others', async () => {
  expect(part(inMay)).toBe(43);
  expect(await notesOf('order_statistics', MAY)).toEqual([
    'One order of 2024-05-23 makes 43 % of orders_revenues. Without it, average_order_value is 100.',
  ]);
  expect(await notesOf('order_statistics', APRIL)).toEqual([]);
  // It is a quarter at least still among 43 orders of two months: 1500 of 5500.
  expect(part(() => true)).toBe(27);
  expect(await notesOf('order_statistics', { from_date: APRIL.from_date, to_date: MAY.to_date })).toEqual([
    'One order of 2024-05-23 makes 27 % of orders_revenues. Without it, average_order_value is 100.',
  ]);
});

describe('a note on rows', () => {
  const brand = `Of estimated_revenue, one order makes 43 % of "b" (on 2024-05-23): such rows tell of that order.`;
  it.each([
    [
      'order_statistics_trend',
      { from_date: APRIL.from_date, to_date: MAY.to_date, breakdown: 'month' },
      `Of orders_revenues, one order makes 43 % of "2024-05-01" (on 2024-05-23): such rows tell of that order.`,
    ],
    [
      'product_statistics',
      MAY,
      `Of estimated_revenue, one order makes ${part((one) => inMay(one) && one.product === 'odd')} % of "odd" (on 2024-05-23): such rows tell of that order.`,
    ],
    ['brand_statistics', MAY, brand],
    [
      'email_campaign_statistics',
      MAY,
      `Of attributed_revenue, one order makes 79 % of "news" (on 2024-05-23): such rows tell of that order.`,
    ],
    [
      'targeted_campaign_statistics',
      MAY,
      `Of attributed_revenue, one order makes 79 % of "news" (on 2024-05-23): such rows tell of that order.`,
    ],
  ])('%s names those that one order makes', async (tool, args, note) => {
    expect(Math.round((100 * 1500) / credited.reduce((sum, { total }) => sum + total, 0))).toBe(79);
    expect(await notesOf(tool, args)).toEqual([note]);
  });

  it('names no row of one order alone, whose number says it', async () => {
    expect(await notesOf('session_statistics', { ...MAY, group_by: 'source' })).toEqual([]);
    expect(await notesOf('session_statistics', { ...MAY, group_by: 'none' })).toEqual([
      `Of last_click_revenue, one order makes 43 % of "(all)" (on 2024-05-23): such rows tell of that order.`,
    ]);
  });

  it('names no row that the page does not have', async () => {
    const args = { ...MAY, sort_by: 'external_product_id', filter_external_product_ids: ['even'] };
    const { sort_by: _, ...asked } = args;
    expect(await notesOf('product_statistics', asked)).toEqual([]);
  });
});

it('says it of revenue credited to orders of the range, by campaign too', async () => {
  expect(await notesOf('email_revenue_statistics', { ...MAY, by_campaign: true })).toEqual([
    'One order of 2024-05-23 makes 79 % of attributed_revenue. Without it, average_order_value is 100.',
    'Of attributed_revenue, one order makes 79 % of "news" (on 2024-05-23): such rows tell of that order.',
  ]);
});

describe('a note on any metric by any dimension', () => {
  const total = 'One order of 2024-05-23 makes 43 % of revenue.';

  it('says it of the range and of rows', async () => {
    expect(await notesOf('query_metrics', { ...MAY, metrics: ['revenue'] })).toEqual([total]);
    expect(
      await notesOf('query_metrics', { ...MAY, metrics: ['average_order_value'], group_by: ['weekday'] }),
    ).toEqual([
      `${total} Without it, average_order_value is 100.`,
      // Thursdays: 2, 9, 16 and 23 May.
      'Of revenue, one order makes 83 % of "4" (on 2024-05-23): such rows tell of that order.',
    ]);
    expect(
      await notesOf('query_metrics', { ...MAY, metrics: ['product_revenue'], group_by: ['product'] }),
    ).toEqual([
      'One order of 2024-05-23 makes 43 % of the revenue of products.',
      'Of the revenue of products, one order makes 60 % of "odd" (on 2024-05-23): such rows tell of that order.',
    ]);
    expect(
      await notesOf('query_metrics', { ...MAY, metrics: ['product_revenue'], group_by: ['weekday'] }),
    ).toEqual([
      'One order of 2024-05-23 makes 43 % of the revenue of products.',
      'Of the revenue of products, one order makes 83 % of "4" (on 2024-05-23): such rows tell of that order.',
    ]);
    expect(await notesOf('query_metrics', { ...MAY, metrics: ['email_attributed_revenue'] })).toEqual([
      'One order of 2024-05-23 makes 79 % of the revenue credited to e-mails.',
    ]);
    expect(await notesOf('query_metrics', { ...MAY, metrics: ['orders_count'] })).toEqual([]);
  });

  it('says it of the compared range', async () => {
    const compared = { compare: 'range', compare_from_date: MAY.from_date, compare_to_date: MAY.to_date };
    for (const [tool, more] of [
      ['query_metrics', { metrics: ['revenue'] }],
      ['explain_change', { metric: 'revenue' }],
    ] as const) {
      expect(await notesOf(tool, { ...APRIL, ...more, ...compared }), tool).toEqual([
        `In the compared range: ${total}`,
      ]);
    }
  });
});
