import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { engineUrl } from './engines/engine-url.ts';

export { PASSWORD } from './engines/postgres-server.ts';

/**
 * The PostgreSQL server of this run of tests. Databases stay until it ends: to drop one, it waits for every
 * connection that never finished signing in.
 */
export interface TestPostgres {
  /** A new, empty database: its URL. `options` are those of `create database`. */
  createDatabase(options?: string): Promise<string>;
  /** What the server's owner does, in one database. */
  query(url: string, text: string): Promise<Record<string, unknown>[]>;
}

export async function findPostgres(): Promise<TestPostgres> {
  const owner = await engineUrl('postgres');
  return {
    // Sorts as people expect by default, which the control database must not rely on.
    createDatabase: async (
      options = `encoding 'UTF8' locale_provider icu icu_locale 'en-US' locale 'C' template template0`,
    ) => {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await query(owner, `create database ${name} ${options}`);
      return Object.assign(new URL(owner), { pathname: name }).href;
    },
    // The URL may be that of another user, or of a proxy.
    query: (url, text) =>
      query(Object.assign(new URL(owner), { pathname: new URL(url).pathname }).href, text),
  };
}

async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
