import { Temporal } from 'temporal-polyfill';
import type { Pieces } from '../main-thread/pieces.ts';
import {
  type Forecast,
  forecast,
  forecastProduct,
  growthOf,
  meansOf,
  outliers,
  type Season,
} from '../statistics/forecast.ts';
import { defined, roundedRatio } from '../statistics/rounded.ts';
import { localDate } from '../time/moment.ts';
import {
  type Breakdown,
  lastWholePeriod,
  type Period,
  type Periods,
  periodsAfter,
  periodsUpTo,
} from '../time/periods.ts';
import { integerBetween } from './arguments.ts';
import { AS_NAMED, field } from './fields/field.ts';
import { choice, count, list, measure, text } from './fields/kinds-of-fields.ts';
import { periodFields } from './fields/shared-fields.ts';

const MOST_PERIODS = 12;

export const forecastArgument = {
  forecast_periods: integerBetween('forecast_periods', 1, MOST_PERIODS)
    .nullable()
    .default(null)
    .describe('Adds a forecast of so many.'),
};

/**
 * What each breakdown repeats by, how much of it is learned from, and how much there must be. Days need more
 * than two of their seasons: the interval is made of errors on days that the method had not seen.
 */
export const SEASONS = {
  month: { season: { length: 12, averaged: 1 }, least: 24, holdout: 12, most: 72 },
  week: { season: { length: 52, averaged: 1 }, least: 104, holdout: 52, most: 312 },
  day: { season: { length: 7, averaged: 4 }, least: 56, holdout: 182, most: 546 },
} as const satisfies Record<Breakdown, { readonly season: Season; readonly [name: string]: unknown }>;

/** What else can be asked for, with what it needs: weeks need as long a history as months. */
const OTHER_BREAKDOWNS = {
  month: `weeks need ${SEASONS.week.least}, days ${SEASONS.day.least} (they reach ${MOST_PERIODS} days and know no season of the year)`,
  week: `months need ${SEASONS.month.least}, days ${SEASONS.day.least} (they reach ${MOST_PERIODS} days and know no season of the year)`,
  day: `months need ${SEASONS.month.least}, weeks ${SEASONS.week.least}`,
} as const satisfies Record<Breakdown, string>;

/** The largest error on the hold-out, in percent. Beyond it a forecast of 0 would have been closer. */
const MOST_ERROR = 100;

/** Days that are left to learn from before the hold-out begins. */
export const LEAST_DAYS_BEFORE = 28;

/** How a forecast is made: by itself, or of two others. */
const METHODS = ['last_season_and_theta', 'orders_x_average_value'] as const;

const expectedFields = [
  measure('as metric', 'value', 'Expected.'),
  measure('as metric', 'low', 'Low end of the 80 % interval (split conformal).'),
  measure('as metric', 'high', 'High end of the 80 % interval (split conformal).'),
] as const;

export const forecastField = field({
  key: 'forecast',
  type: 'object',
  null: 'not asked for',
  definition: 'What comes if things go on as they did; it knows no plans. Quote low and high with it.',
  fields: [
    field({
      key: 'refused_because',
      type: 'text',
      null: 'there is a forecast',
      definition: 'Why there is none.',
    }),
    text('trained_from', 'First period learned from.', 'nothing loaded'),
    text('trained_to', 'Last period learned from.', 'nothing loaded'),
    list('metrics', 'A forecast of each metric that has one.', [
      text('metric', 'Of the periods above.'),
      choice('method', METHODS, 'How; x: product of the other two.'),
      count('periods', 'season_periods', AS_NAMED),
      count('periods', 'holdout_periods', 'Last periods, forecast from those before.'),
      measure('percent', 'error', 'Absolute errors / values held out, 1 to forecast_periods ahead.'),
      measure('percent', 'bias', 'Signed errors / values held out; below 0: too low.'),
      measure('percent', 'seasonal_naive_error', 'error of repeating the season before.'),
      list('periods', 'The forecast.', [...periodFields, ...expectedFields]),
      list('held_out', 'The last known periods as they would have been forecast.', [
        ...periodFields,
        measure('as metric', 'forecast', 'All made before the first.'),
        measure('as metric', 'actual', 'What came.'),
      ]),
      field({
        key: 'total',
        type: 'object',
        null: 'a mean value, or under 10 such sums on the hold-out',
        definition: 'All these periods together.',
        fields: expectedFields,
      }),
    ]),
    list('unusual_periods', 'Known periods far off neighbours and season.', [
      ...periodFields,
      text('metric', 'Of the periods above.'),
      measure('as metric', 'actual', 'What came.'),
      measure('as metric', 'used', 'Learned instead.'),
    ]),
  ],
});

/**
 * The periods to learn from at most: those up to the last whole one that is loaded, and not beyond the range.
 *
 * @param until the moment up to which data are loaded; null when there are none
 */
export function periodsToLearnFrom(periods: Periods, until: string | null, timezone: string): Periods | null {
  if (until === null) return null;
  const { breakdown, list } = periods;
  const loaded = lastWholePeriod(lastWholeDay(until, timezone), breakdown).toString();
  const asked = list.at(-1)?.period_start ?? loaded;
  const [last = loaded] = [loaded, asked].sort();
  return periodsUpTo(day(last), breakdown, SEASONS[breakdown].most);
}

/**
 * If the last loaded moment is at this hour or later, its day counts as over: an export of a month ends with
 * an order of its last evening.
 */
const EVENING = 22;

/** The same day ends days, weeks and months, so that all of them are whole, or none. */
function lastWholeDay(until: string, timezone: string): Temporal.PlainDate {
  const { hour } = Temporal.Instant.from(until).toZonedDateTimeISO(timezone);
  const date = localDate(until, timezone);
  return hour >= EVENING ? date : date.subtract({ days: 1 });
}

/** The part of an answer where no forecast is asked for. */
export const NOT_ASKED_FOR = { forecast: null, notes: [] } as const;

/** The history that a forecast learns from. */
interface History {
  /** The periods that `periodsToLearnFrom` gives. It is null when nothing is loaded. */
  readonly learned: Periods | null;
  /** The local day on which the data begin. */
  readonly firstDate: string | null;
}

type Buckets<Metric extends string> = readonly ({ readonly period_start: string } & Readonly<
  Record<Metric, number>
>)[];

/** The forecast of one metric, or why there is none, with notes of what must not be missed. */
export function* forecastAnswer<const Metric extends string>(
  metric: Metric,
  horizon: number,
  history: History & { readonly buckets: Buckets<Metric> },
) {
  const known = knownSeries(history, [metric]);
  return yield* answerOf(known, horizon, function* (asked) {
    const series = known.series[metric];
    const made = yield* forecast(series, asked);
    return made === null ? null : [{ metric, method: 'last_season_and_theta', series, made }];
  });
}

/**
 * Orders, their mean value, and revenue as the product of both, so that the three never contradict each
 * other; or why there is none.
 */
export function* orderForecastAnswer(
  horizon: number,
  history: History & { readonly buckets: Buckets<'orders_count' | 'orders_revenues'> },
) {
  const known = knownSeries(history, ['orders_count', 'orders_revenues']);
  return yield* answerOf(known, horizon, function* (asked) {
    const { orders_count: counts, orders_revenues: sums } = known.series;
    const made = yield* forecastProduct(counts, sums, asked);
    if (made === null) return null;
    const means = meansOf(counts, sums);
    return [
      { metric: 'orders_count', method: 'last_season_and_theta', series: counts, made: made.counts },
      {
        metric: 'average_order_value',
        method: 'last_season_and_theta',
        series: means,
        // A mean of several periods is no sum of theirs.
        made: { ...made.means, total: null },
      },
      { metric: 'orders_revenues', method: 'orders_x_average_value', series: sums, made: made.sums },
    ];
  });
}

/** Periods in which something is known, and what is known of each of them. */
function knownSeries<const Metric extends string>(
  { learned, firstDate, buckets }: History & { readonly buckets: Buckets<Metric> },
  metrics: readonly Metric[],
) {
  const list =
    learned?.list.filter(({ period_start }) => firstDate !== null && period_start >= firstDate) ?? [];
  const byStart = new Map(buckets.map((bucket) => [bucket.period_start, bucket]));
  const seriesOf = (metric: Metric) =>
    list.map(({ period_start }) => Math.max(0, byStart.get(period_start)?.[metric] ?? 0));
  const series = Object.fromEntries(metrics.map((metric) => [metric, seriesOf(metric)]));
  return { breakdown: learned?.breakdown ?? null, list, series: series as Record<Metric, number[]> };
}

interface Made {
  readonly metric: string;
  readonly method: (typeof METHODS)[number];
  /** The series that it was learned from. */
  readonly series: readonly number[];
  readonly made: Forecast;
}

interface Asked {
  readonly season: Season;
  readonly holdout: number;
  readonly horizon: number;
}

function* answerOf(
  { breakdown, list }: { readonly breakdown: Breakdown | null; readonly list: readonly Period[] },
  horizon: number,
  forecasts: (asked: Asked) => Pieces<readonly Made[] | null>,
) {
  const [first, last] = [list[0], list.at(-1)];
  const trained = { trained_from: first?.period ?? null, trained_to: last?.period ?? null };
  const refused = (because: string) => ({
    forecast: { refused_because: because, ...trained, metrics: [], unusual_periods: [] },
    notes: [],
  });
  if (breakdown === null || last === undefined) return refused('no whole period is loaded');
  const { season, least, holdout: longest } = SEASONS[breakdown];
  if (list.length < least) {
    return refused(
      `it needs ${least} whole ${breakdown}s, and ${list.length} are loaded up to the end of the range; ${OTHER_BREAKDOWNS[breakdown]}`,
    );
  }
  const before = breakdown === 'day' ? LEAST_DAYS_BEFORE : season.length;
  const holdout = Math.min(longest, list.length - before);
  const made = yield* forecasts({ season, holdout, horizon });
  if (made === null || made.some(({ made: { error } }) => error > MOST_ERROR))
    return refused('on the hold-out, no method was better than to expect nothing');
  const ahead = periodsAfter(day(last.period_start), breakdown, horizon).list;
  const unusual = made
    .filter(({ method }) => method === 'last_season_and_theta')
    .flatMap(({ metric, series }) =>
      outliers(series, season).map(({ index, value, used }) => ({
        ...(list[index] as Period),
        metric,
        actual: rounded(value),
        used: rounded(used),
      })),
    );
  return {
    forecast: {
      refused_because: null,
      ...trained,
      metrics: made.map((one) => metricAnswer(one, { season, holdout, list, ahead })),
      unusual_periods: unusual,
    },
    notes: [...contradictions(made, breakdown, season), ...biasNotes(made), ...unusualNotes(unusual)],
  };
}

interface Around {
  readonly season: Season;
  readonly holdout: number;
  /** The periods that are known, and those that are forecast. */
  readonly list: readonly Period[];
  readonly ahead: readonly Period[];
}

function metricAnswer({ metric, method, series, made }: Made, { season, holdout, list, ahead }: Around) {
  const { error, bias, seasonalNaiveError, periods, total, heldOut } = made;
  const shown = list.length - heldOut.length;
  const roundedEach = ({ value, low, high }: (typeof periods)[number]) => ({
    value: rounded(value),
    low: rounded(low),
    high: rounded(high),
  });
  return {
    metric,
    method,
    season_periods: season.length,
    holdout_periods: holdout,
    error: rounded(error),
    bias: rounded(bias),
    seasonal_naive_error: rounded(seasonalNaiveError),
    periods: periods.map((one, index) => ({ ...(ahead[index] as Period), ...roundedEach(one) })),
    held_out: heldOut.map((value, index) => ({
      ...(list[shown + index] as Period),
      forecast: rounded(value),
      actual: rounded(series[shown + index] as number),
    })),
    total: total && roundedEach(total),
  };
}

/** A change of less than this, in percent, is not called growth or decline. */
const LEAST_CHANGE = 5;

/** A note names at most this many unusual periods. The answer has all of them. */
const MOST_NAMED = 3;

function unusualNotes(unusual: readonly UnusualPeriod[]): string[] {
  if (unusual.length === 0) return [];
  const named = unusual
    .slice(0, MOST_NAMED)
    .map(
      ({ period, metric, actual, used }) =>
        `${metric} of ${period} was ${Math.round(actual)}, counted as ${Math.round(used)}`,
    );
  const more =
    unusual.length > MOST_NAMED ? `; and ${unusual.length - MOST_NAMED} more in unusual_periods` : '';
  return [`The forecast counts unusual periods as milder than they were: ${named.join('; ')}${more}.`];
}

interface UnusualPeriod extends Period {
  readonly metric: string;
  readonly actual: number;
  readonly used: number;
}

/**
 * A forecast that falls after a year of growth, or the other way round: it may be right, and must not be
 * quoted without that.
 */
function contradictions(made: readonly Made[], breakdown: Breakdown, season: Season): string[] {
  if (breakdown === 'day') return [];
  return made.flatMap(({ metric, series, made: { periods } }) => {
    const growth = growthOf(series, season);
    const before = sum(series.slice(-season.length).slice(0, periods.length));
    if (growth === null || before === 0) return [];
    const expected = sum(periods.map(({ value }) => value));
    const [lastYear, next] = [100 * (growth - 1), (100 * (expected - before)) / before];
    if (Math.min(Math.abs(lastYear), Math.abs(next)) < LEAST_CHANGE || lastYear * next > 0) return [];
    return [
      `The forecast of ${metric} is ${change(next)} the same ${breakdown}s a year before, while the last year was ${change(lastYear)} the year before it: do not quote one without the other.`,
    ];
  });
}

/**
 * Forecasts are called too low or too high when they missed at least this part of the held-out values on the
 * same side.
 */
const ONE_SIDED = 0.75;

/**
 * Says that a forecast was mostly wrong to one side: a reader of the error alone takes it for as often too
 * high as too low.
 */
function biasNotes(made: readonly Made[]): string[] {
  const large = made.filter(({ made: { bias } }) => Math.abs(bias) >= LEAST_CHANGE);
  const sides = large.flatMap(({ made: { bias, lowShare } }) =>
    (bias < 0 ? lowShare : 1 - lowShare) < ONE_SIDED ? [] : [Math.sign(bias)],
  );
  // Revenue follows orders: where these were too low, a revenue that was too low in sum is told with them.
  const sided = large.flatMap(({ metric, made: { bias } }) =>
    sides.includes(Math.sign(bias))
      ? [`${metric} ${Math.abs(Math.round(bias))} % too ${bias < 0 ? 'low' : 'high'}`]
      : [],
  );
  if (sided.length === 0) return [];
  return [
    `Forecasts of the periods held out missed mostly on one side (bias): ${sided.join(', ')} in sum. This one may, too.`,
  ];
}

function change(percent: number): string {
  return `${Math.abs(Math.round(percent))} % ${percent < 0 ? 'below' : 'above'}`;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const day = (date: string) => Temporal.PlainDate.from(date);
const rounded = (value: number) => defined(roundedRatio(value, 1));
