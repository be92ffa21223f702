import { Temporal } from 'temporal-polyfill';
import { InputError } from '../../../errors.ts';
import { type Range, readRange } from '../../../time/range.ts';
import { yearBefore } from '../../../time/year-before.ts';
import { checkClickWindow } from './click-facts.ts';
import { checkHabits } from './customer-habits.ts';
import { type DimensionName, isPeriod, VALUES } from './dimensions.ts';
import type { Fact, FactCondition } from './fact.ts';
import { checkCut, checkHas, dimensionNamed, metricNamed, type NamedMetric } from './metric-layer.ts';
import { checkOneCurrency } from './own-currency.ts';

export interface QueryArguments {
  readonly metrics: readonly string[];
  readonly group_by: readonly string[];
  readonly from_date: string;
  readonly to_date: string;
  readonly compare: 'none' | 'previous_period' | 'previous_year' | 'range';
  readonly compare_from_date: string | null;
  readonly compare_to_date: string | null;
  readonly filters: readonly {
    readonly dimension: string;
    readonly in?: readonly string[] | undefined;
    readonly not_in?: readonly string[] | undefined;
    readonly has?: readonly string[] | undefined;
  }[];
  readonly having: readonly {
    readonly metric: string;
    readonly min?: number | null | undefined;
    readonly max?: number | null | undefined;
  }[];
  readonly click_window_days?: number | null;
  readonly sort_by: string | null;
  readonly sort_order: 'asc' | 'desc' | null;
  readonly limit: number;
}

interface QuestionSort {
  readonly by: 'metric' | 'dimension';
  readonly name: string;
  readonly order: 'asc' | 'desc';
}

/** What is asked, with every name known and every cut possible. */
export interface Question {
  readonly metrics: readonly NamedMetric[];
  /** The facts of these, each asked once. */
  readonly facts: readonly Fact[];
  readonly dimensions: readonly DimensionName[];
  readonly range: Range;
  readonly compared: {
    readonly range: Range;
    readonly from_date: string;
    readonly to_date: string;
  } | null;
  readonly conditions: readonly FactCondition[];
  readonly clickWindowDays: number | null;
  readonly sort: QuestionSort;
}

/**
 * @throws InputError for a name that does not exist, a cut that is not possible, or a range that does not fit
 */
export function readQuestion(args: QueryArguments, timezone: string): Question {
  const metrics = unique('metrics', args.metrics).map(metricNamed);
  const dimensions = unique('group_by', args.group_by).map(dimensionNamed);
  for (const metric of metrics) for (const dimension of dimensions) checkCut(metric, dimension);
  const conditions = args.filters.map((filter, index) => readFilter(filter, index, metrics));
  checkOneCurrency(metrics, { dimensions, conditions });
  const { from_date, to_date, compare_from_date, compare_to_date } = args;
  const moments = [from_date, to_date, compare_from_date, compare_to_date];
  checkHabits({ dimensions, conditions }, moments);
  const facts = [...new Set(metrics.map(({ fact }) => fact))];
  const { click_window_days: clickWindowDays = null } = args;
  checkClickWindow(facts, clickWindowDays, moments);
  for (const { metric, min, max } of args.having) {
    requireAsked('having', metric, args.metrics);
    if (min == null && max == null) throw new InputError(`having on ${metric} needs min or max`);
  }
  const range = readRange(args, timezone);
  const compared = readCompared(args, range, timezone);
  const period = dimensions.find(isPeriod);
  if (compared !== null && period !== undefined) {
    throw new InputError(
      `compare does not go with group_by ${period}: the periods of two ranges are different rows`,
      'Ask for the two ranges one after the other, or leave the period out.',
    );
  }
  return {
    metrics,
    facts,
    dimensions,
    range,
    compared,
    conditions,
    clickWindowDays,
    sort: readSort(args, dimensions),
  };
}

function unique(argument: string, names: readonly string[]): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new InputError(`${argument} has ${twice} twice`);
  return names;
}

function readFilter(
  { dimension: name, ...given }: QueryArguments['filters'][number],
  index: number,
  metrics: readonly NamedMetric[],
): FactCondition {
  const dimension = dimensionNamed(name);
  const kinds = (['in', 'not_in', 'has'] as const).filter((kind) => given[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw new InputError(`filters[${index}] needs one of in, not_in and has`);
  const values = given[kind] ?? [];
  if (isPeriod(dimension))
    throw new InputError(
      `filters[${index}] is by ${dimension}; periods are chosen by from_date and to_date`,
      'For several ranges ask several times.',
    );
  const known = VALUES[dimension];
  const unknown = values.find((value) => known?.includes(value) === false);
  if (known !== undefined && unknown !== undefined)
    throw new InputError(
      `filters[${index}] has the value ${JSON.stringify(unknown.slice(0, 60))}; ${dimension} is one of ${known.join(', ')}`,
    );
  for (const metric of metrics) {
    if (kind === 'has') checkHas(metric, dimension);
    else checkCut(metric, dimension);
  }
  return { dimension, kind, values };
}

function requireAsked(argument: string, name: string, asked: readonly string[]): void {
  if (asked.includes(name)) return;
  metricNamed(name);
  throw new InputError(`${argument} names ${name}, which is not among metrics; add it there`);
}

function readSort(
  { sort_by, sort_order, metrics, group_by }: QueryArguments,
  dimensions: readonly DimensionName[],
): QuestionSort {
  const period = dimensions.find(isPeriod);
  const name = sort_by ?? period ?? (metrics[0] as string);
  const isDimension = group_by.includes(name);
  if (!isDimension && !metrics.includes(name))
    throw new InputError(
      `sort_by is ${name.slice(0, 60)}; it must be one of ${[...metrics, ...group_by].join(', ')}`,
    );
  const by = isDimension ? 'dimension' : 'metric';
  return { by, name, order: sort_order ?? (isDimension ? 'asc' : 'desc') };
}

type ComparedArguments = Pick<
  QueryArguments,
  'from_date' | 'to_date' | 'compare' | 'compare_from_date' | 'compare_to_date'
>;

/** @throws InputError for a range that does not fit */
export function readCompared(args: ComparedArguments, range: Range, timezone: string): Question['compared'] {
  const { compare } = args;
  const [given_from, given_to] = [args.compare_from_date, args.compare_to_date];
  if (compare === 'range') {
    if (given_from === null || given_to === null)
      throw new InputError('compare range needs compare_from_date and compare_to_date');
    const given = { from_date: given_from, to_date: given_to };
    return { range: readRange(given, timezone), ...given };
  }
  if (given_from !== null || given_to !== null)
    throw new InputError(`compare_from_date and compare_to_date go with compare range, not ${compare}`);
  if (compare === 'none') return null;
  const days = range.firstDate.until(range.lastDate, { largestUnit: 'day' }).days + 1;
  const [from, to] =
    compare === 'previous_year'
      ? yearBefore(range.firstDate, range.lastDate)
      : [range.firstDate.subtract({ days }), range.firstDate.subtract({ days: 1 })];
  for (const name of ['from_date', 'to_date'] as const)
    if (!isDay(args[name]))
      throw new InputError(
        `compare ${compare} needs whole days; ${name} has a time`,
        'Give days, as 2026-10-31, or compare range with compare_from_date and compare_to_date.',
      );
  const days_ = { from_date: from.toString(), to_date: to.toString() };
  return { range: readRange(days_, timezone), ...days_ };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

/** How many local days a range has. */
export function daysOf({ firstDate, lastDate }: Range): number {
  return Temporal.PlainDate.from(firstDate).until(lastDate, { largestUnit: 'day' }).days + 1;
}
