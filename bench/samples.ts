/**
 * Imports each sample export by itself, as a dry run into an empty store, and prints what it was recognised
 * as, its rows, the time, and where what is stored differs from what the file says.
 *
 * `node bench/samples.ts [folder]`, with `node_modules/.bin` in the path. The samples lie in a folder beside
 * the repository.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBusiness } from '../src/control/businesses/businesses.ts';
import { importFiles } from '../src/import/run.ts';
import { openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';
import type { ImportReport } from '../src/snapshot/import-report.ts';
import type { Settings } from '../src/sources/source.ts';

const SAMPLES = fileURLToPath(new URL('../../shared/data/platform-samples/', import.meta.url));
/** Answers to what the files may ask. */
const SAID: Settings = {
  ...{ timezone: 'Europe/Prague', dates: 'dmy', currency: 'CZK', encoding: 'windows-1250' },
  'exported-at': '2026-01-01',
};

const samples = process.argv[2] ?? SAMPLES;
const folder = mkdtempSync(join(tmpdir(), 'storesight-bench-'));
try {
  const instance = await openInstance(readSettings({ STORESIGHT_DATA: folder }));
  const settings = { name: 'Samples', timezone: 'Europe/Prague', currency: 'CZK' };
  const business = await createBusiness(instance.control, settings);
  console.log('| File | Source | Rows | s | CPU s | Rejected | Orders: file, stored, valid | Differences |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const name of readdirSync(samples, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(csv|json|ndjson|parquet|xml)$/.test(name)) continue;
    const startedAt = performance.now();
    const before = process.cpuUsage();
    const options = { settings: SAID, isTrial: true, maxRejects: { percent: 100 } };
    const cells = await importFiles(instance, business, [join(samples, name)], options).then(
      told,
      (error: Error) => [`refused: ${error.message.split('\n').slice(0, 2).join(' ').slice(0, 250)}`],
    );
    const { user, system } = process.cpuUsage(before);
    const [source = '', rows = '', ...rest] = cells;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `| ${[name, source, rows, seconds, ((user + system) / 1e6).toFixed(1), ...rest].join(' | ')} |`,
    );
  }
  await instance[Symbol.asyncDispose]?.();
} finally {
  rmSync(folder, { recursive: true });
}

function told({ sources, tables, reconciliation }: ImportReport): string[] {
  const rejected = Object.values(tables).reduce((sum, table) => sum + table.rejected, 0);
  return [
    sources.map(({ source }) => source).join(', '),
    String(sources.reduce((sum, { rows }) => sum + rows, 0)),
    String(rejected),
    reconciliation
      .map(
        ({ currency, orders: { in_file, stored, valid } }) => `${currency} ${in_file}, ${stored}, ${valid}`,
      )
      .join('; '),
    reconciliation.flatMap(differencesOf).join('; '),
  ];
}

/** The sums that differ, and the reasons that are told. */
function differencesOf(each: ImportReport['reconciliation'][number]): string[] {
  const sums = (['gross', 'discounts', 'shipping', 'tax', 'refunds'] as const).flatMap((name) => {
    const { in_file, stored } = each[name];
    return in_file === stored ? [] : [`${name} ${in_file} is stored as ${stored}`];
  });
  return [
    ...sums,
    ...each.differences.map(({ reason, orders, amount }) => `${reason} ${orders} (${amount})`),
  ];
}
