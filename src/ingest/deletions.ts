import { BUYER, personOf, visitsOfOrders } from '../domains/identity/tables/identity.ts';
import { readPartsOf, rowsOf } from '../snapshot/canonical-parts.ts';
import type { Base } from '../snapshot/find-base.ts';
import type { TableCounts } from '../snapshot/import-report.ts';
import { type CanonicalTable, haveSameKey, storedKey, storedNames } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import { CANONICAL_TABLES, canonicalTable } from '../store/tables/all-tables.ts';
import { plural } from '../text/plural.ts';

type Stored = Pick<Base, 'folder' | 'tables'>;

interface Deletions {
  /** The counts of the tables. Rows that delete nothing are among the ignored ones. */
  readonly tables: Record<string, TableCounts>;
  /** The tables that lose rows: their keys are in `gone_<table>`. */
  readonly losing: ReadonlySet<CanonicalTable>;
  readonly warnings: readonly string[];
}

/**
 * Finds what the rows that delete others take away of the previous snapshot's: the row with their key, of an
 * order its lines and refunds too, of a refund its lines, of a profile all that names it. What the same
 * import brings stays.
 */
export async function findDeletions(
  session: Session,
  counts: Readonly<Record<string, TableCounts>>,
  rowsBefore: RowsBefore,
): Promise<Deletions> {
  const tables = { ...counts };
  const deleting = CANONICAL_TABLES.filter(({ name }) => (counts[name]?.deleted ?? 0) > 0);
  if (deleting.length === 0) return { tables, losing: new Set(), warnings: [] };
  const warnings: string[] = [];
  await rowsBefore();
  for (const table of deleting) {
    const { name, key } = table;
    const asked = tables[name] as TableCounts;
    await keepKnown(session, table);
    const deleted = await countRows(session, `gone_${name}`);
    const missing = asked.deleted - deleted;
    tables[name] = { ...asked, deleted, ignored: asked.ignored + missing };
    if (missing > 0) {
      warnings.push(
        `${name}: ${missing} of the rows to delete were not there, by their ${key.join(', ')}, and were ignored`,
      );
    }
  }
  const losing = new Set(deleting);
  for (const table of CANONICAL_TABLES) if (!losing.has(table)) await createDeletions(session, table);
  if (losing.has(canonicalTable('profiles'))) {
    await nameProfiles(session, new Set(Object.keys(counts)));
    await addRowsOfPersons(session);
  }
  await addPartsOfOrders(session);
  for (const table of CANONICAL_TABLES) {
    const gone = await countRows(session, `gone_${table.name}`);
    const others = gone - (tables[table.name]?.deleted ?? 0);
    if (gone > 0) losing.add(table);
    if (others > 0)
      warnings.push(
        `${table.name}: ${plural(others, 'row', 'rows')} went with the orders and profiles that were deleted`,
      );
  }
  return { tables, losing, warnings };
}

/**
 * The views `before_<table>`, without rows where none were loaded.
 *
 * @param withDeleted also of rows that later ones replaced
 */
export async function createRowsBefore(
  session: Session,
  previous: Stored | null,
  { withDeleted = false } = {},
): Promise<void> {
  const stored = await readPartsOf(session, previous);
  const views = CANONICAL_TABLES.map((table) => {
    const rows = rowsOf(table, stored.get(table.name) ?? [], { isGated: true, withDeleted });
    return `create or replace temp view before_${table.name} as ${rows}`;
  });
  await session.run(views.join('; '));
}

/**
 * Makes the views `before_<table>`, if nobody did: opening the files of all tables is a part of a small
 * import.
 */
export type RowsBefore = () => Promise<void>;

export function rowsBeforeOf(session: Session, previous: Stored | null): RowsBefore {
  let created: Promise<void> | undefined;
  return () => {
    created ??= createRowsBefore(session, previous);
    return created;
  };
}

async function keepKnown(session: Session, table: CanonicalTable): Promise<void> {
  const gone = `gone_${table.name}`;
  await session.run(`
    create temp table known as
    select * from ${gone} semi join before_${table.name} as loaded on ${haveSameKey(table, gone, 'loaded')};
    drop table ${gone};
    alter table known rename to ${gone}`);
}

export async function createDeletions(session: Session, table: CanonicalTable): Promise<void> {
  const key = storedKey(table).map((name) => `"${name}"`);
  await session.run(
    `create or replace temp table gone_${table.name} as select ${key.join(', ')} from before_${table.name} limit 0`,
  );
}

/**
 * Notes in `gone_names` what rows call the profiles that go, as builds do: `profile <id>`, and their contacts
 * where no other profile has them.
 *
 * @param imported the tables that the import brings
 * @param going the table with the ids of the profiles
 */
export async function nameProfiles(
  session: Session,
  imported: ReadonlySet<string>,
  going = 'gone_profiles',
): Promise<void> {
  const contacts = contactsIn(imported);
  await session.run(`
    create or replace temp table gone_names as
    with contacts as (select * from (${contacts}) where name is not null)
    select 'profile ' || profile_id as name from ${going}
    union
    (select name from contacts where profile_id in (select profile_id from ${going})
      except
      select name from contacts where profile_id not in (select profile_id from ${going}))`);
}

/** SQL: what rows call each profile beside its id, `profile_id` and `name`. */
function contactsIn(imported: ReadonlySet<string>): string {
  const sources = ['before_profiles', ...(imported.has('profiles') ? ['batch_profiles'] : [])];
  const extra = ['before_identities', ...(imported.has('identities') ? ['batch_identities'] : [])];
  return [
    ...sources.flatMap((source) => [
      `select profile_id, 'email ' || email_hash as name from ${source}`,
      `select profile_id, 'phone ' || phone_hash from ${source}`,
      `select profile_id, 'external_customer_id ' || external_customer_id from ${source}`,
    ]),
    ...extra.map((source) => `select profile_id, kind || ' ' || value from ${source}`),
  ].join(' union all ');
}

/**
 * SQL over the rows before: of the profiles in a table those whose deletion takes an order along, whatever
 * ties it to them. A contact that another profile has too counts for both.
 *
 * @param going the table with the ids of the profiles
 */
export function profilesWithOrders(going: string): string {
  return `
    with names as (
      select profile_id, 'profile ' || profile_id as name from ${going}
      union all
      select profile_id, name from (${contactsIn(new Set())}) semi join ${going} using (profile_id)
    ),
    buyers as (
      select ${BUYER} as name from before_orders as o
      union all
      select name from (
        select ${visitorIn(canonicalTable('orders'))} as visitor_id from before_orders as o where ${BUYER} is null
      ) join (${TIES}) using (visitor_id)
    )
    select distinct profile_id from names semi join buyers using (name)`;
}

/**
 * Adds the rows of those in `gone_names` to what goes: rows that name them, and what visitors did whom
 * nothing ties to anybody before them.
 */
export async function addRowsOfPersons(session: Session): Promise<void> {
  await session.run(`create or replace temp table gone_visitors as ${VISITORS}`);
  for (const table of CANONICAL_TABLES) {
    const names = new Set(storedNames(table));
    const person = personIn(table, names);
    const conditions = [
      ...(person === null ? [] : [`${person} in (from gone_names)`]),
      ...(names.has('visitor_id')
        ? [`(${person ?? 'null'} is null and ${visitorIn(table)} in (from gone_visitors))`]
        : []),
    ];
    if (conditions.length > 0) await addGone(session, table, conditions.join(' or '));
  }
  const messageEvents = canonicalTable('message_events');
  await addGone(session, messageEvents, 'o.send_id in (select send_id from gone_sends)');
}

const VISITS = visitsOfOrders('before_orders', 'before_order_visits').text;

/** A visitor is whom an identity ties it to, else who ordered or came by name first. */
const TIES = `
  select visitor_id, name from (
    select visitor_id, name, row_number() over (partition by visitor_id order by source, tied_at, tie) as place
    from (
      select value as visitor_id, 'profile ' || profile_id as name, 1 as source, null as tied_at, profile_id as tie
      from before_identities where kind = 'visitor'
      union all
      select coalesce(o.visitor_id, s.visitor_id), ${BUYER}, 2, o.ordered_at, 'order ' || o.order_id
      from before_orders as o left join before_sessions as s using (session_id)
      where ${BUYER} is not null
      union all
      select v.visitor_id, ${BUYER}, 2, o.ordered_at, 'order ' || o.order_id
      from before_orders as o join (${VISITS}) as v using (order_id)
      where ${BUYER} is not null
      union all
      select visitor_id, ${personOf('profile_id', 'email_hash', 'null')}, 2, started_at, 'session ' || session_id
      from before_sessions where ${personOf('profile_id', 'email_hash', 'null')} is not null
    )
    where visitor_id is not null
  )
  where place = 1`;

const VISITORS = `select visitor_id from (${TIES}) where name in (from gone_names)`;

/** SQL over `o`; null where rows of the table name nobody. */
export function personIn(table: CanonicalTable, columns: ReadonlySet<string>): string | null {
  if (table.name === 'orders') return BUYER;
  if (!columns.has('profile_id')) return null;
  const column = (name: string) => (columns.has(name) ? `o.${name}` : 'null');
  return `(${personOf('o.profile_id', column('email_hash'), column('phone_hash'))})`;
}

/**
 * SQL over `o`. An order that only names a session is of that session's visitor, unless another system saw
 * who placed it.
 */
function visitorIn(table: CanonicalTable): string {
  if (table.name !== 'orders') return 'o.visitor_id';
  return `coalesce(o.visitor_id,
    (select min(visitor_id) from before_sessions as s where s.session_id = o.session_id),
    (select min(visitor_id) from (${VISITS}) as v where v.order_id = o.order_id))`;
}

/** The lines and refunds of the orders that go, and the lines of the refunds that go. */
export async function addPartsOfOrders(session: Session): Promise<void> {
  const isOfOrder = 'o.order_id in (select order_id from gone_orders)';
  for (const name of ['order_items', 'refunds', 'refund_lines']) {
    await addGone(session, canonicalTable(name), isOfOrder);
  }
  const isOfRefund = 'o.refund_id in (select refund_id from gone_refunds)';
  await addGone(session, canonicalTable('refund_lines'), isOfRefund);
}

/** @param condition over the row `o` */
async function addGone(session: Session, table: CanonicalTable, condition: string): Promise<void> {
  const gone = `gone_${table.name}`;
  const key = storedKey(table).map((name) => `o."${name}"`);
  await session.run(`
    insert into ${gone}
    select ${key.join(', ')} from before_${table.name} as o
    anti join ${gone} on ${haveSameKey(table, 'o', gone)}
    where ${condition}`);
}

async function countRows(session: Session, table: string): Promise<number> {
  return Number((await session.row(`select count(*) as count from ${table}`)).count);
}
