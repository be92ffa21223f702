import { type Chart, WHOLE } from '../../answers/chart.ts';
import { formatPeriod } from '../dates.ts';
import { wordsFor } from '../drawn-store.ts';
import type { BarPanel, Cut, Known } from '../figure.ts';
import { formatNumber } from '../number-format.ts';
import { cutOf, fieldAt, pageOf, type Row, rowsAt, unitAt, valueAt } from './answer-rows.ts';
import { type Asked, sortOf } from './asked-question.ts';
import { definitionsOf, groupWords, headOf, nameOf, namesOf } from './column-heads.ts';
import { distinctNames } from './group-by-thing.ts';
import { asLoaded, isOpen, knownOf, loadedDays } from './loaded-periods.ts';
import { rankRows } from './rank.ts';
import { silenceLines, stateOf } from './stops.ts';
import { TIMES_LABEL, timesOf } from './times.ts';

type BarsChart = Extract<Chart, { kind: 'bars' }>;
type FunnelChart = Extract<Chart, { kind: 'funnel' }>;

const IN_ORDER = 'In the order of';

/** Whether a sentence is about the order of bars; it is repeated for each panel. */
export function isAboutOrder(said: string): boolean {
  return said.startsWith(IN_ORDER);
}

/**
 * Ends the title of bars that another number chose: the longest is only the greatest of that part, and the
 * best category may not be drawn.
 */
function partSaid(by: string, cut: Cut | null, store: Asked['store']): string {
  const [drawn, of] = [cut?.drawn, cut?.of].map((count) => formatNumber(count ?? 0, undefined, store));
  return `, only the first${cut === null ? '' : ` ${drawn} of ${of}`} by ${by}`;
}

const MOST_GROUPS = 24;
const MOST_FUNNELS = 6;

/** The least count that fills the width of a bar: one complaint is no alarm. */
const LEAST_COUNTED = 30;

/** Units of values that are not counted one by one. */
const MEASURED = [
  ...[
    'money',
    'cents',
    'percent',
    'percentage points',
    '0 to 1',
    'ratio',
    'days',
    'hours',
    'hour',
    'minutes',
  ],
  ...['seconds', 'score', 'points', 'place', 'rank'],
];

/** The least end of the scale for counts; nothing for other values. */
function leastOf(asked: Asked, rows: string, keys: readonly string[]): { readonly least?: number } {
  const isCounted = keys.every((key) => {
    const unit = unitAt(asked, rows, key);
    return unit !== undefined && !MEASURED.includes(unit);
  });
  return isCounted ? { least: LEAST_COUNTED } : {};
}

export function readBars(chart: BarsChart, asked: Asked): BarPanel[] {
  const values = valuesOf(chart, asked);
  const { rows, by } = rankRows(asked, chart, rowsAt(asked, chart.rows), values.flat()[0] ?? '');
  const named = nameBars(chart, asked, rows);
  const of = groupWords(asked, chart, rows);
  const times = timesOf(asked, chart, rows);
  const panels = values
    .map((one) => [one].flat().filter((key) => rows.some(({ row }) => key in row)))
    .filter((keys) => keys.length > 0);
  const cut = cutOf(asked, chart.rows, namesOf(asked, chart.rows, panels.flat()) + of, {
    drawn: Math.min(rows.length, MOST_GROUPS),
    drawable: rows.length,
    by,
  });
  const isPart = isPartOf(asked, chart, cut);
  return panels.map((keys, place) => {
    const head = headOf(asked, chart.rows, keys, of);
    const other = (place > 0 || !isOrderOf(asked, chart, keys)) && rows.length > 1 ? by : null;
    return {
      kind: 'bars' as const,
      ...head,
      heading: head.heading + (other !== null && isPart ? partSaid(other, cut, asked.store) : ''),
      ...(chart.limits !== undefined && { limits: limitsOf(chart.limits, asked, chart.rows, keys[0] ?? '') }),
      ...leastOf(asked, chart.rows, keys),
      says: [
        ...head.says,
        ...(times.length > 0 ? [TIMES_LABEL] : []),
        ...silenceLines(chart, rows, isPart),
        ...(other !== null && !isPart ? [`${IN_ORDER} ${other}.`] : []),
      ],
      series: keys.map((key) => nameOf(asked, chart.rows, key)),
      groups: named.slice(0, MOST_GROUPS).map(({ row, label, known }, index) => ({
        label,
        ...stateOf(chart, asked, named[index]?.row),
        isIncomplete: known === 'incomplete' && !keys.every(isOfMature),
        times: times[index] ?? null,
        values: keys.map((key) =>
          asLoaded(valueAt(asked, chart.rows, row, key, chart.times), known, wordsFor(asked.store)),
        ),
      })),
      cut,
    };
  });
}

/** Whether the store has more rows than the picture: without room for them, or not in the answer. */
function isPartOf(asked: Asked, { rows }: BarsChart | FunnelChart, cut: Cut | null): boolean {
  return cut !== null || (rows === asked.described.list && pageOf(asked) !== null);
}

/** Whether the rows are ordered by the drawn value, and not by another number. */
function isOrderOf(asked: Asked, chart: BarsChart, [first]: readonly string[]): boolean {
  const sort = sortOf(asked, chart.rows);
  return sort === null || sort.sort_by === first;
}

function limitsOf(limits: readonly number[], asked: Asked, rows: string, key: string) {
  const unit = unitAt(asked, rows, key);
  return limits.map((value) => ({ value, text: formatNumber(value, unit, asked.store) }));
}

/** Whether a key counts only messages whose time is over, whatever else in the row still changes. */
function isOfMature(key: string): boolean {
  return key.startsWith('mature_');
}

function namesOfRows(
  { label, rows: path }: BarsChart | FunnelChart,
  asked: Asked,
  rows: readonly Row[],
): string[] {
  return distinctNames(
    asked,
    path,
    label,
    rows.map(({ row }) => row),
  );
}

/** Names bars of periods as lines do: with dates as the reader writes them, and whether they are over. */
function nameBars(chart: BarsChart, asked: Asked, rows: readonly Row[]) {
  const loaded = loadedDays(asked);
  const names = chart.rows === WHOLE ? ['All'] : namesOfRows(chart, asked, rows);
  const [part] = chart.label;
  return rows.map((row, index) => {
    const label = names[index] ?? '';
    const isOver: Known = isOpen(asked, row, chart) ? 'incomplete' : 'whole';
    if (chart.label.length !== 1 || typeof part !== 'string' || !(`${part}_start` in row.row))
      return { row, label, known: isOver };
    const period = String(row.row[part]);
    const known = knownOf(period, row.row[`${part}_start`], loaded);
    return {
      row,
      label: label.replace(period, () => formatPeriod(period, asked.store)),
      known: known === 'whole' ? isOver : known,
    };
  });
}

/** Puts the number by which the rows were sorted first: its bars are in their order. */
function valuesOf(chart: BarsChart, asked: Asked): BarsChart['values'] {
  const sorted = chart.sortedBy === undefined ? undefined : sortOf(asked, chart.rows)?.sort_by;
  const isNumber = sorted !== undefined && fieldAt(asked, chart.rows, sorted).unit !== undefined;
  return isNumber ? [sorted, ...chart.values.filter((one) => one !== sorted)] : chart.values;
}

/**
 * Reads funnels: the steps of one thing below each other. Several share a scale, so that ten messages are
 * shorter than a thousand.
 */
export function readFunnels(chart: FunnelChart, asked: Asked): BarPanel[] {
  const { rows, by } = rankRows(asked, chart, rowsAt(asked, chart.rows), chart.steps[0] ?? '');
  const steps = chart.steps.filter((key) => rows.some(({ row }) => key in row));
  if (steps.length < 2) return [];
  const names = namesOfRows(chart, asked, rows);
  const drawn = rows.slice(0, MOST_FUNNELS);
  const least = leastOf(asked, chart.rows, steps);
  const valuesOf = (row: Row) => steps.map((key) => valueAt(asked, chart.rows, row, key));
  const [first] = drawn;
  const nameOfStep = (key: string) => nameOf(asked, chart.rows, key);
  const heading = steps.map(nameOfStep).join(' → ');
  const cut = cutOf(asked, chart.rows, heading, { drawn: drawn.length, drawable: rows.length, by });
  const says = silenceLines(chart, rows, isPartOf(asked, chart, cut));
  const head = { says, definitions: definitionsOf(asked, chart.rows, steps) };
  if (first !== undefined && drawn.length === 1) {
    const isIncomplete = isOpen(asked, first, chart);
    const values = valuesOf(first);
    const groups = steps.map((key, index) => ({
      label: nameOfStep(key),
      isIncomplete,
      times: null,
      values: [values[index] ?? null],
    }));
    return [{ kind: 'bars', heading: names[0] || heading, ...head, ...least, series: [''], groups, cut }];
  }
  const groups = drawn.map((row, index) => ({
    label: names[index] ?? '',
    ...stateOf(chart, asked, row),
    isIncomplete: isOpen(asked, row, chart),
    times: null,
    values: valuesOf(row),
  }));
  return [{ kind: 'bars', heading, ...head, ...least, series: steps.map(nameOfStep), groups, cut }];
}
