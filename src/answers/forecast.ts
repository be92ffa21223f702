import { Temporal } from 'temporal-polyfill';
import { forecast } from '../statistics/forecast.ts';
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
import { field } from './fields/field.ts';
import { periodFields } from './fields/shared-fields.ts';

const MOST_PERIODS = 12;

export const forecastArgument = {
  forecast_periods: integerBetween('forecast_periods', 1, MOST_PERIODS)
    .nullable()
    .default(null)
    .describe('Adds a forecast of so many.'),
};

/**
 * What each breakdown repeats by, how much of it is learned from, and how much there must be. Days need more than two of
 * their seasons: the interval is made of errors on days that the method had not seen.
 */
const SEASONS = {
  month: { season: 12, least: 24, holdout: 12, most: 72 },
  week: { season: 52, least: 104, holdout: 52, most: 312 },
  day: { season: 7, least: 56, holdout: 364, most: 1092 },
} as const satisfies Record<Breakdown, object>;

/** What else can be asked for, with what it needs: weeks need as long a history as months. */
const OTHER_BREAKDOWNS = {
  month: `weeks need ${SEASONS.week.least}, days ${SEASONS.day.least} (they reach ${MOST_PERIODS} days and know no season of the year)`,
  week: `months need ${SEASONS.month.least}, days ${SEASONS.day.least} (they reach ${MOST_PERIODS} days and know no season of the year)`,
  day: `months need ${SEASONS.month.least}, weeks ${SEASONS.week.least}`,
} as const satisfies Record<Breakdown, string>;

/** In percent, on the hold-out: beyond it a forecast of 0 would have been closer. */
const MOST_ERROR = 100;

/** Days that are left to learn from before the hold-out begins. */
const LEAST_DAYS_BEFORE = 28;

const METHODS = ['seasonal_naive_with_drift', 'exponential_smoothing'] as const;

const expectedFields = [
  field({ key: 'value', type: 'number', unit: 'as metric', definition: 'Expected.' }),
  field({ key: 'low', type: 'number', unit: 'as metric', definition: '80 % interval.' }),
  field({ key: 'high', type: 'number', unit: 'as metric', definition: '80 % interval.' }),
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
    field({
      key: 'trained_from',
      type: 'text',
      null: 'nothing loaded',
      definition: 'First period learned from.',
    }),
    field({
      key: 'trained_to',
      type: 'text',
      null: 'nothing loaded',
      definition: 'Last period learned from.',
    }),
    field({
      key: 'metrics',
      type: 'list',
      definition: 'A forecast of each metric that has one.',
      fields: [
        field({ key: 'metric', type: 'text', definition: 'Of the periods above.' }),
        field({
          key: 'method',
          type: 'choice',
          values: METHODS,
          definition: 'The less wrong one on the hold-out.',
        }),
        field({
          key: 'season_periods',
          type: 'integer',
          unit: 'periods',
          definition: 'Season.',
        }),
        field({
          key: 'holdout_periods',
          type: 'integer',
          unit: 'periods',
          definition: 'Last periods, forecast from those before.',
        }),
        field({
          key: 'error',
          type: 'number',
          unit: 'percent',
          definition: 'Absolute errors / values held out.',
        }),
        field({
          key: 'seasonal_naive_error',
          type: 'number',
          unit: 'percent',
          definition: 'Error of repeating the season before.',
        }),
        field({
          key: 'periods',
          type: 'list',
          definition: 'The forecast, with an interval of 80 %.',
          fields: [...periodFields, ...expectedFields],
        }),
        field({
          key: 'total',
          type: 'object',
          null: 'under 10 such sums on the hold-out',
          definition: 'All these periods together, with an interval of 80 % of its own.',
          fields: expectedFields,
        }),
      ],
    }),
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
  const loaded = lastWholePeriod(localDate(until, timezone), breakdown).toString();
  const asked = list.at(-1)?.period_start ?? loaded;
  const [last = loaded] = [loaded, asked].sort();
  return periodsUpTo(day(last), breakdown, SEASONS[breakdown].most);
}

interface History<Metric extends string> {
  /** As `periodsToLearnFrom` says; null when nothing is loaded. */
  readonly learned: Periods | null;
  /** The local day on which the data begin. */
  readonly firstDate: string | null;
  readonly buckets: readonly ({ readonly period_start: string } & Readonly<Record<Metric, number>>)[];
}

/** The forecast of each metric, or why there is none. */
export function forecastAnswer<const Metric extends string>(
  metrics: readonly Metric[],
  horizon: number,
  { learned, firstDate, buckets }: History<Metric>,
) {
  const list =
    learned?.list.filter(({ period_start }) => firstDate !== null && period_start >= firstDate) ?? [];
  const [first, last] = [list[0], list.at(-1)];
  const trained = { trained_from: first?.period ?? null, trained_to: last?.period ?? null };
  const refused = (because: string) => ({ refused_because: because, ...trained, metrics: [] });
  if (learned === null || last === undefined) return refused('no whole period is loaded');
  const { breakdown } = learned;
  const byStart = new Map(buckets.map((bucket) => [bucket.period_start, bucket]));
  const seriesOf = (metric: Metric) =>
    list.map(({ period_start }) => byStart.get(period_start)?.[metric] ?? 0);
  const asked = metrics.map((metric) => ({
    metric,
    ...forecastSeries(seriesOf(metric), breakdown, horizon),
  }));
  const made = asked.filter((one) => one.refused === null);
  if (made.length === 0) return refused(asked[0]?.refused ?? 'nothing was asked for');
  const ahead = periodsAfter(day(last.period_start), breakdown, horizon).list;
  return {
    refused_because: null,
    ...trained,
    metrics: made.map(({ metric, season, holdout, method, error, seasonalNaiveError, periods, total }) => ({
      metric,
      method,
      season_periods: season,
      holdout_periods: holdout,
      error: rounded(error),
      seasonal_naive_error: rounded(seasonalNaiveError),
      periods: periods.map(({ value, low, high }, index) => ({
        ...(ahead[index] as Period),
        ...{ value: rounded(value), low: rounded(low), high: rounded(high) },
      })),
      total: total && {
        ...{ value: rounded(total.value), low: rounded(total.low), high: rounded(total.high) },
      },
    })),
  };
}

/**
 * The forecast of a series of whole periods, or why there is none: a wrong one misleads.
 *
 * @param series by period, without gaps
 */
export function forecastSeries(series: readonly number[], breakdown: Breakdown, horizon: number) {
  const { season, least, holdout: longest, most } = SEASONS[breakdown];
  if (series.length < least) {
    return {
      refused: `it needs ${least} whole ${breakdown}s, and ${series.length} are loaded up to the end of the range; ${OTHER_BREAKDOWNS[breakdown]}`,
    };
  }
  const known = series.slice(-most).map((value) => Math.max(0, value));
  const holdout = Math.min(longest, known.length - (breakdown === 'day' ? LEAST_DAYS_BEFORE : season));
  const found = forecast(known, season, holdout, horizon);
  if (found === null || found.error > MOST_ERROR) {
    return { refused: 'on the hold-out, no method was better than to expect nothing' };
  }
  return { refused: null, season, holdout, ...found };
}

const day = (date: string) => Temporal.PlainDate.from(date);
const rounded = (value: number) => defined(roundedRatio(value, 1));
