import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { type Customer, hasHillstrom, readHillstrom } from '../../../../tests/support/hillstrom.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * The test of K. Hillstrom as a store: each e-mail a campaign that held out the third group, and both as
 * variants of one. A visit is a click, a conversion an order after it. The expected numbers are those of
 * SciPy on the rows of the file, as in tests/statistics/comparisons.test.ts, or counts anybody can make.
 */
describe.skipIf(!hasHillstrom)('Hillstrom (skipped where its file is not beside the repository)', () => {
  let test: TestInstance;
  let apart: string;
  let together: string;

  beforeAll(async () => {
    test = await createTestInstance();
    const customers = readHillstrom();
    const load = async (store: Store) => {
      const business = await test.createBusiness({ currency: 'USD' });
      await test.importStore(business, store);
      return business.business_id;
    };
    apart = await load(storeOf(customers, ['mens', 'womens']));
    together = await load(storeOf(customers, ['both']));
  });

  afterAll(() => test[Symbol.asyncDispose]());

  type Answer = { campaigns: Record<string, unknown>[]; variants: Record<string, unknown>[] };

  const targeted = async (business_id: string) => {
    const range = { from_date: '2008-03-01T00:00:00', to_date: '2008-03-31T23:59:59', sort_order: 'asc' };
    const answer = await test.ask('targeted_campaign_statistics', { business_id, ...range });
    return (answer as Answer).campaigns;
  };

  it('has the lift of each e-mail', async () => {
    expect(await targeted(apart)).toMatchObject([
      {
        ...{
          campaign_id: 'mens',
          audience_count: 42_613,
          skipped_count: 21_306,
          control_group_count: 21_306,
        },
        ...{
          sent_count: 21_307,
          click_rate: 18.2757,
          attributed_orders_count: 267,
          attributed_revenue: 30_311.69,
        },
        lift: {
          ...{ treated_conversion_rate: 1.2531, control_conversion_rate: 0.5726, p_value: 0.0001 },
          // 267 - 122 x 21307/21306, and 30311.69 - 13908.33 x 21307/21306: 0.6805 % and 0.7698 dollars of
          // each.
          ...{ incremental_orders: 144.9943, incremental_revenue: 16_402.7072 },
        },
      },
      {
        ...{ campaign_id: 'womens', audience_count: 42_693, control_group_count: 21_306 },
        ...{
          sent_count: 21_387,
          click_rate: 15.14,
          attributed_orders_count: 189,
          attributed_revenue: 23_038.11,
        },
        lift: {
          ...{ treated_conversion_rate: 0.8837, control_conversion_rate: 0.5726, p_value: 0.0002 },
          // 0.3111 % and 0.4244 dollars of each.
          ...{ incremental_orders: 66.5362, incremental_revenue: 9076.9041 },
          // SciPy: 0.1689567898837789 to 0.6798676419894147 dollars of each.
          ...{ incremental_revenue_low: 3613.4789, incremental_revenue_high: 14_540.3293 },
        },
      },
    ]);
  });

  it('has the lift of both, where nobody is counted twice', async () => {
    expect(await targeted(together)).toMatchObject([
      {
        ...{ campaign_id: 'both', audience_count: 64_000, sent_count: 42_694, skipped_count: 21_306 },
        // 456 - 122 x 42694/21306
        lift: {
          treated_conversion_rate: 1.0681,
          control_conversion_rate: 0.5726,
          incremental_orders: 211.5305,
        },
      },
    ]);
  });

  it.each([
    ['click_rate', 18.2757, 15.14, 3.1356, 0.0001],
    ['conversion_rate', 1.2531, 0.8837, 0.3694, 0.0002],
    ['revenue_per_recipient', 1.4226, 1.0772, 0.3454, 0.0305],
  ])('finds the difference of %s', async (metric, mens, womens, difference, p_value) => {
    const call = { business_id: together, campaign_id: 'both', metric };
    const { variants } = (await test.ask('campaign_variant_statistics', call)) as Answer;
    expect(variants).toMatchObject([
      { variant: 'A', metric_value: mens, difference, p_value, is_significant: true },
      { variant: 'B', metric_value: womens, difference: -difference, p_value, is_significant: true },
    ]);
    if (metric === 'revenue_per_recipient') {
      expect(variants[0]).toMatchObject({ difference_low: 0.0326, difference_high: 0.6583 });
      expect(variants[1]).toMatchObject({ difference_low: -0.6583, difference_high: -0.0326 });
    }
  });
});

/**
 * The e-mails of one campaign are its variants A and B; two campaigns have one each, and both have the
 * control group.
 */
function storeOf(customers: readonly Customer[], campaigns: readonly string[]): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'USD' });
  const isTest = campaigns.length === 1;
  store.campaigns = campaigns.map((campaign_id) => ({
    ...{ campaign_id, name: campaign_id, state: 'sent', created_at: '2008-03-01T00:00:00Z' },
    campaign_type: isTest ? 'targeted-emailing-ab' : 'targeted-emailing',
  }));
  store.messages = ['A', 'B'].map((variant, index) => ({
    ...{ message_id: variant, variant, channel: 'email' },
    campaign_id: campaigns[isTest ? 0 : index],
  }));
  const variants: Readonly<Record<string, string>> = { 'Mens E-Mail': 'A', 'Womens E-Mail': 'B' };
  for (const [index, { group, hasVisited, hasBought, spend }] of customers.entries()) {
    const id = String(index);
    const message_id = variants[group];
    if (message_id === undefined) {
      const held: Row<'audience_members'> = {
        profile_id: id,
        outcome: 'control',
        entered_at: '2008-03-03T08:00:00Z',
      };
      store.audience_members.push(...campaigns.map((campaign_id) => ({ ...held, campaign_id })));
    } else {
      store.sends.push({ send_id: id, message_id, profile_id: id, sent_at: '2008-03-03T08:00:00Z' });
      if (hasVisited) {
        store.message_events.push({ event_id: id, send_id: id, kind: 'click', at: '2008-03-05T08:00:00Z' });
      }
    }
    if (hasBought) {
      store.orders.push({ order_id: id, profile_id: id, total: spend, ordered_at: '2008-03-06T08:00:00Z' });
    }
  }
  return store;
}
