import { toFourDecimals } from '../sql/rounding.ts';
import type { Row } from '../sql/row.ts';
import { identifier, join, type Sql, sql } from '../sql/sql.ts';
import {
  type Declaration,
  DISCOUNT_UNKNOWN,
  type Field,
  HIDDEN,
  NO_RATE,
  NOTHING_TO_DIVIDE_BY,
  type ObjectOf,
  SEVERAL_CURRENCIES,
  VAT_UNKNOWN,
  type ValueOf,
} from './fields/field.ts';
import type { Unit } from './fields/units.ts';

/**
 * A number of an answer that SQL computes. Aggregates, trends and listings all compute it from this one
 * declaration.
 */
export interface Metric<Key extends string = string, Value = unknown> extends Field<Key, Value> {
  readonly type: 'integer' | 'number';
  /** The metric's value over the rows of the recipe that uses it. */
  readonly value: Sql;
}

type MetricDeclaration = Declaration & {
  readonly type: 'integer' | 'number';
  readonly unit: Unit;
  readonly value: Sql;
};

/** `metric({ key, type, unit, definition, value: sql`…` })` */
export function metric<const Declared extends MetricDeclaration>(
  declared: Declared,
): Metric<Declared['key'], ValueOf<Declared>> {
  return declared;
}

/** `value as key, …` for a select list. */
export function selectMetrics(metrics: readonly Metric[]): Sql {
  return join(metrics.map(({ key, value }) => sql`${value} as ${identifier(key)}`));
}

/** The metrics of a row, without its other columns. */
export function valuesOf<Metrics extends readonly Metric[]>(
  metrics: Metrics,
  row: ObjectOf<Metrics>,
): ObjectOf<Metrics> {
  const values = row as Row;
  return Object.fromEntries(metrics.map(({ key }) => [key, values[key] ?? null])) as ObjectOf<Metrics>;
}

/**
 * An exact sum or count divided by another, to four decimals; null when the divisor is 0.
 * Rounding happens here, once, so that filters and sorting see the number that is shown.
 */
export function ratio(dividend: Sql, divisor: Sql): Sql {
  return toFourDecimals(sql`(cast(${dividend} as double) / nullif(${divisor}, 0))`);
}

/** `ratio` in percent, 0 to 100. */
export function percent(part: Sql, whole: Sql): Sql {
  return toFourDecimals(sql`(100 * cast(${part} as double) / nullif(${whole}, 0))`);
}

/** A metric in percent that is null where there is nothing to divide by. */
export function rate<const Key extends string>(
  key: Key,
  definition: string,
  part: Sql,
  whole: Sql,
): Metric<Key, number | null> {
  const value = percent(part, whole);
  return metric({ key, type: 'number', unit: 'percent', null: NOTHING_TO_DIVIDE_BY, definition, value });
}

/** A metric that counts. */
export function counted<const Key extends string>(
  unit: Unit,
  key: Key,
  definition: string,
  value: Sql,
): Metric<Key, number> {
  return metric({ key, type: 'integer', unit, definition, value });
}

/** A metric that may have decimals. @param whyNull what null means; without, it is never null */
export function measured<const Key extends string, Null extends string | undefined = undefined>(
  unit: Unit,
  key: Key,
  definition: string,
  value: Sql,
  whyNull?: Null,
): Metric<Key, Null extends string ? number | null : number> {
  const ofNull = whyNull === undefined ? {} : { null: whyNull };
  return { key, type: 'number', unit, ...ofNull, definition, value };
}

/** The contract's first tools have no nulls: nothing divided by nothing is 0 there. */
export function orZero(value: Sql): Sql {
  return sql`coalesce(${value}, 0)`;
}

/** These can be null for reasons that need rows: where nothing happened they are 0. */
const ZERO_OF_NOTHING: readonly string[] = [
  DISCOUNT_UNKNOWN,
  HIDDEN,
  NO_RATE,
  SEVERAL_CURRENCIES,
  VAT_UNKNOWN,
];

/**
 * A sum of money, of which single amounts are null where no rate is known: 0 where there are no rows, and
 * null where unknown amounts are all that there is.
 */
export function knownSum(amount: Sql, condition?: Sql): Sql {
  const of = condition === undefined ? sql`` : sql` filter (where ${condition})`;
  return sql`(case when coalesce(sum(${amount})${of}, 0) = 0 and count(*)${of} > count(${amount})${of} then null
    else coalesce(sum(${amount})${of}, 0) end)`;
}

/**
 * An average over orders: of those whose money is known, 0 where there are no orders, null where none is
 * known.
 */
export function knownAverage(sum: Sql, priced: Sql, orders: Sql): Sql {
  return sql`(case when ${orders} = 0 then 0 else ${ratio(sum, priced)} end)`;
}

/** The values of a row in which nothing happened: nobody is hidden, no rate and no VAT unknown. */
export function emptyRow<Metrics extends readonly Metric[]>(metrics: Metrics): ObjectOf<Metrics> {
  return Object.fromEntries(
    metrics.map((one) => [one.key, one.null === undefined || ZERO_OF_NOTHING.includes(one.null) ? 0 : null]),
  ) as ObjectOf<Metrics>;
}
