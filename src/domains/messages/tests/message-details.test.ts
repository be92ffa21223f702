import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Row } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

let test: TestInstance;
let business_id: string;

const SMS: Readonly<Record<string, { text: string; parts: number; isUnicode?: boolean }>> = {
  full: { text: 'a'.repeat(160), parts: 1 },
  split: { text: 'a'.repeat(161), parts: 2 },
  'two full': { text: 'a'.repeat(306), parts: 2 },
  three: { text: 'a'.repeat(307), parts: 3 },
  basic: { text: `@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./:;<=>?¡ÄÖÑÜ§¿äöñüà\n`, parts: 1 },
  extension: { text: '^{}\\[~]|€'.repeat(9), parts: 2 },
  unicode: { text: 'ř'.repeat(70), parts: 1, isUnicode: true },
  'unicode split': { text: `${'a'.repeat(70)}ř`, parts: 2, isUnicode: true },
  'unicode three': { text: 'ř'.repeat(135), parts: 3, isUnicode: true },
  emoji: { text: '😀'.repeat(36), parts: 2, isUnicode: true },
  backtick: { text: '`', parts: 1, isUnicode: true },
};

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const CLIENTS: Readonly<Record<string, string>> = {
  'Apple Mail Privacy Protection': 'apple_mail',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148':
    'apple_mail',
  'Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)': 'gmail',
  'YahooMailProxy; https://help.yahoo.com/': 'yahoo',
  'Microsoft Outlook 16': 'outlook',
  'Seznam Email': 'seznam',
  [CHROME]: 'other',
  '': 'unknown',
};

beforeAll(async () => {
  test = await createTestInstance();
  const created = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  business_id = created.business_id;
  const business = { timezone: 'Europe/Prague', primary_currency: 'CZK' };
  const campaign = (campaign_id: string, campaign_type: string): Row<'campaigns'> => ({
    ...{ campaign_id, campaign_type, name: campaign_id, state: 'sent', created_at: '2024-01-01T00:00:00Z' },
  });
  const sent = { sent_at: '2024-05-10T08:00:00Z', outcome: 'delivered' };
  await test.importStore(created, {
    ...emptyStore(business),
    campaigns: [
      campaign('mail', 'targeted-emailing'),
      ...Object.keys(SMS).map((name) => campaign(name, 'targeted-sms')),
    ],
    messages: [
      { message_id: 'mail', campaign_id: 'mail', channel: 'email' },
      ...Object.entries(SMS).map(([name, { text }]) => ({
        ...{ message_id: name, campaign_id: name, channel: 'sms', text },
      })),
    ],
    sends: [
      { send_id: 'mail', message_id: 'mail', email: 'a@x.cz', ...sent },
      ...Object.keys(SMS).map((name) => ({
        send_id: name,
        message_id: name,
        phone: '+420777000001',
        ...sent,
      })),
    ],
    message_events: [
      ...Object.keys(CLIENTS).map((client, index) => ({
        ...{ event_id: String(index), send_id: 'mail', kind: 'open', at: '2024-05-10T09:00:00Z', client },
      })),
      {
        event_id: 'scan',
        send_id: 'mail',
        kind: 'open',
        at: '2024-05-10T09:00:00Z',
        client: 'Barracuda Sentinel',
      },
    ],
  });
});

afterAll(() => test[Symbol.asyncDispose]());

const MAY = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

it('an SMS is billed by its characters', async () => {
  const answer = await test.ask('sms_campaign_statistics', { business_id, ...MAY, limit: 1000 });
  const { campaigns } = answer as { campaigns: Record<string, unknown>[] };
  expect(
    Object.fromEntries(
      campaigns.map(({ campaign_id, segments_count, unicode_messages_count }) => [
        campaign_id,
        [segments_count, unicode_messages_count],
      ]),
    ),
  ).toEqual(
    Object.fromEntries(
      Object.entries(SMS).map(([name, { parts, isUnicode }]) => [name, [parts, isUnicode ? 1 : 0]]),
    ),
  );
});

it('a program is known by its name or agent, a scanner is a machine', async () => {
  const { clients } = (await test.ask('email_channel_statistics', { business_id, ...MAY })) as {
    clients: { client: string; opens_count: number; machine_opens_count: number }[];
  };
  const expected = Map.groupBy(Object.values(CLIENTS), (client) => client);
  expect(Object.fromEntries(clients.map(({ client, opens_count }) => [client, opens_count]))).toEqual(
    Object.fromEntries([...expected].map(([client, all]) => [client, all.length])),
  );
  expect(clients.find(({ client }) => client === 'other')?.machine_opens_count).toBe(1);
});
