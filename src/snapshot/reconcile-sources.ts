import { literal, type Session, type Value } from '../store/duckdb-session.ts';
import type { ReconciledMonth, Reconciliation } from './import-report.ts';
import type { OrderFacts } from './staged-tables.ts';

/** Why orders of a file do not count, or should be known of although they do: conditions over the facts. */
const REASONS = [
  { reason: 'duplicate', isCounted: false, condition: 'is_duplicate', amount: 'gross' },
  { reason: 'without_id', isCounted: false, condition: 'is_current and order_id is null', amount: 'gross' },
  {
    reason: 'rejected',
    isCounted: false,
    condition: 'is_current and order_id is not null and not is_stored',
    amount: 'gross',
  },
  { reason: 'test', isCounted: false, condition: 'is_current and is_test', amount: 'gross' },
  {
    reason: 'cancelled',
    isCounted: false,
    condition: 'is_current and is_stored and not is_valid and not is_test and not is_credit_note',
    amount: 'gross',
  },
  {
    reason: 'return',
    isCounted: false,
    condition: 'is_current and is_stored and is_credit_note',
    amount: 'coalesce(refunded, 0)',
  },
  {
    reason: 'foreign_without_rate',
    isCounted: false,
    condition: 'is_current and is_valid and is_unrated',
    amount: 'gross',
  },
  { reason: 'unpaid', isCounted: true, condition: 'is_current and is_valid and is_unpaid', amount: 'gross' },
  {
    reason: 'edited',
    isCounted: true,
    condition: 'is_current and is_valid and edited_by <> 0',
    amount: 'edited_by',
  },
  {
    reason: 'lines_do_not_add_up',
    isCounted: true,
    condition: 'is_current and is_valid and lines_off_by <> 0',
    amount: 'lines_off_by',
  },
] as const;

/**
 * Compares what files say of orders with what is stored of them, and with what the model answers. Runs in the
 * session that built the model.
 */
export async function reconcile(
  session: Session,
  orderFacts: readonly OrderFacts[],
): Promise<readonly Reconciliation[]> {
  const compared = await Promise.all(orderFacts.map((facts) => compare(session, facts)));
  return compared.flat();
}

async function compare(
  session: Session,
  { source, path, files, assumptions }: OrderFacts,
): Promise<Reconciliation[]> {
  const counts = REASONS.flatMap(({ reason, condition, amount }) => [
    `count(*) filter (${condition}) as ${reason}_orders`,
    `coalesce(sum(${amount}) filter (${condition}), 0) as ${reason}_amount`,
  ]);
  const rows = await session.rows(`
    with facts as materialized (from read_parquet(${literal(path)})),
    -- The few orders of a file are looked for in the store, not the store's in the file.
    stored as (from store.orders semi join facts using (order_id)),
    modelled as (from orders semi join facts using (order_id)),
    stored_refunds as (
      select order_id, sum(amount) as refunded from store.refunds semi join facts using (order_id) group by order_id
    ),
    compared as (
      select f.*, not f.is_duplicate as is_current,
        s.order_id is not null as is_stored, coalesce(m.is_test, false) as is_test, coalesce(m.is_valid, false) as is_valid,
        coalesce(s.status = 'credit_note', false) as is_credit_note,
        -- Revenue without a rate is null in the model (decision 0191).
        coalesce(coalesce(m.revenue, 0) = 0 and s.total <> 0, false) as is_unrated,
        case when f.is_duplicate then null else s.total end as stored_gross,
        ${['s.discount', 's.shipping', 's.tax', 'r.refunded'].map(storedBeside).join(', ')},
        -- Revenue is in the currency of the business; where that is another one, what it was made of is.
        case when not f.is_duplicate and m.is_valid and m.revenue <> 0 then
          case when s.fx_rate is null then m.revenue else s.total end
        end as revenue
      from facts as f
      left join stored as s on s.order_id = f.order_id
      left join modelled as m on m.order_id = f.order_id
      left join stored_refunds as r on r.order_id = f.order_id
    )
    select currency, month, grouping(month) as is_whole,
      count(*) as orders_in_file,
      count(*) filter (is_current and is_stored) as orders_stored,
      count(*) filter (is_current and is_valid) as orders_valid,
      ${['gross', 'discount', 'shipping', 'tax', 'refunded']
        .map(
          (name) =>
            `coalesce(sum(${name}), 0) as ${name}, coalesce(sum(stored_${name}), 0) as stored_${name}`,
        )
        .join(', ')},
      coalesce(sum(revenue), 0) as revenue, ${counts.join(', ')}
    from compared
    group by grouping sets ((currency), (currency, month))
    order by currency, month`);
  return rows
    .filter(({ is_whole }) => Number(is_whole) === 1)
    .map((whole) => ({
      source,
      files,
      currency: whole.currency as string | null,
      ...sums(whole),
      differences: REASONS.map(({ reason, isCounted }) => ({
        reason,
        orders: Number(whole[`${reason}_orders`]),
        amount: Number(whole[`${reason}_amount`]),
        is_counted: isCounted,
      })).filter(({ orders }) => orders > 0),
      months: rows
        .filter(({ is_whole, currency }) => Number(is_whole) === 0 && currency === whole.currency)
        .map((row) => ({ month: String(row.month), ...sums(row) })),
      assumptions,
    }));
}

/**
 * SQL: what is stored beside a fact; null where the file says nothing of it, since what is stored then is
 * what another source said.
 */
function storedBeside(stored: string): string {
  const name = stored.replace(/^.*\./, '');
  return `case when not f.is_duplicate and f.${name} is not null then ${stored} end as stored_${name}`;
}

function sums(row: Readonly<Record<string, Value>>): Omit<ReconciledMonth, 'month'> {
  const both = (name: string) => ({ in_file: Number(row[name]), stored: Number(row[`stored_${name}`]) });
  return {
    orders: {
      in_file: Number(row.orders_in_file),
      stored: Number(row.orders_stored),
      valid: Number(row.orders_valid),
    },
    gross: { ...both('gross'), revenue: Number(row.revenue) },
    discounts: both('discount'),
    shipping: both('shipping'),
    tax: both('tax'),
    refunds: both('refunded'),
  };
}
