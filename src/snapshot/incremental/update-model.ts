import { type BuildTable, MadeTable, type PersonKey } from '../../model-table/model-table.ts';
import type { Session } from '../../store/duckdb-session.ts';
import { type ModelBusiness, setBusinessValues, setStoreValues } from '../build/build-model.ts';
import type { KeyParts } from '../build/keys.ts';
import { type IsEmpty, makeTables } from '../build/make-tables.ts';
import { isOfPersons, OWNERS, PERSON_TABLES, WHOLE_TABLES } from './person-tables.ts';

interface UpdatedModel {
  readonly isEmpty: IsEmpty;
  /** The names of the tables of all persons that were made anew. */
  readonly madeAnew: ReadonlySet<string>;
}

/**
 * Brings a copy of the model before up to date, in the main database of the session: the rows of affected
 * persons are replaced by those of the partial model, which the session has as `part`; then what is made of
 * all persons is made anew where something that it reads changed. The session has the canonical rows in the
 * schema `store`.
 *
 * @param changed the canonical tables with changed rows
 * @param loadedTables those that have rows
 */
export async function updateModel(
  session: Session,
  business: ModelBusiness,
  changed: ReadonlySet<string>,
  loadedTables: readonly string[],
  keys: KeyParts,
  onTable: (name: string, doneShare: number) => void,
): Promise<UpdatedModel> {
  await setBusinessValues(session, business);
  setStoreValues(session, 'store');
  // They are found before any of their rows goes.
  for (const [key, rows] of Object.entries(GONE)) {
    await session.run(`create temp table gone_${key} as select ${key} from ${rows}`);
  }
  for (const { table, key } of PERSON_TABLES) {
    onTable(table.name, 0);
    await session.run(`delete from ${table.name} where ${key} in (from gone_${key})`);
    await session.run(`insert into ${table.name} by name from part.${table.name}`);
  }
  const order = orderOfWhole(changed);
  const madeAnew = order.flatMap(({ name, scope }) => (scope === null ? [] : [name]));
  for (const name of madeAnew) await session.run(`drop table ${name}`);
  const filled = [
    ...loadedTables.map((table) => `store.${table}`),
    ...(await tablesWithRows(session, order)),
  ];
  const isEmpty = await makeTables(session, order, filled, [], keys, onTable);
  return { isEmpty, madeAnew: new Set(madeAnew) };
}

function ofAffected({ table, person }: (typeof OWNERS)[keyof typeof OWNERS]): string {
  return `${table} semi join part.affected_persons as affected(${person}) using (${person})`;
}

/** The rows that go, by each key that tells whose they are. */
const GONE: Readonly<Record<PersonKey, string>> = {
  customer_key: 'part.affected_persons as affected(customer_key)',
  visitor_key: 'part.affected_persons as affected(visitor_key)',
  order_key: ofAffected(OWNERS.order_key),
  send_key: ofAffected(OWNERS.send_key),
};

/**
 * The tables to make anew, and the steps on the way to them: not the tables of persons, which are up to date.
 */
function orderOfWhole(changed: ReadonlySet<string>): readonly MadeTable[] {
  const ordered = new Set<MadeTable>();
  const visit = (table: BuildTable) => {
    if (!(table instanceof MadeTable) || isOfPersons(table) || ordered.has(table)) return;
    if (table.scope === 'whole' && !isConcerned(table, changed)) return;
    for (const read of table.reads) visit(read);
    ordered.add(table);
  };
  for (const table of WHOLE_TABLES) visit(table);
  return [...ordered];
}

/** Whether anything that it is made of has changed, or the time may have changed it. */
function isConcerned(table: MadeTable, changed: ReadonlySet<string>): boolean {
  if (table.rows.text.includes('current_timestamp')) return true;
  return [...everythingRead(table)].some(({ name }) => changed.has(name.replace('store.', '')));
}

/** All that a table reads, also by way of other tables. */
function everythingRead(table: BuildTable, read = new Set<BuildTable>()): ReadonlySet<BuildTable> {
  if (read.has(table) || !(table instanceof MadeTable)) return read.add(table);
  read.add(table);
  for (const other of table.reads) everythingRead(other, read);
  return read;
}

async function tablesWithRows(session: Session, order: readonly MadeTable[]): Promise<readonly string[]> {
  const kept = [...PERSON_TABLES.map(({ table }) => table), ...WHOLE_TABLES].filter(
    (table) => !order.includes(table),
  );
  const looks = kept.map(({ name }) => `(select '${name}' as name from ${name} limit 1)`);
  return (await session.rows(looks.join(' union all '))).map(({ name }) => String(name));
}
