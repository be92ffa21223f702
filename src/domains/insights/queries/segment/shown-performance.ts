import type { Noise } from '../../../../statistics/noise.ts';
import { type Noisy, type NoisyRatio, ratioOfNoisy } from '../../../../statistics/ratio-of-noisy.ts';
import { roundedRatio } from '../../../../statistics/rounded.ts';
import { type BlurredCount, blurCounts, TYPICAL_ERROR } from '../../../segments/queries/blurred-counts.ts';
import { blurredSum, type SumScale } from '../../../segments/queries/blurred-sums.ts';
import { isOfNobody, type ProfileCount } from '../../../segments/queries/profile-counts.ts';
import {
  COUNT_NAMES,
  type CountName,
  countColumn,
  type Part,
  SUM_NAMES,
  type SumName,
  sumColumn,
  sumForm,
} from './measured-segment.ts';

/** Ratios of two of the numbers: those of segment and rest can be compared, whatever their sizes. */
const RATIOS = {
  buyers_share: { of: 'buyers_count', per: 'people_count', times: 100 },
  revenue_per_person: { of: 'revenue', per: 'people_count', times: 1 },
  average_order_value: { of: 'revenue', per: 'orders_count', times: 1 },
  unsubscribed_share: { of: 'unsubscribed_count', per: 'subscribers_count', times: 100 },
} as const satisfies Readonly<Record<string, { of: AmountName; per: AmountName; times: number }>>;
type RatioName = keyof typeof RATIOS;
type AmountName = CountName | SumName;

/** The metrics stand in the order in which they are shown. */
export const METRIC_NAMES = [
  ...(['people_count', 'buyers_count', 'buyers_share', 'orders_count', 'revenue', 'net_revenue'] as const),
  ...(['average_order_value', 'revenue_per_person', 'subscribers_count', 'unsubscribed_count'] as const),
  'unsubscribed_share',
] as const satisfies readonly (AmountName | RatioName)[];
type MetricName = (typeof METRIC_NAMES)[number];

export const VERDICTS = ['higher', 'lower', 'within noise', 'not known', 'no rate'] as const;
type Verdict = (typeof VERDICTS)[number];

interface ShownMetric {
  readonly metric: MetricName;
  readonly segment: number | null;
  readonly rest: number | null;
  readonly whole: number | null;
  readonly share_of_whole: number | null;
  readonly segment_low: number | null;
  readonly segment_high: number | null;
  readonly rest_low: number | null;
  readonly rest_high: number | null;
  readonly share_low: number | null;
  readonly share_high: number | null;
  readonly segment_is: Verdict;
}

export interface ShownPerformance {
  readonly metrics: readonly ShownMetric[];
  readonly counts: ReadonlyMap<string, BlurredCount>;
  /** The amounts of the whole, which a note compares with the store's own orders. */
  readonly whole: Readonly<Record<AmountName, Noisy | null>>;
}

interface Measured {
  readonly counts: readonly ProfileCount[];
  /** The true numbers, by column. */
  readonly row: Readonly<Record<string, number>>;
  readonly scale: SumScale;
  /** What is known at all. */
  readonly sums: readonly SumName[];
}

/**
 * The numbers as they leave the server. Those of the segment and of the whole have noise. The rest is the
 * difference of the two as shown, and ratios are made of these, so that nothing is revealed that was not paid
 * for.
 */
export function shownPerformance(measured: Measured, noise: Noise): ShownPerformance {
  const counts = blurCounts(
    measured.counts,
    { ...measured.row, everybody_count: measured.row.whole_people_count ?? 0 },
    noise,
  );
  const amounts = (part: Part) => amountsOf(part, measured, counts, noise);
  const [segment, whole] = netWithinPaid(amounts('segment'), amounts('whole'));
  const rest = Object.fromEntries(
    [...COUNT_NAMES, ...SUM_NAMES].map((name) => [name, lessOf(whole[name], segment[name])]),
  ) as Amounts;
  return {
    counts,
    whole,
    metrics: METRIC_NAMES.map((metric) =>
      isRatio(metric)
        ? shownRatio(metric, { segment, rest, whole })
        : shownAmount(metric, { segment, rest, whole }),
    ),
  };
}

type Amounts = Readonly<Record<AmountName, Noisy | null>>;
type AllAmounts = Readonly<Record<Part | 'rest', Amounts>>;

function isRatio(metric: MetricName): metric is RatioName {
  return metric in RATIOS;
}

function amountsOf(
  part: Part,
  { counts, row, scale, sums }: Measured,
  blurred: ReadonlyMap<string, BlurredCount>,
  noise: Noise,
): Amounts {
  const buyers = counts.find((one) => one.column === countColumn(part, 'buyers_count')) as ProfileCount;
  const hidden = blurred.get(buyers.column)?.hidden ?? null;
  // If nearly everybody of the segment bought, only their number would reveal the few who did not.
  const isShown = hidden === null || (hidden.as === 'nearly all' && !hidden.of.endsWith('buyers_count'));
  const sumOf = (name: SumName): Noisy | null => {
    if (!isShown || !sums.includes(name)) return null;
    if (isOfNobody(buyers)) return NOTHING;
    const unit = name === 'orders_count' ? 1 : (row.most_of_one ?? 0) / scale.mostOfOne || 1;
    return blurredSum(
      {
        form: sumForm(buyers, name),
        exact: (row[sumColumn(part, name)] ?? 0) / (name === 'orders_count' ? 1 : 10_000),
        unit,
        scale,
      },
      noise,
    );
  };
  const countOf = (name: CountName): Noisy | null => {
    const shown = blurred.get(countColumn(part, name))?.shown ?? null;
    return shown === null ? null : { shown, error: shown === 0 ? 0 : TYPICAL_ERROR };
  };
  return Object.fromEntries([
    ...COUNT_NAMES.map((name) => [name, countOf(name)]),
    ...SUM_NAMES.map((name) => [name, sumOf(name)]),
  ]) as Amounts;
}

/**
 * Revenue and net revenue have each a noise of their own, by which the part without VAT could read as more
 * than what was paid. It is made less where it would, in the segment, the whole, and so in the rest.
 */
function netWithinPaid(segment: Amounts, whole: Amounts): readonly [Amounts, Amounts] {
  const one = withoutVat(segment, 0);
  return [one.amounts, withoutVat(whole, one.vat).amounts];
}

/** @param least of the VAT: that of a part of these people */
function withoutVat(amounts: Amounts, least: number): { readonly amounts: Amounts; readonly vat: number } {
  const { revenue, net_revenue } = amounts;
  if (revenue === null || net_revenue === null) return { amounts, vat: 0 };
  const vat = Math.max(least, revenue.shown - net_revenue.shown);
  const shown = Math.max(0, revenue.shown - vat);
  return { amounts: { ...amounts, net_revenue: { ...net_revenue, shown } }, vat: revenue.shown - shown };
}

const NOTHING: Noisy = { shown: 0, error: 0 };

/** The rest of the whole is never less than nothing. */
function lessOf(whole: Noisy | null, part: Noisy | null): Noisy | null {
  if (whole === null || part === null) return null;
  return { shown: Math.max(0, whole.shown - part.shown), error: Math.hypot(whole.error, part.error) };
}

const UNKNOWN = { shown: null, low: null, high: null };
type Shown = { readonly shown: number | null; readonly low: number | null; readonly high: number | null };

function shownAmount(metric: AmountName, { segment, rest, whole }: AllAmounts): ShownMetric {
  const [one, other] = [segment[metric], rest[metric]];
  return rowOf(metric, {
    segment: boundsOf(one),
    rest: boundsOf(other),
    whole: whole[metric]?.shown ?? null,
    share: one === null || whole[metric] === null ? UNKNOWN : percent(ratioOfNoisy(one, whole[metric])),
    segment_is: 'no rate',
  });
}

function shownRatio(metric: RatioName, { segment, rest, whole }: AllAmounts): ShownMetric {
  const { of, per, times } = RATIOS[metric];
  const ratio = (amounts: Amounts): Shown => {
    const [part, all] = [amounts[of], amounts[per]];
    const found = part === null || all === null ? null : ratioOfNoisy(part, all);
    return times === 100 ? percent(found) : bounded(found, 1, Number.POSITIVE_INFINITY);
  };
  const [one, other] = [ratio(segment), ratio(rest)];
  return rowOf(metric, {
    segment: one,
    rest: other,
    whole: ratio(whole).shown,
    share: UNKNOWN,
    segment_is: verdictOf(one, other),
  });
}

function rowOf(
  metric: MetricName,
  row: { segment: Shown; rest: Shown; whole: number | null; share: Shown; segment_is: Verdict },
): ShownMetric {
  const { segment, rest, whole, share, segment_is } = row;
  return {
    metric,
    segment: segment.shown,
    rest: rest.shown,
    whole,
    share_of_whole: share.shown,
    segment_low: segment.low,
    segment_high: segment.high,
    rest_low: rest.low,
    rest_high: rest.high,
    share_low: share.low,
    share_high: share.high,
    segment_is,
  };
}

function boundsOf(value: Noisy | null): Shown {
  if (value === null) return UNKNOWN;
  const { shown, error } = value;
  return {
    shown: rounded(shown),
    low: Math.floor(Math.max(0, shown - 2 * error)),
    high: Math.ceil(shown + 2 * error),
  };
}

function percent(ratio: NoisyRatio | null): Shown {
  return bounded(ratio, 100, 100);
}

function bounded(ratio: NoisyRatio | null, times: number, most: number): Shown {
  if (ratio === null) return UNKNOWN;
  const shown = (value: number) => rounded(Math.min(most, times * value));
  return { shown: shown(ratio.shown), low: shown(ratio.from_value), high: shown(ratio.to_value) };
}

function rounded(value: number): number | null {
  return roundedRatio(value, 1);
}

/** The differences of segment and rest beyond the noise. */
function verdictOf(one: Shown, other: Shown): Verdict {
  if (one.low === null || one.high === null || other.low === null || other.high === null) return 'not known';
  if (one.low > other.high) return 'higher';
  return one.high < other.low ? 'lower' : 'within noise';
}
