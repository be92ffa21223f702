import { HOW_TO_SET_VAT } from '../../../../answers/profit-notes.ts';
import { plural } from '../../../../text/plural.ts';
import { localDate } from '../../../../time/moment.ts';
import type { ConditionType } from '../../../segments/definitions/conditions.ts';
import { conditionsOf, type SegmentQuery } from '../../../segments/definitions/parse.ts';
import { hiddenNotes } from '../../../segments/queries/blurred-counts.ts';
import { messageEffectNotes } from '../../../segments/queries/message-effect.ts';
import { datesOf, type MeasuredDays } from './measured-days.ts';
import { type StoreRow, type SumName, scaleOf } from './measured-segment.ts';
import type { ShownPerformance } from './shown-performance.ts';

interface Told {
  /** The query with all saved ones that it names. */
  readonly queries: readonly SegmentQuery[];
  readonly days: MeasuredDays;
  readonly store: StoreRow;
  readonly sums: readonly SumName[];
  readonly shown: ShownPerformance;
  readonly currency: string | null;
}

/** A reader must know this before the numbers: what would be misread comes first. */
export function performanceNotes(told: Told): string[] {
  const { queries, days, store, sums, shown } = told;
  return [
    ...cutNotes(told),
    ...chosenNotes(queries, days),
    ...messageEffectNotes(queries, true),
    ...unknownNotes(days, store, sums),
    ...limitNotes(days, store, shown),
    NOISE_NOTE,
    ...hiddenNotes(shown.counts.values()),
    ...peopleNotes(days, store),
  ];
}

const NOISE_NOTE =
  'Numbers are of groups, with a noise that is always the same for the same question: 19 of 20 are between low and high, money as it is cut. The rest is whole - segment as they are shown. Call a rate of the segment higher or lower only where segment_is says so.';

/** Conditions on what people did: who is in the segment by them did it until the moment of choice. */
const DEEDS: readonly ConditionType[] = [
  ...([
    'order_count',
    'order_value_total',
    'average_order_value',
    'first_order_at',
    'last_order_at',
  ] as const),
  ...(['bought', 'coupon_used', 'rfm_segment', 'rfm_score', 'last_activity', 'campaign'] as const),
  ...(['viewed', 'added_to_cart', 'cart_abandoned', 'session', 'messages_received'] as const),
];

function chosenNotes(queries: readonly SegmentQuery[], { direction, days, begin }: MeasuredDays): string[] {
  const types = new Set(
    queries.flatMap((query) => conditionsOf(query).map(({ condition }) => condition.type)),
  );
  const deeds = DEEDS.filter((type) => types.has(type));
  if (direction === 'next') {
    return [
      `The segment is as it was on ${localDate(begin.moment, begin.timezone)}, and what its people did in the ${days} days since is measured. Who came later is in none of the numbers.`,
    ];
  }
  if (deeds.length === 0) return [];
  return [
    `The segment is chosen by ${deeds.join(', ')} until as_of, and the days up to then are measured: people can be in it because of what they did in these days, so it differs from the rest by its definition. What they do after they are chosen: direction next.`,
  ];
}

function unknownNotes({ begin, end }: MeasuredDays, store: StoreRow, sums: readonly SumName[]): string[] {
  const { facts, timezone } = end;
  const { history_starts_at, orders_until, loaded_tables } = facts;
  const date = (moment: string) => localDate(moment, timezone).toString();
  if (!loaded_tables.includes('orders'))
    return ['No orders are loaded: nothing is known of buyers and money.'];
  return [
    ...(history_starts_at !== null && history_starts_at > begin.moment
      ? [`Orders are loaded from ${date(history_starts_at)} on: of the days before nothing is known.`]
      : []),
    ...(orders_until !== null && date(orders_until) !== date(end.moment)
      ? [`Orders are loaded until ${date(orders_until)}: of the days after it up to as_of nothing is known.`]
      : []),
    ...(store.unpriced > 0
      ? [
          `${plural(store.unpriced, 'order of these days is', 'orders of these days are')} in a currency without a rate, and in no revenue.`,
        ]
      : []),
    ...(sums.includes('net_revenue')
      ? []
      : [
          `The VAT of ${plural(store.without_vat, 'order', 'orders')} of these days is not known: net_revenue is null. ${HOW_TO_SET_VAT}`,
        ]),
    ...(sums.includes('net_revenue') && store.without_goods > 0
      ? [
          `${plural(store.without_goods, 'order of these days has', 'orders of these days have')} no lines of goods, and nothing in net_revenue.`,
        ]
      : []),
    ...(loaded_tables.includes('consent_events')
      ? []
      : ['No consent events are loaded: nothing is known of subscribers.']),
  ];
}

/**
 * Money beyond the limit of one person is in no number, so what is shown is not the store's. How much it is
 * follows from the revenue of everybody, which other tools tell, and from the whole as it is shown.
 */
function cutNotes({ store, shown, currency }: Told): string[] {
  const { revenue } = shown.whole;
  const { revenue_of_people, most_of_one } = store;
  if (revenue === null || most_of_one === null || revenue_of_people <= 0) return [];
  const share = (counted: number) =>
    Math.min(100, Math.max(0, Math.round(100 * (1 - counted / revenue_of_people))));
  const [least, most] = [share(revenue.shown + 2 * revenue.error), share(revenue.shown - 2 * revenue.error)];
  if (most === 0) return [];
  const money = `${most_of_one}${currency === null ? '' : ` ${currency}`}`;
  return [
    `Of one person at most ${money} count: ${least === most ? least : `${least} to ${most}`} % of the revenue of these days is cut, of a segment of large buyers more. Never set revenue, net_revenue, average_order_value or revenue_per_person beside order_statistics; the uncut number may lie outside low and high.`,
  ];
}

/** A note says that orders are beyond the limit of one person when they are at least this part of all. */
const TOLD_SHARE = 0.05;

/**
 * All orders of customers are known. What the shown whole certainly lacks of them was beyond the limit with
 * which one person counts.
 */
function limitNotes(days: MeasuredDays, store: StoreRow, { whole }: ShownPerformance): string[] {
  const { mostOfOne } = scaleOf(days);
  const orders = whole.orders_count;
  // Orders of who came in these days are missing too, so that nobody knows how many are beyond the limit.
  if (days.direction === 'next')
    return [`A person counts with at most ${mostOfOne} orders: what more they ordered is in no number.`];
  if (orders === null || store.orders_of_customers === 0) return [];
  const missing = 1 - (orders.shown + 2 * orders.error) / store.orders_of_customers;
  if (missing < TOLD_SHARE) return [];
  return [
    `A person counts with at most ${mostOfOne} orders: at least ${Math.floor(100 * missing)} % of the orders of these days are beyond it, and a segment of those who order most is worth more than is said.`,
  ];
}

function peopleNotes(days: MeasuredDays, { orders, orders_of_customers }: StoreRow): string[] {
  const { first, last } = datesOf(days);
  const nobodys = orders - orders_of_customers;
  return [
    `Measured: what happened from ${first} to ${last}.`,
    ...(nobodys > 0
      ? [
          `${plural(nobodys, 'order of these days has', 'orders of these days have')} no known customer: none of the numbers has them.`,
        ]
      : []),
  ];
}
