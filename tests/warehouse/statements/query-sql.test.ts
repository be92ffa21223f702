import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool } from '../../../src/asking/run-tool.ts';
import { type Business, PERMISSIONS } from '../../../src/business/business.ts';
import { createAccount, grantAccess } from '../../../src/control/people/accounts.ts';
import { accountCaller, type Caller } from '../../../src/control/people/callers.ts';
import { openWarehouse } from '../../../src/server/open-warehouse.ts';
import { createTestInstance, type TestInstance } from '../../support/test-instance.ts';
import { childrenOf } from './children.ts';
import { twoStores } from './two-stores.ts';

let test: TestInstance;
let shop: Business;
let other: Business;
let reader: Caller;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  [shop, other] = await twoStores(test);
  reader = await readerOf([shop], ['QUERY_DATA']);
});

afterAll(() => test[Symbol.asyncDispose]());

async function readerOf(
  stores: readonly Business[],
  permissions: Parameters<typeof grantAccess>[3],
): Promise<Caller> {
  const { control } = test.instance;
  const { account_id } = await createAccount(control, {
    email: `${Math.random()}@test.example`,
    password: null,
  });
  for (const { business_id } of stores) await grantAccess(control, account_id, business_id, permissions);
  return accountCaller(control, account_id);
}

const ask = (sql: string, caller = reader, { business_id } = shop) =>
  test.ask('query_sql', { business_id, sql }, caller) as Promise<{ rows: unknown[][] }>;

describe('who may ask query_sql', () => {
  it('needs QUERY_DATA on the store, which all permissions of the contract do not have', async () => {
    const [all, elsewhere] = [await readerOf([shop], PERMISSIONS), await readerOf([other], ['QUERY_DATA'])];
    for (const tool of ['query_sql', 'describe_tables']) {
      const args = { business_id: shop.business_id, ...(tool === 'query_sql' && { sql: 'select 1' }) };
      await expect(test.ask(tool, args, all)).rejects.toThrow(
        'Permission denied: this tool requires QUERY_DATA on this business.',
      );
      await expect(test.ask(tool, args, elsewhere)).rejects.toThrow(
        'account is not assigned to this business',
      );
    }
  });
});

describe('query_sql', () => {
  it('answers from the rows of its own store, in a process that is gone then', async () => {
    const before = await childrenOf(process.pid);
    expect((await ask('select order_id from orders order by 1')).rows).toEqual([['o1'], ['o2'], ['o3']]);
    expect((await ask('select name from store.products')).rows).toEqual([['Own tent']]);
    // Processes of other tests may end meanwhile.
    const more = async () => (await childrenOf(process.pid)).filter((one) => !before.includes(one));
    await expect.poll(more, { timeout: 60_000 }).toEqual([]);
  });

  it('is asked anew each time, so that persons have new keys', async () => {
    const sql = 'select customer_key from orders limit 1';
    expect((await ask(sql)).rows).not.toEqual((await ask(sql)).rows);
  });

  it('says what is refused, and what is allowed', async () => {
    const { message, hint } = await ask("select * from read_text('/etc/passwd')").then(
      () => ({ message: '', hint: '' }),
      (error) => error as { message: string; hint: string },
    );
    expect(message).toBe(
      'the statement is refused: the function read_text is not allowed here: only those are that compute from the values of rows, at character 15',
    );
    expect(hint).toBe('A statement is one select over the tables that describe_tables lists.');
  });

  it('says that there are more rows', async () => {
    const { notes } = await test.run(
      'query_sql',
      { business_id: shop.business_id, sql: 'from range(2000)' },
      reader,
    );
    expect(notes).toContain('There are more rows than these: aggregate, filter, or select fewer columns.');
  });

  it('is ended where it takes too long, and when its caller goes away, with its process', async () => {
    const sql = 'with recursive x(i) as (select 1 union all select i + 1 from x) select count(*) from x';
    const before = await childrenOf(process.pid);
    const impatient = await openWarehouse(test.instance, { ...test.settings, QUERY_TIMEOUT_S: 2 });
    const environment = { ...test.environment, warehouse: impatient };
    const tool = (await import('../../../src/domains/sql/tools/query-sql.ts')).querySql;
    const args = { business_id: shop.business_id, sql };
    await expect(runTool(environment, tool, args, reader)).rejects.toThrow('the query took longer than 2 s');
    await impatient.close();
    const leaving = new AbortController();
    const left = runTool(test.environment, tool, args, reader, leaving.signal);
    await setTimeout(1000);
    leaving.abort(new Error('the client is gone'));
    await expect(left).rejects.toThrow('the client is gone');
    // Processes of other tests may end meanwhile.
    const more = async () => (await childrenOf(process.pid)).filter((one) => !before.includes(one));
    await expect.poll(more, { timeout: 60_000 }).toEqual([]);
  });
});

describe('describe_tables', () => {
  const describeTables = async (args: object) =>
    (await test.run('describe_tables', { business_id: shop.business_id, ...args }, reader)) as {
      result: { tables: string[] };
      notes: string[];
    };

  it('names the tables in little, and those that have no rows', async () => {
    const { result } = await describeTables({});
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(1300);
    expect(result.tables.map((line) => line.split(': ')[0])).toEqual([
      'as tools count',
      'as imported, with store. before',
      'without rows',
    ]);
  });

  it('tells of the tables that are named what names do not say', async () => {
    const { result } = await describeTables({ tables: ['order_coupons', 'orders', 'store.orders'] });
    expect(result.tables[0]).toBe(
      'order_coupons (6 rows): One row per order and coupon on it. integer: order_key. varchar: coupon (A, B)',
    );
    for (const line of result.tables) expect(Buffer.byteLength(line)).toBeLessThan(2000);
    expect(result.tables[1]).toContain('count those that are `is_valid`');
    expect(result.tables[1]).not.toContain('store.orders also');
    expect((await describeTables({ tables: ['orders'] })).result.tables[0]).toMatch(
      /null in all rows: .*shipping_cost.*\. store\.orders also: number, .*device/,
    );
  });

  it('finds columns, and says where there are none', async () => {
    expect((await describeTables({ search: 'failure' })).result.tables).toEqual([
      'sends (no rows): failure_reason',
      'store.sends (no rows): failure_reason',
    ]);
    const { result, notes } = await describeTables({ search: 'warranty' });
    expect([result.tables, notes]).toEqual([
      [],
      ['No table has "warranty" in its name, columns or meaning.'],
    ]);
  });
});
