import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import { openControlDatabase } from '../../src/control/database/control-database.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
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

/** A control database of its own, in which two people have accounts and nothing has been done with a shop. */
export async function openShop(places: Places, engine: (typeof ENGINES)[number]) {
  const control = await openControlDatabase(await places.fresh(engine));
  const account = async (email: string) =>
    (await createAccount(control, { email, password: null })).account_id;
  return {
    control,
    ada: await account('ada@example.com'),
    bob: await account('bob@example.com'),
    shop: (await createBusiness(control, { name: 'Shop' })).business_id,
  };
}
