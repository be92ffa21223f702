import type { Chart } from '../../answers/chart.ts';
import { formatDay, formatPeriod } from '../dates.ts';
import { type DrawnStore, wordsFor } from '../drawn-store.ts';
import { labelOf, wordsOf } from '../field-words.ts';
import type { Column, Known, LinePanel, Series, Value } from '../figure.ts';
import { cutOf, isObject, numberValue, type Row, rowsAt, rowsIn, unitAt, valueAt } from './answer-rows.ts';
import { type Asked, sortOf } from './asked-question.ts';
import { groupWords, headOf, namesOf } from './column-heads.ts';
import { distinctNames, groupByThing } from './group-by-thing.ts';
import { asLoaded, isOpen, knownOf, loadedDays } from './loaded-periods.ts';
import { byGreatest, sortWords } from './rank.ts';

type LineChart = Extract<Chart, { kind: 'line' }>;

/** The most lines that can be told apart. */
const MOST_SERIES = 6;

export function readLines(chart: LineChart, asked: Asked): LinePanel[] {
  const rows = rowsOf(chart, asked);
  if (rows.length === 0) return [];
  const all = readColumns(chart, asked, rows);
  const { things, by } = rankThings(chart, asked, thingsIn(chart, asked, rows));
  const forecasts = new Map(
    things.length === 1 ? chart.values.flat().map((key) => [key, forecastOf(asked, chart, key)]) : [],
  );
  // Panels with and without a forecast stand below each other: the same month is at the same place.
  const columns = withForecasts(all, [...forecasts.values()].flat(), asked.store);
  return chart.values.flatMap((one) => {
    const keys = (typeof one === 'string' ? [one] : one).filter((key) => rows.some(({ row }) => key in row));
    const [first] = keys;
    if (first === undefined) return [];
    const series = things.slice(0, Math.ceil(MOST_SERIES / keys.length)).flatMap(({ thing, its }) =>
      keys.map((key) => ({
        name: nameOf(thing, keys.length > 1 ? key : null),
        ...seriesOf(chart, asked, its, columns, key, forecasts.get(key)),
      })),
    );
    return [
      {
        kind: 'line' as const,
        ...headOf(asked, chart.rows, keys, groupOf(chart, asked, rows)),
        isStep: chart.step === true,
        columns: columns.map(({ column }) => column),
        series: [...series, ...comparedSeries(chart, asked, keys, columns)],
        cut: cutOf(asked, chart.rows, namesOf(asked, chart.rows, keys), {
          drawn: series.length,
          drawable: things.length * keys.length,
          by,
        }),
      },
    ];
  });
}

function rowsOf({ rows: path, only }: LineChart, asked: Asked): readonly Row[] {
  const rows = rowsAt(asked, path);
  if (only === undefined) return rows;
  const isIn = (texts: readonly string[], { row }: Row) => texts.includes(String(row[only.key]));
  return rows.filter((row) => ('isIn' in only ? isIn(only.isIn, row) : !isIn(only.isNotIn, row)));
}

function groupOf({ by, groupedBy }: LineChart, asked: Asked, rows: readonly Row[]): string {
  return groupedBy === undefined ? '' : groupWords(asked, { label: by ?? [], groupedBy }, rows);
}

function thingsIn(chart: LineChart, asked: Asked, rows: readonly Row[]) {
  const things = groupByThing(asked, chart.rows, chart, rows);
  const firsts = things.map(([first]) => first?.row ?? {});
  const names = distinctNames(asked, chart.rows, chart.by ?? [], firsts, chart.along);
  return things.map((its, index) => ({ thing: names[index] ?? '', its }));
}

type Things = ReturnType<typeof thingsIn>;

/**
 * Chooses the things with the highest points, if there are more than lines can be told apart. A sorted answer
 * keeps its order.
 */
function rankThings(chart: LineChart, asked: Asked, things: Things): { things: Things; by: string | null } {
  const [key = ''] = chart.values.flat();
  const sort = sortOf(asked, asked.described.list);
  if (sort !== null) return { things, by: sortWords(sort) };
  const keys = Math.max(...chart.values.map((one) => [one].flat().length));
  if (things.length * keys <= MOST_SERIES) return { things, by: null };
  const pointsOf = (its: readonly Row[]) =>
    its.flatMap((row) => valueAt(asked, chart.rows, row, key)?.value ?? []);
  return { things: byGreatest(things, ({ its }) => Math.max(...pointsOf(its))), by: wordsOf(key) };
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
  const startKey = `${chart.along}_start`;
  const read = new Map<string, ReadColumn & { readonly order: string }>();
  for (const { row } of rows) {
    const along = String(row[chart.along]);
    if (read.has(along)) continue;
    const start = row[startKey];
    const isMoment = along.length > 10 && /^\d{4}-\d\d-\d\dT/.test(along);
    const known = isMoment
      ? 'whole'
      : isOpen(asked, { row }, chart)
        ? 'incomplete'
        : knownOf(along, start, loaded);
    const column = isMoment
      ? { label: formatDay(along, asked.store), known, moment: Date.parse(along) }
      : new Period(along, known, asked.store);
    read.set(along, { along, column, order: typeof start === 'string' ? start : along });
  }
  return [...read.values()].sort(
    (one, other) => Number(one.order > other.order) - Number(one.order < other.order),
  );
}

/** A period as a column. Its name is made on demand: of thousands few are ever read. */
class Period implements Column {
  readonly known: Known;
  readonly #period: string;
  readonly #store: DrawnStore;

  constructor(period: string, known: Known, store: DrawnStore) {
    this.known = known;
    this.#period = period;
    this.#store = store;
  }

  get label(): string {
    return formatPeriod(this.#period, this.#store);
  }
}

/**
 * Adds the columns of forecasts, which begin after the last whole period. A period that is not over has two
 * columns, one for what is known and one for what is expected; a future period has one.
 */
function withForecasts(
  columns: readonly ReadColumn[],
  ahead: readonly Ahead[],
  store: DrawnStore,
): ReadColumn[] {
  const expected = new Set(ahead.map(({ period }) => period).sort());
  const forecast = (along: string): ReadColumn => ({ along, column: new Period(along, 'forecast', store) });
  const inRange = columns.flatMap((one) => {
    if (!expected.delete(one.along)) return [one];
    return one.column.known === 'after' ? [forecast(one.along)] : [one, forecast(one.along)];
  });
  return [...inRange, ...[...expected].map(forecast)];
}

function seriesOf(
  chart: LineChart,
  asked: Asked,
  rows: readonly Row[],
  columns: readonly ReadColumn[],
  key: string,
  ahead: readonly Ahead[] = [],
): Omit<Series, 'name'> {
  const rowByAlong = new Map(rows.map((row) => [String(row.row[chart.along]), row]));
  const aheadByAlong = new Map(ahead.map((one) => [one.period, one]));
  const bounds = columns.map(({ along, column }) =>
    column.known === 'forecast' ? (aheadByAlong.get(along) ?? null) : null,
  );
  const values = columns.map(({ along, column }, index) => {
    if (column.known === 'forecast') return bounds[index]?.value ?? null;
    const row = rowByAlong.get(along);
    return row === undefined
      ? null
      : asLoaded(valueAt(asked, chart.rows, row, key), column.known, wordsFor(asked.store));
  });
  return { values, bounds, isCompared: false };
}

interface Ahead {
  readonly period: string;
  readonly value: Value;
  readonly low: Value;
  readonly high: Value;
}

/** The forecast of a metric; empty if the answer has none. */
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

/** The values of the compared days by position: the first period against the first. */
function comparedSeries(
  chart: LineChart,
  asked: Asked,
  keys: readonly string[],
  drawn: readonly ReadColumn[],
): Series[] {
  const { compared, store } = asked;
  const [key] = keys;
  if (compared === undefined || chart.by !== undefined || key === undefined) return [];
  const before = { ...asked, ...compared };
  const rows = rowsAt(before, chart.rows);
  const places = new Map([...new Set(drawn.map(({ along }) => along))].map((along, place) => [along, place]));
  const columns = readColumns(chart, before, rows).slice(0, places.size);
  // A comparison without a single value is left out.
  if (columns.every(({ column }) => column.known === 'before')) return [];
  const { values } = seriesOf(chart, before, rows, columns, key, []);
  const [first, last] = [columns.at(0), columns.at(-1)];
  if (first === undefined || last === undefined) return [];
  const span = [first, last].map(({ along }) => formatPeriod(along, store)).join(' – ');
  const padded = drawn.map(({ along }) => {
    const value = values[places.get(along) ?? -1];
    if (value == null) return null;
    return { at: `compared.${value.at}`, value: value.value, text: value.text, short: value.short };
  });
  return [
    {
      name: `${nameOf('', keys.length > 1 ? key : null)} ${span}`.trim(),
      values: padded,
      bounds: padded.map(() => null),
      isCompared: true,
      periods: drawn.map(({ along }) => {
        const period = columns[places.get(along) ?? -1]?.along;
        return period === undefined ? '' : formatPeriod(period, store);
      }),
    },
  ];
}
