// In which visit an order was placed, as another system than the shop saw it.
import { cell, loadedRows } from './loaded-rows.ts';
import { importedMoment, type Moment } from './moments.ts';
import type { Row, Store } from './store.ts';
import { compareText } from './text-order.ts';

const DAY = 86_400_000_000n;

const withoutSign = (name: string | undefined) => name?.replace(/^#+/, '');

/** By the id of the order, else by its number; of several the one whose moment is nearest, no more than a day away. */
export function visitsOf(store: Store, timezone: string) {
  const visits = loadedRows(store.order_visits, (row) => row.reference ?? '').map((row) => ({
    ...row,
    moment: importedMoment(row.at ?? '', timezone),
  }));
  return {
    ofOrder(order: Row<'orders'>, moment: Moment): Row<'order_visits'> | undefined {
      const names = [order.order_id, cell(order.number) ?? undefined].map(withoutSign);
      const distance = (at: Moment) => (at > moment ? at - moment : moment - at);
      const found = visits.flatMap((visit) => {
        const way = names.indexOf(withoutSign(visit.reference));
        const away = distance(visit.moment);
        return way < 0 || away > DAY ? [] : [{ visit, way, away }];
      });
      found.sort(
        (a, b) =>
          a.way - b.way ||
          Number(a.away - b.away) ||
          compareText(a.visit.reference ?? '', b.visit.reference ?? ''),
      );
      return found[0]?.visit;
    },
  };
}
