import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { DataFolder } from '../../src/control/data-folder/data-folder.ts';
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

it('the newest 20 lists of a store stay, and nothing else counts', async () => {
  const now = Date.now();
  const folder = data.rejects('many');
  mkdirSync(folder, { recursive: true });
  const nameOf = (hour: number) => `20260101T${String(hour).padStart(2, '0')}0000000Z-abcd.csv`;
  for (let hour = 0; hour < 24; hour += 1) {
    writeFileSync(join(folder, nameOf(hour)), '');
    utimesSync(join(folder, nameOf(hour)), new Date(), new Date(now - (24 - hour) * 3_600_000));
  }
  writeFileSync(join(folder, 'mended orders.csv'), '');
  await removeAllOldRejects(data, now);
  expect(readdirSync(folder).sort()).toEqual([
    ...Array.from({ length: 20 }, (_, index) => nameOf(index + 4)),
    'mended orders.csv',
  ]);
});
