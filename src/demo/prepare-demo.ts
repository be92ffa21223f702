import { join } from 'node:path';
import { type Business, PERMISSIONS } from '../business/business.ts';
import { setBusinessSettings } from '../control/businesses/business-settings.ts';
import {
  createBusiness,
  currentSnapshot,
  listBusinesses,
  type NewBusiness,
  readBusiness,
} from '../control/businesses/businesses.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { type Account, createAccount, grantAccess, listAccounts } from '../control/people/accounts.ts';
import { addManager, allowNewBusinesses } from '../control/people/managers.ts';
import { importFolder } from '../import/run.ts';
import type { ImportContext, OnStep } from '../snapshot/import-context.ts';
import type { ImportReport } from '../snapshot/import-report.ts';
import { PACKAGE_FOLDER } from '../version.ts';

export const DEMO_EMAIL = 'demo@example.com';

/**
 * `online-retail` is converted by scripts/convert-online-retail.ts, `kamenice-outdoor` made by
 * tools/made-shop.
 */
const DATA = join(PACKAGE_FOLDER, 'demo-data');

/** The ids are fixed, so that examples in documents can be pasted. */
export const DEMO_BUSINESSES: readonly DemoBusiness[] = [
  {
    id: '0a11e7a1-0000-4000-8000-000000000001',
    name: 'UCI Online Retail (real data, 2010-12 to 2011-12)',
    timezone: 'Europe/London',
    currency: 'GBP',
    link: 'https://archive.ics.uci.edu/dataset/352/online+retail',
    newestTable: 'refund_lines',
    folder: join(DATA, 'online-retail'),
  },
  {
    id: '0a11e7a1-0000-4000-8000-000000000002',
    name: 'Kamenice Outdoor (made data, 2024-10 to 2026-09)',
    timezone: 'Europe/Prague',
    currency: 'CZK',
    link: 'https://kamenice-outdoor.example.com',
    newestTable: 'stock_readings',
    vatRate: 21,
    folder: join(DATA, 'kamenice-outdoor'),
  },
];

interface DemoBusiness extends NewBusiness {
  readonly id: string;
  /** The VAT rate in percent. */
  readonly vatRate?: number;
  /** A folder that an earlier version prepared lacks it, and is prepared anew. */
  readonly newestTable: string;
  /** The folder of the canonical files. */
  readonly folder: string;
}

interface Progress {
  progress<Result>(title: string, work: (onStep: OnStep) => Promise<Result>): Promise<Result>;
}

/**
 * Fills an empty data folder with two demo businesses and an account that may read both; goes on where a
 * killed start left off.
 *
 * Leaves a folder alone that holds businesses of somebody's own.
 *
 * @returns the demo account's e-mail; null when there is none
 */
export async function prepareDemo(context: ImportContext, output: Progress): Promise<string | null> {
  const existing = await listBusinesses(context.control);
  if (existing.some(({ business_id }) => !DEMO_BUSINESSES.some(({ id }) => id === business_id))) {
    const accounts = await listAccounts(context.control);
    return accounts.find(({ email }) => email === DEMO_EMAIL)?.email ?? null;
  }
  const account = await demoAccount(context);
  await allowNewBusinesses(context.control, account.account_id);
  for (const demo of DEMO_BUSINESSES) await prepareBusiness(context, output, account.account_id, demo);
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
): Promise<void> {
  const { control } = context;
  const business = (await readBusiness(control, demo.id)) ?? (await createDemo(control, demo));
  await grantAccess(control, accountId, demo.id, PERMISSIONS);
  await addManager(control, accountId, demo.id);
  const snapshot = await currentSnapshot(control, demo.id);
  if (snapshot?.facts.loaded_tables.includes(demo.newestTable)) return;
  await output.progress(`Preparing ${demo.name}`, async (onStep) => {
    await importDemo({ ...context, onStep }, business, demo);
  });
}

/** The business with its settings, without data. */
export async function createDemo(control: ControlDatabase, demo: DemoBusiness): Promise<Business> {
  const business = await createBusiness(control, demo);
  await setBusinessSettings(control, demo.id, { vat_rate: demo.vatRate ?? null });
  return business;
}

export async function importDemo(
  context: ImportContext,
  business: Business,
  { folder }: DemoBusiness,
): Promise<ImportReport> {
  return importFolder(context, business, folder);
}
