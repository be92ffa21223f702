// The visit in which an order was placed, as another system than the shop saw it.
import { cell, loadedRows } from './loaded-rows.ts';
import { importedMoment, type Moment } from './moments.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';

const DAY = 86_400_000_000n;

const withoutSign = (name: string | undefined) => name?.replace(/^#+/, '');

/**
 * The order is found by its id or number, no more than a day away. A visit is of the order that is nearest to
 * it, and an order has the nearest of its visits.
 */
export function visitsOf(store: Store, timezone: string) {
  const orders = loadedRows(store.orders, (row) => row.order_id ?? '').map((row) => ({
    id: row.order_id ?? '',
    names: [row.order_id, cell(row.number) ?? undefined].map(withoutSign),
    moment: importedMoment(row.ordered_at ?? '', timezone),
  }));
  const distance = (one: Moment, other: Moment) => (one > other ? one - other : other - one);
  const claims = loadedRows(store.order_visits, (row) => row.reference ?? '').flatMap((visit) => {
    const at = importedMoment(visit.at ?? '', timezone);
    const claimants = orders
      .map(({ id, names, moment }) => ({
        ...{ id, visit, away: distance(moment, at), way: names.indexOf(withoutSign(visit.reference)) },
      }))
      .filter(({ way, away }) => way >= 0 && away <= DAY)
      .sort((a, b) => Number(a.away - b.away) || a.way - b.way || compareText(a.id, b.id));
    return claimants.slice(0, 1);
  });
  claims.sort(
    (a, b) =>
      Number(a.away - b.away) ||
      a.way - b.way ||
      compareText(a.visit.reference ?? '', b.visit.reference ?? ''),
  );
  return {
    ofOrder(order: Row<'orders'>): Row<'order_visits'> | undefined {
      return claims.find(({ id }) => id === order.order_id)?.visit;
    },
  };
}
