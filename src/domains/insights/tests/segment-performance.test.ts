import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consentHistories } from '../../../../tests/oracle/consents.ts';
import { customersOf } from '../../../../tests/oracle/customers.ts';
import { type Block, meetsQuery, readEverything } from '../../../../tests/oracle/segment-query.ts';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { deviationOf, leastDeviation } from '../../../../tests/support/chance-bounds.ts';
import { exactPerformance } from '../../../../tests/support/exact-performance.ts';
import { fewerInQuick } from '../../../../tests/support/runs.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { type Business, PERMISSIONS } from '../../../business/business.ts';
import { createAccount, grantAccess } from '../../../control/people/accounts.ts';
import { accountCaller, type Caller } from '../../../control/people/callers.ts';

/**
 * What `segment_performance` measures, beside loops over the raw rows of random stores, and what is left of
 * it in answers.
 */
let test: TestInstance;
let shop: Business;

/** The last thing that happens, and the beginning of the last 90 days. */
const END = '2024-12-31T12:00:00Z';
const PEOPLE = 400;

/** Even draws, the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const before = (days: number) =>
  Temporal.Instant.from(END)
    .subtract({ hours: Math.round(24 * days) })
    .toString();

/**
 * A year of people with tags, who order from 0 to 9 times, agree to messages and leave them, at moments that
 * also lie on the bounds of 90 days.
 */
function randomStore(seed: number, people = PEOPLE): Store {
  const random = randomFrom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const moment = () => (random() < 0.05 ? before([90, 0, 30, 180][upTo(4)] ?? 0) : before(random() * 360));
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  store.products.push({ external_product_id: 'p1', name: 'Tea', price: '100' });
  for (let number = 0; number < people; number += 1) {
    const profile_id = `person-${number}`;
    const tags = [number % 2 === 0 ? 'even' : 'odd', ...(number < 4 ? ['of-4'] : [])].join('|');
    store.profiles.push({ profile_id, tags });
    const orders = number % 3 === 0 ? 0 : number === 8 ? 30 : upTo(10);
    for (let order = 0; order < orders; order += 1) addOrder(store, `${number}-${order}`, profile_id);
    if (random() < 0.7) addConsents(profile_id);
  }
  addOrder(store, 'last', 'person-1', END);
  addOrder(store, 'at-the-beginning', 'person-2', before(90));
  addOrder(store, 'nobodys', undefined);
  return store;

  function addOrder(
    { orders, order_items }: Store,
    order_id: string,
    profile_id: string | undefined,
    ordered_at = moment(),
  ) {
    const price = order_id === '10-0' ? 90_000 : 50 + upTo(400);
    orders.push({
      ...{ order_id, ordered_at, total: String(price), shipping: '0' },
      ...(profile_id === undefined ? {} : { profile_id }),
      status: random() < 0.1 ? 'cancelled' : 'paid',
    });
    order_items.push({
      ...{ order_id, external_product_id: 'p1', quantity: '1', kind: 'product', line_no: '1' },
      ...{ unit_price: String(price), tax_rate: random() < 0.5 ? '21' : '12' },
    });
  }

  function addConsents(profile_id: string) {
    for (const channel of random() < 0.3 ? ['email', 'sms'] : ['email']) {
      const states = ['subscribed', random() < 0.5 ? 'unsubscribed' : 'bounced', 'subscribed'];
      const moments = states.map(moment).toSorted();
      const known = 1 + upTo(3);
      for (const [place, state] of states.slice(0, known).entries())
        store.consent_events.push({ profile_id, channel, at: moments[place] ?? END, state });
    }
  }
}

const micros = (moment: string) => BigInt(Temporal.Instant.from(moment).epochMilliseconds) * 1000n;
const SECOND = 1_000_000n;

/** The store as it was: no rows that were made after the moment. */
function until(store: Store, moment: string): Store {
  const isKnown = (at: string | undefined) => Temporal.Instant.compare(at ?? END, moment) <= 0;
  const orders = store.orders.filter(({ ordered_at }) => isKnown(ordered_at));
  const ids = new Set(orders.map(({ order_id }) => order_id));
  return {
    ...store,
    orders,
    order_items: store.order_items.filter(({ order_id }) => ids.has(order_id)),
    consent_events: store.consent_events.filter(({ at }) => isKnown(at)),
  };
}

interface Asked {
  readonly days: number;
  readonly direction: 'last' | 'next';
}

/**
 * The numbers by loops over the rows: the segment as it is, or as it was in a store that ended when the days
 * began.
 */
function measurement(store: Store, { days, direction }: Asked) {
  const [from, to] = [micros(before(days)) + SECOND, micros(END) + SECOND];
  const isIn = (moment: bigint) => moment >= from && moment < to;
  const then = until(store, before(days));
  const data =
    direction === 'last' ? readEverything(store) : { ...readEverything(then), asOf: micros(before(days)) };
  const everybody = [...readEverything(store).everyone];
  const customers = customersOf(store);
  const personOf = ({ profile_id = '' }: Partial<Record<'profile_id', string | undefined>>) =>
    customers.ofProfile(profile_id);
  const known = new Set(
    direction === 'last' ? everybody : [...then.orders, ...then.consent_events].map(personOf),
  );
  const histories = (['email', 'sms'] as const).map((channel) => consentHistories(store, channel));
  const isSubscriber = (who: string) => histories.some((all) => stateAt(all.get(who), from) !== null);
  const isLeaver = (who: string) =>
    histories.some((all) => {
      const next = stateAt(all.get(who), from)?.next;
      return next !== undefined && next.state === 'unsubscribed' && isIn(next.moment);
    });
  const most = 5 * Math.ceil(days / 92);
  const valid = store.orders.filter(
    ({ status, profile_id }) => status !== 'cancelled' && profile_id !== undefined,
  );
  const usual = roundedUsual(store.orders.filter(({ status }) => status !== 'cancelled'));
  const bought = Map.groupBy(
    valid.filter(({ ordered_at }) => isIn(micros(ordered_at ?? ''))),
    personOf,
  );
  const rateOf = new Map(store.order_items.map((item) => [item.order_id, Number(item.tax_rate)]));
  const paid = (rows: readonly Row<'orders'>[]) => rows.reduce((all, { total }) => all + Number(total), 0);
  const bound = Math.max(most * usual, largeValue(valid, personOf, (92 * most) / 5));
  /** The same part counts of what was paid and of its goods without VAT. */
  const sum = (rows: readonly Row<'orders'>[], value: (row: Row<'orders'>) => number) =>
    rows.reduce((all, row) => all + value(row), 0) * Math.min(1, bound / paid(rows));
  const net = (row: Row<'orders'>) => Number(row.total) / (1 + (rateOf.get(row.order_id) ?? 0) / 100);
  const over = (isMeant: (who: string) => boolean) => {
    const people = everybody.filter((who) => known.has(who) && isMeant(who));
    const own = people.map((who) => bought.get(who) ?? []);
    return {
      people_count: people.length,
      buyers_count: own.filter((rows) => rows.length > 0).length,
      subscribers_count: people.filter(isSubscriber).length,
      unsubscribed_count: people.filter(isLeaver).length,
      orders_count: own.reduce((all, rows) => all + Math.min(rows.length, most), 0),
      revenue: own.reduce((all, rows) => all + sum(rows, ({ total }) => Number(total)), 0),
      net_revenue: own.reduce((all, rows) => all + sum(rows, net), 0),
    };
  };
  return (blocks: readonly Block[]) => {
    const query = { segments: [{ targetingBlocks: [...blocks] }] };
    const isMember = (who: string) => meetsQuery(data, query, who);
    return { segment: over(isMember), rest: over((who) => !isMember(who)), whole: over(() => true) };
  };
}

/** The subscription that held just before the moment, and what came next; null: none did. */
function stateAt(
  history: readonly { readonly state: string; readonly moment: bigint }[] = [],
  moment: bigint,
) {
  const place = history.findLastIndex((change) => change.moment < moment);
  return history[place]?.state === 'subscribed' ? { next: history[place + 1] } : null;
}

/** The geometric mean of the orders' values. */
function roundedUsual(orders: readonly Row<'orders'>[]): number {
  return onScale(
    Math.exp(orders.reduce((sum, { total }) => sum + Math.log(Number(total)), 0) / orders.length),
  );
}

/** What 19 of 20 buyers of the last days paid at most; nothing where these are few. */
function largeValue(
  orders: readonly Row<'orders'>[],
  personOf: (row: Row<'orders'>) => string,
  days: number,
): number {
  const late = orders.filter(({ ordered_at }) => micros(ordered_at ?? '') >= micros(before(days)) + SECOND);
  const sums = [...Map.groupBy(late, personOf).values()].map((rows) =>
    rows.reduce((all, { total }) => all + Number(total), 0),
  );
  if (sums.length < 200) return 0;
  return onScale(sums.toSorted((one, other) => one - other)[Math.ceil(0.95 * sums.length) - 1] ?? 0);
}

/** Rounds to the scale 1, 2, 3, 5, 7, 10. */
function onScale(mean: number): number {
  const power = 10 ** Math.floor(Math.log10(mean));
  const steps = [1, 2, 3, 5, 7, 10];
  const bounds = [1.5, 2.5, 4, 6, 8.5, Number.POSITIVE_INFINITY];
  return power * (steps[bounds.findIndex((bound) => mean / power < bound)] ?? 0);
}

interface Answer {
  readonly most_revenue_of_one: number | null;
  readonly metrics: readonly Readonly<Record<string, number | string | null>>[];
  readonly exact: Readonly<Record<string, number>>;
}

const any = (...blocks: readonly Block[]) => ({ segments: [{ targetingBlocks: blocks }] });
const tag = (value: string): Block => ({ type: 'tag', operator: 'has', value });
const half = (seed: string | number): Block => ({
  type: 'random_split',
  operator: 'in',
  value: { from: 0, to: 50, seed },
});

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  await test.importStore(shop, randomStore(1));
});

afterAll(() => test[Symbol.asyncDispose]());

async function answerOf(args: object, caller?: Caller) {
  const { result, notes = [] } = await test.run(
    caller === undefined ? exactPerformance : 'segment_performance',
    { business_id: shop.business_id, ...args },
    caller,
  );
  const { metrics, exact } = result as Answer;
  return { metrics: new Map(metrics.map((row) => [row.metric, row])), exact, notes };
}

/** Conditions that are known of any moment. */
const OF_ANY_TIME: readonly (readonly Block[])[] = [
  [{ type: 'order_count', operator: 'gte', value: 2 }],
  [{ type: 'order_count', operator: 'gte', value: 1, period: { last_days: 60 } }],
  [{ type: 'last_order_at', operator: 'in_period', period: { more_than_days_ago: 45 } }],
  [{ type: 'last_order_at', operator: 'in_period', period: { from: '2024-03-01', to: '2024-11-15' } }],
  [{ type: 'order_value_total', operator: 'gte', value: 700, negate: true }],
  [{ type: 'consent', operator: 'is', value: { channel: 'email', state: 'subscribed' } }],
  [
    { type: 'consent', operator: 'is', value: { channel: 'sms', state: 'never_subscribed' } },
    { type: 'suppressed', operator: 'is', value: true, negate: true },
  ],
  [{ type: 'subscribed_at', operator: 'after', value: '2024-05-01' }],
];

describe('the numbers before the noise', () => {
  it('numbers of the segment as it is, and as it was, are those of loops over the rows of random stores', async () => {
    for (const seed of fewerInQuick([1, 2, 3])) {
      const store = randomStore(seed, 40);
      const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
      await test.importStore(business, store);
      for (const [direction, days] of DAYS) {
        const measure = measurement(store, { days, direction });
        for (const blocks of [[], [tag('even')], ...OF_ANY_TIME]) {
          if (direction === 'next' && blocks.some(({ type }) => type === 'tag')) continue;
          const asked = { segment_query: any(...blocks), days, direction };
          const { exact } = await answerOf({ business_id: business.business_id, ...asked });
          const { segment, rest, whole } = measure(blocks);
          for (const name of Object.keys(whole) as (keyof typeof whole)[]) {
            const said = `${name} ${JSON.stringify(asked)}`;
            expect(exact[`segment_${name}`], said).toBeCloseTo(segment[name], 1);
            expect(exact[`whole_${name}`], said).toBeCloseTo(whole[name], 1);
            // Nothing is in both, and nothing in neither.
            expect(segment[name] + rest[name], said).toBeCloseTo(whole[name], 4);
          }
        }
      }
    }
  });
});

/**
 * 300 people with an order of 100 each, and every fifth with nine more: a usual order says little of what a
 * person pays.
 */
function unequalStore(largeOrders: number): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  store.products.push({ external_product_id: 'p1', name: 'Tea', price: '100' });
  const add = (order_id: string, profile_id: string, total: number, ordered_at = before(20)) => {
    store.orders.push({ order_id, ordered_at, profile_id, total: String(total), status: 'paid' });
    store.order_items.push({
      ...{ order_id, external_product_id: 'p1', quantity: '1', kind: 'product', line_no: '1' },
      ...{ unit_price: String(total), tax_rate: '2' },
    });
  };
  for (let number = 0; number < 300; number += 1) {
    const profile_id = `person-${number}`;
    store.profiles.push({ profile_id, tags: number % 2 === 0 ? 'even' : 'odd' });
    add(`${number}`, profile_id, 100);
    if (number % 5 === 0) add(`${number}-large`, profile_id, 2400);
  }
  for (let number = 0; number < largeOrders; number += 1)
    add(`huge-${number}`, `person-${number}`, 90_000, END);
  return store;
}

describe('the money of large buyers', () => {
  const ask = async (store: Store, direction: 'last' | 'next' = 'last') => {
    const { business_id } = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
    await test.importStore({ business_id } as Business, store);
    const asked = { business_id, segment_query: any(tag('even')), direction };
    const { result, notes = [] } = await test.run(exactPerformance, asked);
    return { ...(result as Answer), notes };
  };

  it('counts as far as 19 of 20 buyers go, where usual orders are far less', async () => {
    const store = unequalStore(0);
    store.profiles.push({ profile_id: 'nobody' });
    const { most_revenue_of_one, exact } = await ask(store);
    // 60 of 300 paid 2,500, on the scale 3,000; a usual order is 200, and five of them 1,000, would cut 36 %
    // of all.
    expect(most_revenue_of_one).toBe(3000);
    expect(exact.whole_revenue).toBe(300 * 100 + 60 * 2400);
  });

  it('is said to be cut beyond that, first, and how much of all it is', async () => {
    const { most_revenue_of_one, exact, notes, metrics } = await ask(unequalStore(6));
    expect(most_revenue_of_one).toBe(3000);
    const paid = 300 * 100 + 60 * 2400 + 6 * 90_000;
    const [, least, most] =
      /^Of one person at most 3000 CZK count: (\d+) to (\d+) % /.exec(notes[0] ?? '') ?? [];
    const cut = 100 * (1 - (exact.whole_revenue ?? 0) / paid);
    expect(cut).toBeGreaterThan(70);
    // The interval holds for 95 of 100 stores by its noise; three of its widths hold for all.
    const width = Number(most) - Number(least);
    expect(Number(least) - width).toBeLessThanOrEqual(cut);
    expect(Number(most) + width).toBeGreaterThanOrEqual(Math.floor(cut));
    const of = (name: string) => metrics.find(({ metric }) => metric === name);
    for (const part of ['segment', 'rest', 'whole'] as const)
      expect(Number(of('net_revenue')?.[part])).toBeLessThanOrEqual(Number(of('revenue')?.[part]));
  });
});

const DAYS = [
  ['last', 90],
  ['last', 200],
  ['next', 90],
  ['next', 30],
] as const;

describe('the answer that leaves the server', () => {
  it('is about the whole, the segment, and what is left of the two as they are shown', async () => {
    const { metrics } = await answerOf({ segment_query: any(tag('even')) });
    let added = 0;
    for (const { metric, segment, rest, whole, segment_is } of metrics.values()) {
      if (segment_is !== 'no rate' || segment === null) continue;
      expect(Number(segment) + Number(rest), String(metric)).toBeCloseTo(Number(whole), 4);
      added += 1;
    }
    expect(added).toBeGreaterThan(4);
    const value = (name: string, part: string) => Number(metrics.get(name)?.[part]);
    expect(value('average_order_value', 'segment')).toBeCloseTo(
      value('revenue', 'segment') / value('orders_count', 'segment'),
      3,
    );
    expect(value('buyers_share', 'rest')).toBeCloseTo(
      (100 * value('buyers_count', 'rest')) / value('people_count', 'rest'),
      3,
    );
  });

  it('has the people of the segment as estimates count them, with the same noise', async () => {
    const segment_query = any(tag('odd'));
    const { metrics } = await answerOf({ segment_query });
    const estimate = await test.ask('estimate_segment_query', {
      business_id: shop.business_id,
      segment_query,
    });
    expect(metrics.get('people_count')?.segment).toBe(
      (estimate as { profiles_count: number }).profiles_count,
    );
  });

  it.each([
    ['of four people', [tag('of-4')]],
    ['of all but four people', [{ ...tag('of-4'), negate: true }]],
    ['of nobody', [tag('nobody-has-it')]],
  ])('tells nothing of a segment %s', async (_, blocks) => {
    const { metrics } = await answerOf({ segment_query: any(...blocks) });
    for (const { metric, segment, rest, share_of_whole } of metrics.values())
      expect([segment, rest, share_of_whole], String(metric)).toEqual([null, null, null]);
  });

  it('has as much noise as is promised, and intervals that hold', async () => {
    const errors: Record<string, number[]> = { people_count: [], orders_count: [], revenue: [] };
    let [within, tries] = [0, 0];
    for (let seed = 0; seed < 30; seed += 1) {
      const { metrics, exact } = await answerOf({ segment_query: any(half(seed)) });
      for (const [name, all] of Object.entries(errors)) {
        const { segment, segment_low, segment_high } = metrics.get(name) ?? {};
        const truth = exact[`segment_${name}`] ?? 0;
        if (segment === null || segment === undefined) continue;
        all.push(Number(segment) - truth);
        within += Number(segment_low) <= truth && truth <= Number(segment_high) ? 1 : 0;
        tries += 1;
      }
    }
    // 10 people; five orders of a person are 2.5 times as much influence as noise, at 200 a usual order.
    const promised: Record<string, number> = { people_count: 10, orders_count: 25, revenue: 25 * 200 };
    for (const [name, all] of Object.entries(errors))
      expect(deviationOf(all), name).toBeGreaterThan((promised[name] ?? 0) * leastDeviation(all.length));
    expect(within / tries).toBeGreaterThan(0.88);
  });

  it('is paid for out of the budget that estimates have', async () => {
    const caller = await newCaller();
    let answers = 0;
    const ask = (seed: number) => answerOf({ segment_query: any(half(seed)) }, caller);
    await expect(
      (async () => {
        for (; answers < 100; answers += 1) await ask(answers);
      })(),
    ).rejects.toThrow('the budget for estimates is used up');
    // Four counts and three sums that cost four counts each, of each segment, and once of the whole: 16 + 11
    // times 16 of 200 are 192.
    expect(readFileSync('docs/insights.md', 'utf8')).toMatch(
      /costs 16 of the 200 counts[^.]*and 16 more\s+for the whole[^.]*: 32 for the first/,
    );
    expect(answers).toBe(11);
    // A question of today is free.
    await ask(3);
    const estimate = {
      business_id: shop.business_id,
      segment_query: any(half(100), tag('even')),
      by_consent: 'email',
    };
    await expect(test.ask('estimate_segment_query', estimate, caller)).rejects.toThrow(
      'the budget for estimates',
    );
  });
});

async function newCaller(): Promise<Caller> {
  const { control } = test.instance;
  const { account_id } = await createAccount(control, {
    email: `${randomUUID()}@example.com`,
    password: null,
  });
  await grantAccess(control, account_id, shop.business_id, PERMISSIONS);
  return accountCaller(control, account_id);
}

describe('notes', () => {
  it('say that a segment by orders of the same days differs by its definition', async () => {
    const blocks = OF_ANY_TIME[1] ?? [];
    expect((await answerOf({ segment_query: any(...blocks) })).notes).toContainEqual(
      expect.stringMatching(
        /^The segment is chosen by order_count until as_of, and the days up to then are measured/,
      ),
    );
    const { notes } = await answerOf({ segment_query: any(...blocks), direction: 'next' });
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^The segment is as it was on 2024-10-02, and what its people did in the 90 days since/,
      ),
    );
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^A person counts with at most \d+ orders: what more they ordered is in no number\.$/,
      ),
    );
  });
});

describe('refuses', () => {
  const saved = {
    segment_id: 'regulars',
    name: 'Regular buyers',
    segment_query: JSON.stringify(any(tag('even'))),
  };

  it('a segment that does not exist, by naming what is near', async () => {
    const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
    await test.importStore(business, { ...randomStore(1, 10), segments: [saved] });
    const ask = (args: object) => test.ask(exactPerformance, { business_id: business.business_id, ...args });
    const found = (await ask({ segment_query: 'regulars' })) as Answer;
    expect(found.exact.segment_people_count).toBe(5);
    await expect(ask({ segment_query: 'regular' })).rejects.toThrow(
      'there is no saved segment "regular"; near are "Regular buyers" ("regulars")',
    );
    const naming = any({ type: 'segment', operator: 'in', value: ['Regular'] });
    await expect(ask({ segment_query: naming })).rejects.toThrow(
      'there is no saved segment "Regular"; near are',
    );
    await expect(answerOf({ segment_query: 'x' })).rejects.toThrow(
      'there is no saved segment "x"; none is loaded',
    );
  });

  it.each([
    [{ segment_query: '[]' }, 'segment_query: must be an object with segments'],
    [{ segment_query: any(), days: 366 }, 'days must be between 1 and 365'],
    [
      { segment_query: any(tag('even')), direction: 'next' },
      'segments[0].targetingBlocks[0].type: tag is known as it is now alone',
    ],
    [
      { segment_query: any(), direction: 'next', days: 365 },
      /^days with direction next reach back to 2024-01-01, but orders are loaded from 2024-01-0\d on/,
    ],
    [{ segment_query: any({ type: 'weather' }) }, 'segments[0].targetingBlocks[0].type'],
  ])('%j', async (args, message) => {
    await expect(answerOf(args)).rejects.toThrow(message);
  });
});
