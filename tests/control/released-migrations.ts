import { createHash } from 'node:crypto';
import type { Migration } from '../../src/control/database/migrations/migration.ts';

/** What its SQL is, whatever the words of an engine are. */
export function fingerprint(migration: Migration): string {
  const text = migration({ text: '<text>', integer: '<integer>', strict: '<strict>' });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * The fingerprints of the migrations that databases of merchants went through. A line is added with its
 * migration, and never changes: a mistake in a migration is mended by the next one.
 */
export const RELEASED: Readonly<Record<string, string>> = {
  '01-accounts.ts': 'f19db2b22a39cf46',
  '02-sign-in.ts': '9cf96c729ca1708b',
  '03-indexes.ts': '6769c8ef8cc6b4ee',
  '04-attribution-windows.ts': 'b657e0d47b119c39',
  '05-instance.ts': 'be0e6b8723b16cda',
  '06-count-budgets.ts': '2ed5154a272958aa',
  '07-versions-of-models.ts': 'bf5910ebd09de8cf',
  '08-source-settings.ts': '03fb3c3ccd5f6d8e',
  '09-served-models.ts': '6ce9d6f96e51085f',
  '10-managers.ts': 'bd565786fd3df728',
  '11-connections.ts': '2b41036f488c59e7',
  '12-vat-rate.ts': '0dafb945f991696c',
  '13-uploads.ts': 'e4a1a7c2ee9b1e22',
  '14-account-ids.ts': 'a5750ad13600a346',
  '15-kept-erasures.ts': '1f911bb9a2c0a416',
  '16-assumptions.ts': 'a2bf44e52e494ea0',
  '17-mapping-drafts.ts': 'a1bffd9200983a1b',
};
