import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { FROZEN_FOLDER, freeze } from '../../tools/made-shop/freeze.ts';
import { writeDemoTables } from '../../tools/made-shop/generator/write-demo-shop.ts';

it('the shipped files hold what the generator makes (else run `node tools/made-shop/freeze.ts`)', {
  timeout: 300_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'frozen-shop-'));
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const [written, made] = [join(folder, 'written'), join(folder, 'made')];
    const { rows } = await writeDemoTables(written);
    await freeze(written, made);
    const files = (await readdir(made)).sort();
    expect(files).toEqual(
      Object.keys(rows)
        .map((table) => `${table}.parquet`)
        .sort(),
    );
    expect((await readdir(FROZEN_FOLDER)).sort()).toEqual(files);
    const db = await instance.connect();
    for (const file of files) {
      // Another version of DuckDB may write other bytes of the same rows.
      const [shipped, again] = [FROZEN_FOLDER, made].map((from) => `from '${join(from, file)}'`);
      const [counts] = (
        await db.runAndReadAll(`select (select count(*) ${shipped})::integer,
          (select count(*) from (${shipped} except all ${again}))::integer,
          (select count(*) from (${again} except all ${shipped}))::integer`)
      ).getRowsJS();
      expect([file, ...(counts ?? [])]).toEqual([file, rows[file.replace('.parquet', '')], 0, 0]);
    }
    db.closeSync();
  } finally {
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
});
