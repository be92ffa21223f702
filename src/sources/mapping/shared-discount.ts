import { plural } from '../../text/plural.ts';
import type { Finding } from '../source.ts';
import { storedId } from '../stored-id.ts';
import type { Mapping } from './mapping.ts';

/** Whether prices of lines are before the discount of their order, as a mapping says. */
export function sharesDiscount({ blocks }: Mapping): boolean {
  return blocks.some((block) => block.sharesDiscount);
}

/**
 * SQL: lines whose prices are less their share of the discount of their order, by value. A discount as large
 * as the shipping is taken to be of that: it reduces no product.
 *
 * @param lines SQL of lines with `_row`, `order_id`, `quantity`, `unit_price`
 */
export function withSharedDiscount(
  mapping: Mapping,
  lines: string,
  relationOf: (table: string) => string,
): string {
  const value = 'try_cast(quantity as double) * try_cast(unit_price as double)';
  return `
    with line as (${lines}),
    sums as (select order_id, sum(${value}) as total from line group by order_id),
    shares as (
      select order_id, least(cast(discount as double), total) / total as share
      from sums join (${discounts(mapping, relationOf)}) as o on o.stored_id = ${idIn(mapping)}
      where discount > 0 and total > 0 and discount is distinct from shipping
    )
    select line.* replace (case when share is null or try_cast(unit_price as double) is null then unit_price
      else cast(cast(round(try_cast(unit_price as double) * (1 - share), 6) as decimal(24,6)) as varchar) end as unit_price)
    from line left join shares using (order_id) order by line._row`;
}

/** SQL: what is known of orders: in the same files, in others of the import, or stored before. */
function discounts({ blocks }: Mapping, relationOf: (table: string) => string): string {
  const own = blocks.filter(({ table }) => table.name === 'orders');
  if (own.length === 0)
    return `
      select order_id as stored_id, discount, shipping from orders_beside
      union all
      select order_id, discount, shipping from before_orders where order_id not in (select order_id from orders_beside)`;
  const amount = (name: string) =>
    own.some(({ cells }) => cells.has(name))
      ? `try_cast(${name} as decimal(18,4)) as ${name}`
      : `cast(null as decimal(18,4)) as ${name}`;
  return `select order_id as stored_id, ${amount('discount')}, ${amount('shipping')} from ${relationOf('orders')} where is_last`;
}

/** SQL: the id of a line's order, as that of `discounts` is. */
function idIn({ blocks }: Mapping): string {
  return blocks.some(({ table }) => table.name === 'orders') ? 'order_id' : storedId('recordId', 'order_id');
}

export function findingsOfShares(mapping: Mapping, relationOf: (table: string) => string): Finding[] {
  if (!sharesDiscount(mapping)) return [];
  const known = `(${discounts(mapping, relationOf)})`;
  const ofLines = `(select distinct ${idIn(mapping)} as stored_id from ${relationOf('order_items')})`;
  return [
    {
      count: `select count(*) from ${ofLines} anti join ${known} as o using (stored_id)`,
      says: (count) =>
        `of ${plural(count, 'order', 'orders')} the files have lines alone, so that no voucher is taken off their prices: import the orders with them, or before`,
    },
    {
      count: `select count(*) from ${ofLines} semi join (select * from ${known} where discount > 0 and discount = shipping) as o using (stored_id)`,
      says: (count) =>
        `${plural(count, 'order has', 'orders have')} a discount as large as the shipping: it is taken to be free shipping, and no product costs less by it`,
    },
  ];
}
