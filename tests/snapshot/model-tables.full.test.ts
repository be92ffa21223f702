/**
 * That the model does not depend on which of its tables are planned: random stores, of which random tables
 * are left out.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_WINDOWS } from '../../src/business/attribution-windows.ts';
import type { Business } from '../../src/business/business.ts';
import { currentSnapshot } from '../../src/control/businesses/businesses.ts';
import { KeyTable, ModelTable } from '../../src/model-table/model-table.ts';
import { buildModel } from '../../src/snapshot/build/build-model.ts';
import { buildOrder } from '../../src/snapshot/build/build-order.ts';
import { createKeys } from '../../src/snapshot/build/keys.ts';
import { MODEL_TABLES } from '../../src/snapshot/build/model-tables.ts';
import { carryKeys } from '../../src/snapshot/key-parts.ts';
import { attachStore } from '../../src/snapshot/write-canonical.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import { hashKey } from '../../src/store/keyed-hash.ts';
import { CANONICAL_TABLES } from '../../src/store/tables/all-tables.ts';
import type { Store } from '../oracle/store.ts';
import { randomAudiences } from '../support/random-audiences.ts';
import { randomMessages } from '../support/random-messages.ts';
import { randomPopups } from '../support/random-popups.ts';
import { randomTraffic } from '../support/random-traffic.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const TIMEZONE = 'Europe/Prague';
const BUILD_ORDER = buildOrder(MODEL_TABLES);

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

/**
 * Some of the store's tables are left out, so that what is empty changes from case to case. The model as it
 * was built, and once more with every table planned, whatever is empty.
 */
it('the model is the same when nothing of it is skipped, and has the declared types', async () => {
  const stores = fc.oneof(
    ...[randomAudiences, randomMessages, randomPopups, randomTraffic].map((make) => make(TIMEZONE)),
  );
  await fc.assert(
    fc.asyncProperty(stores, fc.infiniteStream(fc.boolean()), async (store, areKept) => {
      const { business, snapshotId } = await load(withoutSome(store, () => areKept.next().value));
      using session = await Session.open(':memory:', {
        memory: '1GB',
        spillFolder: test.folder,
        spillLimit: '1GB',
      });
      const planned = await planAll(session, business, snapshotId);
      const model = test.instance.data.model(business.business_id, snapshotId);
      await session.run(`attach '${model}' as built (read_only)`);
      for (const { name, types } of MODEL_TABLES) {
        expect(await contentOf(session, `built.${name}`), name).toEqual(planned.get(name));
        expect(await typesOf(session, `built.${name}`), name).toEqual(types);
      }
      await session.run('detach built');
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});

function withoutSome(store: Store, isKept: () => boolean): Store {
  const rows = Object.entries(store).map(([table, rows]) => [
    table,
    Array.isArray(rows) && !isKept() ? [] : rows,
  ]);
  return Object.fromEntries(rows);
}

async function load(store: Store): Promise<{ business: Business; snapshotId: string }> {
  const business = await test.createBusiness({ timezone: TIMEZONE, currency: 'CZK' });
  const isEmpty = Object.values(store).every((rows) => !Array.isArray(rows) || rows.length === 0);
  if (!isEmpty) await test.importStore(business, store);
  const snapshot = await currentSnapshot(test.instance.control, business.business_id);
  return { business, snapshotId: String(snapshot?.snapshot_id) };
}

/** @returns the content of each table */
async function planAll(session: Session, business: Business, snapshotId: string) {
  const { data, secret } = test.instance;
  session.defineKeyedHash(hashKey(secret, business.business_id));
  await attachStore(session, CANONICAL_TABLES, data.snapshot(business.business_id, snapshotId));
  const model = {
    timezone: TIMEZONE,
    primary_currency: 'CZK',
    link: null,
    attribution_windows: DEFAULT_WINDOWS,
    vat_rate: null,
  };
  // These begin with nothing, and the build sets the values of the business in them.
  const keys = await carryKeys(null, mkdtempSync(join(test.folder, 'keys-')));
  await buildModel(session, model, [], keys, () => {});
  for (const { name } of BUILD_ORDER) await session.run(`drop table if exists ${name}`);
  const contents = new Map<string, unknown>();
  for (const table of BUILD_ORDER) {
    if (table instanceof KeyTable) {
      if (await createKeys(session, table, keys)) continue;
      await session.run(
        `create temp table ${table.name} as select ${Object.keys(table.identity).join(', ')}, cast(1 as integer) as ${table.key} from (${table.rows.text}) limit 0`,
      );
      continue;
    }
    const parameters = table instanceof ModelTable ? await table.parameters?.(session) : undefined;
    await session.run(`create temp table ${table.name} as ${table.rows.text}`, parameters);
    expect(await typesOf(session, table.name), table.name).toEqual(table.types);
    contents.set(table.name, await contentOf(session, table.name));
  }
  return contents;
}

function contentOf(session: Session, table: string) {
  return session.row(`select count(*) as count, cast(sum(hash(t)) as varchar) as hash from ${table} as t`);
}

async function typesOf(session: Session, table: string): Promise<Record<string, string>> {
  const columns = await session.rows(`describe ${table}`);
  return Object.fromEntries(
    columns.map(({ column_name, column_type }) => [column_name, String(column_type).toLowerCase()]),
  );
}
