/**
 * Every call on both engines, in turns: medians. ClickHouse is chDB behind HTTP, as in the tests.
 *
 *   node bench/engines.ts <data folder with the business of calls.ts> [rounds; default 10]
 */

import { runTool, type ToolEnvironment } from '../src/asking/run-tool.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { operatorCaller } from '../src/control/people/callers.ts';
import { openInstance } from '../src/server/instance.ts';
import { openWarehouse } from '../src/server/open-warehouse.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { ClickHouseEngine } from '../src/warehouse/clickhouse.ts';
import { ClickHouseCopier } from '../src/warehouse/clickhouse-copier.ts';
import { createClickHouseSchema } from '../src/warehouse/clickhouse-schema.ts';
import { ScheduledWarehouse } from '../src/warehouse/scheduling/scheduled-warehouse.ts';
import { Scheduler } from '../src/warehouse/scheduling/scheduler.ts';
import { startClickHouse } from '../tests/support/clickhouse.ts';
import { BUSINESS, CALLS } from './calls.ts';

const settings = readSettings({ STORESIGHT_DATA: process.argv[2] });
const rounds = Number(process.argv[3] ?? 10);
const instance = await openInstance(settings);
const duckDb = await openWarehouse(instance, settings);
const onDuckDb = toolEnvironment(instance, duckDb);
const served = await onDuckDb.findServed(BUSINESS);
if (served === null) throw new Error('no data');

const server = await startClickHouse();
await createClickHouseSchema(server.writing, server.place);
const copier = new ClickHouseCopier(server.writing, server.place.database);
const { business_id, snapshot_id } = served.snapshot;
const publishing = await milliseconds(() =>
  copier.copy(served.snapshot, instance.data.model(business_id, snapshot_id)),
);
console.log(`publishing took ${(publishing / 1000).toFixed(1)} s`);
const engine = new ClickHouseEngine(server.reading, server.place.database, 60);
const warehouse = new ScheduledWarehouse(engine, new Scheduler({ slots: 4, timeoutSeconds: 60 }), null);
const onClickHouse: ToolEnvironment = { ...onDuckDb, warehouse };

console.log('table | rows | bytes');
const parts = await server.client.query({
  query: `select table, sum(rows) as rows, sum(bytes_on_disk) as bytes from system.parts
    where database = 'storesight' and active group by table order by table`,
  format: 'JSONCompactEachRow',
});
for (const row of (await parts.json()) as unknown[][]) console.log(row.join(' | '));

console.log('tool | DuckDB ms | ClickHouse ms | ratio');
for (const [name, args] of Object.entries(CALLS)) {
  const tool = CATALOGUE.find((candidate) => candidate.name === name);
  if (tool === undefined || tool.scope === 'account') continue;
  const ask = (environment: ToolEnvironment) =>
    milliseconds(() =>
      runTool(environment, tool, args as Record<string, unknown>, operatorCaller(instance.control)),
    );
  const times: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1) times.push([await ask(onDuckDb), await ask(onClickHouse)]);
  const [ours, theirs] = [median(times.map(([one]) => one)), median(times.map(([, other]) => other))];
  console.log(`${name} | ${ours.toFixed(0)} | ${theirs.toFixed(0)} | ${(theirs / ours).toFixed(1)}`);
}
await duckDb.close();
await server.stop();
await instance[Symbol.asyncDispose]();

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
