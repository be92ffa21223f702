import { DATED_KINDS, type DatedKind, type LoadedDays } from '../../business/snapshot-facts.ts';
import type { BuildTable } from '../../model-table/model-table.ts';
import type { Session } from '../../store/duckdb-session.ts';

interface Dated {
  /** The model table without rows if no row is of the kind. */
  readonly table: string;
  /** A select of `day`. */
  readonly days: string;
}

const DATED: Readonly<Record<DatedKind, Dated>> = {
  valid_orders: { table: 'orders', days: 'select ordered_date as day from orders where is_valid' },
  orders_without_customer: {
    table: 'orders',
    days: 'select ordered_date as day from orders where is_valid and customer_key is null',
  },
  refunds: { table: 'order_refunds', days: 'select refunded_date as day from order_refunds' },
  credit_notes: {
    table: 'order_refunds',
    days: `select refunded_date as day from order_refunds
      semi join (select order_key from orders where not is_valid) as uncounted using (order_key)
      where not is_of_cancelled`,
  },
  emails: { table: 'sends', days: `select sent_date as day from sends where channel = 'email'` },
  opened_emails: {
    table: 'sends',
    days: `select sent_date as day from sends where channel = 'email' and opens + machine_opens > 0`,
  },
  consent_changes: { table: 'consent_changes', days: 'select changed_date as day from consent_changes' },
  first_orders_of_older_profiles: {
    table: 'customers',
    days: `select first_ordered_date as day from customers
      where first_ordered_date is not null and profile_created_date < (select min(ordered_date) from orders)`,
  },
};

/** @param session holds the model */
export async function loadedDays(
  session: Session,
  isEmpty: (table: Pick<BuildTable, 'name'>) => boolean,
): Promise<Partial<Record<DatedKind, LoadedDays>>> {
  const filled = DATED_KINDS.filter((kind) => !isEmpty({ name: DATED[kind].table }));
  if (filled.length === 0) return {};
  const found = await session.rows(
    filled
      .map(
        (kind) =>
          `select '${kind}' as kind, count(*) as rows_count, cast(min(day) as varchar) as first_day, cast(max(day) as varchar) as last_day from (${DATED[kind].days})`,
      )
      .join(' union all '),
  );
  return Object.fromEntries(
    found.flatMap(({ kind, rows_count, first_day, last_day }) =>
      Number(rows_count) === 0
        ? []
        : [[kind, { from: String(first_day), until: String(last_day), rows_count: Number(rows_count) }]],
    ),
  );
}
