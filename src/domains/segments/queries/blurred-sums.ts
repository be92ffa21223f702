import { orders } from '../../../model-table/table-names.ts';
import { identifier, parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Noise } from '../../../statistics/noise.ts';
import { rangeOf, TYPICAL_ERROR } from './blurred-counts.ts';

/**
 * How much a person can add to a sum, and how much noise it gets: both in orders, or in usual values of an
 * order.
 */
export interface SumScale {
  /** The most that one person adds to a sum. */
  readonly mostOfOne: number;
  /** The noise is that of a count times this. */
  readonly timesNoise: number;
}

/**
 * What a sum costs of the day's counts: one measure for each count that it is worth. One person has
 * `mostOfOne / timesNoise` times as much influence on it as on a count, measured by its noise, and influences
 * add up by their squares (docs/decisions/0036).
 */
export function measuresOfSum(form: string, { mostOfOne, timesNoise }: SumScale): string[] {
  const cost = Math.ceil((mostOfOne / timesNoise) ** 2);
  return Array.from({ length: cost }, (_, part) => `${form} ${part}`);
}

export interface BlurredSum {
  readonly shown: number;
  /** The standard deviation of its noise. */
  readonly error: number;
  readonly from_value: number;
  readonly to_value: number;
}

/**
 * A sum as it leaves the server.
 *
 * @param form what it sums up, in one way for all that say the same
 * @param unit what the scale is measured in: 1 order, or the usual value of an order
 */
export function blurredSum(
  { form, exact, unit, scale }: { form: string; exact: number; unit: number; scale: SumScale },
  noise: Noise,
): BlurredSum {
  const step = scale.timesNoise * unit;
  const error = TYPICAL_ERROR * step;
  const noisy = exact + error * noise(form);
  const shown = Math.max(0, Math.round(noisy / step) * step);
  return { shown, error, ...rangeOf(shown, error) };
}

/**
 * SQL of one row with `name`: the value of `of`, a row with `mean`, rounded to 1, 2, 3, 5 or 7 times a power
 * of ten. One person hardly moves it.
 */
function onScale(of: Sql, name: string): Sql {
  return sql`
    select power * case
        when mean < 1.5 * power then 1 when mean < 2.5 * power then 2 when mean < 4 * power then 3
        when mean < 6 * power then 5 when mean < 8.5 * power then 7 else 10
      end as ${identifier(name)}
    from (
      select mean, pow(10, floor(log10(mean))) as power
      from (
        ${of}
      ) as means
    ) as powers`;
}

/**
 * SQL of one row with `usual_value`: the geometric mean of the values of all orders, on a coarse scale,
 * however large single orders are.
 */
export const USUAL_VALUE: Sql = onScale(
  sql`select coalesce(exp(avg(ln(cast(revenue as double)))), 1) as mean from ${orders} where is_valid and revenue > 0`,
  'usual_value',
);

/**
 * The largest of fewer buyers than this are too few to say where a percentile lies: one person would move it.
 */
const LEAST_BUYERS = 200;

/**
 * SQL of one row with `large_value`: what 19 of 20 buyers paid at most, on a coarse scale; 1 where there are
 * few buyers. One person is one place of many in it.
 *
 * @param isMeant SQL of the orders that count. They must not depend on days that a caller chooses: the days
 *   at which the value moves would reveal one person
 */
export function largeValue(isMeant: Sql): Sql {
  return onScale(
    sql`
        select cast(coalesce(min(paid), 1) as double) as mean
        from (
          select paid, row_number() over (order by paid) as place, count(*) over () as buyers
          from (
            select sum(revenue) as paid from ${orders}
            where is_valid and revenue > 0 and customer_key is not null and ${isMeant} group by customer_key
          ) as payers
        ) as places
        where buyers >= ${parameter.integer(LEAST_BUYERS)} and 100 * place >= 95 * buyers`,
    'large_value',
  );
}

/** SQL: money of a person, as far as it counts in a sum, beside `usual_value`. */
export function countedMoney(money: Sql, { mostOfOne }: SumScale): Sql {
  return sql`least(greatest(${money}, 0), ${parameter.integer(mostOfOne)} * usual_value)`;
}
