import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Account, createAccount, grantAccess, listAccounts } from '../control/accounts.ts';
import {
  createBusiness,
  currentSnapshot,
  listBusinesses,
  type NewBusiness,
  readBusiness,
} from '../control/businesses.ts';
import type { ImportContext, OnStep } from '../ingest/build-snapshot.ts';
import { importFolder } from '../ingest/import.ts';
import { PERMISSIONS } from '../model/business.ts';
import { writeDemoTables } from './generator/write-demo-shop.ts';

const DEMO_EMAIL = 'demo@example.com';

/** Converted by scripts/convert-online-retail.ts; its attribution stands beside it. */
const ONLINE_RETAIL_FOLDER = fileURLToPath(new URL('../../demo-data/online-retail', import.meta.url));

/** The ids are fixed, so that examples in documents can be pasted. */
const ONLINE_RETAIL = {
  id: '0a11e7a1-0000-4000-8000-000000000001',
  name: 'UCI Online Retail (real data, 2010-12 to 2011-12)',
  timezone: 'Europe/London',
  currency: 'GBP',
  link: 'https://archive.ics.uci.edu/dataset/352/online+retail',
  newestTable: 'orders',
};
const MADE_SHOP = {
  id: '0a11e7a1-0000-4000-8000-000000000002',
  name: 'Kamenice Outdoor (made data, 2024-10 to 2026-09)',
  timezone: 'Europe/Prague',
  currency: 'CZK',
  link: 'https://kamenice-outdoor.example.com',
  newestTable: 'sends',
};

interface DemoBusiness extends NewBusiness {
  readonly id: string;
  /** A folder that an earlier version prepared lacks it, and is prepared anew. */
  readonly newestTable: string;
}

interface Progress {
  progress<Result>(title: string, work: (onStep: OnStep) => Promise<Result>): Promise<Result>;
}

/**
 * Fills an empty data folder with two demo businesses and an account that may read both; goes on where a killed
 * start left off.
 *
 * Leaves a folder alone that holds businesses of somebody's own.
 *
 * @returns the demo account's e-mail; null when there is none
 */
export async function prepareDemo(context: ImportContext, output: Progress): Promise<string | null> {
  const existing = await listBusinesses(context.control);
  if (existing.some(({ business_id }) => ![ONLINE_RETAIL.id, MADE_SHOP.id].includes(business_id))) {
    const accounts = await listAccounts(context.control);
    return accounts.find(({ email }) => email === DEMO_EMAIL)?.email ?? null;
  }
  const account = await demoAccount(context);
  await prepareBusiness(context, output, account.account_id, ONLINE_RETAIL, async () => ONLINE_RETAIL_FOLDER);
  await prepareBusiness(context, output, account.account_id, MADE_SHOP, async (temporary) => {
    await writeDemoTables(temporary);
    return temporary;
  });
  return account.email;
}

async function demoAccount({ control }: ImportContext): Promise<Account> {
  const accounts = await listAccounts(control);
  return (
    accounts.find(({ email }) => email === DEMO_EMAIL) ??
    createAccount(control, { email: DEMO_EMAIL, password: null })
  );
}

async function prepareBusiness(
  context: ImportContext,
  output: Progress,
  accountId: string,
  demo: DemoBusiness,
  writeFiles: (temporary: string) => Promise<string>,
): Promise<void> {
  const { control } = context;
  const business = (await readBusiness(control, demo.id)) ?? (await createBusiness(control, demo));
  await grantAccess(control, accountId, demo.id, PERMISSIONS);
  const snapshot = await currentSnapshot(control, demo.id);
  if (snapshot?.facts.loaded_tables.includes(demo.newestTable)) return;
  const temporary = await mkdtemp(join(tmpdir(), 'storesight-demo-'));
  try {
    await output.progress(`Preparing ${demo.name}`, async (onStep) => {
      await importFolder({ ...context, onStep }, business, await writeFiles(temporary));
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
