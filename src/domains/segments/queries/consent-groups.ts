import { consentStates, customers, orders, profiles } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Noise } from '../../../statistics/noise.ts';
import { type BlurredCount, rangeOf, TYPICAL_ERROR } from './blurred-counts.ts';
import {
  buyerFact,
  CONSENT_GROUPS,
  type ConsentChannel,
  type ConsentGroup,
  groupFact,
} from './consent-names.ts';
import { formOf, isOfNobody, type ProfileCount } from './counts.ts';

const LEFT = ['unsubscribed', 'bounced', 'complained', 'suppressed'];

/** SQL of those in each group, and of the buyers among them, by the name of the fact. */
export function consentFacts(channel: ConsentChannel): Record<string, Sql> {
  const inStates = (...states: string[]) => sql`
    select customer_key from ${consentStates}
    where channel = ${parameter.text(channel)} and state in (${parameter.texts(states)})`;
  const members: Record<ConsentGroup, Sql> = {
    subscribed: inStates('subscribed'),
    unsubscribed: inStates(...LEFT),
    never: sql`
      select customer_key from ${profiles}
      where customer_key not in (${inStates('subscribed', ...LEFT)})`,
  };
  return Object.fromEntries(
    CONSENT_GROUPS.flatMap((group) => [
      [groupFact(channel, group), members[group]],
      [
        buyerFact(channel, group),
        sql`select customer_key from ${customers} where customer_key in (${members[group]})`,
      ],
    ]),
  );
}

/** One person counts in a sum with at most so many orders, and so many times the usual value of an order. */
const MOST_OF_ONE = 20;
/** The noise of a sum is that of a count times this, so that it is one in twenty of what a person can add, not one in ten. */
const NOISE_OF_SUM = 5;
/** What one sum costs of the day's counts: (20 / 5)², since one person has so much influence on it, measured by its noise. */
const COST_OF_SUM = (MOST_OF_ONE / NOISE_OF_SUM) ** 2;

/**
 * SQL of what each customer ordered, as far as it counts in sums, by `customer_key`. `usual_value` is the geometric mean of the values of all orders, rounded to
 * 1, 2, 3, 5 or 7 times a power of ten: one person hardly moves it, however large the order.
 */
export const BOUGHT: Sql = sql`
  select customer_key, orders_counted, usual_value,
    least(greatest(revenue, 0), ${parameter.integer(MOST_OF_ONE)} * usual_value) as revenue_counted
  from (
    select customer_key, least(count(*), ${parameter.integer(MOST_OF_ONE)}) as orders_counted, cast(sum(revenue) as double) as revenue
    from ${orders} where is_valid and customer_key is not null group by customer_key
  ) as bought
  cross join (
    select power * case
        when mean < 1.5 * power then 1 when mean < 2.5 * power then 2 when mean < 4 * power then 3
        when mean < 6 * power then 5 when mean < 8.5 * power then 7 else 10
      end as usual_value
    from (
      select mean, pow(10, floor(log10(mean))) as power
      from (
        select coalesce(exp(avg(ln(cast(revenue as double)))), 1) as mean from ${orders} where is_valid and revenue > 0
      ) as means
    ) as powers
  ) as usual`;

/** What is asked of a group beside its two counts, over rows with `BOUGHT`. */
const SUMS = {
  orders: { value: sql`orders_counted`, suffix: 'orders_count' },
  revenue: { value: sql`revenue_counted`, suffix: 'revenue' },
} as const;
export type SumName = keyof typeof SUMS;

/** What the sums of a group cost: as many different measures as they are worth counts. */
export function measuresOfSums(buyers: ProfileCount): string[] {
  if (isOfNobody(buyers)) return [];
  return Object.keys(SUMS).flatMap((name) =>
    Array.from({ length: COST_OF_SUM }, (_, part) => `${sumForm(buyers, name as SumName)} ${part}`),
  );
}

function sumForm(buyers: ProfileCount, name: SumName): string {
  return JSON.stringify([name, formOf(buyers)]);
}

export interface BlurredSum {
  readonly shown: number;
  readonly from_value: number;
  readonly to_value: number;
}

/**
 * A sum of a group as it leaves the server: null where its buyers are hidden.
 *
 * @param unit what the noise is measured in: 1 order, or the usual value of an order
 */
export function blurSum(
  buyers: { readonly count: ProfileCount; readonly blurred: BlurredCount | undefined },
  name: SumName,
  { exact, unit }: { readonly exact: number; readonly unit: number },
  noise: Noise,
): BlurredSum | null {
  const { count, blurred } = buyers;
  if (blurred === undefined || blurred.shown === null) return null;
  if (isOfNobody(count)) return { shown: 0, from_value: 0, to_value: 0 };
  const step = NOISE_OF_SUM * unit;
  const error = TYPICAL_ERROR * step;
  const noisy = exact + error * noise(sumForm(count, name));
  const shown = Math.max(0, Math.round(noisy / step) * step);
  return { shown, ...rangeOf(shown, error) };
}
