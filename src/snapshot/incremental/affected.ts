import type { Session } from '../../store/session.ts';
import { NAMES } from './names.ts';
import { SEEDS } from './seeds.ts';

/**
 * Finds all names whose rows an import may have changed, as the table `spread.affected`: those in the rows that it
 * changed, as they were and as they are, those whom a change elsewhere concerns (`seeds.ts`), and all that hang together with
 * one of them in the canonical tables as they are now.
 *
 * Whoever is not among them is named by the same rows as before, and by no others: had there been another one, it would
 * be changed, so its names would be affected.
 *
 * The session has the canonical rows in the schema `whole`, the changed ones in `changed`, and the model before in `old`.
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
    create table spread.latest (name varchar)`);
  // Orders that are called alike tell of each other only by way of a visit.
  const hasVisits = filled.has('order_visits') || changed.has('order_visits');
  const namesOf = (table: string) =>
    (NAMES[table] ?? []).filter(({ values }) => hasVisits || !('reference' in values));
  for (const table of changed) {
    const names = namesOf(table);
    if (names.length > 0) await addAll(session, `${namesIn(names)} from changed.${table} as o`);
  }
  for (const { reads, names } of SEEDS) {
    if (reads.some((table) => changed.has(table))) await addAll(session, names);
  }
  for (let kinds = await takeLatest(session); kinds.size > 0; kinds = await takeLatest(session)) {
    for (const table of filled.keys()) {
      const names = namesOf(table);
      // A table with one name in each row cannot lead to other names.
      if (names.length < 2) continue;
      const met = rowsWith(table, names, kinds);
      const isMet = names.map(({ text }) => `${text} in (select name from spread.before)`).join(' or ');
      if (met !== null) await addAll(session, `${namesIn(names)} from (${met}) as o where ${isMet}`);
    }
  }
}

type Names = (typeof NAMES)[string] | readonly (typeof NAMES)[string][number][];

function namesIn(names: Names): string {
  return `select unnest([${names.map(({ text }) => text).join(', ')}]) as name`;
}

/**
 * SQL: the rows that have one of the values of `spread.before` where names have theirs, some of them several times. Each column is
 * asked alone, without a computation: so DuckDB leaves out the row groups that cannot have such values, and reads no others of the columns.
 */
function rowsWith(table: string, names: Names, kinds: ReadonlySet<string>): string | null {
  const asked = Map.groupBy(
    names.flatMap(({ values }) => Object.entries(values)).filter(([kind]) => kinds.has(kind)),
    ([, value]) => value,
  );
  if (asked.size === 0) return null;
  return [...asked]
    .map(
      ([value, ofKinds]) => `
        select o.* from whole.${table} as o
        semi join (
          select "value" from spread.before where kind in (${ofKinds.map(([kind]) => `'${kind}'`).join(', ')})
        ) as met on ${value} = met."value"`,
    )
    .join(' union all ');
}

async function addAll(session: Session, names: string): Promise<void> {
  await session.run(`insert into spread.latest select distinct name from (${names}) where name is not null`);
}

/** Moves the names that were found last to the affected ones. @returns the kinds of those that are new */
async function takeLatest(session: Session): Promise<ReadonlySet<string>> {
  await session.run(`
    create or replace table spread.before as
    select distinct name, split_part(name, ' ', 1) as kind, substr(name, strpos(name, ' ') + 1) as "value"
    from spread.latest anti join spread.affected using (name);
    insert into spread.affected from spread.before;
    delete from spread.latest`);
  const found = await session.rows('select distinct kind from spread.before');
  return new Set(found.map(({ kind }) => String(kind)));
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
