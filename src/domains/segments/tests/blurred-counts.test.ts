import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { exactEstimate } from '../../../../tests/support/exact-estimate.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { type Business, PERMISSIONS } from '../../../business/business.ts';
import { createAccount, grantAccess } from '../../../control/people/accounts.ts';
import { accountCaller, type Caller } from '../../../control/people/callers.ts';

/**
 * What is left of true counts in the answers of `estimate_segment_query`, and what a caller gets of them in a
 * day.
 */
let test: TestInstance;
let shop: Business;
let twin: Business;
let consents: Business;

/**
 * 600 people; the tag `t7` is of every seventh, `of-48` of 48 people, `of-4` of 4. All but 3 have
 * `nearly-all`.
 */
const PEOPLE: Row<'profiles'>[] = Array.from({ length: 600 }, (_, index) => ({
  profile_id: `person-${index}`,
  tags: [
    ...[2, 3, 5, 7].filter((step) => index % step === 0).map((step) => `t${step}`),
    ...(index < 4 ? ['of-4'] : []),
    ...(index < 48 ? ['of-48'] : []),
    ...(index >= 3 ? ['nearly-all'] : []),
  ].join('|'),
  country: index % 2 === 0 ? 'CZ' : 'SK',
}));

const store = (profiles: Row<'profiles'>[]): Store => ({
  ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
  profiles,
  orders: profiles.slice(0, 300).map(({ profile_id }) => ({
    ...{ order_id: `O-${profile_id}`, profile_id, ordered_at: '2024-04-01T00:00:00', total: '10' },
  })),
});

/**
 * 1,200 people: of each four one is subscribed, one was and has left or bounced, one is pending, one is
 * unknown. The first 800 have ordered, one of them 50 times, one once for a fortune; an order was cancelled,
 * and one is nobody's.
 */
const CONSENTING = Array.from({ length: 1200 }, (_, index) => `person-${index}`);
const ordersOf = (index: number) => (index >= 800 ? 0 : index === 4 ? 50 : 1 + (index % 3));
const totalOf = (index: number) => (index === 8 ? 1_000_000 : 100 + (index % 7) * 10);
const stateOf = (index: number) =>
  (['subscribed', index % 8 === 1 ? 'unsubscribed' : 'bounced', 'pending', null] as const)[index % 4] ?? null;
const consenting: Store = {
  ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
  profiles: CONSENTING.map((profile_id) => ({ profile_id })),
  consent_events: CONSENTING.flatMap((profile_id, index) => {
    const state = stateOf(index);
    const event = { profile_id, channel: 'email', at: '2024-03-01T00:00:00' };
    return state === null ? [] : [{ ...event, state }];
  }),
  orders: [
    ...CONSENTING.flatMap((profile_id, index) =>
      Array.from({ length: ordersOf(index) }, (_, number) => ({
        ...{ order_id: `${index}-${number}`, profile_id, total: String(totalOf(index)) },
        ordered_at: '2024-04-01T00:00:00',
      })),
    ),
    {
      ...{ order_id: 'cancelled', profile_id: 'person-0', ordered_at: '2024-04-01T00:00:00' },
      ...{ total: '500', status: 'cancelled' },
    },
    { order_id: 'nobody', ordered_at: '2024-04-01T00:00:00', total: '500' },
  ],
};

beforeAll(async () => {
  test = await createTestInstance();
  [shop, twin, consents] = [
    await test.createBusiness(),
    await test.createBusiness(),
    await test.createBusiness(),
  ];
  await test.importStore(consents, consenting);
  await test.importStore(shop, store(PEOPLE));
  await test.importStore(twin, store(PEOPLE));
});

afterAll(() => test[Symbol.asyncDispose]());

const tag = (value: string, negate = false) => ({ type: 'tag', operator: 'has', value, negate });
const query = (...targetingBlocks: object[]) => ({ segments: [{ targetingBlocks }] });

interface Counts {
  readonly profiles_count: number | null;
  readonly email_reachable_count: number | null;
  readonly customers_count: number | null;
  readonly is_hidden: boolean;
  readonly blocks: readonly {
    readonly alone_count: number | null;
    readonly cumulative_count: number | null;
  }[];
}

async function estimate(segment_query: object, more: { business?: Business; exclude?: object } = {}) {
  const { business = shop, exclude = null } = more;
  const args = { business_id: business.business_id, segment_query, exclude_segment_query: exclude };
  const { result, notes = [] } = await test.run('estimate_segment_query', args);
  return { ...(result as Counts), notes };
}

async function exactly(segment_query: object): Promise<Counts> {
  return (await test.ask(exactEstimate, { business_id: shop.business_id, segment_query })) as Counts;
}

describe('a count', () => {
  const asked = query(tag('t2'), tag('t3', true), tag('t5', true));

  it('is a multiple of ten near the true one, and says so', async () => {
    const [shown, exact] = [await estimate(asked), await exactly(asked)];
    expect(exact).toMatchObject({ profiles_count: 160, blocks: [{ alone_count: 300 }, {}, {}] });
    const pairs = shown.blocks.flatMap((block, index) => [
      [block.alone_count, exact.blocks[index]?.alone_count],
      [block.cumulative_count, exact.blocks[index]?.cumulative_count],
    ]);
    const visible = pairs.filter(([count]) => count !== null);
    expect(visible.length).toBeGreaterThan(3);
    for (const [count, truth] of visible) {
      expect((count ?? 1) % 10).toBe(0);
      // Five and a half deviations, and the rounding.
      expect(Math.abs((count ?? 0) - (truth ?? 0))).toBeLessThanOrEqual(60);
    }
    expect(shown.notes[0]).toBe(
      'Counts are of groups: rounded to tens, with a noise that is always the same for the same question. 19 of 20 are in their intervals. Neither put them in order where these overlap, nor subtract them from each other: by_consent has what is usually subtracted for.',
    );
  });

  it('is the same for the same question, in whatever order it is put', async () => {
    const first = await estimate(asked);
    expect(await estimate(asked)).toEqual(first);
    const other = await estimate({
      segments: [
        { targetingBlocks: [tag('t5', true), tag('t2'), tag('t3', true), tag('t2')] },
        { targetingBlocks: [tag('t2'), tag('t3', true), tag('t5', true)] },
      ],
    });
    expect(other.profiles_count).toBe(first.profiles_count);
    expect(other.blocks[1]?.alone_count).toBe(first.blocks[0]?.alone_count);
    const countries = (...value: string[]) =>
      query({ type: 'attribute', operator: 'in', value: { name: 'country', value } });
    expect((await estimate(countries('CZ', 'AT', 'CZ'))).profiles_count).toBe(
      (await estimate(countries('AT', 'CZ'))).profiles_count,
    );
  });

  it('has other noise for other questions, also about the same people: equal sets do not show', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `no-${index}`);
    const ways = await Promise.all(names.map((name) => estimate(query(tag('t2'), tag(name, true)))));
    expect((await exactly(query(tag('t2'), tag('no-1', true)))).profiles_count).toBe(300);
    // Hidden, since they are all of the block before. The noise of two counts shows one in 5,000 all the
    // same: of twelve, two in one run of 300,000.
    expect(ways.filter(({ profiles_count }) => profiles_count !== null).length).toBeLessThanOrEqual(1);
    const united = await Promise.all(
      names.map((name) =>
        estimate({ segments: [{ targetingBlocks: [tag('t2')] }, { targetingBlocks: [tag(name)] }] }),
      ),
    );
    expect(new Set(united.map(({ profiles_count }) => profiles_count)).size).toBeGreaterThan(2);
  });

  it('has other noise in another business, and after an import', async () => {
    const blocks = [2, 3, 5, 7].flatMap((step) => [tag(`t${step}`), tag(`t${step}`, true)]);
    const counts = async (business: Business) =>
      (
        await estimate({ segments: blocks.map((block) => ({ targetingBlocks: [block] })) }, { business })
      ).blocks.map(({ alone_count }) => alone_count);
    const before = await counts(twin);
    expect(before).not.toEqual(await counts(shop));
    await test.importStore(twin, { ...store([]), profiles: [{ profile_id: 'one-more' }] });
    expect(await counts(twin)).not.toEqual(before);
  });
});

interface ByConsent {
  readonly by_consent: readonly Record<string, number | string | null>[];
  readonly intervals: readonly {
    readonly estimate: string;
    readonly from_value: number;
    readonly to_value: number;
  }[];
}

describe('an estimate by consent', () => {
  const asked = (segment_query: object) => ({
    ...{ business_id: consents.business_id, segment_query, by_consent: 'email' },
  });
  const GROUP_OF = ['subscribed', 'unsubscribed', 'never', 'never'];
  // One person counts with at most 20 orders, and 20 times the usual value of an order: most orders are worth
  // 100 to 160, which is rounded to 100.
  const truth = ['subscribed', 'unsubscribed', 'never'].map((consent) => {
    const members = CONSENTING.map((_, index) => index).filter((index) => GROUP_OF[index % 4] === consent);
    const buyers = members.filter((index) => ordersOf(index) > 0);
    const sum = (counted: (index: number) => number) =>
      buyers.reduce((total, index) => total + counted(index), 0);
    return {
      ...{ consent, profiles_count: members.length, customers_count: buyers.length },
      orders_count: sum((index) => Math.min(20, ordersOf(index))),
      revenue: sum((index) => Math.min(20 * 100, ordersOf(index) * totalOf(index))),
    };
  });

  it('counts the people, buyers, orders and revenue of each group', async () => {
    const { by_consent } = (await test.ask(exactEstimate, asked(query()))) as ByConsent;
    expect(by_consent).toEqual(truth);
  });

  it('shows all of it with noise, each with the interval in which the truth mostly is', async () => {
    let [inside, nearMiddle, all] = [0, 0, 0];
    for (let number = 0; number < 12; number += 1) {
      // Everybody, asked in another way, with other noise.
      const everybody = number === 0 ? query() : query(tag(`no-${number}`, true));
      const { by_consent, intervals } = (await test.ask(
        'estimate_segment_query',
        asked(everybody),
      )) as ByConsent;
      for (const [place, row] of by_consent.entries()) {
        const own = truth[place] as Record<string, number | string>;
        const share = (100 * Number(own.customers_count)) / Number(own.profiles_count);
        for (const [key, value] of Object.entries({ ...own, customers_share: share })) {
          if (key === 'consent') continue;
          const interval = intervals.find(({ estimate }) => estimate === `by_consent[${place}].${key}`);
          expect(interval === undefined, `${place} ${key}`).toBe(row[key] === null);
          if (interval === undefined) continue;
          all += 1;
          const { from_value, to_value } = interval;
          if (from_value <= Number(value) && Number(value) <= to_value) inside += 1;
          if (Math.abs(Number(value) - (from_value + to_value) / 2) < (to_value - from_value) / 4)
            nearMiddle += 1;
          expect(Number(row[key])).toBeGreaterThanOrEqual(interval.from_value);
          expect(Number(row[key])).toBeLessThanOrEqual(interval.to_value);
        }
      }
    }
    expect(all).toBeGreaterThan(100);
    // 19 of 20, and of so few a chance in 100 million that it is less than this.
    expect(inside / all).toBeGreaterThan(0.85);
    // Two of three lie within half of it: an interval that is too wide would have more.
    expect(nearMiddle / all).toBeLessThan(0.9);
  });

  it('hides the sums of a group of few buyers', async () => {
    const few = query({ type: 'order_count', operator: 'gte', value: 4 });
    const { by_consent } = (await test.ask('estimate_segment_query', asked(few))) as ByConsent;
    expect(by_consent).toEqual(
      ['subscribed', 'unsubscribed', 'never'].map((consent) => ({
        ...{ consent, profiles_count: null, customers_count: null, customers_share: null },
        ...{ orders_count: null, revenue: null },
      })),
    );
  });

  it('costs as many counts as one person has influence on it', async () => {
    const { control } = test.instance;
    const { account_id } = await createAccount(control, { email: 'sums@example.com', password: null });
    await grantAccess(control, account_id, consents.business_id, PERMISSIONS);
    const caller = accountCaller(control, account_id);
    const left = async (by_consent: string | null) => {
      const args = { ...asked(query()), by_consent };
      const { notes = [] } = await test.run('estimate_segment_query', args, caller);
      return Number(/(\d+) of 200 new counts are left/.exec(notes.join())?.[1] ?? Number.NaN);
    };
    // 4 counts of everybody; 2 of each group, and 2 sums of each for 16.
    const after = 200 - (4 + 3 * (2 + 2 * 16));
    expect(await left('email')).toBe(after);
    // What was asked today is free, and a question that costs more than is left takes nothing.
    expect(await left('email')).toBe(after);
    await expect(left('sms')).rejects.toThrow(/counts/);
    expect(await left(null)).toBe(after);
  });
});

describe('hidden are', () => {
  it('few, and those who do not exist, alike', async () => {
    for (const name of ['of-4', 'of-nobody']) {
      const { notes, ...shown } = await estimate(query(tag(name)));
      expect(shown).toMatchObject({
        ...{ profiles_count: null, email_reachable_count: null, customers_count: null, is_hidden: true },
        blocks: [{ alone_count: null, cumulative_count: null }],
      });
      expect(notes[1]).toBe(
        'Hidden, since they are fewer than about 40 profiles, perhaps none: profiles_count, email_reachable_count, sms_reachable_count, customers_count, blocks[0].alone_count, blocks[0].cumulative_count.',
      );
    }
  });

  it('all but a few, and all, alike', async () => {
    for (const [asked, hidden] of [
      [query(tag('nearly-all')), 'blocks[0].alone_count (of all profiles)'],
      [query(tag('of-4', true)), 'blocks[0].alone_count (of all profiles)'],
      [query(tag('t2'), tag('nearly-all')), 'blocks[1].cumulative_count (of blocks[0].alone_count)'],
      [query(tag('t2'), tag('of-nobody', true)), 'blocks[1].cumulative_count (of blocks[0].alone_count)'],
      [query({ type: 'order_count', operator: 'gte', value: 1 }), 'customers_count (of profiles_count)'],
    ] as const) {
      const { notes, is_hidden } = await estimate(asked);
      expect(is_hidden).toBe(true);
      expect(notes.join('\n')).toMatch(
        /^Hidden, since they are all of something, or less by fewer than about 50/m,
      );
      expect(notes.join('\n')).toContain(hidden);
    }
  });

  it('those whom an exclusion leaves, when it leaves nearly all', async () => {
    const { profiles_count, notes } = await estimate(query(tag('t2')), { exclude: query(tag('of-nobody')) });
    expect(profiles_count).toBeNull();
    expect(notes.join('\n')).toContain('profiles_count (of profiles_count before the exclusion)');
  });

  it('counts that the query itself makes nobody or everybody are shown', async () => {
    expect(await estimate({ segments: [] })).toMatchObject({ profiles_count: 0, is_hidden: false });
    expect(await estimate(query(tag('t2')), { exclude: query() })).toMatchObject({ profiles_count: 0 });
    expect(Math.abs(((await estimate(query())).profiles_count ?? 0) - 600)).toBeLessThanOrEqual(60);
  });
});

describe('a budget', () => {
  async function newCaller(): Promise<Caller> {
    const { control } = test.instance;
    const email = `${Math.random()}@example.com`;
    const { account_id } = await createAccount(control, { email, password: null });
    await grantAccess(control, account_id, shop.business_id, PERMISSIONS);
    return accountCaller(control, account_id);
  }
  const ask = async (caller: Caller, ...tags: string[]) => {
    const segment_query = { segments: tags.map((name) => ({ targetingBlocks: [tag(name)] })) };
    const args = { business_id: shop.business_id, segment_query };
    return test.run('estimate_segment_query', args, caller);
  };
  const many = (first: number) => Array.from({ length: 40 }, (_, index) => `tag ${first + index}`);

  it('pays for new counts: of each block, of the whole, and of all profiles', async () => {
    const caller = await newCaller();
    // 40 blocks, of which each is alone what it is in its segment, the whole four times, and all profiles.
    for (const first of [0, 100, 200]) await ask(caller, ...many(first));
    const { notes } = await ask(caller, ...many(300));
    expect(notes).toContain("Today's budget for estimates: 23 of 200 new counts are left.");
    await expect(ask(caller, ...many(400))).rejects.toThrow(
      'the budget for estimates is used up: an account gets 200 new counts of a business a day; 23 are left, and this question has 44',
    );
    // What was asked today is answered again, and what is small enough.
    await ask(caller, ...many(300).reverse());
    await ask(caller, 't2');
    expect(await ask(await newCaller(), ...many(400))).toBeDefined();
  });

  it('is told from the first answer on, also where a question is asked again', async () => {
    const caller = await newCaller();
    const told = async (...tags: string[]) =>
      ((await ask(caller, ...tags)).notes ?? []).filter((note) => note.includes('budget'));
    // The block, the whole four times, and all profiles, of which what is alike counts once.
    const [first = ''] = await told('t2');
    expect(first).toMatch(/^Today's budget for estimates: 19\d of 200 new counts are left\.$/);
    expect(await told('t2')).toEqual([first]);
  });

  it('is only for what is asked rightly', async () => {
    const caller = await newCaller();
    const { business_id } = shop;
    const wrong = { business_id, segment_query: query({ type: 'mood' }) };
    await expect(test.run('estimate_segment_query', wrong, caller)).rejects.toThrow('unknown value');
    expect(await caller.spendCounts(business_id, ['one'])).toBe(199);
  });
});
