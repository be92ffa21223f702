import { consentStates, customers, orders, profiles } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import type { Noise } from '../../../statistics/noise.ts';
import type { BlurredCount } from './blurred-counts.ts';
import {
  type BlurredSum,
  blurredSum,
  countedMoney,
  measuresOfSum,
  type SumScale,
  USUAL_VALUE,
} from './blurred-sums.ts';
import {
  buyerFact,
  CONSENT_GROUPS,
  type ConsentChannel,
  type ConsentGroup,
  groupFact,
} from './consent-names.ts';
import { formOf, isOfNobody, type ProfileCount } from './profile-counts.ts';

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

/**
 * One person adds all orders of all time here, so the noise is a twentieth of what they can add, not a tenth.
 */
const SCALE: SumScale = { mostOfOne: 20, timesNoise: 5 };

/** SQL of what each customer ordered, as far as it counts in sums, by `customer_key`. */
export const BOUGHT: Sql = sql`
  select customer_key, orders_counted, usual_value,
    ${countedMoney(sql`revenue`, SCALE)} as revenue_counted
  from (
    select customer_key, least(count(*), ${parameter.integer(SCALE.mostOfOne)}) as orders_counted, cast(sum(revenue) as double) as revenue
    from ${orders} where is_valid and customer_key is not null group by customer_key
  ) as bought
  cross join (${USUAL_VALUE}
  ) as usual`;

/** What is asked of a group beside its two counts, over rows with `BOUGHT`. */
const SUMS = {
  orders: { value: sql`orders_counted`, suffix: 'orders_count' },
  revenue: { value: sql`revenue_counted`, suffix: 'revenue' },
} as const;
export type SumName = keyof typeof SUMS;

/** The measures that the sums of a group cost, one for each count that they are worth. */
export function measuresOfSums(buyers: ProfileCount): string[] {
  if (isOfNobody(buyers)) return [];
  return Object.keys(SUMS).flatMap((name) => measuresOfSum(sumForm(buyers, name as SumName), SCALE));
}

function sumForm(buyers: ProfileCount, name: SumName): string {
  return JSON.stringify([name, formOf(buyers)]);
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
  if (isOfNobody(count)) return { shown: 0, error: 0, from_value: 0, to_value: 0 };
  return blurredSum({ form: sumForm(count, name), exact, unit, scale: SCALE }, noise);
}

/** Money beyond the limit of one person is in no sum, and intervals are around what is left. */
export function cutNotes(usualValue: number, currency: string | null): string[] {
  if (usualValue === 0) return [];
  const money = `${SCALE.mostOfOne * usualValue}${currency === null ? '' : ` ${currency}`}`;
  return [
    `Of one customer at most ${money} and ${SCALE.mostOfOne} orders count in by_consent: never set its sums beside order_statistics; uncut ones may lie outside their intervals.`,
  ];
}
