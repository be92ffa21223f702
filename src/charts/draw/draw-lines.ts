import { stateAfter } from '../field-words.ts';
import type { FigureWords, Known, LinePanel, Series, Value } from '../figure.ts';
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
  wholeAfter,
} from './drawn.ts';
import { cutText, escapeXml, round, tag, text, textWidth } from './svg.ts';

const PLOT_HEIGHT = 150;
/** The room for “0” before the first value. */
const LEFT = 14;
const RIGHT = 6;
/**
 * If all values lie above this part of the largest, zero is not drawn: otherwise nobody would see how they
 * differ.
 */
const FAR_FROM_ZERO = 0.75;
/** Lines with more values have no dots, since these would touch. */
const MOST_DOTS = 400;

export function drawLines(
  panel: LinePanel,
  { width, words, id, aside = asideOf(panel, width, words) }: Frame,
): Drawn {
  const { series } = panel;
  const ends = endsOf(panel, width, words);
  const values = ends.filter(({ isBound }) => !isBound);
  const isNamed = series.length > 1 || series[0]?.name !== '';
  // Names at the ends of lines are not repeated in the legend.
  const isNamedAtEnds = values.length === series.length && values.every(({ name }) => name !== '');
  const legend =
    isNamed && !isNamedAtEnds
      ? drawLegend(
          series.map(({ name, isCompared }, index) => ({
            name: name || panel.heading,
            colour: isCompared ? 'compared' : colourOf(index),
          })),
          width,
        )
      : { svg: '', height: 0 };
  const top = legend.height + 18;
  const height = Math.max(PLOT_HEIGHT, (ends.length - 1) * END_HEIGHT);
  const bottom = top + height;
  const numbers = series.flatMap((one) => [
    ...one.values.flatMap((value) => value?.value ?? []),
    ...one.bounds.flatMap((bound) => (bound === null ? [] : [bound.low.value ?? 0, bound.high.value ?? 0])),
  ]);
  if (numbers.length === 0) return drawNothing(panel, legend.svg, top, words);
  const scale = scaleOf([...numbers, floorOf(numbers)], bottom, top, false);
  // The lowest value is written below its line.
  const under = bottom + (scale.from < 0 ? 12 : 0);
  const plotWidth = width - aside;
  const places = placesOf(panel, plotWidth);
  const isDotted = numbers.length <= MOST_DOTS;
  const svg = [
    legend.svg,
    drawBands(panel, places, { top, height, id }),
    drawValueAxis(series, scale, plotWidth, words),
    ...series.map((one, index) => drawSeries(panel, one, index, { places, scale, isDotted })),
    drawGaps(panel, places, top + height / 2),
    drawLastValue(panel, { places, scale }, plotWidth, ends),
    drawEnds(ends, { places, scale }, { top, bottom, plotWidth }),
    drawTimeAxis(panel, places, under, width),
  ];
  return {
    svg: tag('g', { 'data-scale': scale.attribute }, ...svg),
    height: under + 24,
    spots: spotsOf(panel, places, { top, height }, words),
  };
}

/** What is written at the right end of a line. */
interface End {
  readonly name: string;
  readonly value: Value;
  /** A remark about the number: “ so far”. */
  readonly after: string;
  readonly column: number;
  readonly colour: string;
  readonly width: number;
  /** It is an end of a forecast's interval, and no value. */
  readonly isBound?: true;
}

/** The height of one of several names below each other. */
const END_HEIGHT = 14;
/** Narrower pictures have no room for names at the ends. */
const NARROW = 480;
const LEAD = 14;
/** The remark that keeps the number of an unfinished period from being read as that of a whole one. */
function afterOf(known: Known | undefined, { say }: FigureWords): string {
  if (known === 'incomplete') return ` ${say('picture.so-far')}`;
  return known === 'forecast' ? ` ${say('picture.expected')}` : '';
}

/** The width of what is written at the ends of the lines. */
export function asideOf(panel: LinePanel, width: number, words: FigureWords): number {
  return Math.max(0, ...endsOf(panel, width, words).map((end) => end.width));
}

/**
 * The last numbers of the lines. Each of several lines has its name, and its period if the lines end in
 * different periods or a forecast follows. A single line has its last number only if that is not of a whole
 * period.
 */
function endsOf({ series, columns }: LinePanel, width: number, words: FigureWords): End[] {
  const own = series.filter(({ isCompared }) => !isCompared);
  const isAhead = columns.at(-1)?.known === 'forecast';
  if (width < NARROW || columns.length < 2 || columns[0]?.moment !== undefined) return [];
  const isOpen = ['incomplete', 'forecast'];
  const lasts = own.map(({ values }) => values.findLastIndex((value) => value?.value != null));
  const isSaid = isAhead || new Set(lasts).size > 1;
  return own.flatMap((one, index) => {
    const column = lasts[index] ?? -1;
    const value = one.values[column];
    // A single line that ends before others' forecasts has its last number where it ends.
    if (value == null || (own.length < 2 && !isOpen.includes(columns[column]?.known ?? 'whole'))) return [];
    const name = own.length < 2 ? '' : cutText(one.name, width * 0.3);
    const after = afterOf(columns[column]?.known, words) + (isSaid ? ` (${columns[column]?.label})` : '');
    const needed = textWidth(`${name} ${value.short}${after}`) + LEAD + 6;
    const colour = colourOf(series.indexOf(one));
    return [
      { name, value, after, column, colour, width: needed },
      ...boundsAt(one, column).map((bound) => ({ ...bound, column, colour })),
    ];
  });
}

/** How far up and down a forecast may be wrong, in numbers. */
function boundsAt(
  { bounds }: Series,
  column: number,
): Pick<End, 'name' | 'value' | 'after' | 'width' | 'isBound'>[] {
  const bound = bounds[column];
  if (bound == null) return [];
  return [
    { name: 'likely at most', value: bound.high },
    { name: 'likely at least', value: bound.low },
  ].map(({ name, value }) => ({
    name,
    value,
    after: '',
    width: textWidth(`${name} ${value.short}`) + LEAD + 6,
    isBound: true as const,
  }));
}

/** Draws the ends of lines below each other if they would lie close together, each joined to its line. */
function drawEnds(
  ends: readonly End[],
  { places, scale }: Pick<Plot, 'places' | 'scale'>,
  { top, bottom, plotWidth }: { readonly top: number; readonly bottom: number; readonly plotWidth: number },
): string {
  const placed = ends
    .map((end) => ({ ...end, at: scale.pixel(end.value.value ?? 0) }))
    .sort((one, other) => one.at - other.at);
  let next = top;
  const down = placed.map(({ at }) => {
    const y = Math.max(at, next);
    next = y + END_HEIGHT;
    return y;
  });
  let last = bottom;
  const ys = down.reverse().map((y) => {
    const free = Math.min(y, last);
    last = free - END_HEIGHT;
    return free;
  });
  ys.reverse();
  return placed
    .map(({ name, value, after, column, colour, at }, index) => {
      const y = ys[index] ?? at;
      const from = (places[column]?.x ?? plotWidth) + 4;
      return (
        tag('path', {
          class: `lead ${colour}`,
          d: `M${round(from)} ${round(at)}H${round(plotWidth)}L${round(plotWidth + LEAD - 3)} ${round(y)}`,
        }) +
        text(
          name === '' ? '' : `${name} `,
          { x: plotWidth + LEAD, y: y + 4, class: `end ${colour}` },
          undefined,
          tag('tspan', { 'data-label': value.at }, escapeXml(value.short)) + after,
        )
      );
    })
    .join('');
}

/** The value at which the axis begins. */
function floorOf(numbers: readonly number[]): number {
  const [least, most] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  if (least <= most * FAR_FROM_ZERO || least === most) return 0;
  // Leaves room for the label of the lowest value, and keeps small differences small.
  return most - Math.max(1.15 * (most - least), 0.04 * most);
}

interface Place {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** The room for the date behind the last moment. */
const MOMENT = 96;

/** Periods are equally wide; moments stand at their place in time. */
function placesOf({ columns }: LinePanel, width: number): Place[] {
  const inner = width - LEFT - RIGHT;
  const [first, last] = [columns[0]?.moment, columns.at(-1)?.moment];
  if (first === undefined || last === undefined || last === first) {
    const step = inner / columns.length;
    return columns.map((_, index) => ({
      x: LEFT + (index + 0.5) * step,
      from: LEFT + index * step,
      to: LEFT + (index + 1) * step,
    }));
  }
  const rest = inner - Math.min(MOMENT, inner / 2);
  const xs = columns.map(({ moment = first }) => LEFT + ((moment - first) / (last - first)) * rest);
  return xs.map((x, index) => ({ x, from: x, to: xs[index + 1] ?? width - RIGHT }));
}

interface Band {
  readonly top: number;
  readonly height: number;
}

function drawBands(
  { columns }: LinePanel,
  places: readonly Place[],
  { top, height, id }: Band & Pick<Frame, 'id'>,
): string {
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
        height,
      });
    })
    .join('');
}

/** Marks the highest and the lowest value, and zero: only numbers of the answer, so the axis invents none. */
function drawValueAxis(series: readonly Series[], scale: Scale, width: number, words: FigureWords): string {
  const values = series
    .flatMap((one) => [
      ...one.values,
      ...one.bounds.flatMap((bound) => (bound === null ? [] : [bound.low, bound.high])),
    ])
    .filter((value) => value?.value != null);
  const isFar = scale.from > 0;
  const lowest = values.reduce((least, value) => Math.min(least, value?.value ?? 0), scale.to);
  const edges = isFar ? [lowest, scale.to] : [...new Set([scale.from, 0, scale.to])];
  return edges
    .map((edge) => {
      const y = round(scale.pixel(edge));
      if (edge === 0) {
        return (
          tag('line', { class: 'zero', x1: LEFT - 4, x2: width, y1: y, y2: y }) +
          text('0', { x: 0, y: y + 4, class: 'axis' })
        );
      }
      const value = values.find((one) => one?.value === edge);
      const isTop = edge === scale.to;
      const isBound = series.every(({ values }) => values.every((one) => one?.value !== edge));
      const said =
        isFar && !isTop
          ? words.say('picture.axis-from')
          : isBound
            ? `${isTop ? 'upper' : 'lower'} end of the forecast`
            : '';
      const whole = value?.doubt ? wholeAfter(value, words) : { svg: '', width: 0 };
      const below = isTop ? y - 5 : y + 12;
      return (
        tag('line', { class: 'guide', x1: 0, x2: width, y1: y, y2: y }) +
        (value == null
          ? ''
          : tag(
              'g',
              { 'data-label': value.at },
              text(value.short, { x: 0, y: below, class: 'axis' }, undefined, whole.svg),
            ) +
            (said &&
              text(said, {
                x: textWidth(value.short, 11) + whole.width + 10,
                y: below,
                class: 'axis',
              })))
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
                    class: `dot ${colour}${point.value.doubt ? ' hollow' : ''}`,
                    cx: round(point.x),
                    cy: round(point.y),
                    r: points.length > 60 ? 1.5 : 3,
                    ...markOf(point.value),
                  },
                  titleOf(
                    `${series.periods?.[point.column] ?? `${name}, ${panel.columns[point.column]?.label}`}: ${point.value.text}`,
                  ),
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

/** A line breaks where a value is missing. */
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
        titleOf(`4 of 5 times between ${low.text} and ${high.text}`),
      ),
    )
    .join('');
}

/** Writes why a line breaks, where there is room for the words. */
function drawGaps({ series, columns }: LinePanel, places: readonly Place[], y: number): string {
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
      texts.push(text(shown, { x: (start.from + end.to) / 2, y, class: 'why', anchor: 'middle' }));
  });
  return texts.join('');
}

function reasonAt({ values }: Series, index: number): string | null {
  const value = values[index];
  return value !== undefined && value !== null && value.value === null ? value.text : null;
}

/** Labels the newest value of a complete period, if the picture has one line and the label covers nothing. */
function drawLastValue(
  { series, columns }: LinePanel,
  { places, scale }: Pick<Plot, 'places' | 'scale'>,
  width: number,
  ends: readonly End[],
): string {
  const [only] = series;
  if (only === undefined || series.filter(({ isCompared }) => !isCompared).length > 1) return '';
  const column = columns.findLastIndex(
    ({ known }, index) => known === 'whole' && only.values[index]?.value != null,
  );
  const [value, place] = [only.values[column], places[column]];
  if (value?.value == null || place === undefined) return '';
  if (value.value === scale.to || value.value === scale.from) return '';
  // The number says which period it is of, if one of an unfinished period or of a forecast stands near it.
  const when = ends.length > 0 ? ` (${columns[column]?.label})` : '';
  const half = textWidth(value.short + when) / 2;
  const point = scale.pixel(value.value);
  // The label goes above or below the value, else a little to the side; next to thousands of points there is
  // no room either.
  for (const aside of places.length > MOST_DOTS ? [0] : [0, -half, half]) {
    const x = Math.min(Math.max(place.x + aside, half), width - half);
    const drawn = series.flatMap((one) => heightsWithin(one, { places, scale }, x - half - 4, x + half + 4));
    const y = [point - 9, point + 18].find((base) =>
      drawn.every(([highest, lowest]) => lowest < base - 11 || highest > base + 3),
    );
    if (y !== undefined) {
      const shown = text(value.short + when, { x, y, class: 'value', anchor: 'middle' });
      return tag('g', { 'data-label': value.at }, shown);
    }
  }
  return '';
}

/**
 * The heights between which each piece of a line runs from one place to the next, and those of each interval.
 */
function heightsWithin(
  { values, bounds }: Series,
  { places, scale }: Pick<Plot, 'places' | 'scale'>,
  from: number,
  to: number,
): [number, number][] {
  const points = places.flatMap(({ x }, index) => {
    const value = values[index]?.value;
    return value == null ? [] : [{ x, y: scale.pixel(value) }];
  });
  const lines = points.flatMap((point, index) => {
    const next = points[index + 1];
    if (next === undefined || next.x < from || point.x > to) return [];
    const at = (x: number) => point.y + ((x - point.x) / (next.x - point.x)) * (next.y - point.y);
    return [[at(Math.max(from, point.x)), at(Math.min(to, next.x))]];
  });
  const intervals = places.flatMap(({ x }, index) => {
    const { low, high } = bounds[index] ?? {};
    if (low?.value == null || high?.value == null || x < from || x > to) return [];
    return [[scale.pixel(low.value), scale.pixel(high.value)]];
  });
  return [...lines, ...intervals].map((ends) => [Math.min(...ends), Math.max(...ends)]);
}

/** Draws the labels that fit, from the first on, and always the last one, which says where the line ends. */
function drawTimeAxis(
  { columns }: LinePanel,
  places: readonly Place[],
  bottom: number,
  width: number,
): string {
  let end = -10;
  // A label is measured only if one as narrow as those before would fit: of thousands few do.
  let narrowest = Number.POSITIVE_INFINITY;
  const spanAt = (index: number, label: string) => {
    const half = textWidth(label, 11) / 2;
    const x = Math.min(Math.max(places[index]?.x ?? 0, half), width - half);
    return { x, half, start: x - half };
  };
  const last = columns.length - 1;
  const [atFirst, atLast] = [0, last].map((index) => spanAt(index, columns[index]?.label ?? ''));
  // The line goes on behind the last moment.
  const isMoment = columns[0]?.moment !== undefined;
  const isLastSaid =
    atFirst !== undefined && atLast !== undefined && atLast.start > atFirst.x + atFirst.half + 10;
  const until = isLastSaid ? atLast.start - 10 : width;
  return columns
    .map((column, index) => {
      const place = places[index];
      if (place === undefined || (index > 0 && place.x - narrowest < end + 10)) return '';
      if (index < last && isLastSaid && place.x > until) return '';
      const { label } = column;
      const { x, half } = spanAt(index, label);
      narrowest = Math.min(narrowest, half);
      if (x - half < end + 10 || (index < last && x + half > until)) return '';
      end = x + half;
      const since = 'and since';
      const isRoom = isMoment && index === last && end + textWidth(since, 11) < width;
      return (
        text(label, { x, y: bottom + 15, class: 'axis', anchor: 'middle' }) +
        (isRoom ? text(since, { x: width, y: bottom + 15, class: 'axis', anchor: 'end' }) : '')
      );
    })
    .join('');
}

function drawNothing(panel: LinePanel, legend: string, top: number, { say }: FigureWords): Drawn {
  const why =
    panel.series.flatMap(({ values }) => values).find((value) => value !== null)?.text ??
    say('picture.no-values');
  return { svg: legend + text(why, { x: 0, y: top + 4, class: 'why' }), height: top + 16, spots: [] };
}

/** A spot of a column lists what all lines have there. */
function spotsOf(
  { columns, series, heading }: LinePanel,
  places: readonly Place[],
  { top, height }: Band,
  words: FigureWords,
): Spot[] {
  return columns.flatMap((column, index) => {
    const place = places[index];
    if (place === undefined) return [];
    const lines = () =>
      series.flatMap(({ name, values, bounds, periods }) => {
        const [value, bound] = [values[index], bounds[index]];
        if (value === null || value === undefined) return [];
        const interval = bound ? ` (4 of 5 times ${bound.low.text} – ${bound.high.text})` : '';
        return [`${periods?.[index] ?? (name || heading)}: ${value.text}${interval}`];
      });
    return [
      {
        x: place.from,
        y: top,
        width: place.to - place.from,
        height,
        lines: () => [`${column.label}${stateAfter(column.known, words)}`, ...lines()],
      },
    ];
  });
}
