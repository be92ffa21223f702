// Revenue credited to messages is not what they caused: every answer that has it says so, unless a group was
// held out.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let shop: string;
let without: string;
const SETTINGS = { timezone: 'Europe/Prague', primary_currency: 'CZK' };
const PEOPLE = Array.from({ length: 12 }, (_, place) => `p${place}@x.cz`);
const CONTROL = Array.from({ length: 6 }, (_, place) => `c${place}@x.cz`);
const RANGE = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

/** Two newsletters and an automation, which all bring an order of each second person who clicks. */
function sent(): Store {
  const store = emptyStore(SETTINGS);
  const campaigns = [
    ['news', 'targeted-emailing', '2024-05-03'],
    ['sale', 'targeted-emailing', '2024-05-10'],
    ['auto', 'incremental-emailing', '2024-05-20'],
  ] as const;
  for (const [campaign_id, campaign_type, day] of campaigns) {
    const created_at = '2024-01-01T00:00:00Z';
    store.campaigns.push({
      ...{ campaign_id, campaign_type, name: campaign_id, state: 'active', created_at },
      utm_campaign: campaign_id,
    });
    store.messages.push({ message_id: `${campaign_id}-1`, campaign_id, channel: 'email', subject: 'x' });
    for (const [place, email] of PEOPLE.entries()) {
      const send_id = `${campaign_id}-${place}`;
      store.sends.push({ send_id, message_id: `${campaign_id}-1`, email, sent_at: `${day}T08:00:00Z` });
      if (place % 2 === 1) continue;
      const at = `${day}T09:00:00Z`;
      store.message_events.push({ event_id: send_id, send_id, kind: 'click', at });
      store.orders.push({ order_id: send_id, email, ordered_at: `${day}T10:00:00Z`, total: '100' });
    }
  }
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const load = async (store: Store) => {
    const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await test.importStore(business, store);
    return business.business_id;
  };
  without = await load(sent());
  const store = sent();
  for (const email of CONTROL)
    store.audience_members.push({
      ...{ campaign_id: 'news', email, outcome: 'control', entered_at: '2024-05-03T07:00:00Z' },
    });
  shop = await load(store);
});

afterAll(() => test[Symbol.asyncDispose]());

const isOfEffect = (note: string) => /held out|compared with each other/.test(note);

async function notesOf(business_id: string, tool: string, more: object = {}) {
  const id = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  const notes = (await test.run(tool, { ...id, ...RANGE, ...more })).notes ?? [];
  return notes.filter(isOfEffect);
}

const NOBODY =
  'No group was held out, so credited revenue is not the effect: it is what followed, and who opens, clicks or submits buys more anyway.';

it.each([
  ['email_campaign_statistics', {}],
  ['incremental_campaign_statistics', {}],
  ['targeted_campaign_statistics', {}],
  ['email_campaign_type_statistics', {}],
  ['campaign_statistics_trend', { campaign_ids: ['sale', 'auto'], breakdown: 'month' }],
  ['get_campaign_statistics', { campaign_id: 'sale' }],
  ['email_revenue_statistics', { by_campaign: true }],
  ['query_metrics', { metrics: ['email_attributed_revenue'], group_by: ['email_campaign'] }],
  ['explain_change', { metric: 'email_attributed_revenue' }],
] as const)('%s says that what is credited is not the effect', async (tool, more) => {
  const { result } = await test.run(tool, {
    ...(tool === 'query_metrics' ? { business_ids: [without] } : { business_id: without }),
    ...{ ...RANGE, ...more },
  });
  // Counted by hand: six orders of 100 follow each of the three campaigns.
  if (tool === 'email_campaign_statistics')
    expect((result as { campaigns: object[] }).campaigns).toEqual(
      ['auto', 'news', 'sale'].map((campaign_id) =>
        expect.objectContaining({ campaign_id, attributed_revenue: 600 }),
      ),
    );
  expect(await notesOf(without, tool, more)).toEqual([NOBODY]);
});

it('says of which campaigns alone the effect is known', async () => {
  const only =
    'Only of ["news"] a group was held out: lift of targeted_campaign_statistics tells their effect. Other credited revenue is not the effect: it is what followed, and who opens, clicks or submits buys more anyway.';
  expect(await notesOf(shop, 'email_campaign_statistics')).toEqual([only]);
  expect(await notesOf(shop, 'email_revenue_statistics')).toEqual([only]);
  expect(await notesOf(shop, 'incremental_campaign_statistics')).toEqual([NOBODY]);
  expect(await notesOf(shop, 'get_campaign_statistics', { campaign_id: 'sale' })).toEqual([NOBODY]);
  expect(await notesOf(shop, 'get_campaign_statistics', { campaign_id: 'news' })).toEqual([]);
  const { notes } = await test.run('get_campaign_statistics', { business_id: shop, campaign_id: 'news' });
  expect(notes).toContain(
    'Credited revenue is not the effect, which lift of targeted_campaign_statistics tells: it is what followed, and who opens, clicks or submits buys more anyway.',
  );
});

it('names no campaign of which nothing is in the range', async () => {
  // Sent on 3 May: until the 10th, seven days after, a click on it is credited with orders.
  const since = (from_date: string) => notesOf(shop, 'email_revenue_statistics', { from_date });
  expect(await since('2024-05-10T00:00:00')).toEqual([expect.stringMatching(/^Only of \["news"\]/)]);
  expect(await since('2024-05-11T00:00:00')).toEqual([NOBODY]);
  expect(
    await notesOf(shop, 'query_metrics', {
      ...{ metrics: ['email_attributed_revenue'], from_date: '2024-05-11T00:00:00' },
    }),
  ).toEqual([NOBODY]);
});

it('says nothing where no money is asked for, and where nothing is credited', async () => {
  expect(await notesOf(without, 'email_campaign_statistics', { fields: ['open_rate'] })).toEqual([]);
  expect(await notesOf(without, 'email_channel_statistics')).toEqual([]);
  expect(await notesOf(without, 'order_statistics')).toEqual([]);
  expect(await notesOf(without, 'email_campaign_statistics', { to_date: '2024-05-02T00:00:00' })).toEqual([]);
  expect(await notesOf(without, 'query_metrics', { metrics: ['email_open_rate'] })).toEqual([]);
});
