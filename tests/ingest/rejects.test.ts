import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import { fewerInQuick } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { answers, importFiles, readRejects, refusal, SMALL_SHOP } from './shop.ts';

let test: TestInstance;
let business: Business;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await importFiles(test, business, SMALL_SHOP);
});

afterAll(() => test[Symbol.asyncDispose]());

const MOMENT = 'must be an ISO 8601 time, for example 2026-10-31T23:59:59 or 2026-10-31T23:59:59+01:00';
const NUMBER = 'must be a decimal number with a point, in full units, below 10^13';

describe('a bad cell is rejected with its column, value and reason', () => {
  it('bad cells of orders are rejected', async () => {
    const good = { order_id: 'A', ordered_at: '2024-01-01', total: '1' };
    await expectRejects('orders', good, [
      ['order_id', '', 'is required'],
      ['ordered_at', '', 'is required'],
      ['ordered_at', 'yesterday', MOMENT],
      ['ordered_at', '2024-02-30', MOMENT],
      ['ordered_at', '2024-01-01T25:00:00', MOMENT],
      ['ordered_at', '2024-01-01T10:00:61Z', MOMENT],
      ['ordered_at', '2024-01-01T10', MOMENT],
      ['ordered_at', '2024-01-01T10:00:00+0', MOMENT],
      ['ordered_at', '2024-01-01T10:00:00+25:00', MOMENT],
      ['ordered_at', '2024-01-01T10:00:00-15', MOMENT],
      ['ordered_at', '2024-01-01T10:00:00+14:30', MOMENT],
      ['ordered_at', '2024-01-01T10:00:00+02:60', MOMENT],
      ['ordered_at', '2024-01-01+02:00', MOMENT],
      ['ordered_at', '1. 2. 2024', MOMENT],
      ['ordered_at', '1704103200', MOMENT],
      ['ordered_at', 'infinity', MOMENT],
      ['cancelled_at', 'never', MOMENT],
      ['total', '', 'is required'],
      ['total', '1,5', NUMBER],
      ['total', '1 000', NUMBER],
      ['total', '12 CZK', NUMBER],
      ['total', 'NaN', NUMBER],
      ['total', '.', NUMBER],
      ['total', '1e30', NUMBER],
      ['total', '123456789012345678', NUMBER],
      ['tax', 'x', NUMBER],
      ['status', 'Paid', 'must be one of pending, paid, fulfilled, cancelled, returned, credit_note'],
      ['is_test', 'yes', 'must be true or false'],
      ['is_test', '1', 'must be true or false'],
      ['currency', 'Kč', 'must be an ISO 4217 currency code, for example CZK'],
      ['fx_rate', '0', 'must be a number greater than 0 and below 1000000'],
      ['fx_rate', '-1', 'must be a number greater than 0 and below 1000000'],
      ['coupon_codes', "['A', 'B']", 'must be a JSON array of texts, or values joined with |'],
      ['coupon_codes', '["A", "B"', 'must be a JSON array of texts, or values joined with |'],
    ]);
  });

  it('bad cells of the other tables are rejected', async () => {
    const item = { order_id: 'A', external_product_id: 'P', quantity: '1', unit_price: '1' };
    await expectRejects('order_items', item, [
      ['line_no', '1.5', 'must be a whole number'],
      ['line_no', 'first', 'must be a whole number'],
      ['line_no', '99999999999999999999', 'must be a whole number'],
      ['kind', 'fee', 'must be one of product, shipping, payment, discount, gift'],
      ['quantity', 'two', 'must be a number below 10^9'],
      ['external_product_id', '', 'is required on lines of kind product'],
    ]);
    const product = { external_product_id: 'P', name: 'n', price: '1' };
    await expectRejects('products', product, [
      ['name', '', 'is required'],
      ['in_stock', 'maybe', 'must be true or false'],
      ['attributes', '{"a": 1', 'must be JSON'],
      ['stock_quantity', 'many', 'must be a number below 10^9'],
    ]);
    const event = {
      event_id: 'E',
      visitor_id: 'v',
      external_product_id: 'P',
      kind: 'view',
      at: '2024-01-01',
    };
    await expectRejects('product_events', event, [
      ['engagement_s', '-1', 'must be a number of seconds, at least 0'],
      ['kind', 'click', 'must be one of view, add_to_cart, remove_from_cart, wishlist, watchdog'],
    ]);
    await expectRejects('profiles', { profile_id: 'p' }, [
      ['birthday', '28.2.1990', 'must be a date, for example 2026-10-31'],
      ['birthday', '1990-02-30', 'must be a date, for example 2026-10-31'],
    ]);
    await expectRejects('identities', { profile_id: 'p', kind: 'visitor', value: 'v' }, [
      ['value', '', 'is required'],
      ['kind', 'cookie', 'must be one of visitor, email, phone, external_customer_id'],
    ]);
  });

  /** One row per case as NDJSON: `good`, but for one cell. */
  async function expectRejects(
    table: string,
    good: Record<string, string>,
    cases: readonly (readonly [column: string, cell: string, reason: string])[],
  ): Promise<void> {
    const rows = cases.map(([column, cell]) => JSON.stringify({ ...good, [column]: cell }));
    const { report } = await refusal(test, business, {
      [`${table}.ndjson`]: [...rows, JSON.stringify(good)].join('\n'),
    });
    expect(readRejects(report)).toEqual(
      cases.map(([column, cell, reason], index) => [
        `${table}.ndjson`,
        String(index + 1),
        column,
        cell,
        reason,
      ]),
    );
    expect(report?.tables).toEqual({
      [table]: {
        read: cases.length + 1,
        loaded: 1,
        rejected: cases.length,
        replaced: 0,
        ignored: 0,
        deleted: 0,
      },
    });
  }

  it('each bad cell of a row, and the row counts once', async () => {
    const { report } = await refusal(test, business, {
      'orders.csv': 'order_id,ordered_at,total,is_test\n,soon,much,perhaps\n',
    });
    expect(readRejects(report).map(([, , column]) => column)).toEqual([
      'is_test',
      'order_id',
      'ordered_at',
      'total',
    ]);
    expect(report?.tables.orders).toEqual({
      read: 1,
      loaded: 0,
      rejected: 1,
      replaced: 0,
      ignored: 0,
      deleted: 0,
    });
  });
});

describe('a row that some lines number and others do not', () => {
  it('is rejected only in the order that mixes', async () => {
    const { report } = await refusal(test, business, {
      'order_items.csv':
        'order_id,line_no,external_product_id,quantity,unit_price\nA,1,P,1,1\nA,,P,1,1\nB,,P,1,1\nB,,P,1,1\n',
    });
    expect(readRejects(report)).toEqual([
      ['order_items.csv', '3', 'line_no', '', 'must be given on all rows of one order_id or on none'],
    ]);
    expect(report?.tables.order_items).toEqual({
      read: 4,
      loaded: 3,
      rejected: 1,
      replaced: 0,
      ignored: 0,
      deleted: 0,
    });
  });
});

describe('--max-rejects', () => {
  /** Ten rows, two of them bad. */
  const files = {
    'orders.csv':
      `order_id,ordered_at,total\n${Array.from({ length: 10 }, (_, i) => `M${i},2024-03-0${i},${i}\n`).join('')}`.replace(
        'M1,2024-03-01,1',
        'M1,2024-03-01,one',
      ),
  };

  it.each(fewerInQuick(['1', '0', '19.9%']))(
    '%s refuses two bad rows of ten, and nothing changes',
    async (bound) => {
      const before = await answers(test, business);
      const folders = readdirSync(test.instance.data.snapshots(business.business_id));
      const error = await refusal(test, business, files, bound);
      expect(error.message).toContain(
        `2 of 10 rows are bad and ${bound} were allowed, so nothing was imported`,
      );
      expect(error.message).toContain(String(error.report?.rejects_file));
      expect(await answers(test, business)).toEqual(before);
      expect(readdirSync(test.instance.data.snapshots(business.business_id))).toEqual(folders);
    },
  );

  it.each(fewerInQuick(['20%', '2', '100%']))('%s loads the other eight', async (bound) => {
    const fresh = await test.createBusiness();
    const report = await importFiles(test, fresh, files, bound);
    expect(report.tables).toEqual({
      orders: { read: 10, loaded: 8, rejected: 2, replaced: 0, ignored: 0, deleted: 0 },
    });
    expect(readRejects(report)).toEqual([
      ['orders.csv', '2', 'ordered_at', '2024-03-00', MOMENT],
      ['orders.csv', '3', 'total', 'one', NUMBER],
    ]);
    expect(await answers(test, fresh)).toMatchObject([{ orders_count: 8, orders_revenues: 44 }, {}, {}, {}]);
  });

  it('counts the rows of all tables together', async () => {
    const bad = {
      ...SMALL_SHOP,
      'refunds.csv': 'refund_id,order_id,refunded_at,amount\nR,A1,2024-01-07,x\n',
    };
    expect((await refusal(test, business, bad, '9%')).message).toContain('1 of 10 rows are bad');
    const report = await importFiles(test, business, bad, '10%');
    expect(report.tables.refunds).toEqual({
      read: 1,
      loaded: 0,
      rejected: 1,
      replaced: 0,
      ignored: 0,
      deleted: 0,
    });
  });
});

it('writes no rejects file when every row is good', async () => {
  const fresh = await test.createBusiness();
  const report = await importFiles(test, fresh, SMALL_SHOP);
  expect(report.rejects_file).toBeNull();
  expect(existsSync(join(test.instance.data.business(fresh.business_id), 'rejects'))).toBe(false);
});
