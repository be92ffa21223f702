import { personKeys } from '../../domains/identity/tables/identity.ts';
import { stored } from '../../model-table/stored-tables.ts';
import type { Session } from '../../store/duckdb-session.ts';
import { type ModelBusiness, setBusinessValues, setStoreValues } from '../build/build-model.ts';
import { buildOrder } from '../build/build-order.ts';
import { everyKey, type KeyParts } from '../build/keys.ts';
import { makeTables } from '../build/make-tables.ts';
import { MODEL_CHECKS } from '../build/model-checks.ts';
import { MODEL_TABLES } from '../build/model-tables.ts';
import { affectedRows, findAffected } from './affected.ts';
import { NAMES } from './person-names.ts';
import { RETURNED_UNLISTED } from './seeds.ts';

/** What comes of looking at an import: how many persons it affects, or why everything has to be made anew. */
export type PartialModel =
  | { readonly affectedPersons: number; readonly share: number }
  | { readonly whyWhole: string };

/**
 * Makes the model of the affected persons alone, by the same SQL as that of all: in the main database of the
 * session, of their rows of the canonical tables. The table `affected_persons` has their keys.
 *
 * The session has the canonical rows in the schema `whole`, those of the snapshot before in `before`, the
 * changed rows in `changed`, and the model before in `old`.
 *
 * @param loaded how many rows the canonical tables have that hold some
 * @param mostAffected the share of rows beyond which making everything anew is not slower
 */
export async function buildPartialModel(
  session: Session,
  business: ModelBusiness,
  changed: ReadonlySet<string>,
  loaded: ReadonlyMap<string, number>,
  keys: KeyParts,
  mostAffected: number,
  onTable: (name: string, doneShare: number) => void,
): Promise<PartialModel> {
  if (changed.has('rfm_profiles')) return { whyWhole: 'RFM profiles changed' };
  if (changed.has('fx_rates')) return { whyWhole: 'exchange rates changed' };
  setStoreValues(session, 'before');
  const before = await readFlags(session);
  setStoreValues(session, 'whole');
  if ((await readFlags(session)) !== before) {
    return { whyWhole: 'there are sessions or carts for the first time, or no more' };
  }
  await findAffected(session, changed, loaded);
  const { share, rows } = await restrictStore(session, loaded);
  if (share > mostAffected) {
    return { whyWhole: `${Math.round(share * 100)}% of the rows about persons belong to affected ones` };
  }
  await setBusinessValues(session, business);
  if (loaded.has('refund_lines'))
    await session.run(
      `set variable returned_products = (select list(external_product_id) from (${RETURNED_UNLISTED}))`,
    );
  const filled = [...loaded.keys()].filter((table) => rows.get(table) !== 0).map((table) => `store.${table}`);
  await makeTables(session, buildOrder(MODEL_TABLES), filled, MODEL_CHECKS, keys, onTable);
  return { affectedPersons: await listAffectedPersons(session, keys), share };
}

async function readFlags(session: Session): Promise<string> {
  const flags = await session.row(
    "select getvariable('has_sessions') as sessions, getvariable('has_cart_events') as carts",
  );
  return JSON.stringify(flags);
}

/**
 * The schema `store`: of tables that name persons the affected rows, of the others all.
 *
 * @returns how many rows those are, and which share of all they are or were, whichever is more
 */
async function restrictStore(session: Session, loaded: ReadonlyMap<string, number>) {
  await session.run("attach ':memory:' as store");
  const rows = new Map<string, number>();
  const now = { affected: 0, all: 0 };
  let more = 0;
  for (const table of Object.values(stored)) {
    const name = table.name.replace('store.', '');
    if (!(name in NAMES)) {
      await session.run(`create view store.${name} as from whole.${name}`);
      continue;
    }
    const { Count } = await session.row(`create table store.${name} as ${affectedRows(name)}`);
    const changes = await session.row(
      `select count(*) filter (not is_new) - count(*) filter (is_new) as more from changed.${name}`,
    );
    rows.set(name, Number(Count));
    now.affected += Number(Count);
    now.all += loaded.get(name) ?? 0;
    // All changed rows are of affected persons.
    more += Number(changes.more);
  }
  const share = ({ affected, all }: typeof now) => (all === 0 ? 0 : affected / all);
  const before = { affected: now.affected + more, all: now.all + more };
  return { rows, share: Math.max(share(now), share(before)) };
}

/**
 * Lists the affected persons, also those who are no more, whose keys are known from before.
 *
 * @returns how many customers and visitors there are whose rows are made anew
 */
async function listAffectedPersons(session: Session, keys: KeyParts): Promise<number> {
  const known = everyKey(personKeys, keys);
  const { Count } = await session.row(
    `create table affected_persons as select person_key from ${known} semi join spread.affected on person = name`,
  );
  return Number(Count);
}
