import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { query } from '../ingest/shop.ts';
import { ask } from '../server/requests.ts';
import { everythingKept } from '../support/everything-kept.ts';
import {
  asCsv,
  asNdjson,
  type PlantedRow,
  plantedIn,
  plantedRows,
} from '../support/planted-personal-data.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const FORMATS = { csv: asCsv, ndjson: asNdjson, parquet: asNdjson };

/** Answers that have most texts of a store, by arguments. */
const FURTHER: readonly [tool: string, args: object][] = [
  ...['url', 'link', 'domain'].map((group_by) => ['email_link_statistics', { group_by }] as [string, object]),
  ...['mailbox_provider', 'recipient_domain', 'sending_domain', 'bounce_reason'].map(
    (group_by) => ['email_deliverability_statistics', { group_by }] as [string, object],
  ),
  ...['payment_method', 'shipping_method', 'country', 'coupon', 'currency', 'status'].map(
    (dimension) => ['order_distribution_statistics', { dimension }] as [string, object],
  ),
  ...['source', 'medium', 'campaign', 'landing_page', 'referrer', 'source_medium'].map(
    (group_by) => ['session_statistics', { group_by }] as [string, object],
  ),
];

it('an import full of e-mail addresses and phone numbers leaves none behind', async () => {
  await using target = await Target.open();
  const { good, bad, secrets } = plantedRows();
  const written: PlantedRow[] = [...good, ...bad];
  const found: string[] = [];
  let texts = 0;
  let bytes = 0;
  let answers = 0;
  let refusals = 0;
  const look = (place: string, text: string) => {
    texts += 1;
    bytes += text.length;
    found.push(...plantedIn(text).map((secret) => `${place}: ${secret}`));
  };

  for (const [format, write] of Object.entries(FORMATS)) {
    const shop = await target.makeShop(
      { name: format, timezone: 'Europe/Prague', currency: 'CZK' },
      await folderOf(target, format, write(good)),
    );
    const rejected = await target.cli.run([
      'import',
      shop.business_id,
      await folderOf(target, format, write(bad)),
      '--json',
    ]);
    refusals += Number(rejected.status !== 0);
    const all = await folderOf(target, format, {
      ...write(written),
      'notes-jmeno1.tajne@obchod.cz.txt': '',
    });
    const imported = await target.cli.run(['import', shop.business_id, all, '--max-rejects', '100%']);
    expect(imported.status).toBe(0);
    look('what the commands said', rejected.stdout + rejected.stderr + imported.stdout + imported.stderr);
    const { token } = await target.signIn([shop]);
    const server = await target.serve();
    const range = { from_date: '2026-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };
    const calls: [string, object][] = [
      ...CATALOGUE.map(({ name }) => [name, sampleArguments(name, shop.business_id)] as [string, object]),
      ...FURTHER.map(
        ([name, args]) =>
          [name, { business_id: shop.business_id, ...range, limit: 1000, ...args }] as [string, object],
      ),
    ];
    for (const [name, args] of calls) {
      const given = 'from_date' in args ? { ...args, ...range } : args;
      const answer = await ask(server.url, token, name, given);
      look(`${name} ${JSON.stringify(given)}`, JSON.stringify(answer));
      answers += 1;
    }
    await server.kill('SIGTERM');
    look('log', server.log);
  }
  const folder = join(target.cli.folder, 'data');
  for (const [path, text] of await everythingKept(folder)) look(path, text);

  expect(refusals).toBe(Object.keys(FORMATS).length);
  expect(found).toEqual([]);
  report('personal-data', {
    counts: { planted: secrets * Object.keys(FORMATS).length, answers, texts_searched: texts },
    worst: { found: found.length, megabytes_searched: Math.round(bytes / 1e6) },
  });
});

/** The files in a folder of their own; Parquet is made of NDJSON, with every cell as text. */
async function folderOf(target: Target, format: string, files: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(target.cli.folder, `${format}-`));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    if (format !== 'parquet' || !name.endsWith('.ndjson')) continue;
    const parquet = join(folder, name.replace('.ndjson', '.parquet'));
    const columns = [
      ...new Set(
        readFileSync(join(folder, name), 'utf8')
          .trim()
          .split('\n')
          .flatMap((line) => Object.keys(JSON.parse(line))),
      ),
    ];
    const types = columns.map((column) => `"${column}": 'varchar'`).join(', ');
    await query(
      `copy (from read_json('${join(folder, name)}', columns = {${types}}, format = 'newline_delimited')) to '${parquet}' (format parquet)`,
    );
    rmSync(join(folder, name));
  }
  return folder;
}
