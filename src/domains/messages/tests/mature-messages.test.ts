import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';

/** An automation that sends every day until the data end: numbers worked out by hand. */
let test: TestInstance;
let shop: Business;

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, automation());
});

afterAll(() => test[Symbol.asyncDispose]());

const day = (number: number) => String(number).padStart(2, '0');

/**
 * One e-mail goes out each day at 8:00 from 1 to 20 May, and that of the 4th bounced; the data end on the
 * 20th at 12:00, seven days and four hours after that of the 13th. Those of the 2nd and the 19th were
 * clicked, and an order followed.
 */
function automation(): Store {
  const order = (number: number, total: string) => ({
    ...{ order_id: `o${number}`, ordered_at: `2024-05-${day(number)}T10:00:00`, total },
    email: `p${number}@x.cz`,
  });
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: [
      {
        ...{ campaign_id: 'cart', campaign_type: 'incremental-emailing', name: 'Cart', state: 'active' },
        created_at: '2024-01-01T00:00:00',
      },
    ],
    messages: [{ message_id: 'm', campaign_id: 'cart', channel: 'email', subject: 'Your cart' }],
    sends: Array.from({ length: 20 }, (_, index) => ({
      ...{ send_id: `s${index + 1}`, message_id: 'm', email: `p${index + 1}@x.cz` },
      ...{ sent_at: `2024-05-${day(index + 1)}T08:00:00`, outcome: index === 3 ? 'hard' : 'delivered' },
    })),
    message_events: [2, 19].map((number) => ({
      ...{ event_id: `e${number}`, send_id: `s${number}`, kind: 'click' },
      at: `2024-05-${day(number)}T09:00:00`,
    })),
    orders: [
      order(2, '120'),
      order(19, '1000'),
      { order_id: 'last', ordered_at: '2024-05-20T12:00:00', total: '1', email: 'nobody@x.cz' },
    ],
  };
}

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-20T23:59:59' };
const ask = async (tool: string, args: object = {}) =>
  (await test.ask(tool, { business_id: shop.business_id, ...MAY, ...args })) as Record<string, object[]>;

it.each([
  ['email_campaign_statistics', 'campaigns'],
  ['email_campaign_type_statistics', 'types'],
  ['incremental_campaign_statistics', 'campaigns'],
])('%s tells what is final beside what can still grow', async (tool, list) => {
  // The data end with the e-mail of the 20th, so those until the 12th have had their seven days: twelve
  // without the bounce.
  expect((await ask(tool))[list]).toMatchObject([
    {
      ...{ is_mature: false, delivered_count: 19, attributed_revenue: 1120, conversion_rate: 10.5263 },
      ...{ mature_delivered_count: 11, mature_conversion_rate: 9.0909 },
      mature_revenue_per_recipient: 10.9091,
    },
  ]);
  const past = { to_date: '2024-05-05T23:59:59' };
  expect((await ask(tool, past))[list]).toMatchObject([
    {
      ...{ is_mature: true, delivered_count: 4, conversion_rate: 25, mature_delivered_count: 4 },
      ...{ mature_conversion_rate: 25, mature_revenue_per_recipient: 30, revenue_per_recipient: 30 },
    },
  ]);
  const recent = { from_date: '2024-05-14T00:00:00' };
  expect((await ask(tool, recent))[list]).toMatchObject([
    { mature_delivered_count: 0, mature_conversion_rate: null, mature_revenue_per_recipient: null },
  ]);
});

it('campaigns are not sorted by it, and one-off ones have it too', async () => {
  await expect(ask('email_campaign_statistics', { sort_by: 'mature_conversion_rate' })).rejects.toThrow(
    'sort_by must be one of',
  );
  expect(await ask('targeted_campaign_statistics')).toMatchObject({ campaigns: [] });
});
