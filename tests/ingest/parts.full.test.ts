import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { liveRows, type Part, readParts, rowsOf } from '../../src/snapshot/canonical-parts.ts';
import type { Session } from '../../src/store/duckdb-session.ts';
import { orderItems } from '../../src/store/tables/order-items.ts';
import { orders } from '../../src/store/tables/orders.ts';
import { runs } from '../support/runs.ts';
import { importInto, openSession, temporaryFolder } from './staging.ts';

/**
 * What the files of a batch say: of an order its total, or that it is deleted; of another one its lines, each
 * a quantity.
 */
interface Batch {
  readonly orders: ReadonlyMap<string, number | 'deleted'>;
  readonly lines: ReadonlyMap<string, readonly number[]>;
  /** What else its file says of all its orders. A column that no row has is not in the part. */
  readonly told: Partial<Told>;
  /** A table of at most this many rows is staged in memory. */
  readonly mostInMemory: number;
  /** How many snapshots before the last one it is built on: after a rollback. */
  readonly back: number;
}

const ids = fc.integer({ min: 0, max: 40 }).map((id) => `o${id}`);

const batches: fc.Arbitrary<Batch> = fc.record({
  orders: fc
    .uniqueArray(
      fc.tuple(ids, fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.constant('deleted' as const))),
      { selector: ([id]) => id, maxLength: 25 },
    )
    .map((rows) => new Map(rows)),
  lines: fc
    .uniqueArray(fc.tuple(ids, fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 })), {
      selector: ([id]) => id,
      maxLength: 15,
    })
    .map((rows) => new Map(rows)),
  told: fc.constantFrom<Partial<Told>>(
    {},
    { country: 'CZ' },
    { country: 'SK', status: 'pending' },
    { status: 'paid' },
  ),
  mostInMemory: fc.constantFrom(0, 10, 1000),
  back: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(3)),
});

interface Told {
  readonly status: 'pending' | 'paid';
  readonly country: string | null;
}

/** This stands for an order that says nothing. */
const MISSING: Told = { status: 'paid', country: null };

interface Order extends Told {
  readonly total: number;
}

/** The rows of a store, as they are known without files. */
interface Rows {
  readonly orders: ReadonlyMap<string, Order>;
  readonly lines: ReadonlyMap<string, readonly number[]>;
}

/**
 * An order that comes again takes the place of the old one, and so do its lines. With an order that is
 * deleted go those from before.
 */
function after({ orders: old, lines: oldLines }: Rows, batch: Batch): Rows {
  const rows = new Map(old);
  const lines = new Map(oldLines);
  for (const [id, total] of batch.orders) {
    if (total !== 'deleted') rows.set(id, { ...MISSING, ...batch.told, total });
    else if (rows.delete(id)) lines.delete(id);
  }
  for (const [id, quantities] of batch.lines) lines.set(id, quantities);
  return { orders: rows, lines };
}

function filesOf(batch: Batch) {
  const more = Object.values(batch.told).map((value) => `,${value}`);
  const orderRows = [...batch.orders].map(([id, total]) =>
    total === 'deleted'
      ? `${id},,,true${more.map(() => ',').join('')}`
      : `${id},2024-01-05T10:00:00,${total},${more.join('')}`,
  );
  const columns = ['order_id', 'ordered_at', 'total', '_deleted', ...Object.keys(batch.told)];
  const lineRows = [...batch.lines].flatMap(([id, quantities]) =>
    quantities.map((quantity) => `${id},P,${quantity},1`),
  );
  return {
    'orders.csv': [columns.join(','), ...orderRows].join('\n'),
    'order_items.csv': ['order_id,external_product_id,quantity,unit_price', ...lineRows].join('\n'),
  };
}

it('parts hold the rows that a plain model has, in any sequence of batches, also after rollbacks', async () => {
  let merges = 0;
  let withDeleted = 0;
  let withoutColumn = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(batches, { minLength: 2, maxLength: 8 }), async (sequence) => {
      using folder = temporaryFolder();
      using session = await openSession(folder.path);
      const snapshots: { readonly folder: string; readonly rows: Rows }[] = [];
      for (const [index, batch] of sequence.entries()) {
        const base = snapshots.at(-1 - (batch.back % Math.max(1, snapshots.length)));
        const next = join(folder.path, `snapshot-${index}`);
        const before = base === undefined ? [] : await partsIn(session, base.folder);
        await importInto(base?.folder ?? null, next, {
          files: filesOf(batch),
          mostInMemory: batch.mostInMemory,
        });
        snapshots.push({
          folder: next,
          rows: after(base?.rows ?? { orders: new Map(), lines: new Map() }, batch),
        });
        const parts = await partsIn(session, next);
        expectFewAndAlive(parts);
        if (parts.length < before.length) merges += 1;
        if (parts.some(({ deleted }) => deleted !== null)) withDeleted += 1;
        if (parts.some(({ columns }) => !columns.has('country'))) withoutColumn += 1;
        // What stays is shared, not copied.
        for (const { number, file } of before) {
          const same = parts.find((part) => part.number === number);
          if (same !== undefined) expect(statSync(same.file).ino).toBe(statSync(file).ino);
        }
      }
      // No import has changed what an earlier one wrote.
      for (const { folder: snapshot, rows } of snapshots)
        expect(await readRows(session, snapshot)).toEqual(rows);
    }),
    { numRuns: runs(15), endOnFailure: true },
  );
  expect(merges).toBeGreaterThan(0);
  expect(withDeleted).toBeGreaterThan(0);
  expect(withoutColumn).toBeGreaterThan(0);
}, 600_000);

async function partsIn(session: Session, snapshot: string): Promise<readonly Part[]> {
  return (await readParts(session, snapshot)).get(orders.name) ?? [];
}

function expectFewAndAlive(parts: readonly Part[]): void {
  for (const [index, part] of parts.entries()) {
    const later = parts.slice(index + 1).reduce((sum, other) => sum + liveRows(other), 0);
    expect(liveRows(part)).toBeGreaterThan(later);
    expect(2 * liveRows(part)).toBeGreaterThan(part.rows);
  }
}

async function readRows(session: Session, snapshot: string): Promise<Rows> {
  const parts = await readParts(session, snapshot);
  const found = await session.rows(
    `select order_id, status, country, cast(total as integer) as total from (${rowsOf(orders, parts.get('orders') ?? [])})`,
  );
  const lines = await session.rows(
    `select order_id, cast(quantity as integer) as quantity from (${rowsOf(orderItems, parts.get('order_items') ?? [])})
    order by order_id, line_no`,
  );
  const byOrder = new Map<string, number[]>();
  for (const { order_id, quantity } of lines) {
    byOrder.set(String(order_id), [...(byOrder.get(String(order_id)) ?? []), Number(quantity)]);
  }
  return {
    orders: new Map(found.map(({ order_id, ...order }) => [String(order_id), order as unknown as Order])),
    lines: byOrder,
  };
}

const SHOP = {
  'orders.csv': `order_id,ordered_at,total\n${['a', 'b', 'c', 'd'].map((id) => `${id},2024-01-05,1`).join('\n')}\n`,
};

it('the same file again writes nothing, and one changed row is the only one that moves', async () => {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  const [first, second, third] = ['1', '2', '3'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await importInto(null, first, { files: SHOP });
  await importInto(first, second, { files: SHOP });
  expect(await partsIn(session, second)).toMatchObject([{ number: 1, rows: 4, deleted: null }]);
  await importInto(second, third, {
    files: { 'orders.csv': SHOP['orders.csv'].replace('b,2024-01-05,1', 'b,2024-01-05,2') },
  });
  expect(await partsIn(session, third)).toMatchObject([
    { number: 1, rows: 4, deleted: { rows: 1 } },
    { number: 2, rows: 1, deleted: null },
  ]);
});

it('a table of a version without parts, one file, is one part', async () => {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  const [old, next] = [join(folder.path, 'old'), join(folder.path, 'next')];
  await importInto(null, old, { files: SHOP });
  renameSync(join(old, 'store', 'orders-1.parquet'), join(old, 'store', 'orders.parquet'));
  await importInto(old, next, { files: { 'orders.csv': 'order_id,ordered_at,total\ne,2024-01-05,5\n' } });
  // The file has a name of today's kind: an older program must not take it for all there is.
  expect(await partsIn(session, next)).toMatchObject([
    { file: join(next, 'store', 'orders-1.parquet'), rows: 4 },
    { rows: 1 },
  ]);
  rmSync(old, { recursive: true });
  expect((await readRows(session, next)).orders.size).toBe(5);
});
