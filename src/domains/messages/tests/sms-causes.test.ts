import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

let test: TestInstance;
let business_id: string;

const TEXTS = {
  dash: 'Sleva – jen dnes, jen v aplikaci',
  accent: 'Sleva – též pro členy',
  plain: 'Sleva jen dnes {10}',
};
/** How many SMS failed for what, and to where. */
const FAILED = [
  ['No route to operator', 'SK', 6],
  ['Sender refused', 'SK', 2],
  ['Sender refused', 'CZ', 3],
  ['absent_subscriber', 'CZ', 7],
  ['something else', 'PL', 4],
] as const;

function shop(): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  store.campaigns.push({
    ...{ campaign_id: 'c', campaign_type: 'targeted-sms', name: 'c', state: 'sent' },
    created_at: '2024-01-01T00:00:00Z',
  });
  for (const [message_id, text] of Object.entries(TEXTS))
    store.messages.push({ message_id, campaign_id: 'c', channel: 'sms', text });
  const send = (message_id: string, more: object) =>
    store.sends.push({
      ...{ send_id: `s${store.sends.length}`, message_id, profile_id: `p${store.sends.length}` },
      ...{ sent_at: '2024-05-10T08:00:00Z', outcome: 'delivered', ...more },
    });
  for (const [failure_reason, sms_country, count] of FAILED)
    for (let number = 0; number < count; number++)
      send('plain', { outcome: 'failed', failure_reason, sms_country });
  for (let number = 0; number < 12; number++) send(number < 9 ? 'dash' : 'accent', { sms_country: 'CZ' });
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  await test.importStore(business, shop());
  ({ business_id } = business);
});

afterAll(() => test[Symbol.asyncDispose]());

async function asked(day: string) {
  const { result, notes = [] } = await test.run('sms_channel_statistics', {
    ...{ business_id, from_date: day, to_date: day },
  });
  const causes = notes.filter((note) => /UCS-2|provider/.test(note));
  return { ...(result as { failures: { reason: string; failed_count: number }[] }), notes: causes };
}

it('says how the provider calls failures with a vague reason, and of which country they are', async () => {
  const { failures, notes } = await asked('2024-05-10');
  const rejected = FAILED.slice(0, 3).reduce((sum, [, , count]) => sum + count, 0);
  expect(failures.map(({ reason, failed_count }) => [reason, failed_count])).toEqual([
    ['rejected', rejected],
    ['unreachable', 7],
    ['unknown', 4],
  ]);
  // Four of one cause are too few to tell, and an absent phone is said by the reason itself.
  expect(notes[0]).toBe(
    'What the provider calls failures: rejected is "no_route_to_operator" in 6, all to SK; rejected is "sender_refused" in 5.',
  );
});

it('names the characters that make SMS UCS-2, with the number of messages that have each', async () => {
  const { notes } = await asked('2024-05-10');
  // The alphabet of GSM has é; it has neither ž nor č nor the dash.
  expect(notes[1]).toBe(
    '12 SMS are UCS-2, which holds 70 characters where others hold 160, for these alone: "–" (U+2013, in 12), "ž" (U+017E, in 3), "č" (U+010D, in 3).',
  );
  expect((await asked('2024-05-11')).notes).toEqual([]);
});
