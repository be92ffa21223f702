import { describe, expect, it } from 'vitest';
import { parseSegmentQuery } from '../definitions/parse.ts';
import { queryReferences, referenceKey } from '../definitions/references.ts';
import { readableQuery } from '../queries/readable-query.ts';

const query = (...blocks: unknown[]) => ({ segments: [{ targetingBlocks: blocks }] });
const problemsOf = (value: unknown) => parseSegmentQuery(value).problems;

/** The only block, as a line, without its group. Every named thing is called N. */
function lineOf(block: object): string {
  const parsed = parseSegmentQuery(query(block));
  const names = new Map(queryReferences(parsed).map((reference) => [referenceKey(reference), 'N']));
  const [line = ''] = readableQuery(parsed, names, 'Group');
  return line.replace('Group 1: ', '');
}

describe('a block in English', () => {
  const days = { last_days: 30 };
  it.each([
    [
      { type: 'interest_list', operator: 'is_subscribed', value: ['a', 'b'] },
      'subscribed to interest list "N" ("a") or "N" ("b")',
    ],
    [
      { type: 'interest_list', operator: 'was_unsubscribed', value: 'a' },
      'unsubscribed from interest list "N" ("a")',
    ],
    [
      { type: 'consent', operator: 'is', value: { channel: 'sms', state: 'never_subscribed' } },
      'SMS consent is never subscribed',
    ],
    [{ type: 'suppressed', value: true, negate: true }, 'not: is suppressed'],
    [
      { type: 'subscribed_at', operator: 'before', value: '2024-01-31', channel: 'email' },
      'subscribed to e-mail before 2024-01-31',
    ],
    [{ type: 'subscribed_at', operator: 'in_period', period: days }, 'subscribed in the last 30 days'],
    [
      { type: 'source', operator: 'is_not', value: ['shop', 'popup-1'] },
      'was acquired by other than "shop" or "popup-1"',
    ],
    [{ type: 'last_activity', period: { more_than_days_ago: 90 } }, 'last active more than 90 days ago'],
    [
      { type: 'order_count', operator: 'gte', value: 2, period: { last_days: 365 } },
      'number of orders at least 2, in the last 365 days',
    ],
    [{ type: 'order_count', operator: 'eq', value: 0 }, 'number of orders exactly 0, at any time'],
    [
      {
        type: 'order_value_total',
        operator: 'between',
        value: { from: 10.5, to: 20 },
        period: { to: '2024-12-31' },
      },
      'total value of orders from 10.5 to 20, to 2024-12-31',
    ],
    [
      { type: 'average_order_value', operator: 'lte', value: 99.9 },
      'average order value at most 99.9, at any time',
    ],
    [
      { type: 'first_order_at', period: { from: '2024-01-01', to: '2024-01-31T23:59:59' } },
      'first order from 2024-01-01 to 2024-01-31T23:59:59',
    ],
    [{ type: 'last_order_at', operator: 'in_period', period: days }, 'last order in the last 30 days'],
    [
      { type: 'bought', negate: true, of: { brand: ['Acme'] }, period: days },
      'not: bought brand "N" ("Acme"), in the last 30 days',
    ],
    [
      { type: 'bought', operator: 'all', of: { product: [1, '2'], category: 'C', master_product: ['M'] } },
      'bought product "N" ("1"), product "N" ("2"), master product "N" ("M") and category "N" ("C"), at any time',
    ],
    [
      { type: 'viewed', of: { category: ['C'] }, min_count: 3 },
      'viewed category "N" ("C") at least 3 times, at any time',
    ],
    [{ type: 'added_to_cart', of: { product: ['1'] } }, 'added product "N" ("1") to the cart, at any time'],
    [
      { type: 'cart_abandoned', period: { last_days: 1 } },
      'left a cart without ordering, in the last 1 days',
    ],
    [
      { type: 'watched', of: { product: ['1'] } },
      'has product "N" ("1") on the wish list or asked to be told of it, at any time',
    ],
    [
      { type: 'rfm_segment', operator: 'is_not', value: { rfm_profile_id: 'r', segments: ['lost', 'new'] } },
      'RFM segment is not "lost" or "new" in RFM profile "N" ("r")',
    ],
    [
      { type: 'rfm_score', operator: 'gte', value: { dimension: 'monetary', score: 4 } },
      'RFM monetary score at least 4',
    ],
    [
      { type: 'campaign', operator: 'not_clicked', value: ['c'], link: 'l' },
      'did not click in campaign "N" ("c"), link "l", at any time',
    ],
    [
      { type: 'messages_received', operator: 'lte', value: 3, channel: 'email', period: { last_days: 7 } },
      'number of e-mail messages received at most 3, in the last 7 days',
    ],
    [
      { type: 'session', operator: 'gte', value: 2, channel: ['Email'], landing_page: '/sale' },
      'visited the shop at least 2 times, channel "Email", landing page "/sale", at any time',
    ],
    [{ type: 'tag', operator: 'has', value: 'vip' }, 'has tag "vip"'],
    [
      { type: 'tag', operator: 'value_eq', value: { name: 'level', data: { a: 1 } } },
      'has tag "level" with {"a":1}',
    ],
    [
      { type: 'attribute', operator: 'in', value: { name: 'country', value: ['CZ', 'SK'] } },
      'attribute "country" is one of ["CZ","SK"]',
    ],
    [{ type: 'attribute', operator: 'exists', value: { name: 'gender' } }, 'attribute "gender" is known'],
    [{ type: 'birthday', operator: 'within_days', value: 7 }, 'has a birthday within 7 days'],
    [{ type: 'name_day', value: 0 }, 'has a name day within 0 days'],
    [{ type: 'coupon_used', operator: 'any', value: ['X'] }, 'used coupon "X", at any time'],
    [{ type: 'segment', operator: 'not_in', value: ['s'] }, 'not in saved segment "N" ("s")'],
    [
      { type: 'random_split', operator: 'in', value: { from: 0, to: 12.5, seed: 7 } },
      'random split from 0 to 12.5 %, seed "7"',
    ],
  ])('%j', (block, line) => {
    expect(problemsOf(query(block))).toEqual([]);
    expect(lineOf(block)).toBe(line);
  });

  it('cannot pass text of a business off as its own', () => {
    const value = 'x" or everybody.\nGroup 2, or: "\u202eeverybody\u0000';
    const line = lineOf({ type: 'coupon_used', value: [value, 'y'.repeat(10_000)] });
    expect(line).toBe(
      `used coupon "x\\" or everybody. Group 2, or: \\" everybody" or "${'y'.repeat(79)}…", at any time`,
    );
  });

  it('names the first 20 of many', () => {
    const value = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    const line = lineOf({ type: 'coupon_used', value });
    expect(line).toMatch(/^used coupon "c0", .*, "c19" or 980 more, at any time$/);
  });

  it('says what no longer exists', () => {
    const parsed = parseSegmentQuery(query({ type: 'segment', operator: 'in', value: ['gone', 'same'] }));
    const names = new Map([
      ['segment gone', null],
      ['segment same', 'same'],
    ]);
    expect(readableQuery(parsed, names, 'Excluded group')).toEqual([
      'Excluded group 1: in saved segment "gone" (no longer exists) or "same"',
    ]);
  });
});

describe('groups', () => {
  const vip = { type: 'tag', operator: 'has', value: 'vip' };
  const old = { type: 'tag', operator: 'has_not', value: 'old' };
  it('are told apart', () => {
    const parsed = parseSegmentQuery({
      segments: [{ targetingBlocks: [vip, old] }, { targetingBlocks: [] }, { targetingBlocks: [old] }],
    });
    expect(readableQuery(parsed, new Map(), 'Group')).toEqual([
      'Group 1: has tag "vip"',
      'Group 1, and: does not have tag "old"',
      'Group 2, or: everybody',
      'Group 3, or: does not have tag "old"',
    ]);
  });

  it('mean nobody when they have no segments', () => {
    const parsed = parseSegmentQuery({ segments: [] });
    expect(parsed.problems).toEqual([]);
    expect(readableQuery(parsed, new Map(), 'Group')).toEqual([
      'Group: nobody, since the query has no segments',
    ]);
  });
});

describe('an error names what is wrong by its path', () => {
  it.each([
    [null, 'segment_query: must be an object with segments'],
    [[], 'segment_query: must be an object with segments'],
    [{}, 'segments: is required'],
    [{ segments: {} }, 'segments: must be a list'],
    [{ segments: [], also: 1 }, 'also: unknown field'],
    [{ segments: [3] }, 'segments[0]: must be an object with targetingBlocks'],
    [{ segments: [{ targetingBlocks: [] }, { blocks: [] }] }, 'segments[1].targetingBlocks: is required'],
    [query(7), 'segments[0].targetingBlocks[0].type: is required'],
    [query({}), 'segments[0].targetingBlocks[0].type: is required'],
    [query({ type: 3 }), 'segments[0].targetingBlocks[0].type: must be text'],
    [query({ type: 'mood' }), 'segments[0].targetingBlocks[0].type: unknown value'],
    [query({ type: 'toString' }), 'segments[0].targetingBlocks[0].type: unknown value'],
    [query({ type: '__proto__' }), 'segments[0].targetingBlocks[0].type: unknown value'],
    [
      query({ type: 'suppressed', value: true }, { type: 'segment', operator: 'within', value: ['s'] }),
      'segments[0].targetingBlocks[1].operator: unknown value',
    ],
    [query({ type: 'segment', value: ['s'] }), 'segments[0].targetingBlocks[0].operator: is required'],
    [query({ type: 'segment', operator: 'in' }), 'segments[0].targetingBlocks[0].value: is required'],
    [
      query({ type: 'segment', operator: 'in', value: [] }),
      'segments[0].targetingBlocks[0].value: must not be empty',
    ],
    [
      query({ type: 'segment', operator: 'in', value: ['s', true] }),
      'segments[0].targetingBlocks[0].value[1]: must be text',
    ],
    [
      query({ type: 'segment', operator: 'in', value: ['s'], perriod: 1 }),
      'segments[0].targetingBlocks[0].perriod: unknown field',
    ],
    [
      query({ type: 'order_count', operator: 'between', value: 3 }),
      'segments[0].targetingBlocks[0].value: must be a number, or for between {"from": …, "to": …}',
    ],
    [
      query({ type: 'order_count', operator: 'gte', value: { from: 1, to: 2 } }),
      'segments[0].targetingBlocks[0].value: must be a number, or for between {"from": …, "to": …}',
    ],
    [query({ type: 'bought', of: {} }), 'segments[0].targetingBlocks[0].of: must name products'],
    [query({ type: 'last_activity' }), 'segments[0].targetingBlocks[0].period: is required'],
    [
      query({ type: 'last_activity', period: {} }),
      'segments[0].targetingBlocks[0].period: must be one of {"last_days": …}, {"more_than_days_ago": …}, {"from": …, "to": …}',
    ],
    [
      query({ type: 'last_activity', period: { last_days: 1, from: '2024-01-01' } }),
      'segments[0].targetingBlocks[0].period: must be one of {"last_days": …}, {"more_than_days_ago": …}, {"from": …, "to": …}',
    ],
    [
      query({ type: 'last_activity', period: { last_days: 1.5 } }),
      'segments[0].targetingBlocks[0].period.last_days: must be a whole number of days',
    ],
    [
      query({ type: 'last_activity', period: { from: 'yesterday' } }),
      'segments[0].targetingBlocks[0].period.from: must be a date, for example 2026-10-31, or a date-time',
    ],
    [
      query({ type: 'rfm_score', operator: 'gte', value: { dimension: 'love', score: 4 } }),
      'segments[0].targetingBlocks[0].value.dimension: unknown value',
    ],
    [
      query({ type: 'rfm_score', operator: 'gte', value: 4 }),
      'segments[0].targetingBlocks[0].value: must be an object',
    ],
    [
      query({ type: 'attribute', operator: 'eq', value: { name: 'x' } }),
      'segments[0].targetingBlocks[0].value.value: is required',
    ],
    [
      query({ type: 'subscribed_at', operator: 'before' }),
      'segments[0].targetingBlocks[0].value: is required',
    ],
  ])('%j', (value, problem) => {
    expect(problemsOf(value)[0]).toBe(problem);
  });

  it('and the rest is read all the same', () => {
    const parsed = parseSegmentQuery({
      segments: [
        {
          targetingBlocks: [
            { type: 'mood', value: 'Ignore\nall "rules"' },
            { type: 'suppressed', value: false },
          ],
        },
        { targetingBlocks: 'all' },
      ],
    });
    expect(readableQuery(parsed, new Map(), 'Group')).toEqual([
      'Group 1: not evaluable: unknown condition "mood"',
      'Group 1, and: is not suppressed',
      'Group 2, or: not evaluable: segments[1].targetingBlocks: must be a list',
    ]);
    expect(readableQuery(parseSegmentQuery(3), new Map(), 'Group')).toEqual([
      'not evaluable: segment_query: must be an object with segments',
    ]);
  });
});

it('names each thing once, in the order in which it comes', () => {
  const parsed = parseSegmentQuery(
    query(
      { type: 'interest_list', operator: 'is_subscribed', value: ['b', 'a', 'b'] },
      { type: 'bought', of: { brand: ['a'], product: ['a'], master_product: ['a'] } },
      { type: 'watched', of: { brand: ['a'], category: 'a' } },
      { type: 'rfm_segment', operator: 'is', value: { segments: ['new'] } },
      { type: 'rfm_score', operator: 'eq', value: { rfm_profile_id: 'a', dimension: 'recency', score: 1 } },
      { type: 'campaign', operator: 'sent', value: [7] },
      { type: 'tag', operator: 'has', value: 'a' },
      { type: 'unheard-of', value: ['a'] },
      { type: 'segment', operator: 'in', value: 'a' },
    ),
  );
  expect(queryReferences(parsed).map(({ type, id }) => `${type} ${id}`)).toEqual([
    ...['interest_list b', 'interest_list a', 'product a', 'master_product a', 'brand a', 'category a'],
    ...['rfm_profile a', 'campaign 7', 'segment a'],
  ]);
});
