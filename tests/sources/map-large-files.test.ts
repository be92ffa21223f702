import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/snapshot/import-limits.ts';
import { ImportMeter } from '../../src/snapshot/import-meter.ts';
import { beginningInLines, MOST_LOOKED_AT } from '../../src/sources/files/beginning-in-lines.ts';
import { mapFile } from '../../src/sources/mapping/map-file.ts';
import { temporaryFolder } from '../ingest/staging.ts';
import { workbookOf } from './made-workbook.ts';

const HEADER = 'Order ID,Order date,Total,Note\n';
const ROW = 'A-100001,2026-03-02,10.50,"two\nlines, and a "" quote"\n';
const CHUNK = 2 ** 20;

/**
 * A table whose rows are a little more than is looked at; behind them 300 MB of zeros, which no text has, and
 * the disk does not hold.
 */
function hugeFile(folder: string): string {
  const path = join(folder, 'huge.csv');
  const file = openSync(path, 'w');
  writeSync(file, HEADER + ROW.repeat(Math.ceil((MOST_LOOKED_AT + 2 * CHUNK) / ROW.length)));
  ftruncateSync(file, 300 * 2 ** 20);
  closeSync(file);
  return path;
}

class CountingMeter extends ImportMeter {
  /** The most bytes that came of a file. */
  read = 0;

  override unpacked(...told: Parameters<ImportMeter['unpacked']>): void {
    this.read = Math.max(this.read, told[1]);
    super.unpacked(...told);
  }
}

describe('a huge table', () => {
  it('is looked at in its beginning alone, which ends with a whole row', async () => {
    using folder = temporaryFolder();
    using meter = new CountingMeter(DEFAULT_LIMITS);
    const path = hugeFile(folder.path);
    const session = { signal: undefined, meter, temporaryFolder: folder.path };
    const input = { path, name: 'huge.csv', writtenAt: new Date(0) };
    const beginning = await beginningInLines(session as never, input);
    expect(beginning.path).not.toBe(path);
    expect(meter.read).toBeGreaterThan(MOST_LOOKED_AT);
    expect(meter.read).toBeLessThanOrEqual(MOST_LOOKED_AT + CHUNK);
  });

  it('is proposed what its rows are', async () => {
    using folder = temporaryFolder();
    const { columns, proposals } = await mapFile(hugeFile(folder.path), undefined);
    const rows = Math.floor((MOST_LOOKED_AT - HEADER.length) / ROW.length);
    expect(columns.map(({ title, filled }) => [title, filled])).toEqual(
      ['Order ID', 'Order date', 'Total', 'Note'].map((title) => [title, rows]),
    );
    expect(proposals.map(({ column }) => column).sort()).toEqual(['order_id', 'ordered_at', 'total']);
  });

  it('ends with a whole row in UTF-16, too', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'wide.csv');
    const rows = '1,2026-03-02,10.50,x\n'.repeat(Math.ceil(MOST_LOOKED_AT / 40));
    writeFileSync(path, Buffer.from(`\uFEFF${HEADER}${rows}`, 'utf16le'));
    const { columns } = await mapFile(path, undefined);
    expect(columns.map(({ title }) => title)).toEqual(['Order ID', 'Order date', 'Total', 'Note']);
    expect(columns[2]?.looks).toBe('number');
  });
});

describe('a workbook', () => {
  it('is looked at in the sheet of which most is known', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'book.xlsx');
    writeFileSync(
      path,
      workbookOf([
        {
          name: 'Read me',
          rows: [
            ['About', 'this'],
            ['book', 'text'],
          ],
        },
        {
          name: 'Orders',
          rows: [['Orders of March'], ['Order ID', 'Order date', 'Total'], ['A-1', '2026-03-02', 10.5]],
        },
      ]),
    );
    const { sheet, proposals } = await mapFile(path, undefined);
    expect(sheet).toContain('Orders');
    expect(proposals.map(({ column }) => column).sort()).toEqual(['order_id', 'ordered_at', 'total']);
  });
});
