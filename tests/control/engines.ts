import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres, type TestPostgres } from '../support/postgres.ts';

export const ENGINES = ['SQLite', 'PostgreSQL'] as const;

/** Where fresh control databases of both engines are, until it is closed. */
export interface Places extends AsyncDisposable {
  readonly folder: string;
  readonly postgres: TestPostgres;
  fresh(engine: (typeof ENGINES)[number]): Promise<string>;
}

export async function openPlaces(): Promise<Places> {
  const folder = await mkdtemp(join(tmpdir(), 'storesight-control-'));
  const postgres = await findPostgres();
  let files = 0;
  return {
    folder,
    postgres,
    fresh: async (engine) => {
      if (engine === 'PostgreSQL') return postgres.createDatabase();
      files += 1;
      return join(folder, String(files), 'control.sqlite');
    },
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
