import type { Base } from '../snapshot/find-base.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import { CONTACTS } from '../snapshot/write-canonical.ts';
import { type CanonicalTable, storedColumns, storedNames } from '../store/canonical-table.ts';
import * as column from '../store/column-kinds.ts';
import type { Session } from '../store/duckdb-session.ts';
import { gatedValue } from '../store/personal-data/session-gate.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import {
  addPartsOfOrders,
  addRowsOfPersons,
  createDeletions,
  createRowsBefore,
  nameProfiles,
  personIn,
} from './deletions.ts';

export interface FoundPersons {
  /** How many rows of which table go, as `gone_<table>` lists them. */
  readonly rows: Readonly<Record<string, number>>;
  /** The tables that change: also those that name such a person in a row of another one. */
  readonly losing: ReadonlySet<CanonicalTable>;
  /** The identifiers that named nobody, by their places from 1. */
  readonly unknown: readonly number[];
}

/**
 * Finds the persons behind identifiers, and all rows of theirs. What has an `@` is an e-mail address, what
 * begins with `+` or `00` a phone number; all may be ids of profiles or of customers in the shop.
 *
 * A phone number may be of several people. Then it stands for those whom another identifier names too.
 *
 * @param withDeleted also in rows that later ones replaced
 * @throws ImportError when a phone number alone stands for people with different e-mail addresses
 */
export async function findPersons(
  session: Session,
  identifiers: readonly string[],
  previous: Pick<Base, 'folder' | 'tables'> | null,
  { withDeleted = false } = {},
): Promise<FoundPersons> {
  await createRowsBefore(session, previous, { withDeleted });
  await createSeeds(session, identifiers);
  await createContacts(session);
  await matchProfiles(session);
  for (const table of CANONICAL_TABLES) await createDeletions(session, table);
  await nameProfiles(session, new Set(), 'matched_profiles');
  await session.run(`
    insert into gone_names
    select name from seeds
    where name not in (select name from contacts where profile_id not in (from matched_profiles))`);
  await addRowsOfPersons(session);
  await addPartsOfOrders(session);
  const rows: Record<string, number> = {};
  const losing = new Set<CanonicalTable>();
  for (const table of CANONICAL_TABLES) {
    const { count } = await session.row(`select count(*) as count from gone_${table.name}`);
    if (Number(count) > 0) rows[table.name] = Number(count);
    if (Number(count) > 0 || (await isNamedBeside(session, table))) losing.add(table);
  }
  return { rows, losing, unknown: await findUnknown(session) };
}

async function createSeeds(session: Session, identifiers: readonly string[]): Promise<void> {
  const cell = () => '"cell"';
  const [email, phone, id] = [column.email(), column.phone(), column.personId()].map(
    (kind) => kind.stored('cell', cell)[0],
  );
  if (id === undefined) throw new Error('ids are stored');
  await session.run(
    `create or replace temp table seeds as
    with given as (
      select unnest(from_json($identifiers, '["VARCHAR"]')) as cell,
        generate_subscripts(from_json($identifiers, '["VARCHAR"]'), 1) as place
    ),
    ids as (select place, ${gatedValue('identifiers', id)} as id from given)
    select place, name from (
      select place, 'email ' || ${email?.value} as name from given where contains(cell, '@')
      union all
      select place, 'phone ' || ${phone?.value} from given where regexp_matches(cell, '^([+]|00)')
      union all
      select place, 'profile ' || id from ids
      union all
      select place, 'external_customer_id ' || id from ids
    )
    where name is not null`,
    { identifiers: JSON.stringify(identifiers) },
  );
}

async function createContacts(session: Session): Promise<void> {
  await session.run(`
    create or replace temp table contacts as
    select profile_id, name from (
      select profile_id, 'profile ' || profile_id as name from before_profiles
      union select profile_id, 'email ' || email_hash from before_profiles
      union select profile_id, 'phone ' || phone_hash from before_profiles
      union select profile_id, 'external_customer_id ' || external_customer_id from before_profiles
      union select profile_id, 'profile ' || profile_id from before_identities
      union select profile_id, kind || ' ' || value from before_identities where kind <> 'visitor'
    )
    where name is not null`);
}

async function matchProfiles(session: Session): Promise<void> {
  // All profiles with the same e-mail address are one person.
  await session.run(`
    create or replace temp table matched_profiles as
    with direct as (
      select profile_id from contacts where name in (select name from seeds) and name not like 'phone %'
    )
    select profile_id from direct
    union
    select profile_id from contacts
    where name like 'email %' and name in (select name from contacts where profile_id in (from direct))`);
  await session.run(`
    create or replace temp table called_profiles as
    select profile_id, min(email) as email from (
      select c.profile_id, e.name as email
      from contacts as c
      left join contacts as e on e.profile_id = c.profile_id and e.name like 'email %'
      where c.name like 'phone %' and c.name in (select name from seeds) and c.profile_id not in (from matched_profiles)
    )
    group by profile_id`);
  const { emails, matched } = await session.row(
    'select count(distinct email) as emails, (select count(*) from matched_profiles) as matched from called_profiles',
  );
  if (Number(emails) > 1 && matched === 0) {
    throw new ImportError(
      'a phone number is of profiles with different e-mail addresses, so nothing was deleted: name the person by e-mail ' +
        'address or id too',
    );
  }
  await session.run(
    `insert into matched_profiles select profile_id from called_profiles where email is null ${matched === 0 ? 'or true' : ''}`,
  );
}

async function isNamedBeside(session: Session, table: CanonicalTable): Promise<boolean> {
  const names = storedColumns(table).flatMap(({ name }) => {
    const kind = CONTACTS[name];
    return kind === undefined ? [] : [`'${kind} ' || "${name}" in (from gone_names)`];
  });
  if (names.length === 0) return false;
  const [row] = await session.rows(
    `select 1 as one from before_${table.name} where ${names.join(' or ')} limit 1`,
  );
  return row !== undefined;
}

async function findUnknown(session: Session): Promise<number[]> {
  const naming = CANONICAL_TABLES.flatMap((table) => {
    const person = personIn(table, new Set(storedNames(table)));
    return person === null ? [] : [`select ${person} from before_${table.name} as o`];
  });
  const rows = await session.rows(`
    select place from seeds group by place
    having not bool_or(name in (select name from contacts)
      or name in (select person from (${naming.join(' union ')}) as naming(person) where person is not null))
    order by place`);
  return rows.map(({ place }) => Number(place));
}
