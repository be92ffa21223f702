import { Temporal } from 'temporal-polyfill';
import type { Assumption, AssumptionKind, AssumptionPer } from '../../../../business/assumptions.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';

/** An assumption with the first day on which it holds no more; null: it still holds. */
export interface InForce {
  readonly assumption: Assumption;
  readonly until: string | null;
}

const sayOf = ({ payment_method, shipping_method, country }: Assumption) =>
  JSON.stringify([payment_method, shipping_method, country]);

/**
 * The more is said of the orders, the earlier it is asked; what is said of a way of shipping goes before what
 * is said of a country.
 */
function precision({ payment_method, shipping_method, country }: Assumption): number {
  return (payment_method === null ? 0 : 4) + (shipping_method === null ? 0 : 2) + (country === null ? 0 : 1);
}

/**
 * The assumptions of a kind, each until the next one of the same orders, those that say most of an order
 * first.
 */
export function inForce(
  assumptions: readonly Assumption[],
  kind: AssumptionKind,
  per: AssumptionPer,
): readonly InForce[] {
  const ofKind = assumptions.filter((one) => one.kind === kind && one.per === per);
  return [...Map.groupBy(ofKind, sayOf).values()]
    .flatMap((series) => {
      const inOrder = series.toSorted((one, other) => (one.from_day < other.from_day ? -1 : 1));
      return inOrder.map((assumption, index) => ({
        assumption,
        until: inOrder[index + 1]?.from_day ?? null,
      }));
    })
    .toSorted((one, other) => precision(other.assumption) - precision(one.assumption));
}

/** What holds on a day, where nothing is said of single orders. */
export function onDay(rates: readonly InForce[], day: string): Assumption | null {
  const found = rates.find(
    ({ assumption, until }) => assumption.from_day <= day && (until === null || day < until),
  );
  return found?.assumption ?? null;
}

/** SQL: the place in the list of what holds for a row; -1 where nothing does. */
export function placeInForce(rates: readonly InForce[], day: Sql): Sql {
  if (rates.length === 0) return sql`-1`;
  const cases = rates.map(({ assumption, until }, place) => {
    const { from_day, payment_method, shipping_method, country } = assumption;
    const conditions = [
      sql`${day} >= ${parameter.date(from_day)}`,
      ...(until === null ? [] : [sql`${day} < ${parameter.date(until)}`]),
      ...(payment_method === null ? [] : [sql`payment_method = ${parameter.text(payment_method)}`]),
      ...(shipping_method === null ? [] : [sql`shipping_method = ${parameter.text(shipping_method)}`]),
      ...(country === null ? [] : [sql`country = ${parameter.text(country)}`]),
    ];
    const holds = conditions.reduce((one, other) => sql`${one} and ${other}`);
    return sql` when ${holds} then ${parameter.integer(place)}`;
  });
  return sql`case${cases.reduce((one, other) => sql`${one}${other}`)} else -1 end`;
}

/** The part of a month's amount that falls on one of its days. */
export function ofOneDay(amount: number, day: string): number {
  return amount / Temporal.PlainDate.from(day).daysInMonth;
}
