import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createDemo, DEMO_BUSINESSES, importDemo } from '../src/demo/prepare-demo.ts';
import { openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';
import { PACKAGE_FOLDER } from '../src/version.ts';
import type { Fact } from './facts.ts';
import type { Question } from './questions.ts';

const [STORE] = DEMO_BUSINESSES;

/** A client of a server on a data folder that has the demo store with real data alone. */
export async function openDemoStore(folder: string): Promise<Client> {
  if (STORE === undefined) throw new Error('there is no demo store');
  await using instance = await openInstance(readSettings({ STORESIGHT_DATA: folder }));
  await importDemo(instance, await createDemo(instance.control, STORE), STORE);
  const client = new Client({ name: 'storesight-evals', version: '1' });
  const program = join(PACKAGE_FOLDER, 'src/cli/main.ts');
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', program, 'stdio'],
      env: { STORESIGHT_DATA: folder, STORESIGHT_LOG_LEVEL: 'error' },
    }),
  );
  return client;
}

/** What is true of each question: SQL over the files of the store, without the product. */
export async function truthsOf(questions: readonly Question[]): Promise<Map<string, readonly Fact[]>> {
  const instance = await DuckDBInstance.create(':memory:');
  const database = await instance.connect();
  for (const table of ['orders', 'order_items', 'products', 'refunds'])
    await database.run(`create view ${table} as select * from '${join(STORE?.folder ?? '', table)}.parquet'`);
  const truths = new Map<string, readonly Fact[]>();
  for (const { id, sql, facts } of questions) {
    const read = await database.runAndReadAll(sql);
    truths.set(id, facts(read.getRowObjectsJson() as Record<string, string>[]));
  }
  database.closeSync();
  instance.closeSync();
  return truths;
}
