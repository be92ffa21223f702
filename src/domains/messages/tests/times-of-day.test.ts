import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

interface Row {
  readonly key: string;
  readonly sent_count: number;
  readonly unique_clicks_count: number;
  readonly click_rate: number;
  readonly clicks_then_count: number;
  readonly campaigns_count: number;
  readonly largest_campaign_share: number | null;
  readonly click_rate_difference: number | null;
  readonly click_rate_difference_low: number | null;
  readonly click_rate_difference_high: number | null;
}

/**
 * Campaign, hour, delivered, clicked. At 9 one newsletter makes nearly all clicks, and tells nothing of the
 * hour; two automations, which send at 9, 10 and 15 alike, do worse then than at 10.
 */
const SENT: readonly (readonly [campaign: string, hour: number, delivered: number, clicked: number])[] = [
  ['news', 9, 500, 225],
  ['cart', 9, 200, 20],
  ['welcome', 9, 100, 5],
  ['cart', 10, 200, 60],
  ['welcome', 10, 100, 30],
  ['cart', 15, 30, 4],
  // Its variants at 9, and what won at 10: they differ by what they say, not by the hour.
  ['tested', 9, 900, 300],
  ['tested', 10, 900, 9],
  // Alone at its hour, and few.
  ['thanks', 20, 3, 0],
];

let test: TestInstance;
let business_id: string;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  business_id = business.business_id;
  await test.importStore(business, storeOf());
});

afterAll(() => test[Symbol.asyncDispose]());

function storeOf(sent = SENT): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  for (const campaign_id of new Set(sent.map(([campaign]) => campaign))) {
    store.campaigns.push({
      ...{ campaign_id, name: campaign_id, campaign_type: 'targeted-emailing', state: 'sent' },
      created_at: '2024-01-01T00:00:00Z',
    });
    store.messages.push({
      ...{ message_id: campaign_id, campaign_id, channel: 'email' },
      ...(campaign_id === 'tested' && { variant: 'A' }),
    });
  }
  for (const [message_id, hour, delivered, clicked] of sent) {
    const two = String(hour).padStart(2, '0');
    for (let index = 0; index < delivered; index += 1) {
      const send_id = `${message_id}-${hour}-${index}`;
      store.sends.push({
        ...{ send_id, message_id, email: `${send_id}@x.cz`, outcome: 'delivered' },
        sent_at: `2024-05-10T${two}:00:00Z`,
      });
      // Read at 12, when nothing is sent.
      const at = `2024-05-11T12:00:00Z`;
      if (index < clicked) store.message_events.push({ event_id: send_id, send_id, kind: 'click', at });
    }
  }
  return store;
}

/**
 * Computed from the list above by Mantel and Haenszel's textbook formula, with the variance of Greenland and
 * Robins.
 */
function truth(hour: number) {
  let [above, below, spread] = [0, 0, 0];
  for (const [campaign, , m, a] of SENT.filter((row) => row[1] === hour)) {
    const others = SENT.filter((row) => row[0] === campaign && row[1] !== hour);
    const n = others.reduce((sum, row) => sum + row[2], 0);
    const b = others.reduce((sum, row) => sum + row[3], 0);
    if (n === 0 || campaign === 'tested') continue;
    above += (a * n - b * m) / (m + n);
    below += (m * n) / (m + n);
    spread += (a * (m - a) * n ** 3 + b * (n - b) * m ** 3) / (m * n * (m + n) ** 2);
  }
  return { difference: (100 * above) / below, error: (100 * Math.sqrt(spread)) / below };
}

async function ask(more: object = {}) {
  const { result, notes = [] } = await test.run('email_channel_statistics', {
    ...{ business_id, ...more, from_date: '2024-05-01', to_date: '2024-05-31', times: 'hour' },
  });
  return { rows: (result as unknown as { times: Row[] }).times, notes };
}

describe('times of messages', () => {
  it('are those at which something was sent', async () => {
    const { rows } = await ask();
    expect(rows.map(({ key, sent_count }) => [key, sent_count])).toEqual([
      ['09', 1700],
      ['10', 1200],
      ['15', 30],
      ['20', 3],
    ]);
  });

  it('say how many campaigns made them, and what the largest one did', async () => {
    const { rows, notes } = await ask();
    expect(
      rows.map(({ campaigns_count, largest_campaign_share: share }) => [campaigns_count, share]),
    ).toEqual([
      [4, 54.5455],
      [3, 60.6061],
      [1, 100],
      [1, null],
    ]);
    expect(notes).toContainEqual(
      'At 3 of 4 times one campaign has more than half of the clicks: their rates tell of that campaign, not of the time. Whether a time is better is told by click_rate_difference, where its interval leaves out 0.',
    );
  });

  it('are compared within campaigns, all of them together', async () => {
    const { rows } = await ask();
    const [nine, ten, fifteen, twenty] = rows;
    // The hour of the best rate is 9: 550 of 1,700 against 99 of 1,200. Its campaigns do worse then.
    expect(Number(nine?.click_rate)).toBeGreaterThan(Number(ten?.click_rate));
    for (const [row, hour] of [
      [nine, 9],
      [ten, 10],
    ] as const) {
      const { difference, error } = truth(hour);
      expect(row?.click_rate_difference).toBeCloseTo(difference, 4);
      // Two hours are compared: 1.25 % on each side, 2.2414 standard errors.
      expect(row?.click_rate_difference_low).toBeCloseTo(difference - 2.241402728 * error, 3);
      expect(row?.click_rate_difference_high).toBeCloseTo(difference + 2.241402728 * error, 3);
    }
    expect(nine?.click_rate_difference_high).toBeLessThan(0);
    expect(ten?.click_rate_difference_low).toBeGreaterThan(0);
    // 30 messages, and a campaign that was sent at no other time.
    for (const row of [fifteen, twenty]) {
      expect(row).toMatchObject({ click_rate_difference: null, click_rate_difference_low: null });
    }
  });
});

describe('where no time is told against another', () => {
  const notesOf = async (sent: typeof SENT) => {
    const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
    await test.importStore(business, storeOf(sent));
    const { rows, notes } = await ask({ business_id: business.business_id });
    expect(rows.map((row) => row.click_rate_difference)).toEqual(rows.map(() => null));
    return notes.filter((note) => note.includes('a time is better'));
  };

  it('says that no campaign was sent at two times, and promises nothing', async () => {
    const alone = SENT.filter(([campaign, hour]) => ['news', 'tested'].includes(campaign) || hour === 20);
    const more = [['evening', 20, 100, 40] as const];
    expect(await notesOf([...alone, ...more])).toEqual([
      'At 3 of 3 times one campaign has more than half of the clicks: their rates tell of that campaign, not of the time. Whether a time is better cannot be told: no campaign was sent at two of them, but for A/B tests, so click_rate_difference is null.',
    ]);
  });

  it('says that those that were are too few', async () => {
    const few = SENT.filter(([campaign]) => campaign === 'cart');
    expect(await notesOf([...few, ['news', 15, 30, 3]])).toEqual([
      'At 3 of 3 times one campaign has more than half of the clicks: their rates tell of that campaign, not of the time. Whether a time is better cannot be told: too little was sent by campaigns that were sent at two of them, so click_rate_difference is null.',
    ]);
  });
});
