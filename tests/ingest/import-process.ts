/**
 * A program for tests that kill it: loads what an import needs, writes `ready`, waits for a line of JSON,
 * then imports a folder or deletes persons. A model is brought up to date however small the store is.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findBusiness } from '../../src/control/businesses/businesses.ts';
import { importFolder } from '../../src/import/run.ts';
import { deletePersons } from '../../src/ingest/delete-person.ts';
import { openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';

export interface ImportWork {
  readonly environment: Readonly<Record<string, string>>;
  readonly businessId: string;
  /** The files to import; else whom to delete. */
  readonly folder?: string;
  readonly identifiers?: readonly string[];
}

console.log('ready');
const [line] = await once(createInterface(process.stdin), 'line');
const { environment, businessId, folder, identifiers = [] }: ImportWork = JSON.parse(String(line));
const instance = await openInstance(readSettings(environment));
const business = await findBusiness(instance.control, businessId);
if (folder === undefined) await deletePersons(instance, business, identifiers);
else await importFolder(instance, business, folder, { incremental: { mostAffected: 100, fewestRows: 0 } });
await instance[Symbol.asyncDispose]();
process.exit();
