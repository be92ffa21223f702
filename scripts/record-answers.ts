/**
 * Writes what clients are told of tools and resources, what a set of stores answers, and the content of their
 * model tables, to a file: one line for each. Recorded before and after a change that should change no
 * number, the two files must be the same:
 *
 *   node scripts/record-answers.ts /tmp/before.txt; git switch …; node scripts/record-answers.ts /tmp/after.txt
 *   diff /tmp/before.txt /tmp/after.txt
 *
 * The stores are both demo shops, the hand-made shop, an empty one and one of each kind of random store,
 * always from the same seeds. Each tool is asked with each value of each of its choices, on DuckDB and,
 * unless `--duckdb` is given, on ClickHouse. All of them take half an hour;
 * `--store hand-made --store random` asks only those whose names hold one of these words, and
 * `--tool campaign` only tools whose names do.
 */

import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import type { Tool } from '../src/answers/tool.ts';
import { type Arguments, runTool, type ToolEnvironment } from '../src/asking/run-tool.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { createBusiness, currentSnapshot, listBusinesses } from '../src/control/businesses/businesses.ts';
import { operatorCaller } from '../src/control/people/callers.ts';
import { prepareDemo } from '../src/demo/prepare-demo.ts';
import { importFolder } from '../src/import/run.ts';
import { atOnce } from '../src/main-thread/turns.ts';
import { listTools } from '../src/mcp/tool-list.ts';
import { RESOURCES } from '../src/resources/all-resources.ts';
import { type Instance, openInstance } from '../src/server/instance.ts';
import { openWarehouse } from '../src/server/open-warehouse.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { rebuildSnapshot } from '../src/snapshot/build-snapshot.ts';
import { ClickHouseEngine } from '../src/warehouse/clickhouse.ts';
import { ClickHouseCopier } from '../src/warehouse/clickhouse-copier.ts';
import { createClickHouseSchema } from '../src/warehouse/clickhouse-schema.ts';
import type { Warehouse } from '../src/warehouse/warehouse.ts';
import { emptyStore, type Store, writeCsv } from '../tests/oracle/store.ts';
import { startClickHouse } from '../tests/support/clickhouse.ts';
import { randomAudiences } from '../tests/support/random-audiences.ts';
import { randomConsents } from '../tests/support/random-consents.ts';
import { randomExperiments } from '../tests/support/random-experiments.ts';
import { randomMessages } from '../tests/support/random-messages.ts';
import { randomPopups } from '../tests/support/random-popups.ts';
import { randomStores } from '../tests/support/random-stores.ts';
import { randomTraffic } from '../tests/support/random-traffic.ts';
import { sampleArguments } from '../tests/support/sample-arguments.ts';
import { variants } from './argument-variants.ts';

const TIMEZONE = 'Europe/Prague';
const RANDOM = {
  orders: randomStores,
  messages: randomMessages,
  audiences: randomAudiences,
  consents: randomConsents,
  popups: randomPopups,
  traffic: randomTraffic,
  experiments: randomExperiments,
};
const SEEDS = [1, 2];
/** The stores of the demo. One call makes both. */
const DEMO = ['Kamenice', 'Online Retail'];

const { values, positionals } = parseArgs({
  options: {
    duckdb: { type: 'boolean', default: false },
    store: { type: 'string', multiple: true, default: [''] },
    tool: { type: 'string', multiple: true, default: [''] },
  },
  allowPositionals: true,
});
const [file] = positionals;
if (file === undefined) throw new Error('name the file to write');
const lines = createWriteStream(file);
const folder = mkdtempSync(join(tmpdir(), 'storesight-record-'));
try {
  // Hashes of people depend on it.
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'secret'), Buffer.alloc(32, 7), { mode: 0o600 });
  const settings = readSettings({ STORESIGHT_DATA: join(folder, 'data') });
  await using instance = await openInstance(settings);
  recordDeclarations();
  await importStores(instance);
  await recordTables(instance);
  const warehouse = await openWarehouse(instance, settings);
  const environment = toolEnvironment(instance, warehouse);
  await recordAnswers(instance, environment, 'duckdb');
  if (!values.duckdb) await recordOnClickHouse(instance, environment);
  await warehouse.close();
} finally {
  rmSync(folder, { recursive: true });
  lines.end();
}

function recordDeclarations(): void {
  const declarations = [...listTools(CATALOGUE), ...CATALOGUE, ...RESOURCES];
  for (const declaration of declarations)
    write('declared', declaration.name, digest(declaration), shortened(declaration));
}

async function importStores(instance: Instance): Promise<void> {
  if (isAsked(...DEMO)) await prepareDemo(instance, { progress: (_title, work) => work(() => {}) });
  if (isAsked('hand-made')) {
    const handMade = new URL('../tests/fixtures/hand-made-shop', import.meta.url).pathname;
    await importFolder(instance, await business(instance, 'hand-made', 1), handMade);
  }
  if (isAsked('empty')) await rebuildSnapshot(instance, await business(instance, 'empty', 2));
  let count = 2;
  for (const [name, store] of Object.entries(RANDOM)) {
    for (const seed of SEEDS) {
      count += 1;
      if (!isAsked(`random ${name} ${seed}`)) continue;
      const [rows = emptyStore({ timezone: TIMEZONE, primary_currency: 'CZK' })] = fc.sample<Store>(
        store(TIMEZONE),
        { seed, numRuns: 1 },
      );
      const source = join(folder, `${name}-${seed}`);
      writeCsv(rows, source);
      await importFolder(instance, await business(instance, `random ${name} ${seed}`, count), source);
    }
  }
}

function isAsked(...names: readonly string[]): boolean {
  return values.store.some((word) => names.some((name) => name.includes(word)));
}

function isToolAsked({ name, scope }: Tool): boolean {
  return scope === 'business' && values.tool.some((word) => name.includes(word));
}

function business({ control }: Instance, name: string, number: number) {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return createBusiness(control, { id, name, timezone: TIMEZONE, currency: 'CZK' });
}

/** The order of rows does not matter here, and neither does which columns come first. */
async function recordTables({ control, data }: Instance): Promise<void> {
  for (const { business_id, name } of await listBusinesses(control)) {
    const snapshot = await currentSnapshot(control, business_id);
    const database = await DuckDBInstance.create(data.model(business_id, String(snapshot?.snapshot_id)), {
      access_mode: 'READ_ONLY',
    });
    const connection = await database.connect();
    const tables = (
      await connection.runAndReadAll(
        "select table_name, list(column_name order by column_name), list(data_type order by column_name) from information_schema.columns where table_schema = 'main' group by 1 order by 1",
      )
    ).getRowsJS() as [string, string[], string[]][];
    for (const [table, columns, types] of tables) {
      const row = columns.map((column) => `"${column}"`).join(', ');
      const [content = []] = (
        await connection.runAndReadAll(`select count(*), coalesce(sum(hash(${row})), 0) from "${table}"`)
      ).getRowsJS();
      write(
        name,
        table,
        columns.map((column, index) => `${column} ${types[index]}`).join(', '),
        content.join(' '),
      );
    }
    connection.closeSync();
    database.closeSync();
  }
}

async function recordOnClickHouse(instance: Instance, environment: ToolEnvironment): Promise<void> {
  const server = await startClickHouse();
  await createClickHouseSchema(server.writing, server.place);
  const copier = new ClickHouseCopier(server.writing, server.place.database);
  for (const { business_id } of await listBusinesses(instance.control)) {
    const snapshot_id = String((await currentSnapshot(instance.control, business_id))?.snapshot_id);
    await copier.copy({ business_id, snapshot_id }, instance.data.model(business_id, snapshot_id));
  }
  const engine = new ClickHouseEngine(server.reading, server.place.database, 60);
  const { signal } = new AbortController();
  const warehouse: Warehouse = {
    query: async (snapshot, queries) => (await engine.query(snapshot, queries, signal)).map(atOnce),
    ask: () => Promise.reject(new Error('no recorded question is a statement')),
    close: async () => {},
  };
  await recordAnswers(instance, { ...environment, warehouse }, 'clickhouse');
  await server.stop();
}

async function recordAnswers(
  instance: Instance,
  environment: ToolEnvironment,
  engine: string,
): Promise<void> {
  const caller = operatorCaller(instance.control);
  for (const { business_id, name } of await listBusinesses(instance.control)) {
    const own = await ownArguments(business_id, name);
    for (const tool of CATALOGUE.filter(isToolAsked)) {
      for (const args of variantsFor(tool, { ...sampleArguments(tool.name, business_id) }, own)) {
        const answer = await runTool(environment, tool, args, caller).then(
          // Clients get no sentences of other languages.
          ({ sentences: _, ...given }) => given,
          (error: Error) => error.message,
        );
        write(name, `${engine} ${tool.name} ${JSON.stringify(args)}`, digest(answer), shortened(answer));
      }
    }
  }

  /** What the sample arguments name exists in the hand-made shop; others have names of their own. */
  async function ownArguments(business_id: string, name: string): Promise<Arguments> {
    if (name === 'hand-made') return {};
    const ask = async (tool: string, args: Arguments = {}) => {
      const found = CATALOGUE.find((candidate) => candidate.name === tool) as Tool;
      return (await runTool(environment, found, { business_id, limit: 3, ...args }, caller)).result as Listed;
    };
    const { products = [] } = await ask('list_products');
    const { campaigns = [] } = await ask('list_campaigns');
    const { segments = [] } = await ask('list_segments');
    const { brands = [] } = await ask('list_product_brands');
    const { categories = [] } = await ask('list_product_categories');
    const [ids, masters] = [
      products.map(({ external_product_id }) => external_product_id),
      products.map(
        ({ external_master_product_id, external_product_id }) =>
          external_master_product_id ?? external_product_id,
      ),
    ];
    const all: Arguments = {
      ...(name.includes('Online Retail') && {
        from_date: '2010-12-01T00:00:00',
        to_date: '2011-12-31T23:59:59',
      }),
      ...(name.includes('Kamenice') && { from_date: '2026-01-01T00:00:00', to_date: '2026-08-15T12:00:00' }),
      external_product_id: ids[0],
      external_product_ids: ids,
      external_master_product_ids: masters,
      brands: brands.map(({ brand }) => brand),
      categories: categories.map(({ category }) => category),
      campaign_id: campaigns[0]?.campaign_id,
      campaign_ids: campaigns.map(({ campaign_id }) => campaign_id),
      segment_id: segments[0]?.segment_id,
    };
    const isThere = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
    return Object.fromEntries(Object.entries(all).filter(([, value]) => isThere(value)));
  }
}

type Listed = Record<string, Record<string, unknown>[]>;

/** Arguments with the names that the store itself has, and with each value of each choice. */
function variantsFor(tool: Tool, sample: Arguments, own: Arguments): Arguments[] {
  return variants(
    tool,
    Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, own[name] ?? value])),
  );
}

function digest(answer: unknown): string {
  return createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 16);
}

/** The answer, shortened so that a person can read a difference. */
function shortened(answer: unknown): string {
  return JSON.stringify(answer).slice(0, 2000);
}

function write(...cells: readonly string[]): void {
  lines.write(`${cells.join('\t')}\n`);
}
