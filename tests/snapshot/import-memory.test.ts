import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { memoryOfDuckDb } from '../../src/snapshot/import-memory.ts';

it.each([
  ['2GB', 1_300_000_000],
  ['3GB', 1_950_000_000],
  ['1024MiB', 0.65 * 1024 ** 3],
  ['1.5 GiB', 0.65 * 1.5 * 1024 ** 3],
])('DuckDB takes 65 % of %s, in its own words', async (importMemory, bytes) => {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: memoryOfDuckDb(importMemory) });
  const connection = await instance.connect();
  const shown = await connection.runAndReadAll("select current_setting('memory_limit') as shown");
  expect(bytesOf(String(shown.getRowObjects()[0]?.shown)) / bytes).toBeCloseTo(1, 1);
  connection.closeSync();
  instance.closeSync();
});

/** Reads `1.3 GiB`, as DuckDB shows it. */
function bytesOf(shown: string): number {
  const [amount, unit] = shown.split(' ');
  return Number(amount) * 1024 ** ['bytes', 'KiB', 'MiB', 'GiB'].indexOf(String(unit));
}
