import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { fewerInQuick } from '../../../../tests/support/runs.ts';
import { randomNumbers } from '../../../../tests/support/seeded.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { judgeDelivery } from '../queries/watched/broken-delivery.ts';
import type { SentRow } from '../queries/watched/delivery-queries.ts';

/** Which messages are not delivered any more: counted here over the rows that were written. */
let test: TestInstance;

/** Data end on a Friday at noon: the last whole day is the Thursday before. */
const LAST = Date.parse('2024-07-11');
const DAYS = 420;
const NEWS = 'news.shop.cz';

interface Send {
  readonly ago: number;
  readonly number: number;
  readonly channel: 'email' | 'sms';
  /** A domain of mailboxes, or a country. */
  readonly to: string;
  readonly from: string;
}

interface Fate {
  readonly outcome: string;
  readonly [column: string]: string;
}

const dayBefore = (ago: number) => new Date(LAST - ago * 86_400_000).toISOString().slice(0, 10);

/**
 * A newsletter each Thursday to some of two providers, automations beside it, and SMS to two countries every
 * other week.
 */
function everySend(): Send[] {
  const all: Send[] = [];
  for (let ago = 0; ago < DAYS; ago += 7) {
    const add = (count: number, channel: 'email' | 'sms', to: string, from: string) => {
      for (let number = 0; number < count; number += 1) all.push({ ago, number, channel, to, from });
    };
    add(30, 'email', 'gmail.com', NEWS);
    add(ago === 0 ? 120 : 30, 'email', 'seznam.cz', NEWS);
    add(10, 'email', 'seznam.cz', 'mail.shop.cz');
    if (ago % 14 === 7) {
      add(30, 'sms', 'SK', '');
      add(30, 'sms', 'CZ', '');
    }
  }
  return all;
}

/** Every other newsletter has one address that is not there any more. */
const usually = ({ channel, to, ago, number }: Send): Fate =>
  channel === 'email' && to === 'gmail.com' && ago % 14 === 0 && number === 0
    ? { outcome: 'hard' }
    : { outcome: 'delivered' };

function storeOf(fateOf: (send: Send) => Fate | null = () => null, more: readonly Send[] = []): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  for (const [channel, campaign_type] of [
    ['email', 'targeted-emailing'],
    ['sms', 'targeted-sms'],
  ] as const) {
    store.campaigns.push({
      campaign_id: channel,
      name: channel,
      campaign_type,
      state: 'active',
      created_at: '2023-01-01',
    });
    store.messages.push({ message_id: channel, campaign_id: channel, channel });
  }
  for (const [place, send] of [...everySend(), ...more].entries()) {
    const { ago, number, channel, to, from } = send;
    const person = `${to.toLowerCase()}-${from === NEWS ? 'n' : 'm'}${number}`;
    store.sends.push({
      ...{
        send_id: `s${place}`,
        message_id: channel,
        profile_id: person,
        sent_at: `${dayBefore(ago)}T08:00:00Z`,
      },
      ...(channel === 'email' ? { recipient_domain: to, sending_domain: from } : { sms_country: to }),
      ...(fateOf(send) ?? usually(send)),
    });
  }
  // The end of the data.
  store.sends.push({
    ...{ send_id: 'last', message_id: 'email', profile_id: 'p', sent_at: '2024-07-12T12:00:00Z' },
    outcome: 'delivered',
  });
  return store;
}

/** Rows of the last days of which it is known whether they were delivered. */
function counted(store: Store, days: number, columns: Readonly<Record<string, string>>) {
  const first = dayBefore(days - 1);
  const rows = store.sends.filter(
    (row) =>
      String(row.sent_at).slice(0, 10) >= first &&
      String(row.sent_at) < dayBefore(-1) &&
      row.outcome !== 'pending' &&
      Object.entries(columns).every(([column, value]) => row[column as keyof typeof row] === value),
  );
  const failed = rows.filter(({ outcome }) => outcome !== 'delivered').length;
  return { sent: rows.length, failed, percent: ((100 * failed) / rows.length).toFixed(1) };
}

interface Watched {
  readonly tests_count: number;
  readonly summary: string;
  readonly trust: readonly { kind: string; text: string; touches: string; affected_share: number | null }[];
}

async function ask(
  store: Store,
  more: object = {},
): Promise<Watched & { readonly delivery: Watched['trust'] }> {
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await test.importStore(business, store);
  const { business_id } = business;
  const { result } = await test.run('watch', { business_id, as_of: '2024-07-12', ...more });
  const watched = result as unknown as Watched;
  return { ...watched, delivery: watched.trust.filter(({ kind }) => kind === 'delivery') };
}

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/** One in three newsletters to the provider is blocked, with an address in the words of the provider. */
const blocked =
  (since: number) =>
  ({ ago, number, to, from }: Send): Fate | null =>
    to === 'seznam.cz' && from === NEWS && ago <= since && number % 3 === 0
      ? {
          ...{ outcome: 'block', bounce_class: 'block', smtp_code: '550 5.7.1' },
          reason_text: 'Jan Novak was refused at mx7.seznam.cz',
        }
      : null;

it('nothing is told where messages arrive as usual, and the summary says what nobody looked at', async () => {
  const { delivery, summary, tests_count } = await ask(storeOf());
  expect(delivery).toEqual([]);
  expect(tests_count).toBe(0);
  expect(summary).toBe(
    'Nothing could be judged by day: the notes say what is missing; not looked at: popups, cancellations, what SMS brought.',
  );
});

it('a provider that blocks one sending domain is told once, first, and in our words', async () => {
  const store = storeOf(blocked(0));
  const { delivery, summary } = await ask(store);
  const week = counted(store, 7, { recipient_domain: 'seznam.cz' });
  const month = counted(store, 28, { recipient_domain: 'seznam.cz' });
  expect(week).toMatchObject({ sent: 130, failed: 40 });
  expect(delivery).toEqual([
    {
      kind: 'delivery',
      text: `${week.percent} % of 130 e-mails to provider "seznam" from 2024-07-05 to 2024-07-11 were not delivered (${month.percent} % of ${month.sent} in the 28 days until then), usually 0.0 %. Almost all of these are from sending domain "${NEWS}", blocked by the provider (policy or reputation), with code 550 5.7.1.`,
      touches: 'opens, clicks and orders of e-mails: they are too low',
      affected_share: 30.7692,
    },
  ]);
  expect(summary).toMatch(
    /^30\.8 % of e-mails to provider "seznam" not delivered \(usually 0\.0 %\)\. Nothing could be judged by day: .*; not looked at: popups, cancellations, what SMS brought\.$/,
  );
  expect(JSON.stringify(delivery)).not.toContain('Novak');
});

it.each(fewerInQuick([2, 10, 20, 30]))('what broke %i days ago is found still', async (since) => {
  const { delivery } = await ask(storeOf(blocked(since)));
  expect(delivery.map(({ text }) => text)).toEqual([expect.stringContaining('e-mails to provider "seznam"')]);
});

describe('SMS', () => {
  const rejected = ({ channel, to, ago }: Send): Fate | null =>
    channel === 'sms' && to === 'SK' && ago <= 28
      ? { outcome: 'failed', failure_reason: 'no_route_to_operator' }
      : null;

  it('are judged over 28 days where few were sent in the week, without those that wait for a report', async () => {
    const store = storeOf((send) =>
      send.channel === 'sms' && send.number >= 28 && send.ago <= 28 ? { outcome: 'pending' } : rejected(send),
    );
    const { delivery } = await ask(store);
    const month = counted(store, 28, { sms_country: 'SK' });
    expect(month).toEqual({ sent: 56, failed: 56, percent: '100.0' });
    expect(delivery).toEqual([
      {
        kind: 'delivery',
        text: '100.0 % of 56 SMS to country "SK" from 2024-06-14 to 2024-07-11 were not delivered, usually 0.0 %. Almost all of these are rejected by the gateway or a network, such as without a route to it. 4 more are pending, in neither number: 0.0 % of all 60 are delivered so far.',
        touches: 'what SMS brought, by country too: it is too low',
        affected_share: 100,
      },
    ]);
  });

  it('that only wait for a report are no failures', async () => {
    const { delivery, summary } = await ask(
      storeOf((send) => (send.channel === 'sms' && send.ago <= 28 ? { outcome: 'pending' } : null)),
    );
    expect(delivery).toEqual([]);
    expect(summary).toContain('not looked at: delivery of SMS, popups');
  });

  it('and a provider of e-mails are told beside each other', async () => {
    const { delivery } = await ask(storeOf((send) => rejected(send) ?? blocked(30)(send)));
    expect(delivery.map(({ text }) => text.match(/(SMS|e-mails) to \w+ "\w+"/)?.[0]).toSorted()).toEqual([
      'SMS to country "SK"',
      'e-mails to provider "seznam"',
    ]);
  });
});

it('where all e-mails fail, the whole channel is told once', async () => {
  const { delivery } = await ask(
    storeOf(({ channel, ago, number }) =>
      channel === 'email' && ago <= 28 && number % 2 === 0 ? { outcome: 'soft' } : null,
    ),
  );
  expect(delivery.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^50\.0 % of \d+ e-mails from .*Almost all of these are soft bounces\.$/),
  ]);
});

describe('a provider of few people', () => {
  /** E-mails to this many people, each of whom got one every day of the last week. */
  const few = (people: number) =>
    Array.from({ length: 7 * 20 }, (_, place): Send => {
      return { ago: place % 7, number: place % people, channel: 'email', to: 'proton.me', from: NEWS };
    });
  const refused = ({ to }: Send): Fate | null => (to === 'proton.me' ? { outcome: 'hard' } : null);

  it('has no row, and no other row names it', async () => {
    const { delivery, summary } = await ask(storeOf(refused, few(4)));
    expect(JSON.stringify([delivery, summary])).not.toContain('proton');
    // The shop still learns that its e-mails fail.
    expect(delivery).toHaveLength(1);
  });

  it('has a row with five people in the days that are shown', async () => {
    const { delivery } = await ask(storeOf(refused, few(5)));
    expect(delivery[0]?.text).toContain('100.0 % of 140 e-mails to provider "proton"');
  });

  it('has none for those who got messages before', async () => {
    const before = Array.from({ length: 40 }, (_, number): Send => {
      return { ago: 20, number: 100 + number, channel: 'email', to: 'proton.me', from: NEWS };
    });
    const { delivery } = await ask(storeOf(refused, [...few(4), ...before]));
    expect(JSON.stringify(delivery)).not.toContain('proton');
  });
});

it('of many sending domains the fifty largest are looked at, and the summary counts the others', async () => {
  const domains = Array.from({ length: 60 }, (_, place) => place).flatMap((place) =>
    Array.from({ length: 50 }, (_, number): Send => {
      return { ago: 3, number, channel: 'email', to: 'gmail.com', from: `d${place}.shop.cz` };
    }),
  );
  const { summary } = await ask(storeOf(() => null, domains));
  // news.shop.cz and 60 domains have 50 e-mails in 28 days, mail.shop.cz 40.
  expect(summary).toContain('not looked at: delivery by 11 smaller domains or countries, popups');
});

describe('in stores in which nothing happened', () => {
  const PROVIDERS = { gmail: 700, seznam: 450, microsoft: 150, other: 200 } as const;

  /**
   * Failures of each day, whose rate differs from newsletter to newsletter, by so much and for each provider
   * by itself.
   */
  function quietRows(seed: number, usual: number, varied: number): SentRow[] {
    const random = randomNumbers(seed);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const factor = () => Math.exp(varied * normal() - varied ** 2 / 2);
    const own = Object.values(PROVIDERS).map(() => usual * Math.exp(0.5 * normal()));
    const sums = new Map<string, { sent: number; failed: number }>();
    const add = (key: string, sent: number, failed: number) => {
      const before = sums.get(key) ?? { sent: 0, failed: 0 };
      sums.set(key, { sent: before.sent + sent, failed: before.failed + failed });
    };
    for (let ago = 0; ago < 28 * 14; ago += 3) {
      const common = factor();
      for (const [place, [provider, sent]] of Object.entries(PROVIDERS).entries()) {
        const rate = Math.min(0.9, (own[place] as number) * common * factor());
        // Binomial numbers of so many are nearly normal ones.
        const failed = Math.max(0, Math.round(sent * rate + normal() * Math.sqrt(sent * rate * (1 - rate))));
        const days = ago < 28 ? ago : ago - (ago % 28);
        add(`mailbox_provider|${provider}|${days}`, sent, failed);
        add(`all||${days}`, sent, failed);
      }
    }
    return [...sums].map(([key, { sent, failed }]) => {
      const [cut, value, days] = key.split('|') as [string, string, string];
      const counts = { sent_count: sent, failed_count: failed, values_count: 1, shown_count: 1 };
      return { channel: 'email', cut, value, days_ago: Number(days), ...counts };
    });
  }

  it.each([
    [0.01, 0.3],
    [0.04, 0.3],
    [0.1, 0.3],
    [0.04, 0.6],
  ])('hardly any is raised: usual rate %d, by newsletter different by the factor e^%d', (usual, varied) => {
    const STORES = 200;
    const raised = Array.from({ length: STORES }, (_, seed) =>
      judgeDelivery(quietRows(seed, usual, varied), 7),
    ).filter(({ broken }) => broken.length > 0);
    // One in a hundred is promised; rates that differ as wildly as in the last case raise some more.
    expect(raised.length).toBeLessThanOrEqual(varied > 0.5 ? 10 : 3);
  });

  it('and a provider that takes a fifth less is found in all of them', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const rows = quietRows(seed, 0.01, 0.3).map((row) =>
        row.value === 'seznam' && row.days_ago < 28
          ? { ...row, failed_count: row.failed_count + Math.round(0.2 * row.sent_count) }
          : row,
      );
      expect(judgeDelivery(rows, 7).broken.map(({ value }) => value)).toContain('seznam');
    }
  });
});

it('without messages, the summary says that no delivery was looked at', async () => {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  store.orders.push({ order_id: 'o', ordered_at: '2024-07-12T12:00:00', total: '9', status: 'paid' });
  expect((await ask(store)).summary).toContain('not looked at: delivery of e-mails, delivery of SMS, popups');
});
