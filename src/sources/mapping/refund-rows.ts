import { storedId } from '../stored-id.ts';

/**
 * Statements for files in which a refund is a row of its own, with the number of its order and a negative
 * total: such rows become refunds of their own day, and no lines. What the order says of all its refunds is
 * then less than that by what came so, in these files or before: nothing counts twice.
 *
 * @param relation the relations of the rows of our tables, before each order is made one of them
 * @param tables those that the mapping fills
 */
export function refundsOfOwnRows(relation: (table: string) => string, tables: readonly string[]): string[] {
  if (!tables.includes('orders')) return [];
  const [orders, found] = [relation('orders'), relation('refund_rows')];
  const total = 'try_cast(total as decimal(18,4))';
  const find = `create or replace temp table ${found} as
    select _row, _file, order_id, ordered_at, -${total} as amount,
      row_number() over (partition by _file, order_id, ordered_at order by _row) as place
    from ${orders} semi join (select _file, order_id from ${orders} where ${total} >= 0) as sold using (_file, order_id)
    where ${total} < 0`;
  const isFound = `_row in (select _row from ${found})`;
  const ofOrder = `(_file, order_id) in (select (_file, order_id) from ${found})`;
  const noLines = tables.includes('order_items')
    ? [`delete from ${relation('order_items')} where try_cast(quantity as double) < 0 and ${ofOrder}`]
    : [];
  if (!tables.includes('refunds')) {
    const reason =
      'is a refund, by its negative total beside the order of its number: fill refunds in the mapping too, or export without refunds';
    return [
      find, // Under a key of its own: the order itself is a good row.
      `update ${orders} set _malformed = '${reason}', order_id = order_id || '_' || _row where ${isFound}`,
      ...noLines,
    ];
  }
  const refunds = relation('refunds');
  const ownId = `order_id || '_' || ordered_at || case when place > 1 then '_' || place else '' end`;
  return [
    find,
    `delete from ${orders} where ${isFound}`,
    ...noLines,
    `delete from ${refunds} where ${isFound}`,
    `update ${refunds} as r set amount = cast(greatest(try_cast(r.amount as decimal(18,4)) - of_rows.amount, 0) as varchar)
      from (select _file, order_id, sum(amount) as amount from ${found} group by all) as of_rows
      where r._file = of_rows._file and r.order_id = of_rows.order_id and try_cast(r.amount as decimal(18,4)) > 0`,
    `insert into ${refunds} by name
      select _row, _file, ${ownId} as refund_id, order_id, ordered_at as refunded_at, cast(amount as varchar) as amount from ${found}`,
  ];
}

/**
 * SQL: the refunds of the files as they are staged. The one that stands for all of an order, with the order's
 * own id, is less what else of that order is stored or comes with it. Where nothing is left of one that is
 * stored, it goes.
 */
export function restOfRefunds(relation: (table: string) => string): string {
  const refunds = relation('refunds');
  const order = storedId('recordId', 'order_id');
  const rest = 'try_cast(amount as decimal(18,4)) - coalesce(stored, 0)';
  const isStored = (id: string) => `${storedId('recordId', id)} in (select refund_id from before_refunds)`;
  return `
    with others as (
      select order_id as stored_order, sum(amount) as stored from before_refunds
      where refund_id <> order_id and refund_id not in (select ${storedId('recordId', 'refund_id')} from ${refunds})
      group by order_id
    ),
    known as (
      select r.* exclude (_file, is_last), refund_id = order_id and stored is not null as is_rest, stored
      from ${refunds} as r left join others on stored_order = ${order}
    )
    select * exclude (is_rest, stored, amount), case when is_rest then cast(${rest} as varchar) else amount end as amount,
      is_rest and ${rest} <= 0 as _deleted
    from known where not (is_rest and ${rest} <= 0) or ${isStored('refund_id')}
    union all by name
    select min(_row) as _row, order_id as refund_id, true as _deleted from ${relation('refund_rows')}
    where ${isStored('order_id')} and order_id not in (select refund_id from ${refunds}) group by order_id
    order by _row`;
}
