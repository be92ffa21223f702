/**
 * Every tool about messages on 5 million sends and 20 million events, medians of some rounds.
 *
 *   node bench/messages.ts [share of that size; default 1] [rounds; default 3] [memory of the import; default 2GB]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../src/asking/run-tool.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { createBusiness } from '../src/control/businesses/businesses.ts';
import { operatorCaller } from '../src/control/people/callers.ts';
import { importFolder } from '../src/import/run.ts';
import { openInstance } from '../src/server/instance.ts';
import { openWarehouse } from '../src/server/open-warehouse.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { askLargeShop, LARGE_SHOP, writeLargeShop } from '../tests/support/large-shop.ts';

const share = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 3);
const memory = process.argv[4] ?? '2GB';

/** Tools that are about messages, and those who get them. */
const GROUPS = /^(Email|SMS|Subscribers|Campaign|Segments|Interest)/;

const folder = await mkdtemp(join(tmpdir(), 'storesight-bench-'));
try {
  const files = join(folder, 'files');
  await writeLargeShop(files, share);
  const settings = readSettings({
    STORESIGHT_DATA: join(folder, 'data'),
    STORESIGHT_IMPORT_MEMORY: memory,
  });
  await using instance = await openInstance(settings);
  const business = await createBusiness(instance.control, LARGE_SHOP);
  const before = process.cpuUsage();
  const imported = await milliseconds(() => importFolder(instance, business, files));
  const { user, system } = process.cpuUsage(before);
  console.log(
    `import: ${(imported / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor time, ${peak()} MB at most, load ${loadavg()[0]?.toFixed(1)}`,
  );

  const warehouse = await openWarehouse(instance, settings);
  const environment = toolEnvironment(instance, warehouse);
  console.log('tool | ms');
  for (const tool of CATALOGUE) {
    const args = askLargeShop(tool, business.business_id);
    if (args === null || !GROUPS.test(tool.group)) continue;
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      times.push(
        await milliseconds(() => runTool(environment, tool, args, operatorCaller(instance.control))),
      );
    }
    console.log(`${tool.name} | ${times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]?.toFixed(0)}`);
  }
  console.log(`${peak()} MB at most`);
  await warehouse.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}

function peak(): string {
  return (process.resourceUsage().maxRSS / 1024).toFixed(0);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
