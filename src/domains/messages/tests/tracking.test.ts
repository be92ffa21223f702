import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { everyThirdInQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** Messages that were clicked beside the visits that were recorded of them: counted by hand. */
let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/** @param clicked e-mails of May with two clicks each, of 200 @param visits of that channel in May */
async function load(clicked: number, visits: number, more: Partial<Store> = {}): Promise<string> {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);
  await test.importStore(shop, {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: [
      {
        ...{ campaign_id: 'may', campaign_type: 'targeted-emailing', name: 'May', state: 'finished' },
        created_at: '2024-05-01T00:00:00',
      },
    ],
    messages: [{ message_id: 'm', campaign_id: 'may', channel: 'email', subject: 'May' }],
    sends: many(200).map((index) => ({
      ...{ send_id: `s${index}`, message_id: 'm', email: `p${index}@x.cz` },
      ...{ sent_at: '2024-05-10T08:00:00', outcome: 'delivered' },
    })),
    message_events: many(2 * clicked).map((index) => ({
      ...{ event_id: `e${index}`, send_id: `s${index % clicked}`, kind: 'click' },
      at: `2024-05-1${index < clicked ? 0 : 1}T09:00:00`,
    })),
    sessions: [
      { session_id: 'first', visitor_id: 'first', started_at: '2024-05-01T10:00:00' },
      ...many(visits).map((index) => ({
        ...{ session_id: `v${index}`, visitor_id: `v${index}`, started_at: '2024-05-10T09:00:01' },
        ...{ source: 'news', medium: 'email' },
      })),
      { session_id: 'last', visitor_id: 'last', started_at: '2024-05-31T10:00:00' },
    ],
    orders: [{ order_id: 'o', ordered_at: '2024-05-31T12:00:00', total: '1', email: 'p1@x.cz' }],
    ...more,
  });
  return shop.business_id;
}

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

const BOTH = [
  ['session_statistics', {}],
  ['session_statistics_trend', { breakdown: 'month' }],
  ['journey_statistics', {}],
  ['channel_transition_matrix', {}],
  ['email_channel_statistics', {}],
  ['email_campaign_type_statistics', {}],
  ['email_campaign_statistics', {}],
  ['email_link_statistics', {}],
  ['email_revenue_statistics', {}],
  ['email_deliverability_statistics', {}],
  ['targeted_campaign_statistics', {}],
] as const;

it('says wherever clicks or visits stand that there are far fewer visits than messages with a click', async () => {
  const [holed, kept, few, without] = [
    await load(120, 83),
    await load(120, 84),
    await load(99, 0),
    await load(120, 0, { sessions: [] }),
  ];
  const notes = async (business_id: string, tool: string, args: object) =>
    ((await test.run(tool, { business_id, ...MAY, ...args })).notes ?? []).filter((note) =>
      note.includes('Tracking has a hole'),
    );
  for (const [tool, args] of everyThirdInQuick(BOTH)) {
    expect(await notes(holed, tool, args), tool).toEqual([
      expect.stringMatching(
        /^E-mail: people clicked 240 times in 120 messages sent in the range, but only 83 visits of channel Email are recorded\./,
      ),
    ]);
    for (const store of [kept, few, without]) expect(await notes(store, tool, args), tool).toEqual([]);
  }
  // These tools show no clicks or visits of e-mails.
  expect(await notes(holed, 'order_statistics', {})).toEqual([]);
  expect(await notes(holed, 'sms_channel_statistics', {})).toEqual([]);
});

it('says nothing of the data of visits where only messages are asked for', async () => {
  const business_id = await load(1, 1);
  const later = { from_date: '2024-05-01T00:00:00', to_date: '2024-06-30T23:59:59' };
  const { notes = [] } = await test.run('email_channel_statistics', { business_id, ...later });
  expect(notes.join()).toContain('Messages are loaded until');
  expect(notes.join()).not.toContain('Sessions are loaded until');
});

it('compares nothing of the time before visits are recorded', async () => {
  const started = await load(120, 0, {
    sessions: [{ session_id: 'late', visitor_id: 'late', started_at: '2024-05-20T10:00:00' }],
  });
  const { notes = [] } = await test.run('session_statistics', { business_id: started, ...MAY });
  expect(notes.join()).not.toContain('Tracking');
});
