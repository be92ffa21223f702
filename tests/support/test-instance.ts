import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import type { Answer, Tool } from '../../src/answers/tool.ts';
import { type Arguments, runTool, type ToolEnvironment } from '../../src/asking/run-tool.ts';
import type { Business } from '../../src/business/business.ts';
import { CATALOGUE, EXTENSION_TOOLS } from '../../src/catalogue.ts';
import {
  createBusiness,
  currentSnapshot,
  type NewBusiness,
} from '../../src/control/businesses/businesses.ts';
import { type Caller, operatorCaller } from '../../src/control/people/callers.ts';
import { createDemo, DEMO_BUSINESSES, importDemo } from '../../src/demo/prepare-demo.ts';
import { importFolder } from '../../src/import/run.ts';
import { type MaxRejects, readMaxRejects } from '../../src/ingest/rejects.ts';
import { type Instance, openInstance } from '../../src/server/instance.ts';
import { openWarehouse } from '../../src/server/open-warehouse.ts';
import { readSettings, type Settings } from '../../src/server/settings.ts';
import { toolEnvironment } from '../../src/server/tool-environment.ts';
import { rebuildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import type { ImportReport } from '../../src/snapshot/import-report.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { type Store, writeCsv } from '../oracle/store.ts';
import { cacheFolder } from './cache/cache-folder.ts';
import { MadeStores } from './cache/made-stores.ts';
import { isQuick } from './runs.ts';
import { SecondEngine } from './second-engine.ts';

/** A data folder of its own with a warehouse on it, gone at the end of the block that uses it. */
export interface TestInstance extends AsyncDisposable {
  readonly folder: string;
  /** The folder is for files to import that are the same in every run: what they become is remembered. */
  readonly madeFiles: string;
  readonly settings: Settings;
  readonly instance: Instance;
  readonly warehouse: Warehouse;
  readonly environment: ToolEnvironment;
  createBusiness(options?: Partial<NewBusiness>): Promise<Business>;
  importFolder(
    business: Business,
    folder: string,
    maxRejects?: string,
    addsLines?: boolean,
  ): Promise<ImportReport>;
  importStore(business: Business, store: Store): Promise<ImportReport>;
  /** The demo businesses of these names. */
  importDemos(names: RegExp): Promise<void>;
  /**
   * Runs a tool as `caller`, or as the owner of the data folder. The tool is one of the catalogue by its
   * name, or one of the tests.
   */
  run(tool: string | Tool, args: Arguments, caller?: Caller): Promise<Answer>;
  /** The result alone. */
  ask(tool: string | Tool, args: Arguments, caller?: Caller): Promise<unknown>;
}

interface TestInstanceOptions {
  readonly controlUrl?: string;
  readonly warehouseUrl?: string;
  readonly folder?: string;
  /**
   * Whether answers are asked of DuckDB alone, and not of ClickHouse once more. The default is true in
   * `npm test`. `true` is for tests of what comes before the engine, `false` for those that ask every tool.
   */
  readonly isOneEngineEnough?: boolean;
}

export async function createTestInstance(options: TestInstanceOptions = {}): Promise<TestInstance> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'storesight-test-')));
  const settings = readSettings({
    STORESIGHT_DATA: join(folder, 'data'),
    STORESIGHT_LOG_LEVEL: 'silent',
    STORESIGHT_CONTROL_URL: options.controlUrl,
    STORESIGHT_WAREHOUSE_URL: options.warehouseUrl,
  });
  if (options.folder === undefined) await writeSecret(settings.DATA);
  const instance = await openInstance(settings);
  const warehouse = await openWarehouse(instance, settings);
  const environment = toolEnvironment(instance, warehouse);
  // What an import writes elsewhere than to its data folder is not remembered.
  const isRemembered = options.warehouseUrl === undefined;
  const made = isRemembered ? new MadeStores() : new MadeStores(null);
  // Where nothing is remembered from run to run, the demo stores are made once in a run.
  const demos = isRemembered && cacheFolder() === null ? new MadeStores(join(tmpdir(), 'demos')) : made;
  const secondEngine = new SecondEngine({
    fileOf: ({ business_id, snapshot_id }) => instance.data.model(business_id, snapshot_id),
    contentOf: ({ snapshot_id }) => made.contentOf(snapshot_id),
  });
  const isAboutTools = options.warehouseUrl === undefined && options.isOneEngineEnough !== true;
  const asksBothEngines = isAboutTools && !(options.isOneEngineEnough ?? isQuick);
  /**
   * These businesses do not have yet the empty snapshot that a new business gets: most tests import into it
   * at once.
   */
  const withoutSnapshot = new Map<string, Business>();
  // The n-th business of every instance has the same id, so that its store can be remembered.
  const isAlone = options.folder === undefined && options.controlUrl === undefined;
  const madeFiles = `${folder}-made`;
  let businesses = 0;
  let stores = 0;

  const rebuild = (business: Business) =>
    made.importOnce(instance, business, null, async () => ({
      snapshot: await rebuildSnapshot(instance, business),
      builds_on: null,
      sources: [],
      reconciliation: [],
      build: { kind: 'whole', reason: '', affected_persons: null, replaced_share: 0, free_share: 0 },
      tables: {},
      changes: {},
      rejects_file: null,
      personal_data_removed: {},
      warnings: [],
    }));

  async function importFiles(
    business: Business,
    source: string,
    allowed = '0',
    addsLines = false,
  ): Promise<ImportReport> {
    const maxRejects = readMaxRejects(allowed) as MaxRejects;
    const report = await importFolder(instance, business, source, { maxRejects, addsLines });
    withoutSnapshot.delete(business.business_id);
    return report;
  }

  /** As `importFiles`, or out of the memory. */
  async function importMade(business: Business, source: string, maxRejects?: string): Promise<ImportReport> {
    const report = await made.importOnce(instance, business, source, () =>
      importFiles(business, source, maxRejects),
    );
    withoutSnapshot.delete(business.business_id);
    return report;
  }

  const test: TestInstance = {
    folder,
    madeFiles,
    settings,
    instance,
    warehouse,
    environment,
    createBusiness: async (options = {}) => {
      businesses += 1;
      const id = isAlone ? nthId(businesses) : undefined;
      const business = await createBusiness(instance.control, { id, name: 'Test shop', ...options });
      if (isAboutTools) withoutSnapshot.set(business.business_id, business);
      else await rebuild(business);
      return business;
    },
    // Files that a test writes into its folder are about importing them.
    importFolder: (business, source, maxRejects, addsLines) =>
      (source.startsWith(folder + sep) ? importFiles : importMade)(business, source, maxRejects, addsLines),
    importStore: (business, store) => {
      stores += 1;
      const source = join(madeFiles, `store-${stores}`);
      writeCsv(store, source);
      return importMade(business, source);
    },
    importDemos: async (names) => {
      for (const demo of DEMO_BUSINESSES.filter(({ name }) => names.test(name))) {
        const business = await createDemo(instance.control, demo);
        await demos.importOnce(instance, business, demo.folder, () => importDemo(instance, business, demo));
      }
    },
    run: async (asked, args, caller = operatorCaller(instance.control)) => {
      const tool = typeof asked === 'string' ? toolCalled(asked) : asked;
      for (const business of withoutSnapshot.values()) {
        // A test may have imported through a server or a connection.
        const current = await currentSnapshot(instance.control, business.business_id);
        if (current === null) await rebuild(business);
      }
      withoutSnapshot.clear();
      const answer = await runTool(environment, tool, args, caller);
      if (asksBothEngines) await secondEngine.expectSame(answer, environment, tool, args, caller);
      return answer;
    },
    ask: async (name, args, caller) => (await test.run(name, args, caller)).result,
    [Symbol.asyncDispose]: async () => {
      await warehouse.close();
      await secondEngine.stop();
      await instance[Symbol.asyncDispose]();
      for (const own of [folder, madeFiles]) await rm(own, { recursive: true, force: true });
    },
  };
  return test;
}

/**
 * The same for all, so that the same file gives the same hashes of personal data, and a store can be
 * remembered.
 */
async function writeSecret(dataFolder: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(join(dataFolder, 'secret'), 'the secret of every test folder.', { mode: 0o600 });
}

/** Looks as random as one that is. */
function nthId(number: number): string {
  const digits = createHash('sha256').update(String(number)).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

function toolCalled(name: string): Tool {
  const tool = [...CATALOGUE, ...EXTENSION_TOOLS].find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}
