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
      const contents = [];
      for (const from of [FROZEN_FOLDER, made]) {
        const content = await db.runAndReadAll(
          `select count(*)::integer, sum(hash(shop))::varchar from '${join(from, file)}' shop`,
        );
        contents.push(content.getRowsJS()[0]);
      }
      expect([file, contents[0]]).toEqual([file, contents[1]]);
      expect([file, contents[0]?.[0]]).toEqual([file, rows[file.replace('.parquet', '')]]);
    }
    db.closeSync();
  } finally {
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
});
