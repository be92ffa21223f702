import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AttributionWindows } from '../../src/business/attribution-windows.ts';
import { setBusinessSettings } from '../../src/control/businesses/business-settings.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Touches exactly as long before an order as their window allows, and a second longer: of clicks and opens of
 * e-mails and of deliveries of SMS, spread over some weeks, so that a model that looks for touches piece of
 * time by piece of time has them at every place of its pieces.
 */
const PAIRS = 40;
const HOUR = 3_600_000;
const START = Date.parse('2024-03-01T00:00:00Z');
const KINDS = ['click', 'open', 'delivery'] as const;

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

it.each<AttributionWindows>([
  { click: 168, open: 24, delivery: 48 },
  { click: 24, open: 24, delivery: 12 },
  { click: 5, open: 100, delivery: 1 },
  { click: 1, open: 2, delivery: 2160 },
  { click: 30, open: 0, delivery: 0 },
])('an order is credited to a touch as long before as %j, and not to an earlier one', async (windows) => {
  const business = await test.createBusiness();
  await setBusinessSettings(test.instance.control, business.business_id, { attribution_windows: windows });
  await test.importStore(business, storeOf(windows));
  const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };
  const attributed = async (channel: string) =>
    (
      (await test.ask(`${channel}_revenue_statistics`, { business_id: business.business_id, ...range })) as {
        attributed_orders_count: number;
      }
    ).attributed_orders_count;
  const credited = (kind: (typeof KINDS)[number]) => (windows[kind] > 0 ? PAIRS : 0);
  expect(await attributed('email')).toBe(credited('click') + credited('open'));
  expect(await attributed('sms')).toBe(credited('delivery'));
});

/** The order of `last` in each pair comes at the end of the window, the one of `late` a second after it. */
function storeOf(windows: AttributionWindows): Store {
  const touches = KINDS.flatMap((kind) =>
    Array.from({ length: PAIRS }, (_, pair) => ({ kind, at: START + pair * 13.7 * HOUR, pair })),
  ).flatMap(({ kind, at, pair }) =>
    Object.entries({ last: 0, late: 1000 }).map(([name, late]) => {
      const id = `${kind}-${pair}-${name}`;
      return { kind, at, id, email: `${id}@example.com`, ordered_at: at + windows[kind] * HOUR + late };
    }),
  );
  return {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'CZK', windows }),
    orders: touches.map(({ id, email, ordered_at }) => ({
      ...{ order_id: id, email, total: '1', ordered_at: iso(ordered_at) },
    })),
    campaigns: KINDS.map((kind) => ({
      ...{ campaign_id: kind, name: kind, state: 'active', created_at: '2024-01-01T00:00:00' },
      campaign_type: kind === 'delivery' ? 'targeted-sms' : 'targeted-emailing',
    })),
    messages: KINDS.map((kind) => ({
      ...{ message_id: kind, campaign_id: kind, channel: kind === 'delivery' ? 'sms' : 'email' },
    })),
    sends: touches.map(({ id, email, kind, at }) => ({
      ...{ send_id: id, message_id: kind, email, outcome: 'delivered' },
      sent_at: iso(kind === 'delivery' ? at : at - 10 * HOUR),
    })),
    message_events: touches
      .filter(({ kind }) => kind !== 'delivery')
      .map(({ id, kind, at }) => ({ event_id: id, send_id: id, kind, at: iso(at) })),
  };
}

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
