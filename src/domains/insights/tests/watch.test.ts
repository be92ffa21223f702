import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { everyThirdInQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/** What is unusual, and what may not be quoted, of stores in which one thing went wrong. */
let test: TestInstance;

/** Data end on a Friday at noon: the seven whole days before are judged. */
const LAST = '2024-07-12';
const DAYS = 200;

function dayBefore(days: number): string {
  return new Date(Date.parse(LAST) - days * 86_400_000).toISOString().slice(0, 10);
}

/** The same in every run, without chance: a walk through the digits of multiples of an irrational number. */
const digit = (seed: number, most: number) => Math.floor(((seed * 0.6180339887498949) % 1) * most);

interface Made {
  /** How many orders a day has beside the 18 to 22 that are usual. */
  readonly orders?: (daysAgo: number, usual: number) => number;
  readonly visits?: (daysAgo: number, channel: string, usual: number) => number;
  readonly days?: number;
}

const CHANNELS = [
  { medium: 'cpc', source: 'google', usual: 30 },
  { medium: 'email', source: 'newsletter', usual: 12 },
];

/** A quiet store: orders, and visits of two channels, every day about the same. */
function storeOf({
  orders = (_, usual) => usual,
  visits = (_, __, usual) => usual,
  days = DAYS,
}: Made = {}): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'EUR' });
  for (let ago = days; ago >= 0; ago -= 1) {
    const day = dayBefore(ago);
    const until = ago === 0 ? 12 : 24;
    const count = orders(ago, 18 + digit(ago + 1, 5));
    for (let number = 0; number < count; number += 1)
      store.orders.push({
        order_id: `${day}-${number}`,
        ordered_at: `${day}T${String(number % until).padStart(2, '0')}:00:00`,
        external_customer_id: `c${ago}-${number}`,
        total: String(80 + digit(ago * 31 + number, 40)),
        country: number % 3 === 0 ? 'SK' : 'CZ',
        status: 'paid',
      });
    for (const { medium, source, usual } of CHANNELS) {
      const came = visits(ago, medium, usual - 2 + digit(ago + usual, 5));
      for (let number = 0; number < came; number += 1)
        store.sessions.push({
          session_id: `${day}-${medium}-${number}`,
          visitor_id: `v${ago}-${medium}-${number}`,
          started_at: `${day}T${String(number % until).padStart(2, '0')}:30:00`,
          source,
          medium,
        });
    }
  }
  return store;
}

interface Watched {
  readonly from_date: string;
  readonly to_date: string;
  readonly tests_count: number;
  readonly alerts_count: number;
  readonly summary: string;
  readonly alerts: readonly Record<string, string | number | null>[];
  readonly trust: readonly { kind: string; text: string; touches: string; affected_share: number | null }[];
}

async function ask(store: Store, more: object = {}) {
  return askOf(await imported(store), more);
}

async function imported(store: Store): Promise<string> {
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await test.importStore(business, store);
  return business.business_id;
}

async function askOf(business_id: string, more: object = {}) {
  const { result, notes = [] } = await test.run('watch', { business_id, ...more });
  return { ...(result as unknown as Watched), notes };
}

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/**
 * A quiet store with automations that send as often on each day as the list says, the last whole day first.
 */
function automated(
  all: Readonly<Record<string, { sent: (daysAgo: number) => number; state?: string; type?: string }>>,
  days = DAYS,
) {
  const store = storeOf();
  for (const [name, { sent, state = 'active', type = 'incremental-emailing' }] of Object.entries(all)) {
    const about = { campaign_type: type, state, created_at: '2023-01-01T00:00:00Z' };
    store.campaigns.push({ campaign_id: `id-${name}`, name, ...about });
    store.messages.push({ message_id: name, campaign_id: `id-${name}`, channel: 'email' });
    for (let ago = days; ago >= 0; ago -= 1)
      for (let number = 0; number < sent(ago); number += 1)
        store.sends.push({
          ...{ send_id: `${name}-${ago}-${number}`, message_id: name, email: `p${number}@x.cz` },
          ...{ sent_at: `${dayBefore(ago)}T08:00:${String(number).padStart(2, '0')}Z`, outcome: 'delivered' },
        });
  }
  return store;
}

const kinds = ({ trust }: Watched) => trust.map(({ kind }) => kind);

describe('a quiet store', () => {
  let quietStore: string;

  beforeAll(async () => {
    quietStore = await imported(storeOf());
  });

  it('has no alert, and the answer says how many numbers were looked at', async () => {
    const quiet = await askOf(quietStore);
    expect(quiet).toMatchObject({
      from_date: '2024-07-05',
      to_date: '2024-07-11',
      alerts_count: 0,
      alerts: [],
    });
    expect(quiet.tests_count).toBeGreaterThan(50);
    expect(quiet.summary).toMatch(
      /^Of \d+ numbers in \d+ series, from .*, none is unusual; not looked at: delivery of e-mails, delivery of SMS, popups, cancellations, what SMS brought\.$/,
    );
    expect(quiet.notes).toEqual([]);
    // All orders are without a visit here, and the last day is half a day.
    expect(kinds(quiet)).toEqual(['orders_without_visits', 'partial_day']);
    expect(quiet.trust[1]).toMatchObject({ affected_share: expect.closeTo(50, -1) });
  });

  it('judges the days that are asked for, and refuses more than 28', async () => {
    const asked = await askOf(quietStore, { as_of: '2024-07-01', since: '2024-06-28' });
    expect(asked).toMatchObject({ from_date: '2024-06-28', to_date: '2024-06-30', alerts_count: 0 });
    await expect(askOf(quietStore, { since: '2024-06-01' })).rejects.toThrow(
      'at most 28 days can be judged at once',
    );
    await expect(askOf(quietStore, { since: LAST })).rejects.toThrow(
      'since is 2024-07-12, and the days before 2024-07-12 are judged',
    );
  });

  it('judges the days that are loaded, and says after which nothing is', async () => {
    const store = storeOf({ visits: (ago, _, usual) => (ago < 3 ? 0 : usual) });
    const later = await ask(store, { as_of: '2024-07-15' });
    expect(later).toMatchObject({ from_date: '2024-07-08', to_date: '2024-07-11' });
    expect(later.summary).toContain('from 2024-07-08 to 2024-07-11');
    expect(later.notes).toContain('Days after 2024-07-11 are not judged: none is loaded to its end.');
    expect(later.notes).toContain(
      'Visits are judged until 2024-07-08 alone: nothing of them is loaded after 2024-07-09.',
    );
  });

  it('judges nothing where the history is too short, and says how much would be enough', async () => {
    const short = await ask(storeOf({ days: 90 }));
    expect(short).toMatchObject({ tests_count: 0, alerts: [] });
    expect(short.summary).toContain('Nothing could be judged');
    expect(short.notes.join(' ')).toContain(
      'Orders are not judged: 82 whole days are loaded before 2024-07-05, and 112 are needed',
    );
  });
});

describe('the watch finds', () => {
  it('orders that fail for a day, with what is usual and how often that was seen', async () => {
    const store = storeOf({ orders: (ago, usual) => (ago === 1 ? 3 : usual) });
    const { alerts } = await ask(store);
    const [found, ...others] = alerts.filter(
      ({ metric, dimension }) => metric === 'orders_count' && dimension === null,
    );
    // The day is told once, and not in the sums of more days again.
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      date: '2024-07-11',
      days: 1,
      dimension: null,
      value: null,
      found: 3,
      direction: 'below',
      seen_share: 0,
    });
    expect(found?.usual).toBeGreaterThan(18);
    expect(found?.usual).toBeLessThan(22);
    expect(found?.usual_low).toBeLessThan(Number(found?.usual));
    expect(found?.sentence).toMatch(
      /^Orders on 2024-07-11: 3, usually (19|20|21) \(\d+ to \d+\); none of \d+ days before were as unusual\.$/,
    );
  });

  it('a fall in the whole store before its parts, and in a part alone before those', async () => {
    const store = storeOf({
      orders: (ago, usual) => (ago > 0 && ago < 15 ? 4 * usual : usual),
      // Visits of one channel are recorded as those of the other: the whole store has its usual number.
      visits: (ago, channel, usual) => (ago > 3 ? usual : channel === 'email' ? 0 : usual + 12),
    });
    const { alerts } = await ask(store, { since: '2024-06-28' });
    // The channel stands before countries, whose orders are a part of those of the whole store.
    const places = alerts.map(({ dimension }) => (dimension === 'country' ? 1 : 0));
    expect(places).toEqual(places.toSorted());
    expect(places).toContain(1);
    const alone = alerts.filter(({ dimension }) => dimension !== 'country');
    expect(alone).toContainEqual(expect.objectContaining({ dimension: 'channel', value: 'Email' }));
    const certain = alone.map(({ p_value }) => Number(p_value));
    expect(certain).toEqual(certain.toSorted((one, other) => one - other));
  });

  it('no more than it tells in 20 alerts', async () => {
    const store = storeOf({
      // Many more orders come on one day, and few on the next one.
      orders: (ago, usual) => (ago === 0 || ago > 27 ? usual : ago % 2 === 0 ? 3 * usual : 2),
    });
    const { alerts, alerts_count, notes } = await ask(store, { since: '2024-06-15' });
    expect(alerts_count).toBeGreaterThan(20);
    expect(alerts).toHaveLength(20);
    expect(notes).toContain(
      `Listed are 20 of ${alerts_count} alerts: the most certain first, and parts of what is unusual in the whole store last.`,
    );
  });

  it('a channel that lost its visits, and says which answers that touches', async () => {
    const store = storeOf({ visits: (ago, channel, usual) => (channel === 'email' && ago < 4 ? 0 : usual) });
    const asked = await ask(store);
    expect(asked.alerts).toContainEqual(
      expect.objectContaining({
        metric: 'sessions_count',
        dimension: 'channel',
        value: 'Email',
        direction: 'below',
      }),
    );
    const silent = asked.trust.find(({ kind }) => kind === 'silent_channel');
    expect(silent?.text).toMatch(/since 2024-07-09, usually about 3[5-9] in such days/);
    // 3 days of about 12 visits, of 7 days of about 42.
    expect(silent?.affected_share).toBeCloseTo((100 * 36) / (7 * 42), -1);
  });
});

describe('automations that send nothing any more', () => {
  const works = { sent: () => 4 };
  const silentOf = ({ trust }: Watched) => trust.filter(({ kind }) => kind === 'silent_automations');

  it('are named with the last day and what was to be expected since', async () => {
    const asked = await ask(
      automated({
        works,
        // Silent for the 13 days from 29 June to 11 July.
        'Left carts': { sent: (ago) => (ago < 14 ? 0 : 8) },
        // 7 days without, where 2 a day are usual.
        Welcome: { sent: (ago) => (ago < 8 ? 0 : 2) },
      }),
    );
    expect(silentOf(asked)).toEqual([
      {
        kind: 'silent_automations',
        // 8 a day until 28 June; 13 days of that are 104.
        text: '2 active automations send nothing any more: "Welcome" (none after 2024-07-04; about 14 would be usual), "Left carts" (none after 2024-06-28; about 104 would be usual).',
        touches: 'what automations sent and brought: it is too low',
        affected_share: null,
      },
    ]);
    expect(asked.summary).toMatch(
      /^See trust: silent_automations\. Besides, of \d+ numbers .* none is unusual; /,
    );
  });

  it('are not named where they are few, paused, in heaps, no automations, or sent again', async () => {
    const asked = await ask(
      automated({
        works,
        // One a week; 27 days without: four are missing.
        seldom: { sent: (ago) => (ago >= 27 && ago % 7 === 6 ? 1 : 0) },
        paused: { sent: (ago) => (ago < 14 ? 0 : 8), state: 'paused' },
        // 40 once a week, the last of them 7 days before the last whole day.
        heaps: { sent: (ago) => (ago % 7 === 1 && ago > 7 ? 40 : 0) },
        newsletter: { sent: (ago) => (ago < 14 ? 0 : 8), type: 'targeted-emailing' },
        again: { sent: (ago) => (ago > 0 && ago < 10 ? 0 : 8) },
        // 7 days without, where 1 a day is usual: fewer than ten are missing.
        chance: { sent: (ago) => (ago < 8 ? 0 : 1) },
      }),
    );
    expect(silentOf(asked)).toEqual([]);
  });

  it('are named for as long as they are silent and active, twelve weeks at most, the latest first', async () => {
    const asked = await ask(
      automated(
        {
          works,
          old: { sent: (ago) => (ago < 80 ? 0 : 3) },
          late: { sent: (ago) => (ago < 12 ? 0 : 3) },
          stopped: { sent: (ago) => (ago < 80 ? 0 : 3), state: 'paused' },
          // It sent in the last season, and is still switched on.
          seasonal: { sent: (ago) => (ago < 300 ? 0 : 3) },
        },
        400,
      ),
    );
    // Three a day over the days since the last message, until 11 July: 11 and 79.
    expect(silentOf(asked)[0]?.text).toBe(
      '2 active automations send nothing any more: "late" (none after 2024-06-30; about 33 would be usual), "old" (none after 2024-04-23; about 237 would be usual).',
    );
  });

  it('are at most five, and the others are counted', async () => {
    const quiet = { sent: (ago: number) => (ago < 10 ? 0 : 3) };
    const asked = await ask(automated({ works, a: quiet, b: quiet, c: quiet, d: quiet, e: quiet, f: quiet }));
    expect(silentOf(asked)[0]?.text).toMatch(/^6 active automations send .*"e" \([^)]*\), and 1 more\.$/);
  });
});

it('counts the products that were sold after their stock was told, and no stock that is only old', async () => {
  const store = storeOf();
  for (const [id, read_on] of [
    ['sold', '2024-07-02'],
    ['kept', '2024-01-02'],
    ['new', '2024-07-12'],
    // It was told this morning, and the sale after that is in no stock that is told once a day.
    ['this-morning', '2024-07-12'],
    ['never-read', ''],
  ] as const) {
    store.products.push({ external_product_id: id, name: id, price: '90' });
    const read = { read_on, read_at: `${read_on}T00:00:00Z`, in_stock: 'true', stock_quantity: '30' };
    if (read_on !== '') store.stock_readings.push({ external_product_id: id, ...read });
  }
  const lines: [day: string, product: string, quantity: number][] = [
    ['2024-07-01', 'sold', 40],
    ['2024-07-03', 'sold', 2],
    ['2024-07-10', 'sold', 3],
    ['2024-01-01', 'kept', 5],
    ['2024-07-10', 'new', 7],
    ['2024-07-10', 'never-read', 8],
    ['2024-07-12', 'this-morning', 9],
  ];
  for (const [line, [day, external_product_id, quantity]] of lines.entries())
    store.order_items.push({
      ...{ order_id: `${day}-0`, line_no: String(line + 1), kind: 'product', external_product_id },
      ...{ quantity: String(quantity), unit_price: '1' },
    });
  const sold = await ask(store);
  expect(sold.trust.find(({ kind }) => kind === 'stale_stock')).toMatchObject({
    text: '1 of 4 products sold 5 pieces after the stock last changed or was told: probably so much less is there. The newest stock of any is of 2024-07-12.',
    affected_share: 25,
  });
  expect(kinds(await ask(store, { as_of: '2024-07-01' }))).not.toContain('stale_stock');
  store.order_items = store.order_items.filter(({ order_id = '' }) => order_id < '2024-07-02');
  expect(kinds(await ask(store))).not.toContain('stale_stock');
});

describe('a number that may not be quoted', () => {
  const KINDS: [string, () => Store, RegExp, number][] = [
    [
      'missing_days',
      () => storeOf({ orders: (ago, usual) => (ago === 3 ? 0 : usual) }),
      /^No orders on 2024-07-09, usually about 20/,
      100 / 7,
    ],
    [
      'tracking',
      () => storeOf({ visits: (ago, _, usual) => (ago === 1 ? 1 : usual) }),
      /^Visits were far fewer than usual on 2024-07-11: 2, usually 4\d, with \d+ orders, usually (19|2\d)\. Tracking/,
      95,
    ],
    [
      'stale_source',
      () => storeOf({ visits: (ago, _, usual) => (ago < 4 ? 0 : usual) }),
      /^Visits are loaded until 2024-07-08 alone, other data until 2024-07-12/,
      300 / 7,
    ],
    [
      'duplicates',
      () => {
        const store = storeOf();
        for (const order of store.orders
          .filter(({ ordered_at }) => String(ordered_at).startsWith('2024-07-10'))
          .slice(0, 4))
          store.orders.push({ ...order, order_id: `copy-${order.order_id}` });
        return store;
      },
      /^4 orders have the customer, the amount and the second of another one/,
      (100 * 4) / 145,
    ],
    [
      'no_exchange_rate',
      () => {
        const store = storeOf();
        store.orders.push({
          ...{
            order_id: 'far',
            ordered_at: '2024-07-10T10:00:00',
            total: '900',
            currency: 'JPY',
            status: 'paid',
          },
        });
        return store;
      },
      /^Without an exchange rate to EUR: 1 order of 900 JPY/,
      100 / 141,
    ],
    [
      'unknown_costs',
      () => {
        const store = storeOf();
        for (const [number, order] of store.orders.entries())
          store.order_items.push({
            ...{
              order_id: String(order.order_id),
              line_no: '1',
              kind: 'product',
              external_product_id: 'p',
              quantity: '1',
            },
            ...{ unit_price: '50', tax_rate: '20', ...(number % 2 === 0 ? { unit_cost: '20' } : {}) },
          });
        return store;
      },
      /^Of (4|5)\d\.\d % of product revenue the purchase cost or the VAT is not known/,
      50,
    ],
  ];

  it.each(everyThirdInQuick(KINDS))('%s', async (kind, made, text, share) => {
    const { trust } = await ask(made());
    const row = trust.find((one) => one.kind === kind);
    expect(row?.text).toMatch(text);
    expect(row?.touches).not.toBe('');
    expect(Math.abs((row?.affected_share ?? -100) - share)).toBeLessThan(3);
  });
});
