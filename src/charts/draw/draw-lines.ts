import type { LinePanel, Series } from '../figure.ts';
import { drawLegend } from './draw-legend.ts';
import {
  colourOf,
  type Drawn,
  type Frame,
  markOf,
  type Scale,
  type Spot,
  scaleOf,
  titleOf,
} from './drawn.ts';
import { cutText, round, tag, text, textWidth } from './svg.ts';

const PLOT_HEIGHT = 150;
const PAD = 6;
/** Lines of more values have no dots: these would touch each other. */
const MOST_DOTS = 400;

export function drawLines(panel: LinePanel, { width, id }: Frame): Drawn {
  const { series } = panel;
  const isNamed = series.length > 1 || series[0]?.name !== '';
  const legend = isNamed
    ? drawLegend(
        series.map(({ name, isCompared }, index) => ({
          name: name || panel.heading,
          colour: isCompared ? 'compared' : colourOf(index),
        })),
        width,
      )
    : { svg: '', height: 0 };
  const top = legend.height + 18;
  const bottom = top + PLOT_HEIGHT;
  const numbers = series.flatMap((one) => [
    ...one.values.flatMap((value) => value?.value ?? []),
    ...one.bounds.flatMap((bound) => (bound === null ? [] : [bound.low.value ?? 0, bound.high.value ?? 0])),
  ]);
  if (numbers.length === 0) return drawNothing(panel, legend.svg, top);
  const scale = scaleOf(numbers, bottom, top);
  const places = placesOf(panel, width);
  const isDotted = numbers.length <= MOST_DOTS;
  const svg = [
    legend.svg,
    drawBands(panel, places, top, id),
    drawGuides(series, scale, width),
    ...series.map((one, index) => drawSeries(panel, one, index, { places, scale, isDotted })),
    drawGaps(panel, places, bottom),
    drawLastValue(panel, places, scale, width),
    drawColumnLabels(panel, places, bottom, width),
  ];
  return {
    svg: tag('g', { 'data-scale': scale.attribute }, ...svg),
    height: bottom + 24,
    spots: spotsOf(panel, places, top),
  };
}

interface Place {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** Periods are equally wide; moments lie where they lie in time. */
function placesOf({ columns }: LinePanel, width: number): Place[] {
  const inner = width - 2 * PAD;
  const [first, last] = [columns[0]?.moment, columns.at(-1)?.moment];
  if (first === undefined || last === undefined || last === first) {
    const step = inner / columns.length;
    return columns.map((_, index) => ({
      x: PAD + (index + 0.5) * step,
      from: PAD + index * step,
      to: PAD + (index + 1) * step,
    }));
  }
  // The last price goes on, so it gets some room.
  const end = PAD + inner * 0.92;
  const xs = columns.map(({ moment = first }) => PAD + ((moment - first) / (last - first)) * (end - PAD));
  return xs.map((x, index) => ({ x, from: x, to: xs[index + 1] ?? width - PAD }));
}

function drawBands({ columns }: LinePanel, places: readonly Place[], top: number, id: string): string {
  return columns
    .map(({ known }, index) => {
      const place = places[index];
      if (place === undefined || known === 'whole' || known === 'before') return '';
      return tag('rect', {
        class: known === 'forecast' ? 'ahead' : 'band',
        ...(known !== 'forecast' && { fill: `url(#${id}-hatch)` }),
        x: round(place.from),
        y: top,
        width: round(place.to - place.from),
        height: PLOT_HEIGHT,
      });
    })
    .join('');
}

/** The highest and the lowest value, and zero: numbers of the answer, so the axis invents none. */
function drawGuides(series: readonly Series[], scale: Scale, width: number): string {
  const values = series.flatMap((one) => [
    ...one.values,
    ...one.bounds.flatMap((bound) => (bound === null ? [] : [bound.low, bound.high])),
  ]);
  const textAt = (edge: number) => values.find((value) => value?.value === edge);
  const edges = [...new Set([scale.from, 0, scale.to])].filter(
    (edge) => edge >= scale.from && edge <= scale.to,
  );
  return edges
    .map((edge) => {
      const y = round(scale.pixel(edge));
      const value = textAt(edge);
      const label = edge === 0 ? '0' : value?.short;
      return (
        tag('line', { class: edge === 0 ? 'zero' : 'guide', x1: 0, x2: width, y1: y, y2: y }) +
        (label === undefined
          ? ''
          : tag(
              'g',
              edge === 0 || value == null ? {} : { 'data-label': value.at },
              text(label, { x: 0, y: y - 4, class: 'axis' }),
            ))
      );
    })
    .join('');
}

interface Plot {
  readonly places: readonly Place[];
  readonly scale: Scale;
  readonly isDotted: boolean;
}

function drawSeries(
  panel: LinePanel,
  series: Series,
  index: number,
  { places, scale, isDotted }: Plot,
): string {
  const colour = series.isCompared ? 'compared' : colourOf(index);
  const points = series.values.map((value, column) => {
    const place = places[column];
    return value?.value == null || place === undefined
      ? null
      : { x: place.x, to: place.to, y: scale.pixel(value.value), value, column };
  });
  const isOpen = (column: number) => !series.isCompared && panel.columns[column]?.known !== 'whole';
  const whole = pathOf(
    points.map((point) => (point && isOpen(point.column) ? null : point)),
    panel.isStep,
  );
  const open = points.flatMap((point, column) => {
    const before = points[column - 1];
    return point && before && isOpen(column) ? [pathOf([before, point], panel.isStep)] : [];
  });
  const name = series.name || panel.heading;
  return tag(
    'g',
    { class: 'series' },
    drawForecast(series, places, scale, colour),
    whole === ''
      ? ''
      : tag('path', { class: `line ${colour}`, d: whole, 'data-points': points.filter(Boolean).length }),
    open.length === 0 ? '' : tag('path', { class: `line open ${colour}`, d: open.join('') }),
    ...(isDotted || points.filter(Boolean).length === 1
      ? points.flatMap((point) =>
          point === null
            ? []
            : [
                tag(
                  'circle',
                  {
                    class: `dot ${colour}`,
                    cx: round(point.x),
                    cy: round(point.y),
                    r: points.length > 60 ? 1.5 : 3,
                    ...markOf(point.value),
                  },
                  titleOf(`${name}, ${panel.columns[point.column]?.label}: ${point.value.text}`),
                ),
              ],
        )
      : []),
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly to: number;
}

/** A line breaks where there is no value. */
function pathOf(points: readonly (Point | null)[], isStep: boolean): string {
  let isDrawing = false;
  let path = '';
  points.forEach((point, index) => {
    if (point === null) {
      isDrawing = false;
      return;
    }
    const [x, y] = [round(point.x), round(point.y)];
    if (isStep) path += `${isDrawing ? `V${y}` : `M${x} ${y}`}H${round(points[index + 1]?.x ?? point.to)}`;
    else path += `${isDrawing ? 'L' : 'M'}${x} ${y}`;
    isDrawing = true;
  });
  return path;
}

function drawForecast(series: Series, places: readonly Place[], scale: Scale, colour: string): string {
  const bounds = series.bounds.flatMap((bound, index) => {
    const place = places[index];
    if (bound?.low.value == null || bound.high.value == null || place === undefined) return [];
    return [
      {
        ...bound,
        x: round(place.x),
        low_y: round(scale.pixel(bound.low.value)),
        high_y: round(scale.pixel(bound.high.value)),
      },
    ];
  });
  return bounds
    .map(({ x, low, high, low_y, high_y }) =>
      tag(
        'line',
        {
          class: `bound ${colour}`,
          x1: x,
          x2: x,
          y1: low_y,
          y2: high_y,
          'data-low': low.at,
          'data-low-value': low.value,
          'data-high': high.at,
          'data-high-value': high.value,
        },
        titleOf(`80 % interval: ${low.text} – ${high.text}`),
      ),
    )
    .join('');
}

/** Says why a line breaks, where there is room for the words. */
function drawGaps({ series, columns }: LinePanel, places: readonly Place[], bottom: number): string {
  const [only] = series;
  if (only === undefined || series.filter(({ isCompared }) => !isCompared).length > 1) return '';
  let from = 0;
  const texts: string[] = [];
  columns.forEach((_, index) => {
    const why = reasonAt(only, index);
    if (reasonAt(only, index - 1) !== why) from = index;
    const [start, end] = [places[from], places[index]];
    if (why === null || reasonAt(only, index + 1) === why || start === undefined || end === undefined) return;
    const shown = cutText(why, end.to - start.from, 11);
    if (shown === why)
      texts.push(
        text(shown, { x: (start.from + end.to) / 2, y: bottom - 8, class: 'why', anchor: 'middle' }),
      );
  });
  return texts.join('');
}

function reasonAt({ values }: Series, index: number): string | null {
  const value = values[index];
  return value !== undefined && value !== null && value.value === null ? value.text : null;
}

/** Labels the newest value of a complete period, where the picture has one line. */
function drawLastValue(
  { series, columns }: LinePanel,
  places: readonly Place[],
  scale: Scale,
  width: number,
): string {
  const [only] = series;
  if (only === undefined || series.filter(({ isCompared }) => !isCompared).length > 1) return '';
  const column = columns.findLastIndex(
    ({ known }, index) => known === 'whole' && only.values[index]?.value != null,
  );
  const [value, place] = [only.values[column], places[column]];
  if (value?.value == null || place === undefined || value.value === scale.to) return '';
  const half = textWidth(value.short) / 2;
  const x = Math.min(Math.max(place.x, half), width - half);
  return tag(
    'g',
    { 'data-label': value.at },
    text(value.short, { x, y: scale.pixel(value.value) - 9, class: 'value', anchor: 'middle' }),
  );
}

/** As many labels as fit: the first one, and then every n-th one. */
function drawColumnLabels(
  { columns }: LinePanel,
  places: readonly Place[],
  bottom: number,
  width: number,
): string {
  let end = -10;
  return columns
    .map(({ label }, index) => {
      const place = places[index];
      if (place === undefined || place.x < end + 10) return '';
      const half = textWidth(label, 11) / 2;
      const x = Math.min(Math.max(place.x, half), width - half);
      if (x - half < end + 10) return '';
      end = x + half;
      return text(label, { x, y: bottom + 15, class: 'axis', anchor: 'middle' });
    })
    .join('');
}

function drawNothing(panel: LinePanel, legend: string, top: number): Drawn {
  const why =
    panel.series.flatMap(({ values }) => values).find((value) => value !== null)?.text ?? 'no values';
  return { svg: legend + text(why, { x: 0, y: top + 4, class: 'why' }), height: top + 16, spots: [] };
}

/** A column says what all lines have in it. */
function spotsOf({ columns, series, heading }: LinePanel, places: readonly Place[], top: number): Spot[] {
  return columns.flatMap((column, index) => {
    const place = places[index];
    if (place === undefined) return [];
    const lines = series.flatMap(({ name, values, bounds }) => {
      const [value, bound] = [values[index], bounds[index]];
      if (value === null || value === undefined) return [];
      const interval = bound ? ` (80 %: ${bound.low.text} – ${bound.high.text})` : '';
      return [`${name || heading}: ${value.text}${interval}`];
    });
    const state = {
      before: '',
      whole: '',
      incomplete: ' (not over yet)',
      after: '',
      forecast: ' (forecast)',
    }[column.known];
    return [
      {
        x: place.from,
        y: top,
        width: place.to - place.from,
        height: PLOT_HEIGHT,
        lines: [`${column.label}${state}`, ...lines],
      },
    ];
  });
}
