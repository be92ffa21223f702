import type { TranslatedRows } from '../ingest/find-files.ts';
import { MISSING } from '../ingest/missing-columns.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import { orders } from '../store/tables/orders.ts';
import { refunds } from '../store/tables/refunds.ts';
import { plural } from '../text/plural.ts';

export type TranslatedTables = readonly (readonly [CanonicalTable, TranslatedRows])[];

/** What a source brings, once returns that were booked as orders are refunds. */
export interface WithoutReturns {
  readonly tables: TranslatedTables;
  /** A table of the session with their `order_id`; null where there are none. */
  readonly returns: string | null;
  readonly findings: readonly string[];
}

/** All other money of such an order belongs to the return. */
const OTHER_MONEY = ['subtotal', 'tax', 'shipping', 'payment_fee', 'discount'];

/**
 * A return may be booked as an order of its own: it has a number of its own, and a negative total. It is no
 * order, and lowers no revenue of orders: it becomes a credit note with a refund of its day. Its lines stay,
 * and count nowhere, as those of any credit note.
 */
export async function returnsToRefunds(session: Session, tables: TranslatedTables): Promise<WithoutReturns> {
  const found = tables.find(([table]) => table === orders);
  if (found === undefined) return { tables, returns: null, findings: [] };
  const { table } = found[1];
  const columns = await columnsOf(session, table);
  const total = 'try_cast(cast(total as varchar) as decimal(18,4))';
  const sound = [
    `${total} < 0`,
    'order_id is not null',
    ...(columns.has('_malformed') ? ['_malformed is null'] : []),
    ...(columns.has('_deleted') ? ['not coalesce(_deleted, false)'] : []),
    ...(columns.has('is_test') ? [`coalesce(cast(is_test as varchar), 'false') <> 'true'`] : []),
    ...(columns.has('status') ? [`coalesce(status, '') not in ('cancelled', 'credit_note')`] : []),
  ];
  const isReturn = `(${columns.has('total') ? sound.join(' and ') : 'false'})`;
  const { count } = await session.row(`select count(*) as count from "${table}" where ${isReturn}`);
  if (Number(count) === 0) return { tables, returns: null, findings: [] };
  const returns = `${table}_returns`;
  const none = OTHER_MONEY.filter((name) => columns.has(name)).map((name) => `, "${name}" = null`);
  await session.run(
    `create temp table "${returns}" as
      select _row, order_id, ordered_at, cast(-${total} as varchar) as amount from "${table}" where ${isReturn};
    ${columns.has('status') ? '' : `alter table "${table}" add column status varchar;`}
    update "${table}" set total = 0, status = 'credit_note'${none.join('')} where ${isReturn}`,
  );
  const refunded = tables.find(([each]) => each === refunds)?.[1];
  const paidBack = { ...found[1], table: await withRefunds(session, refunded?.table, returns) };
  const others = tables.filter(([table]) => table !== refunds);
  return {
    tables: [...others, [refunds, paidBack]],
    returns,
    findings: [
      `${plural(Number(count), 'order has a negative total: it is a return, and counts', 'orders have a negative total: they are returns, and count')} as a refund of its day and as no order`,
    ],
  };
}

/** Makes a table of the refunds that a source has, and of those that came as orders. @returns its name */
async function withRefunds(session: Session, own: string | undefined, returns: string): Promise<string> {
  const table = `${returns}_refunded`;
  const types = own === undefined ? new Map<string, string>() : await columnsOf(session, own);
  const as = (sql: string, name: string) =>
    `${types.has(name) ? `cast(${sql} as ${types.get(name)})` : sql} as ${name}`;
  const made = `select _row, order_id as refund_id, order_id, ${as('ordered_at', 'refunded_at')}, ${as('amount', 'amount')}
    ${types.has(MISSING) ? `, 0 as ${MISSING}` : ''} from "${returns}"`;
  // The refunds that an export tells of a return are the return itself.
  const others =
    own === undefined
      ? ''
      : `select * from "${own}" where order_id is null or order_id not in (select order_id from "${returns}") union all by name`;
  await session.run(`create temp table "${table}" as ${others} ${made}`);
  return table;
}

/** SQL: facts of orders (`keepOrderFacts`) in which a return is what it became. */
export function factsOfReturns(facts: string, returns: string): string {
  const isReturn = `order_id in (select order_id from "${returns}")`;
  return `select * replace (
      case when ${isReturn} then 0 else gross end as gross,
      case when ${isReturn} and not is_duplicate then -gross else refunded end as refunded,
      ${['discount', 'shipping', 'tax'].map((name) => `case when not ${isReturn} then ${name} end as ${name}`).join(', ')},
      case when ${isReturn} then 0 else edited_by end as edited_by,
      case when ${isReturn} then 0 else lines_off_by end as lines_off_by
    ) from (${facts})`;
}

/** The type of each column. */
async function columnsOf(session: Session, table: string): Promise<ReadonlyMap<string, string>> {
  const described = await session.rows(`describe "${table}"`);
  return new Map(described.map((row) => [String(row.column_name), String(row.column_type)]));
}
