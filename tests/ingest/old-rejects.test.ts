import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { DataFolder } from '../../src/control/data-folder.ts';
import { removeAllOldRejects } from '../../src/snapshot/old-rejects.ts';

const data = new DataFolder(mkdtempSync(join(tmpdir(), 'storesight-rejects-')));
afterAll(() => rmSync(data.root, { recursive: true }));

const DAY_MS = 24 * 3600 * 1000;

it('rejects go after 30 days, in every business, and nothing else does', async () => {
  const now = Date.now();
  const files = {
    '20260101T000000000Z-abcd.csv': 31,
    '20260102T000000000Z-abcda.csv': 400,
    '20260103T000000000Z-abcd.csv': 29,
    'mended orders.csv': 400,
    '20260101T000000000Z-abcd.xlsx': 400,
  };
  for (const business of ['one', 'two']) {
    mkdirSync(data.rejects(business), { recursive: true });
    for (const [name, days] of Object.entries(files)) {
      const file = join(data.rejects(business), name);
      writeFileSync(file, '');
      utimesSync(file, new Date(), new Date(now - days * DAY_MS));
    }
  }
  await removeAllOldRejects(data, now);
  for (const business of ['one', 'two']) {
    expect(readdirSync(data.rejects(business)).sort()).toEqual([
      '20260101T000000000Z-abcd.xlsx',
      '20260103T000000000Z-abcd.csv',
      'mended orders.csv',
    ]);
  }
});
