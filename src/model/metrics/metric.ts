import { z } from 'zod';
import { toFourDecimals } from '../../sql/rounding.ts';
import type { Row } from '../../sql/row.ts';
import { identifier, join, type Sql, sql } from '../../sql/sql.ts';

type Unit =
  | 'orders'
  | 'customers'
  | 'products'
  | 'pieces'
  | 'views'
  | 'pages'
  | 'sessions'
  | 'visitors'
  | 'points'
  | 'messages'
  | 'campaigns'
  | 'profiles'
  | 'opens'
  | 'clicks'
  | 'segments'
  | 'displays'
  | 'closes'
  | 'submissions'
  | 'seconds'
  | 'money'
  | 'percent'
  | 'ratio';

/** A number with its definition. Aggregates, trends and listings all compute it from this one declaration. */
export interface Metric {
  /** The same word in SQL, JSON and documentation. */
  readonly key: string;
  readonly type: 'integer' | 'number';
  readonly unit: Unit;
  readonly nullable?: boolean;
  readonly definition: string;
  /** Its value over the rows of the recipe that uses it. */
  readonly value: Sql;
}

/** `value as key, …` for a select list. */
export function selectMetrics(metrics: readonly Metric[]): Sql {
  return join(metrics.map((metric) => sql`${metric.value} as ${identifier(metric.key)}`));
}

/** Those of the metrics that a recipe shows, in their own order. */
export function metricsNamed(metrics: readonly Metric[], keys: readonly string[]): readonly Metric[] {
  return metrics.filter(({ key }) => keys.includes(key));
}

/** The metrics of a row, without its other columns. */
export function valuesOf(metrics: readonly Metric[], row: Row): Row {
  return Object.fromEntries(metrics.map(({ key }) => [key, row[key] ?? null]));
}

/** The metrics as fields of an output schema. */
export function metricFields(metrics: readonly Metric[]): Record<string, z.ZodType> {
  return Object.fromEntries(metrics.map((metric) => [metric.key, fieldOf(metric)]));
}

/** One of the metrics as a field. */
export function metricField(metrics: readonly Metric[], key: string): z.ZodType {
  const metric = metrics.find((candidate) => candidate.key === key);
  if (metric === undefined) throw new Error(`no metric ${key}`);
  return fieldOf(metric);
}

function fieldOf({ type, nullable, definition, unit }: Metric): z.ZodType {
  const number = type === 'integer' ? z.int() : z.number();
  return (nullable ? number.nullable() : number).describe(`${definition} [${unit}]`);
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
export function rate(key: string, definition: string, part: Sql, whole: Sql): Metric {
  return { key, type: 'number', unit: 'percent', nullable: true, definition, value: percent(part, whole) };
}

/** The contract's first tools have no nulls: nothing divided by nothing is 0 there. */
export function orZero(value: Sql): Sql {
  return sql`coalesce(${value}, 0)`;
}

/** The values of a row in which nothing happened. */
export function emptyRow(metrics: readonly Metric[]): Record<string, 0 | null> {
  return Object.fromEntries(metrics.map((metric) => [metric.key, metric.nullable ? null : 0]));
}
