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
 */
export async function findAffected(session: Session, changed: ReadonlySet<string>): Promise<void> {
  await session.run("attach ':memory:' as spread");
  await session.run('create table spread.affected (name varchar)');
  await session.run('create table spread.latest (name varchar)');
  for (const table of changed) {
    const names = NAMES[table];
    if (names !== undefined)
      await addAll(session, `select unnest([${names.join(', ')}]) as name from changed.${table} as o`);
  }
  for (const { reads, names } of SEEDS) {
    if (reads.some((table) => changed.has(table))) await addAll(session, names);
  }
  while (await takeLatest(session)) {
    for (const [table, names] of Object.entries(NAMES)) {
      // A table with one name in each row cannot lead to other names.
      if (names.length < 2) continue;
      const isMet = names.map((name) => `${name} in (from spread.before)`).join(' or ');
      await addAll(
        session,
        `select unnest([${names.join(', ')}]) as name from whole.${table} as o where ${isMet}`,
      );
    }
  }
}

async function addAll(session: Session, names: string): Promise<void> {
  await session.run(`insert into spread.latest select distinct name from (${names}) where name is not null`);
}

/** Moves the names that were found last to the affected ones. @returns whether any of them is new */
async function takeLatest(session: Session): Promise<boolean> {
  await session.run(`create or replace table spread.before as
    select distinct name from spread.latest anti join spread.affected using (name)`);
  await session.run('insert into spread.affected from spread.before');
  await session.run('delete from spread.latest');
  const { found } = await session.row('select count(*) as found from spread.before');
  return Number(found) > 0;
}

/** The rows of a canonical table that name somebody affected. Of one row all names are affected, or none. */
export function affectedRows(table: string): string {
  const [first = '', ...others] = NAMES[table] ?? [];
  const name = others.length === 0 ? first : `coalesce(${[first, ...others].join(', ')})`;
  return `select o.* from whole.${table} as o where ${name} in (from spread.affected)`;
}
