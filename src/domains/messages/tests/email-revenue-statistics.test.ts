import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { messageShop, type Name, PEOPLE, totalOf } from '../../../../tests/support/message-shop.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

let test: TestInstance;
let shop: Business;

beforeAll(async () => {
  test = await createTestInstance();
  shop = await load(messageShop());
});

afterAll(() => test[Symbol.asyncDispose]());

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };
const NO_ORDERS: Name[] = ['cancels', 'tests'];
const CLICKED: Name[] = ['clicks', 'clicksAWeekBefore', 'fastReader', 'bouncesButClicks'];
const CREDITED: Name[] = [...CLICKED, 'opensADayBefore', 'opensAtOnceAndAgain'];

async function load(store: Partial<Store>): Promise<Business> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    ...store,
  });
  return business;
}

const ask = (business: Business, args: object = {}) =>
  test.ask('email_revenue_statistics', { business_id: business.business_id, ...MAY, ...args });

describe('an order is credited', () => {
  it('the last click within a week, or open within a day, by a person gets the credit', async () => {
    const all = (Object.keys(PEOPLE) as Name[]).filter((name) => !NO_ORDERS.includes(name));
    expect(await ask(shop)).toEqual({
      business_id: shop.business_id,
      data_until: '2024-05-11T11:00:00Z',
      ...{ attribution_model: 'last_touch', attribution_open_window_h: 24, attribution_click_window_h: 168 },
      basis: 'order_date',
      total_orders_count: all.filter((name) => 'ordered' in PEOPLE[name]).length,
      total_revenue: totalOf(...all),
      attributed_orders_count: CREDITED.length,
      attributed_revenue: totalOf(...CREDITED),
      attributed_revenue_share: Math.round((1e6 * totalOf(...CREDITED)) / totalOf(...all)) / 1e4,
      average_order_value: Math.round((1e4 * totalOf(...CREDITED)) / CREDITED.length) / 1e4,
      new_orders_count: CREDITED.length,
      returning_orders_count: 0,
      unique_customers_count: CREDITED.length,
      click_attributed_orders_count: CLICKED.length,
      click_attributed_revenue: totalOf(...CLICKED),
      targeted_revenue: totalOf(...CREDITED),
      incremental_revenue: 0,
      last_click_orders_count: 0,
      last_click_revenue: 0,
      contested_revenue: 0,
      refunded_revenue: null,
      net_attributed_revenue: null,
      attribution_scenarios: [
        {
          scenario: 'click_24h',
          orders_count: CLICKED.length - 1,
          revenue: totalOf(...CLICKED) - totalOf('clicksAWeekBefore'),
        },
        { scenario: 'click_configured', orders_count: CLICKED.length, revenue: totalOf(...CLICKED) },
        { scenario: 'configured', orders_count: CREDITED.length, revenue: totalOf(...CREDITED) },
        {
          scenario: 'configured_with_machine_opens',
          orders_count: CREDITED.length + 1,
          revenue: totalOf(...CREDITED, 'machineOpens'),
        },
      ],
      periods: null,
      campaigns: null,
    });
  });
});

describe('campaigns that nobody counts as marketing', () => {
  /** Half of what is clicked is the confirmation of an address. */
  const confirmations = (store: Partial<Store>): Partial<Store> => ({
    ...store,
    campaigns: [
      ...(store.campaigns ?? []),
      ...(store.campaigns ?? []).map((row) => ({
        ...row,
        campaign_id: 'confirm',
        category: 'double_opt_in',
      })),
    ],
    messages: [
      ...(store.messages ?? []),
      ...(store.messages ?? []).map((row) => ({
        ...row,
        message_id: `confirm-${row.message_id}`,
        campaign_id: 'confirm',
      })),
    ],
    sends: (store.sends ?? []).map((row, index) =>
      index % 2 === 0 ? row : { ...row, message_id: `confirm-${row.message_id}` },
    ),
  });

  it('are left out of credit, not of totals, and sends and orders agree on what is left', async () => {
    const mixed = await load(confirmations(messageShop()));
    const call = { business_id: mixed.business_id, ...MAY };
    const ofTool = async (tool: string, args: object) =>
      (await test.ask(tool, { ...call, ...args })) as Record<string, unknown> & {
        types: { campaign_category: string; attributed_revenue: number; sent_share: number }[];
        campaigns: { campaign_id: string; attributed_revenue: number }[];
      };
    const all = await ofTool('email_revenue_statistics', {});
    const without = await ofTool('email_revenue_statistics', { exclude_categories: ['double_opt_in'] });
    const only = await ofTool('email_revenue_statistics', { exclude_categories: ['newsletter'] });
    expect(Number(without.attributed_revenue) + Number(only.attributed_revenue)).toBe(all.attributed_revenue);
    expect(without.attributed_revenue).toBeGreaterThan(0);
    expect(only.attributed_revenue).toBeGreaterThan(0);
    for (const { total_revenue, last_click_revenue } of [without, only]) {
      expect([total_revenue, last_click_revenue]).toEqual([all.total_revenue, all.last_click_revenue]);
    }
    const { types } = await ofTool('email_campaign_type_statistics', {
      exclude_categories: ['double_opt_in'],
    });
    expect(types).toMatchObject([
      { campaign_category: 'newsletter', attributed_revenue: without.attributed_revenue, sent_share: 100 },
    ]);
    const { campaigns } = await ofTool('email_campaign_statistics', { exclude_categories: ['newsletter'] });
    expect(campaigns).toMatchObject([
      { campaign_id: 'confirm', attributed_revenue: only.attributed_revenue },
    ]);
    const links = await ofTool('email_link_statistics', { exclude_types: ['targeted-emailing'] });
    expect(links).toMatchObject({ delivered_count: 0 });
  });

  it('are named when they do not exist', async () => {
    const args = {
      business_id: shop.business_id,
      ...MAY,
      exclude_types: ['popup'],
      exclude_categories: ["'; --"],
    };
    for (const tool of ['email_revenue_statistics', 'email_campaign_type_statistics']) {
      const { notes } = await test.run(tool, args);
      expect(notes?.filter((note) => note.startsWith('Unknown in exclude_'))).toHaveLength(2);
    }
  });
});
