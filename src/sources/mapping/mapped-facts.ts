import { momentOf } from '../source-cells.ts';
import type { Mapping } from './mapping.ts';

/** What files of a mapping say of each order, for the reconciliation: see `keepOrderFacts`. */
export function orderFacts({ blocks }: Mapping, relation: (table: string) => string): string {
  const fills = (table: string, column: string) =>
    blocks.some((block) => block.table.name === table && block.cells.has(column));
  const amount = (column: string) =>
    fills('orders', column) ? `try_cast(o."${column}" as decimal(18,4))` : 'cast(null as decimal(18,4))';
  const orZero = (column: string) => `coalesce(${amount(column)}, 0)`;
  const text = (column: string) => (fills('orders', column) ? `o."${column}"` : 'cast(null as varchar)');
  const total = orZero('total');
  const sumsOfLines = [
    ...[
      amount('subtotal'),
      `${amount('subtotal')} - ${orZero('discount')}`,
      total,
      `${total} - ${orZero('tax')}`,
    ],
    ...[`${total} - ${orZero('shipping')} - ${orZero('payment_fee')}`],
    ...[`${total} - ${orZero('shipping')} - ${orZero('payment_fee')} - ${orZero('tax')}`],
    ...[`${total} - ${orZero('shipping')} - ${orZero('payment_fee')} + ${orZero('discount')}`],
    ...[
      `${total} - ${orZero('shipping')} - ${orZero('payment_fee')} - ${orZero('tax')} + ${orZero('discount')}`,
    ],
  ];
  const hasLines = fills('order_items', 'quantity');
  const hasRefunds = fills('refunds', 'amount');
  return `
    select o.order_id, upper(o.currency) as currency, ${momentOf('o.ordered_at')} as ordered_at, ${total} as gross, ${orZero('discount')} as discount,
      ${orZero('shipping')} as shipping, ${orZero('tax')} as tax, ${hasRefunds ? 'coalesce(refunded, 0)' : '0'} as refunded,
      not o.is_last as is_duplicate, coalesce(${text('status')} = 'pending', false) as is_unpaid, 0 as edited_by,
      ${hasLines ? offBy(sumsOfLines) : '0'} as lines_off_by
    from ${relation('orders')} as o
    ${
      hasLines
        ? `left join (
            select _file, order_id, count(*) as lines, sum(try_cast(quantity as double) * try_cast(unit_price as double)) as lines_total
            from ${relation('order_items')} group by _file, order_id
          ) as l on l._file = o._file and l.order_id = o.order_id`
        : ''
    }
    ${
      hasRefunds
        ? `left join (
            select order_id, sum(try_cast(amount as decimal(18,4))) as refunded from ${relation('refunds')} where is_last group by order_id
          ) as r on r.order_id = o.order_id and o.is_last`
        : ''
    }`;
}

/**
 * SQL: by how much lines differ from what they may add up to, whichever is nearest. Shops write prices of
 * lines with tax or without, before discounts or after, and shipping as a line or not: any of these is right.
 * A cent for each line is rounding.
 */
function offBy(sums: readonly string[]): string {
  const differences = sums.map((sum) => `lines_total - cast(${sum} as double)`);
  const sizes = differences.map((difference) => `abs(${difference})`);
  const nearest = `case ${differences.map((difference) => `when abs(${difference}) = least(${sizes.join(', ')}) then ${difference}`).join(' ')} end`;
  return `coalesce(case when least(${sizes.join(', ')}) > 0.011 * greatest(lines, 1) then cast(round(${nearest}, 2) as decimal(18,4)) end, 0)`;
}
