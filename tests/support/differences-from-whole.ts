import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Business } from '../../src/business/business.ts';
import { readAttributionWindows } from '../../src/control/businesses/attribution-windows.ts';
import { currentSnapshot, findBusiness } from '../../src/control/businesses/businesses.ts';
import { readVatRate } from '../../src/control/businesses/vat-rate.ts';
import { modelFile } from '../../src/control/data-folder/data-folder.ts';
import { PERSON_TABLES, WHOLE_TABLES } from '../../src/snapshot/incremental/person-tables.ts';
import { carryKeys } from '../../src/snapshot/key-parts.ts';
import { makeModel } from '../../src/snapshot/model-file.ts';
import { readDescription } from '../../src/snapshot/snapshot-description.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import { hashKey } from '../../src/store/keyed-hash.ts';
import type { TestInstance } from './test-instance.ts';

/**
 * How the served model differs from the one that is built of all its rows: some rows of each table, with its
 * name, what is doubtful in them, and the facts.
 */
export async function differencesFromWhole(
  test: TestInstance,
  { business_id }: Business,
  folder: string,
): Promise<Record<string, unknown>[]> {
  const { secret, control } = test.instance;
  const building = mkdtempSync(join(test.folder, 'whole-'));
  cpSync(join(folder, 'store'), join(building, 'store'), {
    recursive: true,
    filter: (path) => !path.endsWith('keys'),
  });
  const bounds = { memory: '1GB', spillFolder: join(building, 'temporary'), spillLimit: '1GB' };
  const attribution_windows = await readAttributionWindows(control, business_id);
  const vat_rate = await readVatRate(control, business_id);
  const { doubts, facts } = await makeModel(
    {
      building,
      business: { ...(await findBusiness(control, business_id)), attribution_windows, vat_rate },
      keys: await carryKeys(folder, building),
      key: hashKey(secret, business_id),
      bounds,
      signal: undefined,
      session: null,
      onTable: () => {},
      onChecking: () => {},
    },
    'for comparison',
  );
  using session = await Session.open(':memory:', bounds);
  await session.run(`attach '${modelFile(folder)}' as updated (read_only)`);
  await session.run(`attach '${modelFile(building)}' as built (read_only)`);
  const found: Record<string, unknown>[] = [];
  const told = (await readDescription(folder))?.doubts;
  if (!isDeepStrictEqual(told, doubts)) found.push({ name: 'doubts', updated: told, built: doubts });
  const served = (await currentSnapshot(control, business_id))?.facts;
  // Where nothing loaded has a moment, it is that of the import.
  if (!isDeepStrictEqual({ ...served, latest_at: '' }, { ...facts, latest_at: '' }))
    found.push({ name: 'facts', updated: served, built: facts });
  for (const name of await differingTables(session)) found.push(...(await differences(session, name)));
  await session.run('detach updated; detach built');
  rmSync(building, { recursive: true });
  return found;
}

/** A sum over all rows finds them much more quickly than a comparison. */
async function differingTables(session: Session): Promise<string[]> {
  const tables = [...PERSON_TABLES.map(({ table }) => table), ...WHOLE_TABLES];
  const contents = tables.map(({ name }) => {
    const of = (model: string) => `(select (count(*), sum(hash(t))) from ${model}.${name} as t)`;
    return `select '${name}' as name, ${of('updated')} is distinct from ${of('built')} as differs`;
  });
  const compared = await session.rows(contents.join(' union all '));
  return compared.flatMap(({ name, differs }) => (differs ? [String(name)] : []));
}

/** Rows that only one of them has, or more often. */
function differences(session: Session, table: string) {
  const missing = (one: string, other: string) =>
    `(select '${table}' as name, '${one}' as only, t::varchar as row
      from (from ${one}.${table} except all select * from ${other}.${table}) as t limit 5)`;
  return session.rows(`${missing('updated', 'built')} union all ${missing('built', 'updated')}`);
}
