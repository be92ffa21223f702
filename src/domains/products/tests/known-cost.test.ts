import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

import { setBusinessSettings } from '../../../control/businesses/business-settings.ts';

/** Numbers worked out by hand. */

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

it('a product twice in one order, once without a known cost', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await setBusinessSettings(test.instance.control, business.business_id, { vat_rate: 0 });
  const line = { order_id: 'o1', external_product_id: 'shirt', quantity: '1' };
  await test.importStore(business, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    orders: [{ order_id: 'o1', ordered_at: '2024-01-10T12:00:00', email: 'a@example.com', total: '500' }],
    order_items: [
      { ...line, line_no: '1', unit_price: '100', unit_cost: '25' },
      { ...line, line_no: '2', unit_price: '400' },
    ],
  });
  const answer = await test.ask('product_statistics', {
    business_id: business.business_id,
    from_date: '2024-01-01T00:00:00',
    to_date: '2024-01-31T23:59:59',
  });
  expect(answer).toMatchObject({
    products: [
      {
        estimated_revenue: 500,
        revenue_with_known_cost: 20,
        estimated_gross_profit: 75,
        estimated_gross_profit_margin: 75,
      },
    ],
  });
});
