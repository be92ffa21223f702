import type { FlowPanel } from '../figure.ts';
import { colourOf, type Drawn, type Frame, markOf, type Spot, titleOf } from './drawn.ts';
import { round, tag, text, textWidth } from './svg.ts';

const GAP = 8;
const NODE = 8;

/** Draws a flow from left to right, each ribbon as wide as its number. */
export function drawFlow(panel: FlowPanel, { width }: Frame): Drawn {
  const { sources, targets, ribbons } = panel;
  const isSame = ({ source, target }: (typeof ribbons)[number]) => sources[source] === targets[target];
  const count = Math.max(sources.length, targets.length);
  const space = Math.max(240, count * 26);
  const total = ribbons.reduce((sum, { value }) => sum + (value.value ?? 0), 0);
  const unit = (space - (count - 1) * GAP - count * 4) / total;
  const labels = (names: readonly string[]) =>
    Math.min(Math.max(...names.map((name) => textWidth(name, 11))) + 8, width * 0.3);
  const [left, right] = [labels(sources) + NODE, width - labels(targets) - NODE];
  const top = 20;
  const starts = stack(
    sources.length,
    (index) => sum(ribbons.filter(({ source }) => source === index)),
    unit,
    top,
  );
  const ends = stack(
    targets.length,
    (index) => sum(ribbons.filter(({ target }) => target === index)),
    unit,
    top,
  );
  const used = { starts: starts.map(({ y }) => y), ends: ends.map(({ y }) => y) };
  const spots: Spot[] = [];
  const drawn = [...ribbons]
    .sort((one, two) => one.source - two.source || one.target - two.target)
    .map((ribbon) => {
      const { source, target, value } = ribbon;
      const thick = (value.value ?? 0) * unit;
      const [y0, y1] = [used.starts[source] ?? top, used.ends[target] ?? top];
      used.starts[source] = y0 + thick;
      used.ends[target] = y1 + thick;
      const middle = (left + right) / 2;
      const curve = (x0: number, from: number, x1: number, to: number) =>
        `${round(x0)} ${round(from)}C${round(middle)} ${round(from)} ${round(middle)} ${round(to)} ${round(x1)} ${round(to)}`;
      const said = `${sources[source]} → ${targets[target]}`;
      spots.push({
        x: left,
        y: y0,
        width: Math.min(90, right - left),
        height: Math.max(thick, 3),
        lines: () => [said, `${panel.heading}: ${value.text}`],
      });
      return (
        tag(
          'path',
          {
            class: `ribbon ${isSame(ribbon) ? 'compared' : colourOf(source % 6)}`,
            d: `M${curve(left, y0, right, y1)}L${curve(right, y1 + thick, left, y0 + thick)}Z`,
            'data-thick': round(thick),
            ...markOf(value),
          },
          titleOf(`${said}: ${value.text}`),
        ) +
        (thick >= 11
          ? tag(
              'g',
              { 'data-label': value.at },
              text(value.text, { x: left + 5, y: y0 + thick / 2 + 4, class: 'told on-light' }),
            )
          : '')
      );
    });
  const bottom = Math.max(...starts.map(({ end }) => end), ...ends.map(({ end }) => end));
  return {
    svg: tag(
      'g',
      { 'data-unit': unit },
      text(panel.from, { x: left, y: 11, class: 'axis', anchor: 'end' }),
      text(panel.to, { x: right, y: 11, class: 'axis' }),
      ...drawn,
      ...starts.map((place, index) => sourceOf(sources[index] ?? '', place, left)),
      ...ends.map((place, index) => targetOf(targets[index] ?? '', place, right, width)),
    ),
    height: bottom + 6,
    spots,
  };
}

interface Place {
  readonly y: number;
  readonly end: number;
}

function sourceOf(name: string, { y, end }: Place, left: number): string {
  const room = left - NODE - 4;
  return (
    nodeOf(left - NODE, y, end) +
    text(name, { x: room, y: (y + end) / 2 + 4, class: 'axis', anchor: 'end' }, room)
  );
}

function targetOf(name: string, { y, end }: Place, right: number, width: number): string {
  const x = right + NODE + 4;
  return nodeOf(right, y, end) + text(name, { x, y: (y + end) / 2 + 4, class: 'axis' }, width - x);
}

function sum(ribbons: FlowPanel['ribbons']): number {
  return ribbons.reduce((total, { value }) => total + (value.value ?? 0), 0);
}

/** Places ribbons one below the other; the smallest still has room for its name. */
function stack(count: number, sizeOf: (index: number) => number, unit: number, top: number): Place[] {
  let y = top;
  return Array.from({ length: count }, (_, index) => {
    const place = { y, end: y + Math.max(sizeOf(index) * unit, 4) };
    y = Math.max(place.end + GAP, place.y + 14);
    return place;
  });
}

function nodeOf(x: number, y: number, end: number): string {
  return tag('rect', { class: 'node', x: round(x), y: round(y), width: NODE, height: round(end - y) });
}
