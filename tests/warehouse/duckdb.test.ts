import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { orders } from '../../src/model-table/table-names.ts';
import { openWarehouse } from '../../src/server/open-warehouse.ts';
import { parameter, type Sql, sql, Table } from '../../src/sql/sql.ts';
import {
  BusyError,
  QueryTimeoutError,
  type SnapshotReference,
  StoppingError,
  type Warehouse,
} from '../../src/warehouse/warehouse.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/** Made once for each count: nothing changes them. */
const snapshots = new Map<number, Promise<SnapshotReference>>();

function snapshotWith(orderCount: number): Promise<SnapshotReference> {
  const made = snapshots.get(orderCount) ?? importOrders(orderCount);
  snapshots.set(orderCount, made);
  return made;
}

async function importOrders(orderCount: number): Promise<SnapshotReference> {
  const business = await test.createBusiness();
  const rows = Array.from({ length: orderCount }, (_, index) => ({
    order_id: String(index),
    ordered_at: '2026-01-01T00:00:00',
    total: '1',
  }));
  await test.importStore(business, {
    ...emptyStore({ timezone: null, primary_currency: null }),
    orders: rows,
  });
  const served = await currentSnapshot(test.instance.control, business.business_id);
  return { business_id: business.business_id, snapshot_id: String(served?.snapshot_id) };
}

/** As one account, whose questions are all different. */
function ask(
  warehouse: Warehouse,
  snapshot: SnapshotReference,
  queries: readonly Sql[],
  signal?: AbortSignal,
) {
  asked += 1;
  return warehouse.query(snapshot, queries, { account: 'ada', question: `question ${asked}` }, signal);
}

let asked = 0;

const countOrders = sql`select count(*) as count from ${orders}`;
/** Runs until it is interrupted, for all that a test waits. */
const endless = sql`select sum(a.i * b.i) as sum from range(3000000) as a(i), range(3000000) as b(i)`;

describe('the DuckDB warehouse', () => {
  it('gives values as JSON', async () => {
    const query = sql`select cast(1.5 as decimal(18,4)) as money, cast(2 as hugeint) as count, date '2024-02-29' as day,
      timestamp '2024-02-29 23:59:59.5' as moment, ['a', null] as list, null as nothing, true as flag,
      ${parameter.text("it's")} as text, -0.0::double as zero`;
    expect(await ask(test.warehouse, await snapshotWith(1), [query])).toEqual([
      [
        {
          money: 1.5,
          count: 2,
          day: '2024-02-29',
          moment: '2024-02-29T23:59:59.5Z',
          list: ['a', null],
          nothing: null,
          flag: true,
          text: "it's",
          zero: 0,
        },
      ],
    ]);
  });

  it('refuses an integer that JSON cannot hold exactly', async () => {
    const query = sql`select 9007199254740993 as big`;
    await expect(ask(test.warehouse, await snapshotWith(1), [query])).rejects.toThrow('too large for JSON');
  });

  it('answers a short query beside long ones, and from many snapshots', async () => {
    const snapshots = await Promise.all([1, 2, 3].map(snapshotWith));
    const patient = await openWarehouse(test.instance, { ...test.settings, QUERY_TIMEOUT_S: 300 });
    try {
      const abort = new AbortController();
      const long = ask(patient, snapshots[0] as SnapshotReference, [endless], abort.signal);
      const counts = await Promise.all(snapshots.map((snapshot) => ask(patient, snapshot, [countOrders])));
      expect(counts).toEqual([[[{ count: 1 }]], [[{ count: 2 }]], [[{ count: 3 }]]]);
      abort.abort(new Error('gone'));
      await expect(long).rejects.toThrow('gone');
    } finally {
      await patient.close();
    }
  });

  it('can neither read files outside the snapshots nor change its settings or data', async () => {
    const snapshot = await snapshotWith(1);
    for (const [statement, message] of [
      [sql`select * from read_text('/etc/hostname')`, /Permission|disabled/],
      [sql`attach '/tmp/other.duckdb' as other`, /Permission|disabled|Cannot open/],
      [sql`set enable_external_access = true`, /locked|Cannot/],
      [sql`copy (select 1) to '/tmp/storesight-escape.csv'`, /Permission|disabled/],
      [sql`delete from ${orders}`, /read-only/],
      [sql`install httpfs`, /Permission|disabled|not allowed|locked/],
    ] as const) {
      await expect(ask(test.warehouse, snapshot, [statement]), statement.texts.join('')).rejects.toThrow(
        message,
      );
    }
  });

  it('ends a query that takes too long, and a wait for a connection that takes as long', async () => {
    const snapshot = await snapshotWith(1);
    const impatient = await openWarehouse(test.instance, {
      ...test.settings,
      QUERY_TIMEOUT_S: 1,
      QUERY_CONNECTIONS: 1,
    });
    try {
      const outcome = (queries: readonly Sql[]) =>
        ask(impatient, snapshot, queries).catch((error: unknown) => error);
      const [first, second] = await Promise.all([outcome([endless]), outcome([countOrders])]);
      expect(first).toBeInstanceOf(QueryTimeoutError);
      // It started when the first one was stopped, or had given up just before.
      expect(second instanceof BusyError || Array.isArray(second)).toBe(true);
      const queue = await Promise.all([1, 2, 3].map(() => outcome([endless])));
      expect(queue.filter((error) => error instanceof BusyError).length).toBeGreaterThan(0);
      expect(await ask(impatient, snapshot, [countOrders])).toEqual([[{ count: 1 }]]);
    } finally {
      await impatient.close();
    }
  });

  it('lets a caller who went away out of the queue', async () => {
    const snapshot = await snapshotWith(1);
    const narrow = await openWarehouse(test.instance, { ...test.settings, QUERY_CONNECTIONS: 1 });
    try {
      const [running, waiting] = [new AbortController(), new AbortController()];
      const first = ask(narrow, snapshot, [endless], running.signal);
      const second = ask(narrow, snapshot, [countOrders], waiting.signal);
      waiting.abort(new Error('second left'));
      await expect(second).rejects.toThrow('second left');
      running.abort(new Error('first left'));
      await expect(first).rejects.toThrow('first left');
      expect(await ask(narrow, snapshot, [countOrders])).toEqual([[{ count: 1 }]]);
    } finally {
      await narrow.close();
    }
  });

  it('keeps few files open, and opens a closed one again', async () => {
    const snapshots = await Promise.all([1, 2, 3, 4].map(snapshotWith));
    const small = await openWarehouse(test.instance, { ...test.settings, OPEN_SNAPSHOTS: 2 });
    try {
      for (const round of [1, 2, 3]) {
        const counts = await Promise.all(snapshots.map((snapshot) => ask(small, snapshot, [countOrders])));
        expect(counts.flat(2), `round ${round}`).toEqual([1, 2, 3, 4].map((count) => ({ count })));
      }
      const [attached] = await ask(small, snapshots[0] as SnapshotReference, [
        sql`select count(*) as count from duckdb_databases() where database_name like 'snapshot_%'`,
      ]);
      expect(Number(attached?.[0]?.count)).toBeLessThanOrEqual(3);
    } finally {
      await small.close();
    }
  });

  it('says that a snapshot is gone, and stays usable', async () => {
    const missing = { business_id: '00000000-0000-4000-8000-000000000000', snapshot_id: 'x' };
    await expect(ask(test.warehouse, missing, [countOrders])).rejects.toThrow(
      'the data of this business cannot be read',
    );
    await expect(
      ask(test.warehouse, await snapshotWith(1), [sql`select * from ${new Table('nothing')}`]),
    ).rejects.toThrow();
    expect(await ask(test.warehouse, await snapshotWith(2), [countOrders])).toEqual([[{ count: 2 }]]);
  });

  it('ends what runs and what waits when it closes', async () => {
    const snapshot = await snapshotWith(1);
    const closing = await openWarehouse(test.instance, { ...test.settings, QUERY_CONNECTIONS: 2 });
    const asked = [1, 2, 3].map(() =>
      ask(closing, snapshot, [endless]).then(
        () => 'answered',
        (error: unknown) => error,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await closing.close();
    for (const outcome of await Promise.all(asked)) expect(outcome).toBeInstanceOf(StoppingError);
  });

  it('refuses more rows than an answer ever has', async () => {
    const rows = sql`select i from range(200001) as t(i)`;
    await expect(ask(test.warehouse, await snapshotWith(1), [rows])).rejects.toThrow('needs more rows');
  });
});
