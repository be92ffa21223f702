import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { exactEstimate } from '../../../../tests/support/exact-estimate.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';
import type { Caller } from '../../../control/people/callers.ts';
import { InputError } from '../../../errors.ts';

/**
 * What the tool does beyond counting, by its true counts: see segment-conditions.test.ts for whom each
 * condition means, and blurred-counts.test.ts for what is left of the counts in an answer.
 */
let test: TestInstance;
let shop: Business;
/** The same ids and names, which must not show in the other. */
let neighbour: Business;
let empty: Business;

const query = (...targetingBlocks: object[]) => ({ segments: [{ targetingBlocks }] });
const tag = (value: string) => ({ type: 'tag', operator: 'has', value });
const inSaved = (...value: string[]) => ({ type: 'segment', operator: 'in', value });
const attribute = (name: string, value: unknown, operator = 'eq') => ({
  type: 'attribute',
  operator,
  value: { name, value },
});

/** 20 people; `t4` is a tag of 4 of them, and so on. */
const TAGGED = [1, 4, 5, 7, 16, 20];
const PEOPLE: Row<'profiles'>[] = Array.from({ length: 20 }, (_, index) => ({
  profile_id: `person-${index}`,
  email: `person-${index}@example.com`,
  phone: `+420777000${100 + index}`,
  tags: JSON.stringify([
    ...TAGGED.filter((count) => index < count).map((count) => `t${count}`),
    `person-${index}@example.com`,
  ]),
  attributes: JSON.stringify({
    full_name: 'Jan Novák',
    'E-Mail': `person-${index}@example.com`,
    jméno: 'Jan',
    customerId: String(index),
    note: index < 10 ? `write to person-${index}@example.com` : 'nothing',
    number: `+420 777 000 ${100 + index}`,
    size: 5,
    motto: ['of four', 'of four', 'of four', 'of four', ...Array(5).fill('of five')][index],
  }),
}));

const SAVED: Record<string, unknown> = {
  five: query(tag('t5')),
  notFive: query({ ...inSaved('five'), negate: true }),
  sixteen: query(tag('t16'), inSaved('notFive', 'seven')),
  seven: query(tag('t7')),
  everybody: query(),
  self: query(inSaved('self')),
  'round-a': query(inSaved('five', 'round-b')),
  'round-b': query(inSaved('round-c')),
  'round-c': query(tag('t5'), { ...inSaved('round-a'), operator: 'not_in' }),
  mood: query(tag('t5'), { type: 'mood', value: ['happy'] }),
  person: query(attribute('email', 'person-1@example.com')),
  list: [],
};

function store(people: Row<'profiles'>[], saved: Record<string, unknown>): Store {
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    profiles: people,
    consent_events: people.slice(0, 13).map(({ profile_id }, index) => ({
      ...{ profile_id, at: '2024-05-01T12:00:00', state: 'subscribed', channel: index < 4 ? 'sms' : 'email' },
      ...{ source: 'popup', source_detail: index < 4 ? 'popup-of-4' : 'popup-of-9' },
    })),
    orders: people.slice(0, 6).map(({ profile_id }, index) => ({
      ...{ order_id: `O-${profile_id}`, profile_id, ordered_at: '2024-04-01T00:00:00', total: '10' },
      coupon_codes: [
        ...(index < 1 ? ['ONE'] : []),
        ...(index < 4 ? ['FOUR'] : []),
        ...(index < 5 ? ['FIVE'] : []),
      ].join('|'),
    })),
    products: [{ external_product_id: 'P1', name: 'Hat; drop table products', price: '10' }],
    segments: Object.entries(saved).map(([segment_id, segment_query]) => ({
      ...{ segment_id, name: `Saved ${segment_id}`, segment_query: JSON.stringify(segment_query) },
    })),
  };
}

beforeAll(async () => {
  test = await createTestInstance();
  const options = { timezone: 'Europe/Prague', currency: 'CZK' };
  shop = await test.createBusiness(options);
  await test.importStore(shop, store(PEOPLE, SAVED));
  neighbour = await test.createBusiness(options);
  await test.importStore(neighbour, store(PEOPLE.slice(0, 10), { five: query() }));
  empty = await test.createBusiness(options);
});

afterAll(() => test[Symbol.asyncDispose]());

interface Answer {
  readonly result: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

async function run(segment_query: unknown, more: object = {}, caller?: Caller): Promise<Answer> {
  const { business_id } = shop;
  return (await test.run(exactEstimate, { business_id, segment_query, ...more }, caller)) as Answer;
}

async function countOf(segment_query: object, more: object = {}): Promise<unknown> {
  return (await run(segment_query, more)).result.profiles_count;
}

async function messageOf(segment_query: unknown, more: object = {}): Promise<string> {
  const error = await run(segment_query, more).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

const unknownTag = (name: string) =>
  `Unknown, or of fewer than 5 profiles, so nobody has them: tag "${name}". segmentation://conditions lists those that exist.`;

describe('counts', () => {
  it('are of profiles', async () => {
    expect(await run(query(tag('t16'), tag('t5'), tag('t7'), tag('t0')))).toEqual({
      result: {
        business_id: shop.business_id,
        as_of: '2024-05-01T10:00:00Z',
        profiles_count: 0,
        email_reachable_count: 0,
        sms_reachable_count: 0,
        customers_count: 0,
        is_hidden: false,
        blocks: [
          { segment_index: 0, block_index: 0, alone_count: 16, cumulative_count: 16 },
          { segment_index: 0, block_index: 1, alone_count: 5, cumulative_count: 5 },
          { segment_index: 0, block_index: 2, alone_count: 7, cumulative_count: 5 },
          { segment_index: 0, block_index: 3, alone_count: 0, cumulative_count: 0 },
        ],
        by_consent: null,
        intervals: [],
        readable: [
          'Group 1: has tag "t16"',
          'Group 1, and: has tag "t5"',
          'Group 1, and: has tag "t7"',
          'Group 1, and: has tag "t0"',
        ],
      },
      notes: [unknownTag('t0')],
      sentences: [],
    });
  });

  it.each([
    ['t20', { profiles_count: 20, email_reachable_count: 9, sms_reachable_count: 4, customers_count: 6 }],
    ['t5', { profiles_count: 5, email_reachable_count: 1, sms_reachable_count: 4, customers_count: 5 }],
  ])('count the profiles with tag %s', async (name, counts) => {
    expect((await run(query(tag(name)))).result).toMatchObject(counts);
  });

  it('are of any of several segments; no segment means nobody, no block everybody', async () => {
    const [five, notSixteen] = [query(tag('t5')).segments, query({ ...tag('t16'), negate: true }).segments];
    expect(await countOf({ segments: [] })).toBe(0);
    expect(await countOf(query())).toBe(20);
    expect(await countOf({ segments: [...five, ...five] })).toBe(5);
    expect(await countOf({ segments: [...five, ...notSixteen] })).toBe(9);
    expect(await countOf({ segments: [...five, { targetingBlocks: [] }] })).toBe(20);
  });

  it('are without those whom the other query means, but for the blocks', async () => {
    const sixteen = query(tag('t16'));
    expect((await run(sixteen, { exclude_segment_query: query(tag('t5')) })).result).toMatchObject({
      ...{ profiles_count: 11, customers_count: 1 },
      blocks: [{ alone_count: 16, cumulative_count: 16 }],
      readable: ['Group 1: has tag "t16"', 'Excluded group 1: has tag "t5"'],
    });
    expect(await countOf(sixteen, { exclude_segment_query: { segments: [] } })).toBe(16);
    expect(await countOf(sixteen, { exclude_segment_query: query() })).toBe(0);
    expect(await countOf(sixteen, { exclude_segment_query: null })).toBe(16);
  });

  it('are the same when asked again', async () => {
    const asked = query(tag('t5'), { type: 'random_split', value: { from: 0, to: 50, seed: 'a' } });
    expect(await run(asked)).toEqual(await run(asked));
  });

  it('are of the one business', async () => {
    const { business_id } = neighbour;
    const ask = async (segment_query: object) =>
      (await test.ask(exactEstimate, { business_id, segment_query })) as object;
    expect(await ask(query())).toMatchObject({ profiles_count: 10 });
    expect(await ask(query(inSaved('five')))).toMatchObject({ profiles_count: 10 });
    expect(await ask(query(inSaved('everybody')))).toMatchObject({ profiles_count: 0 });
  });

  it('are zeros in an empty shop, as of its making', async () => {
    const { business_id } = empty;
    const { result, notes } = await test.run(exactEstimate, {
      business_id,
      segment_query: query(tag('t5')),
    });
    const blocks = [{ segment_index: 0, block_index: 0, alone_count: 0, cumulative_count: 0 }];
    expect(result).toMatchObject({ profiles_count: 0, customers_count: 0, is_hidden: false, blocks });
    expect((result as { as_of: string }).as_of).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(notes).toEqual([
      unknownTag('t5'),
      'tag: nothing is known, since no profiles are loaded.',
      'No consent events are loaded, so nobody is known to be reachable.',
    ]);
  });
});

describe('random splits', () => {
  const split = (from: number, to: number, seed: unknown = 'a') => ({
    type: 'random_split',
    operator: 'in',
    value: { from, to, seed },
  });
  const crowd: Row<'profiles'>[] = Array.from({ length: 4000 }, (_, index) => ({ profile_id: `p${index}` }));
  let business_id = '';
  beforeAll(async () => {
    const business = await test.createBusiness();
    await test.importStore(business, store(crowd, {}));
    business_id = business.business_id;
  });
  const counts = async (...blocks: object[]) => {
    const answer = await test.ask(exactEstimate, { business_id, segment_query: query(...blocks) });
    return (answer as { blocks: { alone_count: number; cumulative_count: number }[] }).blocks;
  };

  it('part all profiles', async () => {
    const parts = await counts(
      split(0, 0.01),
      split(0.01, 33.3333),
      split(33.3333, 50),
      split(50, 99.99),
      split(99.99, 100),
    );
    const sum = parts.reduce((total, { alone_count }) => total + (alone_count ?? Number.NaN), 0);
    expect(Number.isNaN(sum) ? 4000 : sum).toBe(4000);
    const [all, none, half, other] = await counts(split(0, 100), split(50, 50), split(0, 50), split(50, 100));
    expect([all?.alone_count, none?.alone_count]).toEqual([4000, 0]);
    expect((half?.alone_count ?? 0) + (other?.alone_count ?? 0)).toBe(4000);
    expect(Math.abs((half?.alone_count ?? 0) - 2000)).toBeLessThan(200);
  });

  it('part them in other ways with other seeds', async () => {
    const seeds = ['a', 'b', 7, '8'];
    for (const seed of seeds.slice(1)) {
      const [, both] = await counts(split(0, 50), split(0, 50, seed));
      expect(Math.abs((both?.cumulative_count ?? 0) - 1000), String(seed)).toBeLessThan(150);
    }
    const [, same] = await counts(split(0, 50, 7), split(0, 50, '7'));
    expect(same?.cumulative_count).toBe(same?.alone_count);
  });
});

describe('saved segments', () => {
  it('mean whom their queries mean, through any of them', async () => {
    expect(await countOf(query(inSaved('five')))).toBe(5);
    expect(await countOf(query(inSaved('notFive')))).toBe(15);
    expect(await countOf(query(inSaved('sixteen')))).toBe(16);
    expect(await countOf(query(inSaved('five', 'gone', 'everybody')))).toBe(20);
    expect(await countOf(query({ ...inSaved('five', 'gone'), operator: 'not_in' }))).toBe(15);
    expect(await countOf(query({ ...inSaved('five'), operator: 'not_in', negate: true }))).toBe(5);
    expect(await countOf(query(), { exclude_segment_query: query(inSaved('notFive')) })).toBe(5);
  });

  it('are named in an error when they do not exist', async () => {
    const { result, notes } = await run(
      query(inSaved('gone'), { type: 'bought', of: { product: ['P1', 'P2'] } }),
    );
    expect(result).toMatchObject({
      profiles_count: 0,
      readable: [
        'Group 1: in saved segment "gone" (no longer exists)',
        'Group 1, and: bought product "Hat; drop table products" ("P1") or product "P2" (no longer exists), at any time',
      ],
    });
    expect(notes).toEqual([
      'Unknown, so nobody has to do with them: segment "gone", product "P2".',
      'bought: nothing is known, since no order_items are loaded.',
    ]);
  });

  it.each([
    ['self', 'saved segments name each other in a circle: "self" > "self"'],
    ['round-a', 'saved segments name each other in a circle: "round-a" > "round-b" > "round-c" > "round-a"'],
    ['mood', 'saved segment "mood": segments[0].targetingBlocks[1].type: unknown value'],
    [
      'person',
      'saved segment "person": segments[0].targetingBlocks[0].value.name: conditions on e-mail address, phone or name are refused',
    ],
    ['list', 'saved segment "list": segment_query: must be an object with segments'],
  ])('are refused when they cannot be evaluated: %s', async (id, message) => {
    expect(await messageOf(query(inSaved(id)))).toBe(message);
    expect(await messageOf(query(), { exclude_segment_query: query({ ...inSaved(id), negate: true }) })).toBe(
      message,
    );
  });
});

describe('a condition that fewer than five profiles meet has nobody, like one that does not exist', () => {
  it.each([tag('t4'), tag('t1'), attribute('motto', 'of four'), attribute('motto', 'four', 'contains')])(
    '%j',
    async (block) => {
      expect(await countOf(query(block))).toBe(0);
      expect(await countOf(query({ ...block, negate: true }))).toBe(20);
    },
  );

  it.each([
    tag('t5'),
    attribute('motto', 'of five'),
    attribute('motto', 'of five', 'in'),
    attribute('motto', 'FIVE', 'contains'),
    { type: 'coupon_used', value: 'FIVE' },
  ])('but what five have: %j', async (block) => {
    expect(await countOf(query(block))).toBe(5);
  });

  it('so do coupons and places of subscription, while it is known that there is something', async () => {
    expect(await countOf(query({ type: 'coupon_used', value: ['ONE', 'FOUR'] }))).toBe(0);
    expect(await countOf(query({ type: 'coupon_used', value: ['FOUR', 'FIVE'] }))).toBe(5);
    expect(await countOf(query({ type: 'source', operator: 'is', value: ['popup-of-4'] }))).toBe(0);
    expect(await countOf(query({ type: 'source', operator: 'is', value: ['popup-of-9'] }))).toBe(9);
    expect(await countOf(query(attribute('motto', undefined, 'exists')))).toBe(9);
  });
});

describe('a condition that looks for one person is refused', () => {
  const REFUSED = 'conditions on e-mail address, phone or name are refused';
  it.each([
    [attribute('email', 'person-1@example.com'), '.value.name'],
    [attribute('E-Mail', undefined, 'exists'), '.value.name'],
    [attribute('contact_phone', ['1', '2'], 'in'), '.value.name'],
    [attribute('full_name', 'Jan Novák'), '.value.name'],
    [attribute('Příjmení', 'nov', 'contains'), '.value.name'],
    [attribute('name', 'Jan'), '.value.name'],
    [attribute('customerId', '1'), '.value.name'],
    [attribute('shipping address', 'Dlouhá', 'contains'), '.value.name'],
    [attribute('note', 'person-1@example.com', 'contains'), '.value.value'],
    [attribute('note', '@example', 'contains'), '.value.value'],
    [attribute('number', '+420 777 000 101'), '.value.value'],
    [attribute('number', ['5', ' +420777000101'], 'in'), '.value.value[1]'],
    [tag('person-1@example.com'), '.value.name'],
    [{ type: 'source', operator: 'is', value: ['popup', 'person-1@example.com'] }, '.value[1]'],
    [{ type: 'coupon_used', value: 'for-person-1@example.com' }, '.value[0]'],
  ])('%j', async (block, path) => {
    expect(await messageOf(query(tag('t5'), block))).toBe(
      `segments[0].targetingBlocks[1]${path}: ${REFUSED}`,
    );
    expect(await messageOf(query(), { exclude_segment_query: query(block) })).toBe(
      `exclude_segment_query.segments[0].targetingBlocks[0]${path}: ${REFUSED}`,
    );
  });

  it('and conditions with names that are only similar are not', async () => {
    for (const name of ['company_name', 'city', 'telemetry', 'size', 'namespace', 'mobile_app', 'postcode']) {
      if (name !== 'telemetry')
        expect(await countOf(query(attribute(name, '5'))), name).toBe(name === 'size' ? 20 : 0);
    }
    expect(await countOf(query(attribute('note', 'noth', 'contains')))).toBe(10);
    // Known, but what it says is not kept.
    expect(await countOf(query({ type: 'attribute', operator: 'exists', value: { name: 'note' } }))).toBe(20);
    expect(await countOf(query(attribute('note', 'write', 'contains')))).toBe(0);
    expect(await countOf(query(attribute('number', '777', 'contains')))).toBe(0);
  });
});

describe('an error names by its path what cannot be evaluated', () => {
  it.each<[unknown, string]>([
    [undefined, 'segment_query is required'],
    [null, 'segment_query is required'],
    ['everybody', 'segment_query: must be an object with segments'],
    ['{"segments": [', 'segment_query: must be an object with segments'],
    ['[]', 'segment_query: must be an object with segments'],
    ['{"segments": {}}', 'segments: must be a list'],
    [
      `{"segments": [${' '.repeat(100_000)}]}`,
      'segments: at most 100000 characters and 32 levels are allowed',
    ],
    [7, 'segment_query: must be an object with segments'],
    [[], 'segment_query: must be an object with segments'],
    [{}, 'segments: is required'],
    [{ segments: [{ targetingBlocks: [], also: 1 }] }, 'segments[0].also: unknown field'],
    [query(tag('a'), { type: 'mood' }), 'segments[0].targetingBlocks[1].type: unknown value'],
    [
      query(tag('a'), { type: 'tag', operator: 'is', value: 'a' }),
      'segments[0].targetingBlocks[1].operator: unknown value',
    ],
    [
      query({ type: 'tag', operator: 'value_eq', value: { name: 'a', data: 1 } }),
      'segments[0].targetingBlocks[0].operator: not evaluable: tags are loaded without data',
    ],
    [
      query({ type: 'name_day', value: 3 }),
      'segments[0].targetingBlocks[0].type: not evaluable: names of people are not kept, so nor are their days',
    ],
    [
      query({ type: 'order_value_total', operator: 'gte', value: 0.00001 }),
      'segments[0].targetingBlocks[0].value: must be an amount below 10^13 with at most 4 decimals',
    ],
    [
      query({ type: 'order_value_total', operator: 'between', value: { from: 2, to: 1 } }),
      'segments[0].targetingBlocks[0].value.to: must be at least from',
    ],
    [
      query({ type: 'last_activity', period: { from: '2024-02-30' } }),
      'segments[0].targetingBlocks[0].period.from: must be a date, for example 2026-10-31, or a date-time',
    ],
    [
      query({ type: 'last_activity', period: { from: '2024-03-02', to: '2024-03-01' } }),
      'segments[0].targetingBlocks[0].period.to: is before from',
    ],
    [
      query({ type: 'campaign', operator: 'opened', value: 'c', link: 'l' }),
      'segments[0].targetingBlocks[0].link: is only for clicked and not_clicked',
    ],
    [
      query({ type: 'random_split', value: { from: 2, to: 1, seed: 1 } }),
      'segments[0].targetingBlocks[0].value.to: must be at least from',
    ],
    [
      query(attribute('size', { a: 1 })),
      'segments[0].targetingBlocks[0].value.value: must be a text, a number, true or false; for in also a list of them',
    ],
    [
      query({ type: 'subscribed_at', operator: 'before', value: '2024-01-01', period: { last_days: 1 } }),
      'segments[0].targetingBlocks[0].period: is only for in_period',
    ],
    [
      { segments: Array.from({ length: 41 }, () => ({ targetingBlocks: [] })) },
      'segments: at most 40 elements are allowed',
    ],
    [
      query(...Array.from({ length: 41 }, (_, index) => tag(`t${index}`))),
      'segment_query: at most 40 targetingBlocks are allowed, with those of exclude_segment_query and of the saved segments that are named; these are 41',
    ],
    [
      query(inSaved(...Array.from({ length: 21 }, (_, index) => `s${index}`))),
      'segment_query: at most 20 saved segments are allowed, with those that they name themselves',
    ],
    [query(tag('x'.repeat(100_000))), 'segments: at most 100000 characters and 32 levels are allowed'],
    [
      query({ type: 'tag', operator: 'value_eq', value: { name: 'a', data: deep(40) } }),
      'segments: at most 100000 characters and 32 levels are allowed',
    ],
  ])('%.200j', async (segment_query, message) => {
    expect(await messageOf(segment_query)).toBe(message);
    if (typeof segment_query === 'object' && segment_query !== null && !Array.isArray(segment_query)) {
      const path = message.startsWith('segment_query: at most') ? '' : 'exclude_segment_query.';
      expect(await messageOf(query(), { exclude_segment_query: segment_query })).toBe(`${path}${message}`);
    }
  });

  it('even when that lies deeper than can be written', async () => {
    expect(
      await messageOf(
        query({ type: 'tag', operator: 'value_eq', value: { name: 'a', data: deep(100_000) } }),
      ),
    ).toBe('segments: at most 100000 characters and 32 levels are allowed');
  });

  it('together with what else is wrong', async () => {
    const error = await run(query({ type: 'mood' }, { type: 'weather' })).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      hint: expect.stringMatching(/ Also: segments\[0\]\.targetingBlocks\[1\]\.type: unknown value\.$/),
    });
  });

  it.each([
    [{ type: 'mood' }, /^Allowed: type: .*\bbirthday, .*\bsegment\b/],
    [{ type: 'birthday', operator: 'month_is' }, /^Allowed: operator of "birthday": within_days\. /],
    [
      { type: 'birthday', value: 3, month: 10 },
      /^Allowed: fields of "birthday": type, operator, value, negate\. /,
    ],
    [
      { type: 'attribute', value: { name: 'city' } },
      /^Allowed: operator of "attribute": eq, in, contains, exists\. /,
    ],
    [{ type: 'birthday', value: 'soon' }, /^What conditions can say: segmentation:\/\/conditions\.$/],
  ])('with what is allowed instead of %j', async (block, hint) => {
    await expect(run(query(block))).rejects.toMatchObject({ hint: expect.stringMatching(hint) });
  });
});

it('takes as many blocks as it says, and the same block more than once', async () => {
  const blocks = Array.from({ length: 40 }, (_, index) => ({
    ...tag(`t${index % 20}`),
    negate: index !== 5 && index !== 16,
  }));
  const { result } = await run(query(...blocks));
  expect(result.blocks).toHaveLength(40);
  expect(
    (result.blocks as { alone_count: unknown }[]).map(({ alone_count }) => alone_count).slice(0, 6),
  ).toEqual([20, 20, 20, 20, 20, 5]);
});

it('takes hostile values for what they are: texts', async () => {
  const HOSTILE = [
    "'; drop table profiles; --",
    '$p1 {p1:String} %_\\',
    '\u0000\u202e',
    '\ud800',
    '__proto__',
    '💥'.repeat(500),
  ];
  const named = ['product', 'master_product', 'category', 'brand'].map((kind) => ({ [kind]: HOSTILE }));
  const blocks = [
    { type: 'interest_list', operator: 'is_subscribed', value: HOSTILE },
    { type: 'source', operator: 'is', value: HOSTILE },
    ...named.flatMap((of) => [
      { type: 'bought', of },
      { type: 'viewed', operator: 'all', of },
    ]),
    { type: 'rfm_segment', operator: 'is', value: { rfm_profile_id: HOSTILE[0], segments: HOSTILE } },
    { type: 'campaign', operator: 'clicked', value: HOSTILE, link: HOSTILE },
    { type: 'session', channel: HOSTILE, source: HOSTILE, landing_page: HOSTILE },
    { type: 'coupon_used', value: HOSTILE },
    ...HOSTILE.flatMap((text) => [tag(text), attribute(text, text), attribute('city', text, 'contains')]),
    inSaved(...HOSTILE),
  ];
  const { result, notes } = await run(query(...blocks));
  expect(result).toMatchObject({ profiles_count: 0, is_hidden: false });
  expect(notes[0]).toMatch(
    /^Unknown, so nobody has to do with them: interest_list "'; drop table profiles; --", .* and \d+ more\.$/,
  );
  for (const text of HOSTILE) {
    const { result: split } = await run(
      query({ type: 'random_split', value: { from: 0, to: 100, seed: text } }),
    );
    expect(split.profiles_count).toBe(20);
  }
});

it('needs the permission to list campaigns', async () => {
  const caller: Caller = {
    name: 'reader',
    allowlist: null,
    spendCounts: async () => null,
    businesses: async () => [],
    permissionsOn: async () => ['LIST_PRODUCT'],
  };
  await expect(run(query(), {}, caller)).rejects.toThrow(
    'Permission denied: this tool requires LIST_CAMPAIGNS on this business.',
  );
});

it('says what is not loaded as far as the rest', async () => {
  const business = await test.createBusiness({ timezone: 'Europe/Prague' });
  const sold = { order_id: 'O', ordered_at: '2024-03-31T23:30:00', total: '1' };
  const people = store(PEOPLE, {});
  await test.importStore(business, { ...people, orders: [sold] });
  const { business_id } = business;
  const segment_query = query(
    { type: 'order_count', operator: 'gte', value: 1 },
    { type: 'session' },
    { type: 'viewed', of: { product: 'P1' } },
  );
  const { notes } = await test.run(exactEstimate, { business_id, segment_query });
  expect(notes).toEqual([
    'order_count: nothing is known of the time from 2024-03-31T21:30:00Z to as_of.',
    'session: nothing is known, since no sessions or product_events are loaded.',
    'viewed: nothing is known, since no product_events are loaded.',
  ]);
});

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
