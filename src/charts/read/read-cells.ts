import type { Chart } from '../../answers/chart.ts';
import { formatPeriod, weekdayName } from '../dates.ts';
import { labelOf } from '../field-words.ts';
import type { CellPanel, Value } from '../figure.ts';
import { cutOf, FEW, labelText, type Row, rowsAt, rowsIn, valueAt } from './answer-rows.ts';
import type { Asked } from './asked-question.ts';
import { definitionsOf, headOf, namesOf } from './column-heads.ts';
import { distinctNames } from './group-by-thing.ts';
import { TIMES_LABEL, timesOf } from './times.ts';

type Of<Kind extends Chart['kind']> = Extract<Chart, { kind: Kind }>;

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Reads a heat map, if each row is one weekday and hour. */
export function readHeat(chart: Of<'heat'>, asked: Asked): CellPanel[] {
  const rows = rowsAt(asked, chart.rows).filter(
    ({ row }) => typeof row[chart.down] === 'number' && typeof row[chart.across] === 'number',
  );
  const cells = cellsOf(rows, asked, chart, (row) => [
    WEEKDAYS.indexOf(Number(row[chart.down])),
    HOURS.indexOf(Number(row[chart.across])),
  ]);
  if (cells.length === 0) return [];
  const panel = panelOf(asked, chart.rows, chart.value, cells, ' by weekday and hour');
  const times = timesOfWeekdays(chart, asked, rows);
  return [
    {
      ...panel,
      says: times.length > 0 ? [...panel.says, TIMES_LABEL] : panel.says,
      down: 'Weekday',
      across: 'Hour',
      rows: WEEKDAYS.map((weekday) => weekdayName(weekday, asked.store)),
      times,
      columns: HOURS.map(String),
    },
  ];
}

/** The values of a weekday on which all of its hours agree. */
function timesOfWeekdays(chart: Of<'heat'>, asked: Asked, rows: readonly Row[]): (Value | null)[] {
  const times = timesOf(asked, chart, rows);
  if (times.length === 0) return [];
  return WEEKDAYS.map((weekday) => {
    const its = times.filter((_, index) => rows[index]?.row[chart.down] === weekday);
    return its.every((one) => one?.value === its[0]?.value) ? (its[0] ?? null) : null;
  });
}

export function readMatrix(chart: Of<'matrix' | 'flow'>, asked: Asked): CellPanel[] {
  const rows = rowsAt(asked, chart.rows);
  const [sources, targets] = endsOf(chart, asked, rows);
  const sourceOf = (row: Row['row']) => labelText(asked, chart.rows, [chart.from], row);
  const cells = cellsOf(
    rows,
    asked,
    chart,
    (row) => [sources.indexOf(sourceOf(row)), targets.indexOf(labelText(asked, chart.rows, [chart.to], row))],
    isOfFewOf(chart, rows, sourceOf),
  );
  if (cells.length === 0) return [];
  return [
    {
      ...panelOf(asked, chart.rows, chart.value, cells),
      down: labelOf(chart.from),
      across: labelOf(chart.to),
      rows: sources,
      columns: targets,
    },
  ];
}

/** Whether few go out from where a row begins. */
function isOfFewOf(
  { counts }: Of<'matrix' | 'flow'>,
  rows: readonly Row[],
  sourceOf: (row: Row['row']) => string,
): (row: Row) => boolean {
  if (counts === undefined) return () => false;
  const all = Map.groupBy(rows, ({ row }) => sourceOf(row));
  return ({ row }) =>
    (all.get(sourceOf(row)) ?? []).reduce((sum, one) => sum + Number(one.row[counts]), 0) < FEW;
}

/** Names in the order of the answer; a name at both ends has the same place at both. */
export function endsOf(
  { rows: path, from, to }: Of<'matrix' | 'flow'>,
  asked: Asked,
  rows: readonly Row[],
): readonly [string[], string[]] {
  const [sources, targets] = [from, to].map((key) => [
    ...new Set(rows.map(({ row }) => labelText(asked, path, [key], row))),
  ]) as [string[], string[]];
  const isSource = new Set(sources);
  const inOrder = sources.filter((name) => targets.includes(name));
  return [sources, [...inOrder, ...targets.filter((name) => !isSource.has(name))]];
}

/** Reads a small grid for each value of the third score, all coloured by one scale. */
export function readGrids(chart: Of<'grid'>, asked: Asked): CellPanel[] {
  const rows = rowsAt(asked, chart.rows);
  const scores = (key: string) =>
    [...new Set(rows.map(({ row }) => Number(row[key])))].sort((one, two) => one - two);
  const [down, across] = [scores(chart.down).reverse(), scores(chart.across)];
  const place = (row: Row['row']): [number, number] => [
    down.indexOf(Number(row[chart.down])),
    across.indexOf(Number(row[chart.across])),
  ];
  const most = Math.max(0, ...cellsOf(rows, asked, chart, place).map(({ value }) => value.value ?? 0));
  return scores(chart.each)
    .reverse()
    .map((score, index) => {
      const its = rows.filter(({ row }) => row[chart.each] === score);
      const panel = panelOf(asked, chart.rows, chart.value, cellsOf(its, asked, chart, place));
      return {
        ...panel,
        heading: `${panel.heading}, ${chart.each} score ${score}`,
        definitions: index === 0 ? panel.definitions : [],
        most,
        down: `${labelOf(chart.down)} score`,
        across: `${labelOf(chart.across)} score`,
        rows: down.map(String),
        columns: across.map(String),
      };
    });
}

export function readCohorts(chart: Of<'cohorts'>, asked: Asked): CellPanel[] {
  const path = `${chart.rows}.${chart.windows}`;
  const cohorts = rowsAt(asked, chart.rows);
  const windows = cohorts.flatMap(({ row, at }, index) =>
    rowsIn(row[chart.windows], `${at}${chart.windows}`).map((window) => ({ ...window, index })),
  );
  const columns = [...new Set(windows.map(({ row }) => Number(row[chart.across])))].sort(
    (one, two) => one - two,
  );
  const cells = windows.flatMap(({ index, ...window }) => {
    const value = valueAt(asked, path, window, chart.value);
    const column = columns.indexOf(Number(window.row[chart.across]));
    return value === null
      ? []
      : [{ row: index, column, value, isIncomplete: window.row[chart.complete] === false, isOfFew: false }];
  });
  if (cells.length === 0) return [];
  const names = distinctNames(
    asked,
    chart.rows,
    chart.label,
    cohorts.map(({ row }) => row),
  );
  const panel = panelOf(asked, path, chart.value, cells);
  return [
    {
      ...panel,
      definitions: [...panel.definitions, ...definitionsOf(asked, chart.rows, [chart.windows])],
      down: 'First order',
      across: asked.called?.[chart.windows]?.name ?? labelOf(chart.windows),
      rows: names.map((name) =>
        name.replace(/^[\d-]+(W\d\d)?/, (period) => formatPeriod(period, asked.store, 'numeric')),
      ),
      times: cohorts.map((row) => valueAt(asked, chart.rows, row, chart.size)),
      isOfPeople: true as const,
      columns: columns.map(String),
    },
  ];
}

type Cells = CellPanel['cells'];

function cellsOf(
  rows: readonly Row[],
  asked: Asked,
  chart: { readonly rows: string; readonly value: string; readonly times?: string },
  placeOf: (row: Row['row']) => [number, number],
  isOfFew: (row: Row) => boolean = () => false,
): Cells {
  return rows.flatMap((one) => {
    const value = valueAt(asked, chart.rows, one, chart.value, chart.times);
    const [row, column] = placeOf(one.row);
    return value === null || row < 0 || column < 0
      ? []
      : [{ row, column, value, isIncomplete: false, isOfFew: isOfFew(one) }];
  });
}

function panelOf(asked: Asked, rows: string, key: string, cells: Cells, of = '') {
  return {
    kind: 'cells' as const,
    ...headOf(asked, rows, [key], of),
    cut: cutOf(asked, rows, namesOf(asked, rows, [key]) + of, { drawn: rowsAt(asked, rows).length }),
    times: [],
    cells,
    most: cells.reduce((most, { value }) => Math.max(most, value.value ?? 0), 0),
  };
}
