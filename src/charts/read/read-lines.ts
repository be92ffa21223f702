import type { Chart } from '../../answers/chart.ts';
import { formatDay, formatPeriod } from '../dates.ts';
import type { Column, LinePanel, Series, Value } from '../figure.ts';
import { labelOf } from '../words.ts';
import type { Asked } from './asked.ts';
import { asLoaded, knownOf, loadedDays } from './periods.ts';
import {
  cutOf,
  definitionsOf,
  headingOf,
  isObject,
  numberValue,
  type Row,
  rowsAt,
  rowsIn,
  unitAt,
  valueAt,
} from './rows.ts';
import { distinctNames, groupByThing } from './things.ts';

type LineChart = Extract<Chart, { kind: 'line' }>;

/** More lines than these cannot be told apart. */
const MOST_SERIES = 12;

export function readLines(chart: LineChart, asked: Asked): LinePanel[] {
  const rows = rowsAt(asked, chart.rows);
  if (rows.length === 0) return [];
  const all = readColumns(chart, asked, rows);
  const things = thingsIn(chart, asked, rows);
  return chart.values.flatMap((one) => {
    const keys = (typeof one === 'string' ? [one] : one).filter((key) => rows.some(({ row }) => key in row));
    const [first] = keys;
    if (first === undefined) return [];
    const ahead = keys.length === 1 && things.length === 1 ? forecastOf(asked, chart, first) : [];
    // A period that is forecast stands there once.
    const isAhead = ({ along, column }: ReadColumn) =>
      column.known === 'after' && ahead.some(({ period }) => period === along);
    const columns = all.filter((column) => !isAhead(column));
    const series = things.slice(0, Math.ceil(MOST_SERIES / keys.length)).flatMap(({ thing, its }) =>
      keys.map((key) => ({
        name: nameOf(thing, keys.length > 1 ? key : null),
        ...seriesOf(chart, asked, its, columns, key, ahead),
      })),
    );
    return [
      {
        kind: 'line' as const,
        heading: headingOf(asked, chart.rows, keys),
        definitions: definitionsOf(asked, chart.rows, keys),
        isStep: chart.step === true,
        columns: [
          ...columns.map(({ column }) => column),
          ...ahead.map(({ period }) => ({
            label: formatPeriod(period, asked.store),
            known: 'forecast' as const,
          })),
        ],
        series: [...series, ...comparedSeries(chart, asked, keys, columns.length + ahead.length)],
        cut: cutOf(asked, chart.rows, series.length, things.length * keys.length),
      },
    ];
  });
}

function thingsIn(chart: LineChart, asked: Asked, rows: readonly Row[]) {
  const things = groupByThing(asked, chart.rows, chart, rows);
  const firsts = things.map(([first]) => first?.row ?? {});
  const names = distinctNames(asked, chart.rows, chart.by ?? [], firsts, chart.along);
  return things.map((its, index) => ({ thing: names[index] ?? '', its }));
}

function nameOf(thing: string, key: string | null): string {
  return [thing, key === null ? '' : labelOf(key)].filter((part) => part !== '').join(', ');
}

interface ReadColumn {
  /** The period or moment of a row, as the answer has it. */
  readonly along: string;
  readonly column: Column;
}

/** Every period or moment of the rows, once, in the order of time. */
function readColumns(chart: LineChart, asked: Asked, rows: readonly Row[]): ReadColumn[] {
  const loaded = loadedDays(asked);
  const read = new Map<string, ReadColumn & { readonly order: string }>();
  for (const { row } of rows) {
    const along = String(row[chart.along]);
    if (read.has(along)) continue;
    const start = row[`${chart.along}_start`];
    const isMoment = /^\d{4}-\d\d-\d\dT/.test(along);
    const known = isMoment ? 'whole' : row.is_mature === false ? 'incomplete' : knownOf(along, start, loaded);
    const column = isMoment
      ? { label: formatDay(along, asked.store), known, moment: Date.parse(along) }
      : { label: formatPeriod(along, asked.store), known };
    read.set(along, { along, column, order: typeof start === 'string' ? start : along });
  }
  return [...read.values()].sort(
    (one, other) => Number(one.order > other.order) - Number(one.order < other.order),
  );
}

function seriesOf(
  chart: LineChart,
  asked: Asked,
  rows: readonly Row[],
  columns: readonly ReadColumn[],
  key: string,
  ahead: readonly Ahead[],
): Omit<Series, 'name'> {
  const rowByAlong = new Map(rows.map((row) => [String(row.row[chart.along]), row]));
  const values = columns.map(({ along, column }) => {
    const row = rowByAlong.get(along);
    return row === undefined ? null : asLoaded(valueAt(asked, chart.rows, row, key), column.known);
  });
  return {
    values: [...values, ...ahead.map(({ value }) => value)],
    bounds: [...columns.map(() => null), ...ahead.map(({ low, high }) => ({ low, high }))],
    isCompared: false,
  };
}

interface Ahead {
  readonly period: string;
  readonly value: Value;
  readonly low: Value;
  readonly high: Value;
}

/** The forecast of a metric; none where the answer has none. */
function forecastOf(asked: Asked, chart: LineChart, key: string): Ahead[] {
  const { forecast } = asked.answer;
  if (chart.rows !== 'periods' || !isObject(forecast)) return [];
  const metrics = rowsIn(forecast.metrics, 'forecast.metrics');
  const made = metrics.find(({ row }) => row.metric === key);
  if (made === undefined) return [];
  const unit = unitAt(asked, chart.rows, key);
  return rowsIn(made.row.periods, `${made.at}periods`).flatMap(({ row, at }) => {
    const [value, low, high] = ['value', 'low', 'high'].map((part) => {
      const number = row[part];
      return typeof number === 'number' ? numberValue(`${at}${part}`, number, unit, asked.store) : null;
    });
    return value && low && high ? [{ period: String(row.period), value, low, high }] : [];
  });
}

/** The same values of the other days, one beside the other: the first period beside the first. */
function comparedSeries(chart: LineChart, asked: Asked, keys: readonly string[], length: number): Series[] {
  const { compared, store } = asked;
  const [key] = keys;
  if (compared === undefined || chart.by !== undefined || key === undefined) return [];
  const before = { ...asked, ...compared };
  const rows = rowsAt(before, chart.rows);
  const columns = readColumns(chart, before, rows).slice(0, length);
  // A comparison without a single value is left out.
  if (columns.every(({ column }) => column.known === 'before')) return [];
  const { values } = seriesOf(chart, before, rows, columns, key, []);
  const [first, last] = [columns.at(0), columns.at(-1)];
  if (first === undefined || last === undefined) return [];
  const span = [first, last].map(({ along }) => formatPeriod(along, store)).join(' – ');
  const padded = Array.from({ length }, (_, index) => {
    const value = values[index];
    return value ? { ...value, at: `compared.${value.at}` } : null;
  });
  return [
    {
      name: `${nameOf('', keys.length > 1 ? key : null)} ${span}`.trim(),
      values: padded,
      bounds: padded.map(() => null),
      isCompared: true,
    },
  ];
}
