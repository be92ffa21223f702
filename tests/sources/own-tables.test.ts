// A file that is named after a table of ours and has that table's columns is that table, whatever exports
// have columns of these names.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findInputs } from '../../src/sources/files/inputs.ts';
import { knownSources } from '../../src/sources/mapping/known-sources.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { recognise } from '../../src/sources/recognise.ts';
import { UnreadFiles } from '../../src/sources/unread-files.ts';
import type { CanonicalTable } from '../../src/store/canonical-table.ts';
import { CANONICAL_TABLES } from '../../src/store/tables/all-tables.ts';
import { openSession, temporaryFolder, writeFiles } from '../ingest/staging.ts';
import { translateFiles } from './translated.ts';

const MAPPING = { name: 'x', text: '' };

async function recognised(files: Readonly<Record<string, string>>, mapping?: string) {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  writeFiles(join(folder.path, 'files'), files);
  const unread = new UnreadFiles(false);
  const inputs = await findInputs(session, [join(folder.path, 'files')], unread);
  const given = mapping === undefined ? [] : [{ ...MAPPING, mapping: readMapping(mapping, 'mapping.yaml') }];
  return await recognise(
    session,
    inputs,
    knownSources(given, new Map()),
    () => ({ encoding: 'utf-8' }),
    unread,
  );
}

/** Each file of one column set, by the table's own names. */
function filesOf({ name }: CanonicalTable, columns: readonly string[]): Record<string, string> {
  const row = Object.fromEntries(columns.map((column) => [column, '1']));
  return {
    [`${name}.csv`]: `${columns.join(',')}\n${columns.map(() => '1').join(',')}\n`,
    [`${name}-2026.csv`]: `${columns.toReversed().join(',').toUpperCase()}\n${columns.map(() => '1').join(',')}\n`,
    [`${name}/part.csv`]: `${columns.join(';')}\n${columns.map(() => '1').join(';')}\n`,
    [`${name}.ndjson`]: `${JSON.stringify(row)}\n`,
  };
}

describe.each(CANONICAL_TABLES.map((table) => [table.name, table] as const))('%s', (_, table) => {
  const all = Object.keys(table.columns);
  const needed = all.filter((name) => table.columns[name]?.required);

  it.each<[string, readonly string[]]>([
    ['the columns that it must have', needed],
    ['all its columns', all],
    ['its key and those to delete', [...table.key, '_deleted']],
  ])('is that table with %s', async (_, columns) => {
    const { canonical, sources, unknown, unread } = await recognised(filesOf(table, columns));
    expect([[...sources.keys()].map(({ name }) => name), unknown, unread]).toEqual([[], [], []]);
    expect([...canonical].map(([{ name }, files]) => [name, files.length])).toEqual([[table.name, 4]]);
  });
});

it('costs of advertising, exactly as docs/import-format.md writes them, are read', async () => {
  const content = 'day,source,medium,campaign,cost\n2026-10-31,google,cpc,brand,12.50\n';
  await translateFiles({ 'ad_costs.csv': content }, async ({ rows, sources }) => {
    expect(sources).toEqual([]);
    expect(await rows('ad_costs', 'source, medium, campaign')).toEqual([['google', 'cpc', 'brand']]);
  });
});

it('a file that the merchant has a mapping for is read by it, and a report under another name by what it is', async () => {
  const content = 'Day,Campaign,Cost,Source,Medium\n2026-10-31,brand,12.50,google,cpc\n';
  const mapping = [
    'name: ours',
    'title: Costs of ours',
    'recognise: [Day, Campaign, Cost]',
    'tables:',
    '  ad_costs:',
    '    day: Day',
    '    source: { constant: google }',
    '    medium: { constant: cpc }',
    '    campaign: Campaign',
    '    cost: Cost',
  ].join('\n');
  const own = await recognised({ 'ad_costs.csv': content }, mapping);
  expect([...own.sources.keys()].map(({ name }) => name)).toEqual(['ours']);
  const report = await recognised({ 'report.csv': content });
  expect([...report.sources.keys()].map(({ name }) => name)).toEqual(['google-ads']);
});
