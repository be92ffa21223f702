import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** What one campaign does to the rates of a month, and what the last days do: numbers worked out by hand. */
let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  business_id = business.business_id;
  await test.importStore(business, shop());
});

afterAll(() => test[Symbol.asyncDispose]());

/**
 * In April two campaigns of 200 e-mails are clicked 20 and 22 times. In May one is clicked 20 times and the
 * other 60 times; an automation is clicked each time. Two of 30 e-mails of the last day of May are clicked.
 */
function shop(): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  const send = (name: string, day: string, count: number, clicked: number, type = 'targeted-emailing') => {
    const about = { campaign_type: type, state: 'active', created_at: '2024-01-01T00:00:00' };
    store.campaigns.push({ campaign_id: name, name, ...about });
    store.messages.push({ message_id: name, campaign_id: name, channel: 'email', subject: name });
    for (let number = 0; number < count; number += 1) {
      const send_id = `${name}-${number}`;
      const sent = { send_id, message_id: name, email: `p${number}@x.cz`, outcome: 'delivered' };
      store.sends.push({ ...sent, sent_at: `${day}T08:00:00` });
      if (number < clicked)
        store.message_events.push({ event_id: send_id, send_id, kind: 'click', at: `${day}T09:00:00` });
    }
  };
  send('a', '2024-04-02', 200, 20);
  send('b', '2024-04-09', 200, 22);
  send('c', '2024-05-02', 200, 20);
  send('thanks', '2024-05-09', 200, 60);
  send('cart', '2024-05-10', 10, 10, 'incremental-emailing');
  send('late', '2024-05-31', 30, 2);
  return store;
}

async function notesOf(more: object) {
  const { notes = [] } = await test.run('email_channel_statistics', { business_id, ...more });
  return notes.filter((note) => /of one campaign|went out since/.test(note));
}

const BOTH = { from_date: '2024-04-01', to_date: '2024-05-31' };

it('a month with a campaign that makes its rate is told, with the rate without it', async () => {
  // May: 92 clicks of 440 e-mails; without the campaign 32 of 240. A click is an open too.
  expect(await notesOf({ ...BOTH, breakdown: 'month' })).toEqual([
    'In 2024-05 65 % of the clicked messages (60 of 92) are of one campaign, "thanks": click_rate is 20.91 % with it and 13.33 % without it.',
    'In 2024-05 65 % of the opened messages (60 of 92) are of one campaign, "thanks": open_rate is 20.91 % with it and 13.33 % without it.',
    '30 messages of 840 went out since 2024-05-29, in the last 3 loaded days, and can still be opened and clicked: of those before, open_rate is 16.30 % and click_rate is 16.30 %.',
  ]);
});

it('a range is told as a whole where its periods are days, and where it has none', async () => {
  const may = { from_date: '2024-05-01', to_date: '2024-05-20' };
  const said = [
    'In the range 67 % of the clicked messages (60 of 90) are of one campaign, "thanks": click_rate is 21.95 % with it and 14.29 % without it.',
    'In the range 67 % of the opened messages (60 of 90) are of one campaign, "thanks": open_rate is 21.95 % with it and 14.29 % without it.',
  ];
  expect(await notesOf(may)).toEqual(said);
  expect(await notesOf({ ...may, breakdown: 'day' })).toEqual(said);
});

it('campaigns that are clicked alike are not told, nor a range that ended before the last days', async () => {
  expect(await notesOf({ from_date: '2024-04-01', to_date: '2024-04-30', breakdown: 'month' })).toEqual([]);
});
