import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { exactEstimate } from '../../../../tests/support/exact-estimate.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { type Business, PERMISSIONS } from '../../../business/business.ts';
import { createAccount, grantAccess } from '../../../control/accounts.ts';
import { accountCaller, type Caller } from '../../../control/callers.ts';

/** What is left of true counts in the answers of `estimate_segment_query`, and what a caller gets of them in a day. */
let test: TestInstance;
let shop: Business;
let twin: Business;

/** 600 people; the tag `t7` is of every seventh, `of-48` of 48 people, `of-4` of 4. All but 3 have `nearly-all`. */
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

beforeAll(async () => {
  test = await createTestInstance();
  [shop, twin] = [await test.createBusiness(), await test.createBusiness()];
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
      'Counts are of groups: rounded to tens, with a noise that is always the same for the same question. 19 of 20 are within 20 profiles of the truth. Do not subtract them from each other.',
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
    // Hidden, since they are all of the block before.
    expect(new Set(ways.map(({ profiles_count }) => profiles_count))).toEqual(new Set([null]));
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

  it('not those of whom the query itself says that they are nobody, or everybody', async () => {
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
    expect(notes).toContain("Of today's budget for estimates of this business 23 new counts are left.");
    await expect(ask(caller, ...many(400))).rejects.toThrow(
      'the budget for estimates is used up: an account gets 200 new counts of a business a day; 23 are left, and this question has 44',
    );
    // What was asked today is answered again, and what is small enough.
    await ask(caller, ...many(300).reverse());
    await ask(caller, 't2');
    expect(await ask(await newCaller(), ...many(400))).toBeDefined();
  });

  it('is only for what is asked rightly', async () => {
    const caller = await newCaller();
    const { business_id } = shop;
    const wrong = { business_id, segment_query: query({ type: 'mood' }) };
    await expect(test.run('estimate_segment_query', wrong, caller)).rejects.toThrow('unknown value');
    expect(await caller.spendCounts(business_id, ['one'])).toBe(199);
  });
});
