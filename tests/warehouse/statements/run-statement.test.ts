import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../../src/business/business.ts';
import { currentSnapshot } from '../../../src/control/businesses/businesses.ts';
import { runStatement } from '../../../src/warehouse/statements/run-statement.ts';
import { SHOWN_TABLES } from '../../../src/warehouse/statements/shown-tables.ts';
import { TABLE_BRIEFS } from '../../../src/warehouse/statements/table-briefs.ts';
import { createTestInstance, type TestInstance } from '../../support/test-instance.ts';
import { SECRETS, twoStores } from './two-stores.ts';

let test: TestInstance;
let shop: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  [shop] = await twoStores(test);
});

afterAll(() => test[Symbol.asyncDispose]());

async function files() {
  const { snapshot_id } = (await currentSnapshot(test.instance.control, shop.business_id)) ?? {
    snapshot_id: '',
  };
  const { data } = test.instance;
  return {
    model: data.model(shop.business_id, snapshot_id),
    snapshot: data.snapshot(shop.business_id, snapshot_id),
  };
}

/** The statement runs in this process: the one apart is about ends, and is proved elsewhere. */
async function answer(sql: string) {
  const outcome = await runStatement(await files(), { sql }, new AbortController().signal);
  if (!('answered' in outcome)) throw new Error('no rows');
  return outcome.answered;
}

const rowsOf = async (sql: string) => (await answer(sql)).rows;

describe('the answer of a statement', () => {
  it('has the names of columns once, and rows', async () => {
    expect(
      await answer(
        'select country, count(*) as orders, sum(revenue) as revenue from orders group by country order by 1',
      ),
    ).toEqual({
      columns: ['country', 'orders', 'revenue'],
      rows: [
        ['CZ', 2, 300.5],
        ['SK', 1, 50],
      ],
      is_truncated: false,
    });
  });

  it.each([
    ['ordered_date', '2026-01-01'],
    ['ordered_at', '2026-01-01T11:00:00Z'],
    ["ordered_at at time zone 'UTC'", '2026-01-01T11:00:00Z'],
    ["timestamp '2026-01-01 10:00:00.5'", '2026-01-01T10:00:00.5Z'],
    ["time '10:00:00'", '10:00:00'],
    ['revenue', 100.25],
    ['12345678901234567890::hugeint', '12345678901234567890'],
    ['1234567890123456789.01::decimal(38,2)', '1234567890123456789.01'],
    ["'infinity'::double", 'Infinity'],
    ["'nan'::double", 'NaN'],
    ['-0.0::double', 0],
    ['is_valid', true],
    ['null', null],
    ['coupon_codes', ['A', 'B']],
    ["{'a': 1, 'b': [date '2026-01-01']}", { a: 1, b: ['2026-01-01'] }],
    ["map {'a': 1}", [{ key: 'a', value: 1 }]],
    ['interval 2 day', '2 days'],
  ])('%s as JSON', async (expression, expected) => {
    expect(await rowsOf(`select ${expression} as value from orders where order_id = 'o1'`)).toEqual([
      [expected],
    ]);
  });

  it('reads the model and what was imported side by side, without rows that were replaced', async () => {
    expect(
      await rowsOf(
        'select order_id, s.total, o.revenue from store.orders s join orders o using (order_id) order by 1',
      ),
    ).toEqual([
      ['o1', 100.25, 100.25],
      ['o2', 200.25, 200.25],
      ['o3', 50, 50],
    ]);
  });

  it('ends after 1,000 rows, or 256 KB, and says so', async () => {
    const many = await answer('select * from range(1000000000000)');
    expect([many.rows.length, many.is_truncated]).toEqual([1000, true]);
    const whole = await answer('select * from range(1000)');
    expect([whole.rows.length, whole.is_truncated]).toEqual([1000, false]);
    const long = await answer("select lpad('x', 1000, 'y') from range(1000)");
    expect([long.rows.length, long.is_truncated]).toEqual([261, true]);
  });

  it('refuses a first row that is too long by itself', async () => {
    await expect(answer("select list(lpad(range::varchar, 1000, 'y')) from range(1000)")).rejects.toThrow(
      /the first row has \d+ bytes, and an answer at most 262144/,
    );
  });

  it.each([
    [
      'select revenu from orders',
      /^the statement failed: Binder Error: .*"revenu" not found.*\nCandidate bindings: "revenue"/,
    ],
    ["select 'x'::integer from orders", /^the statement failed: Conversion Error: /],
    ['select sum(country) from orders', /^the statement failed: Binder Error: No function matches/],
    ['select list(range) from range(100000000)', /^the statement needs more than 512 MB of memory/],
  ])('says what is wrong with %s', async (sql, words) => {
    await expect(answer(sql)).rejects.toThrow(words);
  });
});

const HIDDEN = /_hash$|^(email|recipient)_domain$|birth|^split_number$|^reason_text$|^tags$/;

describe('persons', () => {
  it('have the same key in one answer, and another one in the next', async () => {
    const sql = 'select customer_key, order_id from orders order by order_id';
    const [one, other] = [await rowsOf(sql), await rowsOf(sql)];
    expect(one[0]?.[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(one[0]?.[0]).toBe(one[1]?.[0]);
    expect(one[0]?.[0]).not.toBe(one[2]?.[0]);
    expect(one[0]?.[0]).not.toBe(other[0]?.[0]);
  });

  it('can be counted and joined by their keys', async () => {
    expect(
      await rowsOf(
        'select count(distinct o.customer_key), count(*) from orders o join customers c using (customer_key)',
      ),
    ).toEqual([[2, 3]]);
    expect(
      await rowsOf('select count(*) from store.orders o join store.profiles p using (profile_id)'),
    ).toEqual([[3]]);
  });

  it('are in no table by e-mail, phone, name, birthday or a hash of them', async () => {
    for (const [name, { columns }] of SHOWN_TABLES) {
      const names = columns.map((column) => column.name);
      expect(
        columns.filter((one) => one.showing !== 'shared' && HIDDEN.test(one.name)),
        name,
      ).toEqual([]);
      expect(name === 'store.products' || !names.includes('attributes'), name).toBe(true);
      const keys = columns.filter(({ showing }) => showing === 'key').map((column) => column.name);
      for (const each of names.filter((one) =>
        /^(customer_key|visitor_key|profile_id|visitor_id|external_customer_id|session_id|send_id|event_id)$/.test(
          one,
        ),
      ))
        expect(keys, `${name}.${each}`).toContain(each);
      const rows = JSON.stringify(await rowsOf(`select * from ${name}`));
      for (const secret of SECRETS) expect(rows, `${name}: ${secret}`).not.toContain(secret);
    }
  });
});

describe('the list of tables', () => {
  const describeTables = async (names: readonly string[]) => {
    const outcome = await runStatement(await files(), { describe: names }, new AbortController().signal);
    return 'described' in outcome ? outcome.described : [];
  };

  const findTables = async (words: string | null) => {
    const outcome = await runStatement(await files(), { find: words }, new AbortController().signal);
    return 'found' in outcome ? outcome.found : [];
  };

  it('names all, and which have no rows', async () => {
    const tables = await findTables(null);
    expect(tables.map(({ name }) => name)).toEqual([...SHOWN_TABLES.keys()]);
    expect(tables).toContainEqual({ name: 'orders', columns: [], is_empty: false });
    expect(tables).toContainEqual({ name: 'sessions', columns: [], is_empty: true });
  });

  it('finds tables by words in the names of columns, else in the meaning', async () => {
    expect((await findTables('Failure, xyz')).map(({ name, columns }) => [name, columns])).toEqual([
      ['sends', ['failure_reason']],
      ['store.sends', ['failure_reason']],
    ]);
    expect((await findTables('carrier untracked')).map(({ name }) => name)).toEqual(['order_traffic']);
    expect(await findTables('xyz')).toEqual([]);
  });

  it('tells the columns of those that are named, the texts of those that have few, and which no row has', async () => {
    const [orders, imported] = await describeTables(['orders', 'store.orders', 'orders']);
    expect(orders).toMatchObject({ name: 'orders', rows_count: 3, is_whole: true });
    expect(orders?.columns).toContainEqual({ name: 'country', type: 'varchar', values: ['CZ', 'SK'] });
    expect(orders?.columns).toContainEqual({ name: 'revenue', type: 'decimal', values: null });
    expect(orders?.columns).toContainEqual({ name: 'shipping_cost', type: 'decimal', values: [] });
    expect(orders?.columns).toContainEqual({ name: 'customer_key', type: 'varchar', values: null });
    expect(orders?.imported).toContain('device');
    expect(orders?.imported).not.toContain('profile_id');
    expect(imported?.imported).toEqual([]);
    await expect(describeTables(['identities'])).rejects.toThrow('there is no table identities');
    const [described, asked] = await Promise.all([
      describeTables(['order_item']).catch((error) => error as { message: string; hint: string }),
      rowsOf('select * from order_item').catch((error) => error as { message: string; hint: string }),
    ]);
    expect(described).toMatchObject({
      message:
        'there is no table order_item; near are store.order_items, orders, store.orders, order_coupons',
      hint: 'describe_tables without arguments lists all tables, and with search those that have such columns.',
    });
    expect(asked).toMatchObject({
      message: expect.stringContaining((described as { message: string }).message),
      hint: (described as { hint: string }).hint,
    });
  });

  it('says nothing in its briefs of columns and tables that are not there', () => {
    const has = (table: string, column: string) =>
      SHOWN_TABLES.get(table)?.columns.some(({ name }) => name === column) ?? false;
    const unknown = Object.entries(TABLE_BRIEFS).flatMap(([table, brief]) =>
      [...brief.matchAll(/`([a-z_.]+)`/g)].flatMap(([, word = '']) => {
        const [, other = '', column = ''] = /^(.*)[.](.*)$/.exec(word) ?? [];
        const isKnown =
          has(table, word) || has(other, column) || SHOWN_TABLES.has(word) || VALUES_IN_BRIEFS.has(word);
        return isKnown ? [] : [`${table}: ${word}`];
      }),
    );
    expect(unknown).toEqual([]);
    expect(Object.keys(TABLE_BRIEFS).filter((table) => !SHOWN_TABLES.has(table))).toEqual([]);
  });
});

const VALUES_IN_BRIEFS: ReadonlySet<string> = new Set([
  'cancelled',
  'credit_note',
  'configured',
  'hard',
  'soft',
  'block',
  'failed',
]);
