import { Temporal } from 'temporal-polyfill';
import type { Queries, Query } from '../../../answers/fields/query.ts';
import { discountNotes, vatNotes } from '../../../answers/profit-notes.ts';
import { worded, wordedAround } from '../../../answers/sentences.ts';
import { fewNotes } from '../../../answers/small-groups.ts';
import { SOURCES_IN_WORDS } from '../../../answers/source-words.ts';
import {
  beginningOf,
  type LoadedSource,
  type SnapshotFacts,
  SOURCE_NAMES,
} from '../../../business/snapshot-facts.ts';
import type { Row } from '../../../sql/row.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import { type Noted, notedDays } from '../../calendar/queries/noted-days.ts';
import { type AutomatedMessages, automatedTimeNotes } from '../../messages/queries/automated-times.ts';
import { matureBefore } from '../../messages/queries/data-until.ts';
import {
  type OrdersWithoutCustomer,
  ordersWithoutCustomer,
  withoutCustomerNotes,
} from '../../orders/queries/orders-without-customer.ts';
import { type KnownShare, knownPartNotes, unlikeCostNotes } from '../../products/queries/unlike-costs.ts';
import { adCostDaysNotes, isOfAdCosts } from '../../traffic/queries/ad-cost-days.ts';
import { lookBackNotes } from '../../traffic/queries/look-back-notes.ts';
import { type PaidCampaign, paidCreditNotes, paidCredits } from '../../traffic/queries/paid-credits.ts';
import { MOST_NOTED, type VisitDay, visitDays, visitNotes } from '../../traffic/queries/visits-and-orders.ts';
import { askRows } from './asked-rows.ts';
import { CLICK_FACTS } from './click-facts.ts';
import { habitsOf } from './customer-habits.ts';
import { isPeriod } from './dimensions.ts';
import { automatedEmails } from './email-facts.ts';
import { largeOrderQueries, largeOrdersNotes, looksForLargest, shownKey } from './large-order-notes.ts';
import { addsUpBy, metricNamed, type NamedMetric } from './metric-layer.ts';
import { ordersInVisits, outsideVisitsNotes } from './orders-of-visits.ts';
import { inOwnCurrency } from './own-currency.ts';
import { cancelledNotes, cancelledOrders } from './placed-order-facts.ts';
import { daysOf, type QueryArguments, type Question } from './question.ts';
import { adCostsFact, trafficWindow } from './traffic-facts.ts';

type Values = Readonly<Record<string, number | null>>;

const ofCustomers = ({ metric, fact }: NamedMetric) =>
  metric.unit === 'customers' && ['orders', 'order_lines'].includes(fact.name);
const ofPeople = ({ metric }: NamedMetric) =>
  metric.unit === 'customers' || metric.unit === 'visitors' || metric.unit === 'profiles';
const ofVisits = ({ fact }: NamedMetric) => fact.name === 'visits' || fact.name === 'orders_in_visits';
const ofConversion = ({ name }: NamedMetric) =>
  /^(converting_sessions|orders_in_session|conversion_rate)/.test(name);
const ofCancelled = ({ name }: NamedMetric) =>
  name === 'cancelled_orders_count' || name === 'cancellation_rate';
const ofProfit = ({ name }: NamedMetric) => name === 'gross_profit' || name === 'gross_profit_margin';
const hasCosts = ({ name }: NamedMetric) => isOfAdCosts(name);
const isDivided = ({ metric }: NamedMetric) =>
  metric.unit === 'percent' ||
  metric.unit === 'ratio' ||
  /^(avg|average)_|_per_|_average_order_value$/.test(metric.key);

/** Whether numbers are of orders by the visit that gets the credit for them. */
function isByCredit({ metrics, dimensions, conditions }: Question): boolean {
  const cuts = [...dimensions, ...conditions.map(({ dimension }) => dimension)];
  return (
    cuts.some((one) => one === 'channel' || one === 'first_click_channel') ||
    metrics.some(({ name }) => /last_click|first_click/.test(name))
  );
}

/** Rows are of e-mails by the weekday or hour at which they were sent, and mix what they are of. */
function isByTimeOfSending({ dimensions, facts }: Question): boolean {
  const isMixed = !dimensions.some((one) => one === 'campaign_type' || one === 'email_campaign');
  return (
    facts.some(({ name }) => name === 'emails') &&
    isMixed &&
    dimensions.some((one) => one === 'weekday' || one === 'hour')
  );
}

/** The queries that only the notes need, without those of orders that rows tell to be large. */
export function asideQueries(question: Question, timezone: string, facts: SnapshotFacts): Queries {
  const { metrics, range, compared } = question;
  const visits = metrics.some(ofVisits);
  const profit = metrics.some(ofProfit);
  return {
    paid: metrics.some(({ fact }) => fact === adCostsFact)
      ? paidCredits(paidWindow(question, facts), {}, facts)
      : null,
    knownCosts: profit ? knownCosts(question, range, facts) : null,
    comparedKnownCosts: profit && compared !== null ? knownCosts(question, compared.range, facts) : null,
    inVisits: metrics.some(ofConversion) ? ordersInVisits(range, facts) : null,
    comparedInVisits:
      compared !== null && metrics.some(ofConversion) ? ordersInVisits(compared.range, facts) : null,
    cancelled: metrics.some(ofCancelled) ? cancelledOrders() : null,
    visitDays: visits ? visitDays([range], timezone, facts) : null,
    comparedVisitDays: visits && compared !== null ? visitDays([compared.range], timezone, facts) : null,
    notedOfVisits: visits
      ? notedDays(compared === null ? [range] : [range, compared.range], facts, MOST_NOTED)
      : null,
    ...largeOrderQueries(question, facts, (fact) => !looksForLargest(question, fact)),
    automated: isByTimeOfSending(question) ? automatedEmails({ ...question, facts, rest: null }) : null,
    withoutCustomer: metrics.some(ofCustomers) ? ordersWithoutCustomer(range, facts) : null,
    comparedWithoutCustomer:
      compared !== null && metrics.some(ofCustomers) ? ordersWithoutCustomer(compared.range, facts) : null,
  };
}

/** What `asideQueries` found; a query that was not asked has no rows here. */
export interface FoundAside extends Readonly<Record<string, readonly Row[]>> {
  readonly paid?: readonly PaidCampaign[];
  readonly visitDays?: readonly VisitDay[];
  readonly comparedVisitDays?: readonly VisitDay[];
  readonly notedOfVisits?: readonly Noted[];
  readonly automated?: readonly AutomatedMessages[];
  readonly withoutCustomer?: readonly OrdersWithoutCustomer[];
  readonly comparedWithoutCustomer?: readonly OrdersWithoutCustomer[];
}

function paidWindow({ range, dimensions, conditions }: Question, facts: SnapshotFacts) {
  return trafficWindow({ range, dimensions, conditions, rest: null, facts }, true);
}

/** How much of the product revenue has a known cost: by period, where rows are periods. */
function knownCosts({ dimensions, conditions }: Question, range: Range, facts: SnapshotFacts): Query {
  const metrics = ['product_revenue', 'revenue_with_known_cost'].map(metricNamed);
  const [{ fact }] = metrics as [NamedMetric];
  const asked = { range, facts, dimensions: dimensions.filter(isPeriod), conditions };
  return { ...askRows(fact, metrics, asked), isAside: true };
}

/**
 * Says for which part of the revenue profit is known, where that is not nearly all, or another part than in
 * the compared range.
 */
function knownCostNotes({ metrics, dimensions, compared }: Question, asked: Told['asked']): string[] {
  const profit = metrics.filter(ofProfit).map(({ name }) => name);
  const name = profit.includes('gross_profit') ? 'gross_profit' : profit[0];
  if (name === undefined) return [];
  const shares = (key: string, range: string): KnownShare[] =>
    (asked[key] ?? []).flatMap(({ row_key, estimated_revenue, revenue_with_known_cost: share }) =>
      share === null
        ? []
        : [
            {
              name: dimensions.some(isPeriod) ? String(row_key) : range,
              revenue: Number(estimated_revenue ?? 0),
              share: Number(share),
            },
          ],
    );
  const rows = [
    ...shares('knownCosts', 'the range'),
    ...(compared === null ? [] : shares('comparedKnownCosts', 'the compared range')),
  ];
  const unlike = unlikeCostNotes(rows, name, 'revenue_with_known_cost of query_metrics');
  if (unlike.length > 0) return unlike;
  return knownPartNotes(rows, name);
}

interface Told {
  /** The values of all rows of the answer. */
  readonly rows: readonly Values[];
  /** The rows that are sorted, without the rest and the total. */
  readonly sorted?: readonly Values[];
  readonly asked: FoundAside;
  /** Their keys, without those of the rest and the total. */
  readonly keys: readonly string[];
  readonly facts: SnapshotFacts;
  readonly currency: string | null;
  readonly timezone: string;
}

/** What a reader should know of the numbers, beside what is said of the data of every tool. */
export function valueNotes(
  question: Question,
  args: QueryArguments,
  { rows, sorted: ranked = [], asked, keys, facts, currency, timezone }: Told,
): string[] {
  const { metrics, dimensions, sort } = question;
  const people = metrics.filter(ofPeople).map(({ name }) => name);
  const severally = dimensions.filter((one) => one === 'coupon' || one === 'category');
  // Nobody adds up rates and averages.
  const notAdded = metrics
    .filter((one) => !isDivided(one) && !addsUpBy(one, dimensions))
    .map(({ name }) => name);
  const isNull = (...names: string[]) => rows.some((row) => names.some((name) => row[name] === null));
  const sorted = metrics.find(({ name }) => name === sort.name);
  const steps = (key: 'visitDays' | 'comparedVisitDays', days: Range | undefined) =>
    days === undefined
      ? []
      : visitNotes(asked[key] ?? [], days, timezone, facts, {
          noted: asked.notedOfVisits ?? [],
          isFiltered: question.conditions.length > 0,
        });
  return [
    ...paidCreditNotes(asked.paid ?? [], {
      keys: dimensions.length === 0 ? [''] : keys,
      currency,
      areCampaigns: [...dimensions, ...question.conditions.map(({ dimension }) => dimension)].includes(
        'campaign',
      ),
      shownKey,
    }),
    ...cancelledNotes(asked.cancelled ?? []),
    ...outsideVisitsNotes(asked.inVisits),
    ...outsideVisitsNotes(asked.comparedInVisits).map(inCompared),
    ...knownCostNotes(question, asked),
    ...largeOrdersNotes(question, asked, keys),
    ...automatedTimeNotes(asked.automated ?? [], 'For campaigns alone filter by campaign_type.'),
    ...(isByCredit(question)
      ? lookBackNotes(question.range, question.compared?.range ?? null, timezone, facts)
      : []),
    ...comparedNotes(question, facts, timezone),
    ...steps('visitDays', question.range),
    ...steps('comparedVisitDays', question.compared?.range).map(inCompared),
    ...(question.compared !== null && question.metrics.some(hasCosts)
      ? adCostDaysNotes(question.compared.range, timezone, facts, { called: 'the compared range' })
      : []),
    ...youngMessageNotes(question, facts, timezone),
    ...youngClickNotes(question, facts, timezone),
    ...cutPeriodNotes(question),
    ...currencyNotes(question, currency),
    ...sumNotes(severally, dimensions.length > 0 ? notAdded : []),
    ...(sorted !== undefined && isDivided(sorted) && args.having.length === 0
      ? [
          worded(
            `Sorted by ${sort.name}: those of few are chance. Leave these out by having.`,
            'note.sorted-few',
          ),
        ]
      : []),
    ...(ranked.some((row) => row[sort.name] === null)
      ? [
          worded(
            `Rows whose ${sort.name} is null come last, whether the order is asc or desc.`,
            'note.unknown-last',
          ),
        ]
      : []),
    ...fewNotes(
      rows as readonly Readonly<Record<string, number | null>>[],
      ...afterClicks(question),
      ...(habitsOf(question).length === 0 && dimensions.length + question.conditions.length > 0
        ? people
        : []),
    ),
    ...vatNotes(
      isNull('tax', 'product_tax', 'net_revenue') && !isNull('revenue', 'product_revenue')
        ? [{ tax: null, estimated_revenue: 0 }]
        : [],
      facts,
    ),
    ...discountNotes(
      isNull('product_discount') && !isNull('product_revenue')
        ? [{ discount: null, estimated_revenue: 0 }]
        : [],
    ),
    ...withoutCustomerNotes(asked.withoutCustomer ?? [], currency),
    ...withoutCustomerNotes(asked.comparedWithoutCustomer ?? [], currency).map(inCompared),
  ];
}

/** Rows that are no parts of a whole. */
function sumNotes(severally: readonly string[], notAdded: readonly string[]): string[] {
  if (severally.length > 0)
    return [
      worded(
        `What has several values of ${severally.join(', ')} is in a row of each: rows do not add up.`,
        'note.rows-overlap',
      ),
    ];
  if (notAdded.length === 0) return [];
  return [
    worded(
      `Do not add up rows of ${notAdded.join(', ')}: (rest) and (total) are counted anew.`,
      'note.rows-not-added',
    ),
  ];
}

function inCompared(note: string): string {
  return wordedAround(`In the compared range: ${note}`, note);
}

const ofYoungMessages = ({ name, fact }: NamedMetric) =>
  fact.name === 'emails' &&
  /attributed|conversion|average_order_value|revenue_per_recipient/.test(name) &&
  !name.includes('mature');

/**
 * E-mails sent so late that orders can still be credited to them: a range that ends with the data looks worse
 * than one before.
 */
function youngMessageNotes({ metrics, range }: Question, facts: SnapshotFacts, timezone: string): string[] {
  const young = metrics.filter(ofYoungMessages).map(({ name }) => name);
  if (young.length === 0 || facts.messages_until === null) return [];
  const mature = matureBefore(facts);
  if (range.end <= mature || range.start > facts.messages_until) return [];
  const verb = young.length === 1 ? 'is' : 'are';
  return [
    worded(
      `E-mails sent from ${localDate(`${mature}Z`, timezone)} on can still get orders: ${young.join(', ')} of these ${verb} too low, so compare email_mature_conversion_rate of query_metrics, or an earlier range.`,
      'note.young-emails',
      { day: { day: localDate(`${mature}Z`, timezone).toString() } },
    ),
  ];
}

/** The metrics that follow who clicked. */
function afterClicks({ metrics }: Pick<Question, 'metrics'>): string[] {
  return metrics.filter(({ fact }) => CLICK_FACTS.includes(fact)).map(({ name }) => name);
}

/**
 * Says that the last messages have fewer orders than they will have: some days of their window lie after the
 * end of the orders.
 */
function youngClickNotes(
  { metrics, range, clickWindowDays }: Question,
  { orders_until }: SnapshotFacts,
  timezone: string,
): string[] {
  if (clickWindowDays === null || orders_until === null) return [];
  const names = afterClicks({ metrics });
  const first = localDate(orders_until, timezone).subtract({ days: clickWindowDays });
  return Temporal.PlainDate.compare(range.lastDate, first) < 0
    ? []
    : [
        `Of messages sent from ${first} on, the ${clickWindowDays} days after a click are not all loaded: ${names.join(', ')} of these can still grow.`,
      ];
}

const SOURCES: Readonly<Record<string, LoadedSource>> = {
  orders: 'orders',
  order_lines: 'orders',
  placed_orders: 'orders',
  refunds: 'orders',
  visits: 'sessions',
  orders_in_visits: 'sessions',
  emails: 'messages',
  email_clicks: 'messages',
  sms_clicks: 'messages',
};

/** A compared range that is longer, or begins before the data, makes a change that nobody made. */
export function comparedNotes(
  { compared, range, facts }: Pick<Question, 'compared' | 'range' | 'facts'>,
  known: SnapshotFacts,
  timezone: string,
): string[] {
  if (compared === null) return [];
  const [days, before] = [daysOf(range), daysOf(compared.range)];
  const sources = [...new Set(facts.flatMap(({ name }) => SOURCES[name] ?? []))];
  return [
    ...(days === before
      ? []
      : [
          worded(
            `The range has ${days} days and the compared one ${before}: their sums are not of equal lengths.`,
            'note.unequal-lengths',
            { days: { number: days }, before: { number: before } },
          ),
        ]),
    ...sources.flatMap((source) => {
      const start = beginningOf(source, known);
      if (start === null) return [];
      const first = localDate(start, timezone);
      const isPart =
        Temporal.PlainDate.compare(compared.range.firstDate, first) < 0 &&
        Temporal.PlainDate.compare(compared.range.lastDate, first) >= 0;
      // The notes on the data say that nothing is known about a range that ends before.
      return isPart
        ? [
            worded(
              `${SOURCE_NAMES[source]} are loaded from ${first} on, and the compared range begins before: its numbers are too low, and changes to them say nothing.`,
              'note.compared-begins-before',
              { source: { say: SOURCES_IN_WORDS[source] }, day: { day: first.toString() } },
            ),
          ]
        : [];
    }),
  ];
}

/** Who asks for the orders in złoty expects złoty, and money is in the currency of the store in every row. */
function currencyNotes({ metrics, dimensions, conditions }: Question, currency: string | null): string[] {
  const asked = [...dimensions, ...conditions.map(({ dimension }) => dimension)];
  const money = metrics.filter(({ metric }) => metric.unit === 'money').map(({ name }) => name);
  const own = inOwnCurrency(metrics);
  const isCut = currency !== null && money.length > 0 && asked.includes('currency');
  return [
    ...(isCut && own.length === 0
      ? [
          `Money is in ${currency} in every row, also of orders that were paid in another currency; revenue_in_own_currency is as paid.`,
        ]
      : []),
    ...(isCut && own.length > 0 ? [`${money.join(', ')}: in ${currency} in every row.`] : []),
    ...(own.length > 0 && dimensions.includes('currency')
      ? [`${own.join(', ')}: in the currency of the row; null in rows of several, which are not added.`]
      : []),
  ];
}

/** Rows of periods that the range cuts hold a part of what whole ones hold. */
export function cutPeriodNotes({ dimensions, range }: Pick<Question, 'dimensions' | 'range'>): string[] {
  const period = (['week', 'month', 'quarter', 'year'] as const).find((one) => dimensions.includes(one));
  if (period === undefined) return [];
  const begins = begin[period](range.firstDate);
  const ends = begin[period](range.lastDate.add({ days: 1 }));
  const cut = [...(begins ? [] : ['first']), ...(ends ? [] : ['last'])];
  return cut.length === 0
    ? []
    : [`The range cuts the ${cut.join(' and the ')} ${period}: do not compare it with whole ones.`];
}

/** Whether a period begins on the day. */
const begin = {
  week: ({ dayOfWeek }: Temporal.PlainDate) => dayOfWeek === 1,
  month: ({ day }: Temporal.PlainDate) => day === 1,
  quarter: ({ day, month }: Temporal.PlainDate) => day === 1 && month % 3 === 1,
  year: ({ dayOfYear }: Temporal.PlainDate) => dayOfYear === 1,
} as const;
