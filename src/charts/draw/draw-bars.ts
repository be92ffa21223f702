import { isBeyond, scaledNumbers } from '../bar-scale.ts';
import { stateAfter } from '../field-words.ts';
import {
  type BarPanel,
  type FigureWords,
  type IntervalPanel,
  labelWithState,
  type Value,
} from '../figure.ts';
import { drawLegend } from './draw-legend.ts';
import {
  colourOf,
  type Drawn,
  type Frame,
  markOf,
  type Scale,
  type Spot,
  scaleOf,
  timesAfter,
  titleOf,
  wholeAfter,
} from './drawn.ts';
import { escapeXml, round, tag, text, textWidth } from './svg.ts';

const BAR = 14;
/** Narrower pictures have labels above their bars. */
const NARROW = 480;

export function drawBars(panel: BarPanel, { width, words, id }: Frame): Drawn {
  const { groups, series, limits = [] } = panel;
  const legend =
    series.length > 1
      ? drawLegend(
          series.map((name) => ({ name })),
          width,
          'bar',
        )
      : { svg: '', height: 0 };
  const isNarrow = width < NARROW;
  const longest = Math.max(0, ...groups.map((group) => textWidth(group.label) + afterLabel(group).width));
  const gutter = isNarrow ? 0 : Math.min(longest + 10, width * 0.38);
  const scale = scaleOfBars(panel, { from: gutter, width, isNarrow, words });
  const zero = scale.pixel(0);
  const spots: Spot[] = [];
  let y = legend.height + 4;
  const parts = groups.map((group) => {
    const { label, isIncomplete, values } = group;
    const after = afterLabel(group);
    const top = y;
    if (isNarrow) y += 15;
    const bars = values.map((value, index) => {
      const at = y;
      y += BAR + 3;
      if (value === null) return '';
      if (value.value === null)
        return text(value.text, { x: zero + 5, y: at + BAR / 2 + 4, class: 'why' }, width - zero - 5);
      const isCut = isBeyond(value, [scale.from, scale.to]);
      const ends = [zero, scale.pixel(Math.min(scale.to, Math.max(scale.from, value.value)))] as const;
      const hatch = isIncomplete ? `url(#${id}-hatch-lit)` : null;
      return drawBar(value, { label, ends, isCut, at, colour: colourOf(index), hatch, isNarrow, words });
    });
    y += 5;
    spots.push({
      x: 0,
      y: top,
      width,
      height: y - top,
      lines: () => [
        `${labelWithState(group)}${isIncomplete ? stateAfter('incomplete', words) : ''}`,
        ...values.flatMap((value, index) =>
          value === null ? [] : [`${series[index] || panel.heading}: ${value.text}`],
        ),
      ],
    });
    return (
      text(
        label,
        {
          x: isNarrow ? 0 : gutter - 8,
          y: isNarrow ? top + 11 : top + (y - 8 - top) / 2 + 4,
          class: 'label',
          anchor: isNarrow ? 'start' : 'end',
        },
        (isNarrow ? width : gutter - 8) - after.width,
        after.svg,
      ) + bars.join('')
    );
  });
  // On a narrow picture the axis would lie on the labels.
  const axis =
    zero === 0
      ? ''
      : tag('line', { class: 'zero', x1: round(zero), x2: round(zero), y1: legend.height, y2: y });
  return {
    svg: tag(
      'g',
      { 'data-scale': scale.attribute },
      legend.svg,
      drawLimits(limits, scale, { top: legend.height, bottom: y }),
      ...parts,
      axis,
    ),
    height: y + (limits.length > 0 ? 18 : 4),
    spots,
  };
}

/** What follows a name and gets its room first: the number of its days, and that it stopped. */
function afterLabel({ times, state }: BarPanel['groups'][number]) {
  const after = timesAfter(times);
  if (state === undefined) return after;
  const said = ` (${state})`;
  return {
    svg: after.svg + tag('tspan', { class: 'state' }, escapeXml(said)),
    width: after.width + textWidth(said),
  };
}

/** The scale of all bars, with room for the numbers at their tips. */
function scaleOfBars(
  panel: BarPanel,
  { from, width, isNarrow, words }: Pick<Frame, 'width' | 'words'> & { from: number; isNarrow: boolean },
): Scale {
  const values = panel.groups.flatMap((group) => group.values);
  const numbers = values.flatMap((value) => value?.value ?? []);
  const widestOf = (isNegative: boolean) =>
    Math.max(
      0,
      ...values
        .filter((value) => (value?.value ?? 0) < 0 === isNegative)
        .map((value) =>
          value === null ? 8 : textWidth(value.short) + wholeAfter(value, words, isNarrow).width + 8,
        ),
    );
  const hasNegative = numbers.some((number) => number < 0);
  const start = from + (hasNegative ? widestOf(true) : 0);
  const end = Math.max(start + 40, width - Math.min(widestOf(false), width * 0.5));
  const scaled = scaledNumbers(panel);
  return scaleOf(scaled.length === 0 ? [1] : scaled, start, end);
}

/** Draws the limits, and below the bars what they mean. */
function drawLimits(
  limits: NonNullable<BarPanel['limits']>,
  scale: Scale,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): string {
  return limits
    .map((limit) => {
      const x = round(scale.pixel(limit.value));
      return (
        tag('line', { class: 'guide', x1: x, x2: x, y1: top, y2: bottom }) +
        text(limit.text, { x, y: bottom + 12, class: 'axis', anchor: 'middle' })
      );
    })
    .join('');
}

interface BarPlace {
  readonly label: string;
  /** The positions of zero and of the value. */
  readonly ends: readonly [zero: number, tip: number];
  /** Whether the bar goes on beyond the scale. */
  readonly isCut: boolean;
  /** The upper edge of the bar. */
  readonly at: number;
  readonly colour: string;
  /** The pattern of a bar that is not complete yet; null for others. */
  readonly hatch: string | null;
  readonly isNarrow: boolean;
  readonly words: FigureWords;
}

/** Draws one bar with the number at its tip. */
function drawBar(
  value: Value,
  { label, ends: [zero, tip], isCut, at, colour, hatch, isNarrow, words }: BarPlace,
): string {
  const isLeft = (value.value ?? 0) < 0;
  const box = {
    x: round(Math.min(zero, tip)),
    y: round(at),
    width: round(Math.abs(tip - zero)),
    height: BAR,
  };
  const place = { x: tip + (isLeft ? -5 : 5), y: at + BAR / 2 + 4 };
  return (
    tag(
      'rect',
      {
        class: `bar ${colour}${value.doubt ? ' hollow' : ''}`,
        ...box,
        ...markOf(value),
        ...(isCut && { 'data-cut': 1 }),
      },
      titleOf(`${label}: ${value.text}`),
    ) +
    (isCut ? drawBreak(tip + (isLeft ? 12 : -12), at) : '') +
    (hatch === null ? '' : tag('rect', { ...box, fill: hatch })) +
    tag(
      'g',
      { 'data-label': value.at },
      text(
        value.short,
        { ...place, class: 'value', anchor: isLeft ? 'end' : 'start' },
        undefined,
        wholeAfter(value, words, isNarrow).svg,
      ),
    )
  );
}

/** Two slanted lines with paper between them show that the bar is longer than it is drawn. */
function drawBreak(x: number, at: number): string {
  const slanted = (from: number, look: string) =>
    tag('line', { class: look, x1: round(from - 3), x2: round(from + 3), y1: at + BAR + 3, y2: at - 3 });
  return slanted(x, 'hatch-lit') + slanted(x - 2, 'zero') + slanted(x + 2, 'zero');
}

/** Draws bounds as a line, the value as a dot on it, and the numbers above. */
export function drawIntervals(
  { groups, heading, reference }: IntervalPanel,
  { width, words, id }: Frame,
): Drawn {
  const known = groups.flatMap(({ value, low, high }) => [value.value ?? 0, low.value ?? 0, high.value ?? 0]);
  const scale = scaleOf(
    [...known, ...(reference === null ? [] : [reference])],
    8,
    width - 8,
    reference !== 1,
  );
  const spots: Spot[] = [];
  const parts = groups.map(({ isIncomplete, value, low, high, ...group }, index) => {
    const label = group.label + (isIncomplete ? stateAfter('incomplete', words) : '');
    const top = index * 42 + 4;
    const said = `${value.short} (${low.short} to ${high.short})`;
    const pixel = (one: Value) => round(scale.pixel(one.value ?? 0));
    const [from, at, to] = [pixel(low), pixel(value), pixel(high)];
    const y = top + 28;
    spots.push({
      x: 0,
      y: top,
      width,
      height: 40,
      lines: () => [label, `${heading}: ${value.text}`, `between ${low.text} and ${high.text}`],
    });
    const isSure = reference === null || (low.value ?? 0) > reference || (high.value ?? 0) < reference;
    const shade = isSure ? 'c0' : 'compared';
    return (
      text(label, { x: 0, y: top + 12, class: 'label' }, width - textWidth(said) - 12) +
      tag(
        'g',
        { 'data-label': value.at },
        text(said, { x: width, y: top + 12, class: 'value', anchor: 'end' }),
      ) +
      tag('line', {
        class: `bound ${shade}`,
        x1: from,
        x2: to,
        y1: y,
        y2: y,
        'data-low': low.at,
        'data-low-value': low.value,
        'data-high': high.at,
        'data-high-value': high.value,
      }) +
      (isIncomplete
        ? tag('rect', {
            x: from,
            y: y - 3,
            width: round(to - from),
            height: 6,
            fill: `url(#${id}-hatch-lit)`,
          })
        : '') +
      tag(
        'circle',
        { class: `dot ${shade}`, cx: at, cy: y, r: 5, ...markOf(value) },
        titleOf(`${label}: ${said}`),
      )
    );
  });
  const height = groups.length * 42 + 8;
  const line = reference === null ? 0 : round(scale.pixel(reference));
  const isUnsure = parts.some((part) => part.includes('dot compared'));
  const says = `${reference === 0 ? '0: no difference' : '1: as by chance'}${isUnsure ? '; grey may be chance' : ''}`;
  const half = textWidth(says, 11) / 2;
  return {
    svg: tag(
      'g',
      { 'data-scale': scale.attribute },
      reference === null
        ? ''
        : groups
            .map((_, index) =>
              tag('line', { class: 'zero', x1: line, x2: line, y1: index * 42 + 22, y2: index * 42 + 42 }),
            )
            .join('') +
            text(says, {
              x: Math.min(Math.max(line, half), width - half),
              y: height + 12,
              class: 'axis',
              anchor: 'middle',
            }),
      ...parts,
    ),
    height: height + (reference === null ? 0 : 18),
    spots,
  };
}
