import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectedAnswers } from '../../../../tests/oracle/expected-answers.ts';
import { emptyStore, readCsv, type Store } from '../../../../tests/oracle/store.ts';
import { isQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';
import { setBusinessSettings } from '../../../control/businesses/business-settings.ts';
import { currentSnapshot } from '../../../control/businesses/businesses.ts';
import { rollBack } from '../../../snapshot/rollback.ts';
import { updateBusiness } from '../../../snapshot/update-business.ts';

/** Gross profit where the business says how much VAT is in its prices: by hand, and against the oracle. */
const FOLDER = fileURLToPath(new URL('../../../../tests/fixtures/hand-made-shop', import.meta.url));
const RANGE = { from_date: '2023-12-01T00:00:00', to_date: '2025-02-28T23:59:59' };

let test: TestInstance;
let shop: Business;
let store: Store;

async function withRate(vat_rate: number): Promise<Business> {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await setBusinessSettings(test.instance.control, business.business_id, { vat_rate });
  return business;
}

beforeAll(async () => {
  test = await createTestInstance();
  shop = await withRate(21);
  store = readCsv(FOLDER, { timezone: shop.timezone, primary_currency: shop.primary_currency, vat: 21 });
  await test.importFolder(shop, FOLDER);
});

afterAll(() => test[Symbol.asyncDispose]());

it.each([
  ['product_statistics', { limit: 1000 }],
  ['product_statistics', { limit: 1000, sort_by: 'gross_profit_margin', sort_order: 'asc' }],
  ['product_statistics', { filter_metrics: [{ metric: 'gross_profit', from_value: null, to_value: 150 }] }],
  ['brand_statistics', { limit: 1000 }],
  ['category_statistics', { limit: 1000, sort_by: 'avg_gross_profit_margin' }],
  ['master_product_statistics', { limit: 1000 }],
  ['product_statistics_trend', { breakdown: 'month', external_product_ids: ['P1', 'P9', 'P4'] }],
  ['brand_statistics_trend', { breakdown: 'week', brands: ['Acme'] }],
])('%s %j is without VAT, as the oracle says', async (tool, args) => {
  const call = { business_id: shop.business_id, ...RANGE, ...args };
  const { result } = await test.run(tool, call);
  expect(result).toEqual(expectedAnswers[tool as keyof typeof expectedAnswers](store, call as never));
});

/**
 * A shirt for 121 and one for 0.0003, bought for 60 and for nothing; what was sent by SMS brought the order.
 */
function smallShop(): Store {
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    products: [
      { external_product_id: 'shirt', name: 'Shirt', price: '121', purchase_price: '60' },
      { external_product_id: 'sticker', name: 'Sticker', price: '0.0003', purchase_price: '0' },
      { external_product_id: 'gift', name: 'Gift', price: '0', purchase_price: '1' },
    ],
    orders: [{ order_id: 'o', ordered_at: '2024-01-10T12:00:00', email: 'a@x.cz', total: '300' }],
    order_items: [
      {
        ...{ order_id: 'o', line_no: '1', external_product_id: 'shirt' },
        ...{ quantity: '2', unit_price: '121' },
      },
      {
        ...{ order_id: 'o', line_no: '2', external_product_id: 'sticker' },
        ...{ quantity: '-1', unit_price: '0.0003' },
      },
    ],
    campaigns: [
      {
        ...{ campaign_id: 's', campaign_type: 'targeted-sms', name: 'S', state: 'sent' },
        created_at: '2024-01-01T00:00:00',
      },
    ],
    messages: [{ message_id: 'm', campaign_id: 's', channel: 'sms', text: 'Hello' }],
    sends: [
      {
        ...{ send_id: 'x', message_id: 'm', email: 'a@x.cz', sent_at: '2024-01-10T08:00:00' },
        ...{ outcome: 'delivered', cost: '1' },
      },
    ],
    message_events: [{ event_id: 'e', send_id: 'x', kind: 'click', at: '2024-01-10T09:00:00' }],
  };
}

it('prices and revenue lose it, costs do not, and shares of revenue stay', async () => {
  const business = await withRate(21);
  await test.importStore(business, smallShop());
  const { products } = (await test.ask('product_statistics', {
    ...{ business_id: business.business_id, ...RANGE, sort_by: 'price' },
  })) as { products: object[] };
  expect(products).toMatchObject([
    {
      ...{ price: 121, gross_profit: 40, gross_profit_margin: 40, estimated_revenue: 242 },
      ...{ estimated_gross_profit: 80, estimated_gross_profit_margin: 40, revenue_with_known_cost: 100 },
    },
    // 0.0003 is 0.0002 without VAT, to four decimals.
    { price: 0.0003, gross_profit: 0.0002, gross_profit_margin: 100, estimated_gross_profit: -0.0002 },
    { price: 0, gross_profit: null, gross_profit_margin: null },
  ]);
  const sms = await test.ask('sms_revenue_statistics', { business_id: business.business_id, ...RANGE });
  expect(sms).toMatchObject({ attributed_revenue: 300, gross_profit_after_cost: 80 - 0.0002 - 1 });
});

it.skipIf(isQuick)('comes with the snapshot that was built with it, and goes with it', async () => {
  const { control } = test.instance;
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, smallShop());
  const margin = async () => {
    const call = { business_id: business.business_id, ...RANGE, filter_external_product_ids: ['shirt'] };
    const { result, notes } = await test.run('product_statistics', call);
    const [row] = (result as { products: { gross_profit: number }[] }).products;
    return [row?.gross_profit, notes?.filter((one) => one.includes('VAT'))];
  };
  const unknown = [
    'The VAT of some orders is not known: tax and net_revenue are null where they are counted, and profit leaves them out.',
    'gross_profit and margins of prices are null: no VAT rate is set for the store.',
    'A rate is set with: storesight business update <id> --vat-rate 21 (0: prices have no VAT).',
  ];
  expect(await margin()).toEqual([null, unknown]);
  expect(await updateBusiness(test.instance, business, { vat_rate: 10 })).toMatchObject({
    changed: ['vat_rate'],
  });
  expect(await margin()).toEqual([50, []]);
  expect((await currentSnapshot(control, business.business_id))?.facts.vat_rate).toBe(10);
  await rollBack(test.instance, business.business_id);
  expect(await margin()).toEqual([null, unknown]);
  expect(await updateBusiness(test.instance, business, { vat_rate: null })).toMatchObject({ changed: [] });
});
