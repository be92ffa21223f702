import { Temporal } from 'temporal-polyfill';
import type { Queries } from '../../../answers/fields/query.ts';
import { vatNotes } from '../../../answers/profit-notes.ts';
import { fewNotes } from '../../../answers/small-groups.ts';
import {
  beginningOf,
  type LoadedSource,
  type SnapshotFacts,
  SOURCE_NAMES,
} from '../../../business/snapshot-facts.ts';
import type { Row } from '../../../sql/row.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import { automatedTimeNotes } from '../../messages/queries/automated-times.ts';
import { ordersWithoutCustomer, withoutCustomerNotes } from '../../orders/queries/orders-without-customer.ts';
import { adCostDays, adCostDaysNotes, isOfAdCosts } from '../../traffic/queries/ad-cost-days.ts';
import { automatedEmails } from './email-facts.ts';
import { largeOrderQueries, largeOrdersNotes } from './large-order-notes.ts';
import type { NamedMetric } from './metric-layer.ts';
import { daysOf, type QueryArguments, type Question } from './question.ts';

type Values = Readonly<Record<string, number | null>>;

const ofCustomers = ({ metric, fact }: NamedMetric) =>
  metric.unit === 'customers' && ['orders', 'order_lines'].includes(fact.name);
const ofPeople = ({ metric }: NamedMetric) =>
  metric.unit === 'customers' || metric.unit === 'visitors' || metric.unit === 'profiles';
const hasCosts = ({ name }: NamedMetric) => isOfAdCosts(name);
const isDivided = ({ metric }: NamedMetric) =>
  metric.unit === 'percent' ||
  metric.unit === 'ratio' ||
  /^(avg|average)_|_per_|_average_order_value$/.test(metric.key);

/** Rows are of e-mails by the weekday or hour at which they were sent, and mix what they are of. */
function isByTimeOfSending({ dimensions, facts }: Question): boolean {
  const isMixed = !dimensions.some((one) => one === 'campaign_type' || one === 'email_campaign');
  return (
    facts.some(({ name }) => name === 'emails') &&
    isMixed &&
    dimensions.some((one) => one === 'weekday' || one === 'hour')
  );
}

/** What only notes are made of. */
export function asideQueries(question: Question, facts: SnapshotFacts): Queries {
  const { metrics, range, compared } = question;
  return {
    ...largeOrderQueries(question, facts),
    automated: isByTimeOfSending(question) ? automatedEmails({ ...question, facts, rest: null }) : null,
    comparedCosts: compared !== null && metrics.some(hasCosts) ? adCostDays(compared.range) : null,
    withoutCustomer: metrics.some(ofCustomers) ? withoutCustomerIn(range) : null,
    comparedWithoutCustomer:
      compared !== null && metrics.some(ofCustomers) ? withoutCustomerIn(compared.range) : null,
  };
}

const withoutCustomerIn = (range: Range) => ({ ...ordersWithoutCustomer(range), isAside: true });

interface Told {
  /** The values of all rows of the answer. */
  readonly rows: readonly Values[];
  readonly asked: Readonly<Record<string, readonly Row[]>>;
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
  { rows, asked, keys, facts, currency, timezone }: Told,
): string[] {
  const { metrics, dimensions, sort } = question;
  const people = metrics.filter(ofPeople).map(({ name }) => name);
  const severally = dimensions.filter((one) => one === 'coupon' || one === 'category');
  const notAdded = metrics.filter(({ addsUp }) => !addsUp).map(({ name }) => name);
  const isNull = (...names: string[]) => rows.some((row) => names.some((name) => row[name] === null));
  const sorted = metrics.find(({ name }) => name === sort.name);
  return [
    ...largeOrdersNotes(question, asked, keys),
    ...automatedTimeNotes((asked.automated ?? []) as never, 'For campaigns alone filter by campaign_type.'),
    ...comparedNotes(question, facts, timezone),
    ...(question.compared === null
      ? []
      : adCostDaysNotes(
          (asked.comparedCosts ?? []) as never,
          question.compared.range,
          timezone,
          facts,
          'the compared range',
        )),
    ...cutPeriodNotes(question),
    ...(severally.length > 0
      ? [`What has several values of ${severally.join(', ')} is in a row of each: rows do not add up.`]
      : dimensions.length > 0 && notAdded.length > 0
        ? [`Do not add up rows of ${notAdded.join(', ')}: (rest) and (total) are counted anew.`]
        : []),
    ...(sorted !== undefined && isDivided(sorted) && args.having.length === 0
      ? [`Sorted by ${sort.name}: those of few are chance. Leave these out by having.`]
      : []),
    ...(people.length > 0 && dimensions.length + question.conditions.length > 0
      ? fewNotes(rows as readonly Readonly<Record<string, number | null>>[], ...people)
      : []),
    ...vatNotes(
      isNull('tax', 'product_tax', 'net_revenue') && !isNull('revenue', 'product_revenue')
        ? [{ tax: null, estimated_revenue: 0 }]
        : [],
      facts,
    ),
    ...withoutCustomerNotes((asked.withoutCustomer ?? []) as never, currency),
    ...withoutCustomerNotes((asked.comparedWithoutCustomer ?? []) as never, currency).map(
      (note) => `In the compared range: ${note}`,
    ),
  ];
}

const SOURCES: Readonly<Record<string, LoadedSource>> = {
  orders: 'orders',
  order_lines: 'orders',
  refunds: 'orders',
  visits: 'sessions',
  emails: 'messages',
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
      : [`The range has ${days} days and the compared one ${before}: their sums are not of equal lengths.`]),
    ...sources.flatMap((source) => {
      const start = beginningOf(source, known);
      if (start === null) return [];
      const first = localDate(start, timezone);
      const isPart =
        Temporal.PlainDate.compare(compared.range.firstDate, first) < 0 &&
        Temporal.PlainDate.compare(compared.range.lastDate, first) >= 0;
      // Of a range that ends before, the notes on the data tell that nothing is known.
      return isPart
        ? [
            `${SOURCE_NAMES[source]} are loaded from ${first} on, and the compared range begins before: its numbers are too low, and changes to them say nothing.`,
          ]
        : [];
    }),
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
