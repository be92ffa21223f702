import type { Session } from '../../store/duckdb-session.ts';
import { keyKind, NAMES } from './person-names.ts';
import { SEEDS } from './seeds.ts';

/**
 * Finds all names whose rows an import may have changed, as the table `spread.affected`: those in the rows
 * that it changed, as they were and as they are, those whom a change elsewhere concerns (`seeds.ts`), and all
 * that hang together with one of them in the canonical tables as they are now.
 *
 * Whoever is not among them is named by the same rows as before, and by no others: had there been another
 * one, it would be changed, so its names would be affected.
 *
 * The session has the canonical rows in the schema `whole`, the changed ones in `changed`, and the model
 * before in `old`.
 *
 * @param changed the canonical tables with changed rows
 * @param filled those that have rows
 */
export async function findAffected(
  session: Session,
  changed: ReadonlySet<string>,
  filled: ReadonlyMap<string, number>,
): Promise<void> {
  await session.run(`
    attach ':memory:' as spread;
    create table spread.affected (name varchar, kind varchar, "value" varchar);
    create table spread.latest (name varchar, is_row_met boolean)`);
  // Orders that are called alike tell of each other only by way of a visit.
  const hasVisits = filled.has('order_visits') || changed.has('order_visits');
  const namesOf = (table: string) =>
    (NAMES[table] ?? []).filter(({ values }) => hasVisits || !('reference' in values));
  const addNamesIn = (table: string, rows: string) => {
    const texts = namesOf(table).map(({ text }) => text);
    return addAll(
      session,
      `select unnest([${texts.join(', ')}]) as name from (${rows}) as o`,
      keyKind(table),
    );
  };
  for (const table of changed) {
    if (namesOf(table).length > 0) await addNamesIn(table, `from changed.${table}`);
  }
  for (const seed of SEEDS) {
    if (!seed.reads.some((table) => changed.has(table))) continue;
    if ('names' in seed) await addAll(session, seed.names);
    else await addNamesIn(seed.table, await seed.rows(session));
  }
  for (let kinds = await takeLatest(session); kinds.size > 0; kinds = await takeLatest(session)) {
    for (const table of filled.keys()) {
      const names = namesOf(table);
      // A table with one name in each row cannot lead to other names.
      if (names.length < 2) continue;
      const met = rowsWith(table, names, kinds);
      if (met === null) continue;
      const isMet = names.map(({ text }) => `${text} in (select name from spread.before)`).join(' or ');
      await addNamesIn(table, `select o.* from (${met}) as o where ${isMet}`);
    }
  }
}

/**
 * Kinds of names. False: each is the key of a row in which it was found, so nobody has to look for the row.
 */
type Kinds = ReadonlyMap<string, boolean>;

type Names = (typeof NAMES)[string] | readonly (typeof NAMES)[string][number][];

/**
 * SQL: the rows that have one of the values of `spread.before` where names have theirs, some of them several
 * times. Each column is asked alone, without a computation: so DuckDB leaves out the row groups that cannot
 * have such values, and reads no others of the columns. A row that was met is not looked for by its key.
 */
function rowsWith(table: string, names: Names, kinds: Kinds): string | null {
  const key = keyKind(table);
  const asked = Map.groupBy(
    names
      .flatMap(({ values }) => Object.entries(values))
      .filter(([kind]) => (kind === key ? kinds.get(kind) : kinds.has(kind))),
    ([, value]) => value,
  );
  if (asked.size === 0) return null;
  return [...asked]
    .map(
      ([value, ofKinds]) => `
        select o.* from whole.${table} as o
        semi join (
          select "value" from spread.before where kind in (${ofKinds.map(([kind]) => `'${kind}'`).join(', ')})
            ${ofKinds.some(([kind]) => kind === key) ? 'and not is_row_met' : ''}
        ) as met on ${value} = met."value"`,
    )
    .join(' union all ');
}

/** @param key the kind of the names that are keys of the rows in which they were found */
async function addAll(session: Session, names: string, key?: string): Promise<void> {
  const isRowMet = key === undefined ? 'false' : `starts_with(name, '${key} ')`;
  await session.run(
    `insert into spread.latest select distinct name, ${isRowMet} from (${names}) where name is not null`,
  );
}

/** Moves the names that were found last to the affected ones. @returns the kinds of those that are new */
async function takeLatest(session: Session): Promise<Kinds> {
  await session.run(`
    create or replace table spread.before as
    select name, split_part(name, ' ', 1) as kind, substr(name, strpos(name, ' ') + 1) as "value",
      bool_or(is_row_met) as is_row_met
    from spread.latest anti join spread.affected using (name) group by name;
    insert into spread.affected select name, kind, "value" from spread.before;
    delete from spread.latest`);
  const found = await session.rows(
    'select kind, not bool_and(is_row_met) as is_one_unmet from spread.before group by kind',
  );
  return new Map(found.map(({ kind, is_one_unmet }) => [String(kind), is_one_unmet === true]));
}

/** The rows of a canonical table that name somebody affected. Of one row all names are affected, or none. */
export function affectedRows(table: string): string {
  const [first, ...others] = NAMES[table] ?? [];
  if (first === undefined) throw new Error(`rows of ${table} name nobody`);
  const [[kind, value] = ['', ''], ...otherKinds] = Object.entries(first.values);
  if (otherKinds.length === 0)
    return `select o.* from whole.${table} as o
      semi join (select "value" from spread.affected where kind = '${kind}') as met on ${value} = met."value"`;
  const name =
    others.length === 0 ? first.text : `coalesce(${[first, ...others].map(({ text }) => text).join(', ')})`;
  return `select o.* from whole.${table} as o where ${name} in (select name from spread.affected)`;
}
