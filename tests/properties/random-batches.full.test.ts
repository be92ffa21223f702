import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_WINDOWS } from '../../src/business/attribution-windows.ts';
import type { Business } from '../../src/business/business.ts';
import type { BusinessSettings } from '../../src/control/businesses/business-settings.ts';
import { currentSnapshot, findBusiness } from '../../src/control/businesses/businesses.ts';
import { modelFile } from '../../src/control/data-folder/data-folder.ts';
import { importFolder } from '../../src/import/run.ts';
import { ImportError } from '../../src/snapshot/import-errors.ts';
import { readDescription } from '../../src/snapshot/snapshot-description.ts';
import { updateBusiness } from '../../src/snapshot/update-business.ts';
import { DELETED } from '../../src/store/canonical-table.ts';
import { emptyStore, type Store, writeCsv } from '../oracle/store.ts';
import { differencesFromWhole } from '../support/differences-from-whole.ts';
import { differencesOnClickHouse } from '../support/differences-on-clickhouse.ts';
import { engineUrl } from '../support/engines/engine-url.ts';
import { randomAudiences } from '../support/random-audiences.ts';
import { randomConsents } from '../support/random-consents.ts';
import { randomExperiments } from '../support/random-experiments.ts';
import { randomMessages } from '../support/random-messages.ts';
import { randomPopups } from '../support/random-popups.ts';
import { randomStores } from '../support/random-stores.ts';
import { randomTraffic } from '../support/random-traffic.ts';
import { isQuick, runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * Batches of rows in turn: new ones, others with the same keys, late ones, deleted ones, such as merge and
 * part persons, and settings that change between them. After each the model that was brought up to date is,
 * row for row, the one that is built of everything; in the full tests ClickHouse has it too in the end.
 */

const TIMEZONE = 'Europe/Prague';
const KINDS = [
  randomStores,
  randomMessages,
  randomAudiences,
  randomConsents,
  randomPopups,
  randomTraffic,
  randomExperiments,
];

let test: TestInstance;
const builds = new Map<string, number>();

beforeAll(async () => {
  test = await createTestInstance(
    isQuick ? { isOneEngineEnough: true } : { warehouseUrl: await engineUrl('clickhouse') },
  );
});

afterAll(() => test[Symbol.asyncDispose]());

interface Batch {
  readonly store: number;
  /** The share of its rows. */
  readonly share: number;
  /** The share of the rows that come which delete the one with their key. */
  readonly deleting: number;
}

interface Sequence {
  /** The stores have keys in common, so that a row of one takes the place of one of another. */
  readonly stores: readonly Store[];
  readonly steps: readonly (Batch | Partial<BusinessSettings>)[];
  readonly seed: number;
}

const batches = fc.record({
  store: fc.nat(2),
  share: fc.constantFrom(0.05, 0.2, 0.5, 1),
  deleting: fc.constantFrom(0, 0, 0.3, 1),
});

const settings: fc.Arbitrary<Partial<BusinessSettings>> = fc.oneof(
  fc.record({ timezone: fc.constantFrom('Asia/Tokyo', 'America/New_York') }),
  fc.record({ primary_currency: fc.constant('EUR') }),
  fc.record({ attribution_windows: fc.constant({ ...DEFAULT_WINDOWS, click: 1 }) }),
);

const sequences: fc.Arbitrary<Sequence> = fc
  .tuple(fc.constantFrom(...KINDS), fc.constantFrom(...KINDS))
  .chain(([kind, other]) =>
    fc.record({
      stores: fc.tuple(kind(TIMEZONE), kind(TIMEZONE), other(TIMEZONE)),
      steps: fc.array(fc.oneof({ arbitrary: batches, weight: 8 }, { arbitrary: settings, weight: 1 }), {
        minLength: 2,
        // Each step builds two models.
        maxLength: isQuick ? 2 : 4,
      }),
      seed: fc.nat(),
    }),
  );

it('a model that is brought up to date is the one built of everything', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async ({ stores, steps, seed }) => {
      const business = await test.createBusiness({ timezone: TIMEZONE, currency: 'CZK' });
      const isPicked = picker(seed);
      await importPart(business, partOf(stores[0] as Store, { share: 0.7, deleting: 0 }, isPicked));
      for (const step of steps) {
        if (!('store' in step)) await changeSettings(business, step);
        else {
          // Changed rates build everything anew, so most batches bring those that are there.
          const { fx_rates } = stores[isPicked(0.8) ? 0 : step.store] as Store;
          const { primary_currency } = await findBusiness(test.instance.control, business.business_id);
          const others = fx_rates.filter(({ currency }) => currency !== primary_currency);
          const store = { ...(stores[step.store] as Store), fx_rates: others };
          await importPart(business, partOf(store, step, isPicked));
        }
        await expectWhole(business);
      }
      if (!isQuick) await expectOnClickHouse(business);
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
  expect(builds.get('incremental')).toBeGreaterThan(0);
  console.log(Object.fromEntries(builds));
}, 7_200_000);

async function importPart(business: Business, part: Store): Promise<void> {
  if (Object.values(part).every((rows) => !Array.isArray(rows) || rows.length === 0)) return;
  const source = join(test.folder, `batch-${crypto.randomUUID()}`);
  writeCsv(part, source);
  await importFolder(test.instance, business, source, { incremental: { mostAffected: 100, fewestRows: 0 } });
  rmSync(source, { recursive: true });
}

async function changeSettings(business: Business, changes: Partial<BusinessSettings>): Promise<void> {
  const now = await findBusiness(test.instance.control, business.business_id);
  try {
    await updateBusiness(test.instance, now, changes);
  } catch (error) {
    // Some money cannot be converted to another currency. Then nothing has changed.
    if (!(error instanceof ImportError)) throw error;
  }
}

function picker(seed: number): (share: number) => boolean {
  let state = seed + 1;
  return (share) => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 < share;
  };
}

function partOf(
  store: Store,
  { share, deleting }: Omit<Batch, 'store'>,
  isPicked: (share: number) => boolean,
): Store {
  const part = Object.entries(store).map(([table, rows]) => [
    table,
    Array.isArray(rows) && table !== 'fx_rates'
      ? rows
          .filter(() => isPicked(share))
          .map((row) => (isPicked(deleting) ? { ...row, [DELETED]: 'true' } : row))
      : rows,
  ]);
  return { ...emptyStore(store.business), ...Object.fromEntries(part) };
}

async function servedFolder({ business_id }: Business): Promise<string> {
  const snapshot = await currentSnapshot(test.instance.control, business_id);
  return test.instance.data.snapshot(business_id, String(snapshot?.snapshot_id));
}

async function expectWhole(business: Business): Promise<void> {
  const folder = await servedFolder(business);
  const description = await readDescription(folder);
  const { kind, reason } = description?.build ?? {};
  const said = kind === 'incremental' ? kind : `${kind}: ${reason}`;
  builds.set(said, (builds.get(said) ?? 0) + 1);
  if (kind !== 'incremental') return;
  expect(await differencesFromWhole(test, business, folder)).toEqual([]);
}

async function expectOnClickHouse(business: Business): Promise<void> {
  const folder = await servedFolder(business);
  const snapshot = { business_id: business.business_id, snapshot_id: basename(folder) };
  expect(await differencesOnClickHouse(snapshot, modelFile(folder))).toEqual([]);
}
