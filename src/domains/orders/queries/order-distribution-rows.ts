import { shownNames } from '../../../answers/existing-names.ts';
import { emptyRow, valuesOf } from '../../../answers/metric.ts';
import { worded } from '../../../answers/sentences.ts';
import { hasRefunds, type SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { NOT_SET } from '../../../model-table/shown-name.ts';
import { percentOfKnown, roundedPercent } from '../../../statistics/rounded.ts';
import { plural } from '../../../text/plural.ts';
import { withoutEnd } from '../../../text/without-end.ts';
import { daysOfMonth, hoursOfWeek, loadedPart, weekdays } from './occurrences.ts';
import {
  type DistributionQuestion,
  type DistributionRow,
  type DistributionTotals,
  distributionMetrics,
  MOST_BINS,
  NAME_DIMENSIONS,
  type TIME_DIMENSIONS,
} from './order-distribution.ts';

type TimeDimension = (typeof TIME_DIMENSIONS)[number];
type NameDimension = (typeof NAME_DIMENSIONS)[number];

/**
 * What `limit` left out, and where it is of something else than the rows: it counts names, and no bins, times
 * or tenths.
 */
export function limitNotes(
  rows: readonly DistributionRow[],
  shown: readonly unknown[],
  { dimension, limit }: DistributionQuestion,
): string[] {
  if (!NAME_DIMENSIONS.some((one) => one === dimension) || dimension === 'status')
    return limit < shown.length
      ? [
          `limit is of names, such as coupons and countries, and not of the rows of ${dimension}: all of these are here.`,
        ]
      : [];
  const left = (rows[0]?.names_count ?? 0) - limit;
  return left > 0
    ? [
        worded(
          `(other) stands for ${plural(left, 'more value', 'more values')} of ${dimension}, each with no more orders than those before it: limit is ${limit}.`,
          'note.other-names',
          { count: left },
        ),
      ]
    : [];
}

/** What is no revenue stands beside the revenue, and its money reads as if it were some. */
export function notValidNotes(shown: readonly { readonly key: string; readonly valid: boolean }[]): string[] {
  const keys = shown.flatMap(({ key, valid }) => (valid ? [] : [key]));
  if (keys.length === 0) return [];
  return [
    `In no revenue: orders of status ${shownNames(keys).slice(1, -1)} (valid is false). revenue, tax, shipping and discount there are what was ordered, nobody keeps it, and revenue_after_refunds is null; revenue_share is of all rows with these.`,
  ];
}

interface Circumstances {
  readonly timezone: string;
  readonly facts: SnapshotFacts;
  /** The row of `distributionTotals`. */
  readonly totals: DistributionTotals;
}

/** What a row is about; the rest of it are numbers. */
interface Label {
  readonly key: string;
  readonly weekday?: number;
  readonly hour?: number;
  readonly from_value?: number;
  readonly to_value?: number;
  readonly valid?: boolean;
  readonly occurrences?: number;
}

/** The rows of `distributionRows` as those of the answer: times and numbers without gaps, shares added. */
export function distributionAnswer(
  rows: readonly DistributionRow[],
  question: DistributionQuestion,
  { timezone, facts, totals }: Circumstances,
) {
  const range = loadedPart(question.range, timezone, facts);
  return labelled(rows, { ...question, range }, timezone).map(([label, row]) => {
    const values = row ?? emptyRow(distributionMetrics);
    // Nobody knows for orders which products came back.
    const isKnown = hasRefunds(facts) && row?.products_count === undefined;
    const isValid = label.valid ?? true;
    const afterRefunds = row === undefined ? 0 : values.revenue_after_refunds;
    return {
      key: label.key,
      weekday: label.weekday ?? null,
      hour: label.hour ?? null,
      from_value: label.from_value ?? null,
      to_value: label.to_value ?? null,
      ...valuesOf(distributionMetrics, values),
      products_count: row?.products_count ?? null,
      orders_share: roundedPercent(
        values.orders_count,
        row?.basket_orders_count ?? totals.listed_orders_count,
      ),
      revenue_share: percentOfKnown(values.revenue, row?.basket_revenue ?? totals.listed_revenue),
      refunded_revenue: isKnown ? (row === undefined ? 0 : values.refunded_revenue) : null,
      // Nothing is kept of what is no revenue: what was not paid back yet is owed, or was never paid.
      revenue_after_refunds: isKnown && isValid ? afterRefunds : null,
      valid: isValid,
      occurrences: label.occurrences ?? null,
    };
  });
}

function labelled(
  rows: readonly DistributionRow[],
  question: DistributionQuestion,
  timezone: string,
): [Label, DistributionRow | undefined][] {
  const { dimension } = question;
  switch (dimension) {
    case 'weekday_hour':
    case 'weekday':
    case 'hour':
    case 'day_of_month':
      return withoutGaps(rows, timeLabels(dimension, question, timezone));
    case 'order_value':
    case 'goods_value':
      return withoutGaps(rows, valueLabels(rows));
    case 'items_count':
      return withoutGaps(rows, question.bin_size === null ? wholeNumberLabels(rows, 0) : valueLabels(rows));
    case 'customer_value_decile':
    case 'product_revenue_decile':
      return rows.map((row) => [{ key: decileLabel(row.number) }, row]);
    case 'order_number':
      return withoutGaps(rows, orderNumberLabels(rows));
    default:
      return rows.map((row) => [nameLabel(dimension, row), row]);
  }
}

/** @param labels by the number that rows have */
function withoutGaps(
  rows: readonly DistributionRow[],
  labels: ReadonlyMap<number | null, Label>,
): [Label, DistributionRow | undefined][] {
  const byNumber = new Map(rows.map((row) => [row.number ?? null, row]));
  return [...labels].map(([number, label]) => [label, byNumber.get(number)]);
}

function timeLabels(
  dimension: TimeDimension,
  { range }: DistributionQuestion,
  timezone: string,
): ReadonlyMap<number, Label> {
  const twoDigits = (hour: number) => String(hour).padStart(2, '0');
  switch (dimension) {
    case 'weekday_hour':
      return numbered(hoursOfWeek(range, timezone), (occurrences, index) => {
        const [weekday, hour] = [Math.floor(index / 24) + 1, index % 24];
        return { key: `${weekday}-${twoDigits(hour)}`, weekday, hour, occurrences };
      });
    case 'weekday':
      return numbered(weekdays(range, timezone), (occurrences, index) => ({
        key: String(index + 1),
        weekday: index + 1,
        occurrences,
      }));
    case 'hour':
      return numbered(hoursOfDay(hoursOfWeek(range, timezone)), (occurrences, hour) => ({
        key: twoDigits(hour),
        hour,
        occurrences,
      }));
    case 'day_of_month':
      return numbered(daysOfMonth(range, timezone), (occurrences, index) => ({
        key: String(index + 1),
        occurrences,
      }));
  }
}

function numbered(values: readonly number[], label: (value: number, index: number) => Label) {
  return new Map(values.map((value, index) => [index, label(value, index)]));
}

function hoursOfDay(ofWeek: readonly number[]): number[] {
  const counts = new Array<number>(24).fill(0);
  for (const [index, count] of ofWeek.entries()) counts[index % 24] = (counts[index % 24] ?? 0) + count;
  return counts;
}

function valueLabels(rows: readonly DistributionRow[]): ReadonlyMap<number, Label> {
  const [width, bins] = [Number(rows[0]?.width), Number(rows[0]?.bins_count)];
  const bound = (number: number) => (number * width) / 10_000;
  return binLabels(rows, bins, (number) => ({
    key: `${bound(number)}-${bound(number + 1)}`,
    from_value: bound(number),
    to_value: bound(number + 1),
  }));
}

/** Orders without a customer have no number; they are the last row, where there are any. */
function orderNumberLabels(rows: readonly DistributionRow[]): ReadonlyMap<number | null, Label> {
  const labels = wholeNumberLabels(
    rows.filter(({ number }) => number !== null),
    1,
  );
  return rows.some(({ number }) => number === null)
    ? new Map<number | null, Label>([...labels, [null, { key: NO_CUSTOMER }]])
    : labels;
}

/** @param first what the bin of number 0 stands for */
function wholeNumberLabels(rows: readonly DistributionRow[], first: number): ReadonlyMap<number, Label> {
  return binLabels(rows, MOST_BINS, (number) => ({
    key: String(number + first),
    from_value: number + first,
    to_value: number + first + 1,
  }));
}

/**
 * The labels of the bins from 0 to the last one that occurs. Before them stands what is below 0, and after
 * `bins` what is above, where there is any.
 */
function binLabels(
  rows: readonly DistributionRow[],
  bins: number,
  label: (number: number) => Label & { readonly from_value: number },
): ReadonlyMap<number, Label> {
  const numbers = rows.map(({ number }) => Number(number));
  const last = Math.max(-1, ...numbers);
  const labels = new Map<number, Label>();
  if (numbers.includes(-1)) labels.set(-1, { key: '<0', to_value: 0 });
  for (let number = 0; number <= Math.min(last, bins - 1); number += 1) labels.set(number, label(number));
  const { from_value } = label(bins);
  if (last === bins) labels.set(bins, { key: `${from_value}+`, from_value });
  return labels;
}

function decileLabel(number: number | null | undefined): string {
  if (number == null) return NOT_SET;
  return number === 0 ? ALL_DECILES : String(number);
}

/** The decile of customers who are too few to be parted. */
const ALL_DECILES = '1-10';
const NO_CUSTOMER = '(no customer)';
const OTHER = '(other)';

function nameLabel(dimension: NameDimension, row: DistributionRow): Label {
  const valid = dimension !== 'status' || Boolean(row.valid);
  if (row.is_other) return { key: OTHER, valid };
  return { key: row.value === '' ? NOT_SET : quotedWhereAmbiguous(String(row.value)), valid };
}

/** A name that looks like one of ours gets quotation marks, and so does one that already has them. */
function quotedWhereAmbiguous(name: string): string {
  const bare = withoutEnd(name.replace(/^"+/, ''), /"/);
  return bare === NOT_SET || bare === OTHER ? `"${name}"` : name;
}
