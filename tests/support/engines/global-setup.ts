/**
 * What vitest does once for a run, in the process that starts the workers: it answers them with the URLs of
 * engines, which it starts when they are first asked for. So a run of files that need none starts none, and
 * one that fails to start fails every test that needs it at once, with its own message.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { createClickHouseSchema } from '../../../src/warehouse/clickhouse-schema.ts';
import { pruneAnswers } from '../cache/answer-memory.ts';
import { cacheFolder } from '../cache/cache-folder.ts';
import { pruneStores } from '../cache/made-stores.ts';
import { startClickHouse } from '../clickhouse.ts';
import type { Engine } from './engine-url.ts';
import { startPostgresServer } from './postgres-server.ts';

interface Started {
  readonly url: string;
  stop(): Promise<void>;
}

type Starter = () => Promise<Started>;

const startersFor = (isFull: boolean): Record<Engine, Starter> => ({
  postgres: startPostgresServer,
  clickhouse: async () => {
    const server = await startClickHouse();
    await createClickHouseSchema(server.writing, server.place);
    // Merging what a few seconds of tests wrote helps nobody, and takes a tenth of a processor.
    await server.client.command({ query: 'system stop merges' });
    // Compiling expressions takes half of the time of queries on a few rows, waking threads a part of the
    // rest. The full tests do both, as servers do.
    if (!isFull) await server.client.command({ query: `set ${FOR_FEW_ROWS}` });
    return server;
  },
});

const FOR_FEW_ROWS =
  'compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0, max_threads = 1';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engines = new Map<string, Promise<Started>>();
  const isFull = project.vitest.projects.some(({ config }) => config.env.STORESIGHT_TEST_CACHE === 'off');
  const starters = startersFor(isFull);

  function find(path: string): Promise<Started> {
    const [, engine = '', worker = ''] = path.split('/');
    const start = starters[engine as Engine];
    if (start === undefined) return Promise.reject(new Error(`no engine ${engine}`));
    const name = engine === 'postgres' ? engine : `${engine} ${worker}`;
    const started = engines.get(name) ?? start();
    engines.set(name, started);
    return started;
  }

  const server = createServer(async (request, response) => {
    try {
      response.end((await find(request.url ?? '')).url);
    } catch (error) {
      response.statusCode = 500;
      response.end(error instanceof Error ? error.message : String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('engines', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    await pruneCache();
    server.close();
    server.closeAllConnections();
    for (const started of await Promise.allSettled(engines.values())) {
      if (started.status === 'fulfilled') await started.value.stop();
    }
  };
}

async function pruneCache(): Promise<void> {
  const folder = cacheFolder();
  if (folder === null) return;
  await pruneStores(folder);
  pruneAnswers(folder);
}
