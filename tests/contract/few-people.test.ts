import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { emptyStore, type Store } from '../oracle/store.ts';
import { isQuick } from '../support/runs.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Three people of whom everything is rare among forty: where they live, what they were given, by which
 * provider they read. Whatever it is asked to group by, no tool has a row of what is theirs, and those about
 * the shop's books have all rows of what is the shop's (0184), so that one which forgets to hide, or hides
 * the shop from its merchant, is found here.
 */

const RARE = {
  country: 'Iceland',
  coupon: 'RARECOUPON',
  city: 'Rarecity',
  tag: 'raretag',
  language: 'is-rare',
  domain: 'rare.example',
  smsCountry: 'RARE-LAND',
  source: 'rare source',
  reason: 'rare reason',
  list: 'rarelist',
} as const;

/** The merchant made the list and named it; tools about lists repeat that name, and nothing else of it. */
const namedBy = ({ group }: Tool): readonly string[] => (group === 'Interest lists' ? ['list'] : []);

/**
 * Names that are the shop's own: where it sent parcels and messages to, where visits came from, which coupons
 * it gave.
 */
const OF_THE_SHOP: Readonly<Record<string, readonly string[]>> = {
  order_distribution_statistics: ['country', 'coupon'],
  // Names of segments, all numbers of which are null.
  first_purchase_cohorts: ['country', 'coupon'],
  session_statistics: ['country'],
  sms_channel_statistics: ['smsCountry'],
};

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  business_id = business.business_id;
  await test.importStore(business, store());
});

afterAll(() => test[Symbol.asyncDispose]());

describe.each(CATALOGUE.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it("shows no row about three people, whichever way it groups, unless the row is the shop's own book", async () => {
    const args = sampleArguments(name, business_id);
    const ofTheShop = OF_THE_SHOP[name] ?? [];
    const toldOfTheShop = new Set<string>();
    for (const chosen of [{}, ...choices(tool.input)]) {
      // A column that is null in all rows is told of by an error alone.
      const text = await test.ask(name, { ...args, ...chosen }).then(JSON.stringify, (error: Error) => {
        if (error.message.includes('which is null in all rows')) return error.message;
        throw error;
      });
      const told = Object.entries(RARE)
        .filter(([kind, value]) => text.includes(value) && !namedBy(tool).includes(kind))
        .map(([kind]) => kind);
      for (const kind of told) if (ofTheShop.includes(kind)) toldOfTheShop.add(kind);
      const oftheirs = told.filter((kind) => !ofTheShop.includes(kind));
      expect({ chosen, told: oftheirs }).toEqual({ chosen, told: [] });
    }
    expect([...toldOfTheShop].sort()).toEqual([...ofTheShop].sort());
  });
});

/** What an answer's rows look like, not which they are: `npm test` leaves them out. */
const SAME_ROWS: ReadonlySet<string> = new Set(['format', 'sort_by', 'sort_order']);

/** Each value of each argument that is a choice, one at a time. */
function choices(input: z.ZodObject): Record<string, unknown>[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', reused: 'inline' });
  return Object.entries(properties).flatMap(([argument, schema]) => {
    const {
      enum: values,
      items,
      type,
    } = schema as { enum?: unknown[]; items?: { enum?: unknown[] }; type?: string };
    if (isQuick && SAME_ROWS.has(argument)) return [];
    if (type === 'boolean') return [{ [argument]: true }, { [argument]: false }];
    if (items?.enum !== undefined)
      return argument === 'fields' ? [] : items.enum.map((value) => ({ [argument]: [value] }));
    return (values ?? []).map((value) => ({ [argument]: value }));
  });
}

function store(): Store {
  const made = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  made.products.push(
    { external_product_id: 'P1', name: 'Shirt', brand: 'Acme', price: '100' },
    { external_product_id: 'P2', name: 'Hat', price: '50' },
  );
  made.interest_lists.push(
    { code: 'news', name: 'News', channels: '["email"]' },
    { code: RARE.list, name: 'A list of few', channels: '["email"]' },
  );
  made.campaigns.push(
    {
      campaign_id: 'C1',
      name: 'Letter',
      campaign_type: 'targeted-emailing',
      state: 'sent',
      created_at: '2024-03-01T00:00:00Z',
    },
    {
      campaign_id: 'C2',
      name: 'Text',
      campaign_type: 'targeted-sms',
      state: 'sent',
      created_at: '2024-03-01T00:00:00Z',
    },
  );
  made.messages.push(
    { message_id: 'M1', campaign_id: 'C1', channel: 'email', subject: 'Hello' },
    { message_id: 'M2', campaign_id: 'C2', channel: 'sms', text: 'Hello' },
  );
  made.segments.push({ segment_id: 'S1', name: 'All', segment_query: '{"segments":[]}' });
  for (let number = 0; number < 40; number += 1) addPerson(made, number, number < 3);
  return made;
}

function addPerson(made: Store, number: number, isRare: boolean): void {
  const profile_id = `p${number}`;
  const day = `2024-03-${String((number % 28) + 1).padStart(2, '0')}`;
  made.profiles.push({
    profile_id,
    created_at: '2024-01-05T10:00:00Z',
    country: isRare ? RARE.country : 'Czechia',
    language: isRare ? RARE.language : 'cs',
    attributes: JSON.stringify({ city: isRare ? RARE.city : 'Brno' }),
    tags: JSON.stringify([isRare ? RARE.tag : 'regular']),
  });
  made.consent_events.push(
    {
      profile_id,
      channel: 'email',
      at: '2024-01-05T10:00:00Z',
      state: 'subscribed',
      source: isRare ? RARE.source : 'checkout',
    },
    {
      profile_id,
      channel: 'sms',
      at: '2024-01-05T10:00:00Z',
      state: 'subscribed',
      source: isRare ? RARE.source : 'checkout',
    },
    {
      profile_id,
      channel: 'email',
      at: '2024-06-05T10:00:00Z',
      state: 'unsubscribed',
      reason: isRare ? RARE.reason : 'too many',
    },
  );
  made.interest_list_events.push(
    {
      code: 'news',
      profile_id,
      at: '2024-02-05T10:00:00Z',
      kind: 'subscribed',
      source: isRare ? RARE.source : 'checkout',
    },
    {
      code: 'news',
      profile_id,
      at: '2024-05-05T10:00:00Z',
      kind: 'unsubscribed',
      reason: isRare ? RARE.reason : 'too many',
    },
  );
  if (isRare)
    made.interest_list_events.push({
      code: RARE.list,
      profile_id,
      at: '2024-02-05T10:00:00Z',
      kind: 'subscribed',
    });
  made.sends.push(
    {
      send_id: `e${number}`,
      message_id: 'M1',
      profile_id,
      sent_at: `${day}T09:00:00Z`,
      delivered_at: `${day}T09:00:05Z`,
      outcome: 'delivered',
      recipient_domain: isRare ? RARE.domain : 'gmail.com',
    },
    {
      send_id: `s${number}`,
      message_id: 'M2',
      profile_id,
      sent_at: `${day}T09:30:00Z`,
      delivered_at: `${day}T09:30:05Z`,
      outcome: 'delivered',
      sms_country: isRare ? RARE.smsCountry : 'CZ',
      sms_segments: '1',
      cost: '1',
    },
  );
  made.orders.push({
    order_id: `o${number}`,
    ordered_at: `${day}T12:00:00Z`,
    profile_id,
    status: 'paid',
    total: '150',
    currency: 'CZK',
    country: isRare ? RARE.country : 'Czechia',
    coupon_codes: JSON.stringify([isRare ? RARE.coupon : 'SPRING']),
    visitor_id: `v${number}`,
  });
  made.order_items.push({
    order_id: `o${number}`,
    line_no: '1',
    kind: 'product',
    external_product_id: 'P1',
    quantity: '1',
    unit_price: '150',
  });
  made.sessions.push({
    session_id: `x${number}`,
    visitor_id: `v${number}`,
    started_at: `${day}T11:50:00Z`,
    ended_at: `${day}T12:01:00Z`,
    source: 'google',
    medium: 'organic',
    country: isRare ? RARE.country : 'Czechia',
  });
}
