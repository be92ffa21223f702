import { InputError } from '../../errors.ts';
import { accounts } from './migrations/01-accounts.ts';
import { signIn } from './migrations/02-sign-in.ts';
import { indexes } from './migrations/03-indexes.ts';
import { attributionWindows } from './migrations/04-attribution-windows.ts';
import { instance } from './migrations/05-instance.ts';
import { countBudgets } from './migrations/06-count-budgets.ts';
import { versionsOfModels } from './migrations/07-versions-of-models.ts';
import { sourceSettings } from './migrations/08-source-settings.ts';
import { servedModels } from './migrations/09-served-models.ts';
import { managers } from './migrations/10-managers.ts';
import { connections } from './migrations/11-connections.ts';
import { vatRate } from './migrations/12-vat-rate.ts';
import { uploads } from './migrations/13-uploads.ts';
import { accountIds } from './migrations/14-account-ids.ts';
import { keptErasures } from './migrations/15-kept-erasures.ts';
import { assumptions } from './migrations/16-assumptions.ts';
import { mappingDrafts } from './migrations/17-mapping-drafts.ts';
import type { Migration, Words } from './migrations/migration.ts';

/**
 * Applied in order, each once, all that are missing in one transaction; never change one that was released.
 *
 * Why not a library's migrations: docs/decisions/0050-migrations.md.
 */
export const MIGRATIONS: readonly Migration[] = [
  accounts,
  signIn,
  indexes,
  attributionWindows,
  instance,
  countBudgets,
  versionsOfModels,
  sourceSettings,
  servedModels,
  managers,
  connections,
  vatRate,
  uploads,
  accountIds,
  keptErasures,
  assumptions,
  mappingDrafts,
];

/**
 * The migrations that a database at this version lacks. @throws InputError when a newer version of the
 * program wrote it
 */
export function missingMigrations(version: number, words: Words): readonly string[] {
  if (version > LATEST_VERSION) {
    throw new InputError(
      'the control database was written by a newer version of Storesight; install that version',
    );
  }
  return MIGRATIONS.slice(version).map((migration) => migration(words));
}

export const LATEST_VERSION = MIGRATIONS.length;
