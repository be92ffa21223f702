/**
 * Imports of ten orders, each into a new store: processor time of the process, which has done it before.
 *
 *   node bench/small.ts [rounds; default 25]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBusiness } from '../src/control/businesses/businesses.ts';
import { importFolder } from '../src/import/run.ts';
import { openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';

const rounds = Number(process.argv[2] ?? 25);

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const ORDERS = {
  'orders.csv': [
    'order_id,ordered_at,profile_id,status,total,currency',
    ...numbers(10).map((n) => `o${n},2025-0${1 + (n % 9)}-1${n}T10:00:00Z,p${n % 7},paid,${100 + n},CZK`),
  ],
};
const STORES = {
  'orders alone': ORDERS,
  'with lines, customers, products': {
    ...ORDERS,
    'order_items.csv': [
      'order_id,line_no,external_product_id,quantity,unit_price',
      ...numbers(20).map((n) => `o${n >> 1},${(n % 2) + 1},x${n % 5},1,50`),
    ],
    'profiles.csv': [
      'profile_id,email,created_at',
      ...numbers(7).map((n) => `p${n},p${n}@example.com,2025-01-01T00:00:00Z`),
    ],
    'products.csv': ['external_product_id,name,price', ...numbers(5).map((n) => `x${n},Product ${n},50`)],
  },
};

const folder = await mkdtemp(join(tmpdir(), 'storesight-bench-'));
try {
  await using instance = await openInstance(readSettings({ STORESIGHT_DATA: join(folder, 'data') }));
  console.log(`ten orders | smallest, median of ${rounds} in ms of processor time`);
  for (const [name, files] of Object.entries(STORES)) {
    const source = join(folder, name);
    await mkdir(source);
    for (const [file, lines] of Object.entries(files))
      await writeFile(join(source, file), `${lines.join('\n')}\n`);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const business = await createBusiness(instance.control, {
        name: `${name} ${round}`,
        timezone: 'Europe/Prague',
        currency: 'CZK',
      });
      const before = process.cpuUsage();
      await importFolder(instance, business, source);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
    }
    times.sort((one, other) => one - other);
    console.log(`${name} | ${times[0]?.toFixed(0)}, ${times[rounds >> 1]?.toFixed(0)}`);
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
