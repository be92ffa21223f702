import { type Figure, type Panel, sayingText } from '../figure.ts';
import { drawBars, drawIntervals } from './draw-bars.ts';
import { drawCells, turnedOver } from './draw-cells.ts';
import { drawFlow } from './draw-flow.ts';
import { asideOf, drawLines } from './draw-lines.ts';
import type { Drawn, Frame, Spot } from './drawn.ts';
import { summaryOf } from './summary.ts';
import { escapeXml, tag, text, wrapText } from './svg.ts';

export interface DrawOptions {
  /** The width in pixels, at least 280. */
  readonly width: number;
  /** Unique among the pictures of a page. */
  readonly id?: string;
  /** The styles of a picture in its own file; a picture in a page uses the page's. */
  readonly styles?: string;
  /** False if the page around the picture already says title, store and range. */
  readonly hasHead?: boolean;
}

export interface Picture {
  readonly svg: string;
  readonly height: number;
  readonly spots: readonly Spot[];
}

const BETWEEN = 14;
/** Tables up to this width stand side by side. */
const SMALL = 240;

/** The picture of a figure: SVG without scripts and without styles of its own, unless it stands alone. */
export function drawFigure(
  figure: Figure,
  { width, id = 'chart', styles, hasHead = true }: DrawOptions,
): Picture {
  const pad = styles === undefined ? 0 : 16;
  const inner = width - 2 * pad;
  const parts: string[] = [];
  const spots: Spot[] = [];
  let y = pad;
  const lines = (content: string, className: string, size: number) => {
    for (const one of wrapText(content, inner, className === 'title' ? size * 1.08 : size)) {
      y += size + 5;
      parts.push(text(one, { x: 0, y, class: className }));
    }
  };
  if (hasHead) {
    lines(figure.title, 'title', 17);
    if (figure.subtitle.length > 0) lines(figure.subtitle.join(' · '), 'subtitle', 12);
    y += 14;
  }
  if (figure.panels.length === 0) lines(figure.words.say('picture.nothing'), 'why', 13);
  let rest = [...figure.panels];
  const aside = Math.max(
    0,
    ...rest.map((panel) => (panel.kind === 'line' ? asideOf(panel, inner, figure.words) : 0)),
  );
  while (rest.length > 0) {
    const beside = besideEachOther(rest, inner);
    rest = rest.slice(beside.length);
    const each = inner / beside.length;
    const drawn = beside.map((panel, index) => {
      const frame = { width: beside.length > 1 ? each - 16 : inner, words: figure.words, id, aside };
      const part = drawPanel(panel, frame);
      parts.push(
        tag(
          'g',
          { class: 'panel', 'data-kind': panel.kind, transform: `translate(${index * each} ${y})` },
          part.svg,
        ),
      );
      spots.push(...part.spots.map((spot) => ({ ...spot, x: spot.x + index * each + pad, y: spot.y + y })));
      return part.height;
    });
    y += Math.max(...drawn) + BETWEEN;
  }
  for (const note of figure.notes) lines(note, 'note', 11);
  const height = Math.ceil(y + pad + 6);
  const svg = tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'chart',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      ...(figure.words.language !== 'en' && { lang: figure.words.language }),
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-desc`,
    },
    tag('title', { id: `${id}-title` }, escapeXml([figure.title, ...figure.subtitle].join(', '))),
    tag('desc', { id: `${id}-desc` }, escapeXml(summaryOf(figure))),
    styles === undefined ? '' : tag('style', {}, styles),
    tag('defs', {}, hatches(id)),
    styles === undefined ? '' : tag('rect', { class: 'paper', width, height }),
    pad === 0 ? parts.join('') : tag('g', { transform: `translate(${pad} 0)` }, ...parts),
  );
  return { svg, height, spots };
}

function drawPanel(panel: Panel, frame: Frame): Drawn {
  const { width } = frame;
  // The title is bold, and therefore wider.
  const heading = wrapText(panel.heading, width, 14);
  const says = panel.says.flatMap((one) =>
    wrapText(sayingText(one), width, 11).map((line) => ({ line, isEnglish: typeof one !== 'string' })),
  );
  const under = heading.length * 17;
  const down = under + says.length * 15 + 6;
  const inside = drawInside(panel, frame);
  return {
    svg:
      heading.map((one, index) => text(one, { x: 0, y: 13 + index * 17, class: 'heading' })).join('') +
      says
        .map(({ line, isEnglish }, index) =>
          text(line, {
            x: 0,
            y: under + 11 + index * 15,
            class: 'note',
            ...(isEnglish && { lang: 'en' }),
          }),
        )
        .join('') +
      tag('g', { transform: `translate(0 ${down})` }, inside.svg),
    height: inside.height + down,
    spots: inside.spots.map((spot) => ({ ...spot, y: spot.y + down })),
  };
}

function drawInside(panel: Panel, frame: Frame): Drawn {
  switch (panel.kind) {
    case 'line':
      return drawLines(panel, frame);
    case 'bars':
      return drawBars(panel, frame);
    case 'cells':
      return drawCells(turnedOver(panel, frame.width), frame);
    case 'flow':
      return drawFlow(panel, frame);
    case 'interval':
      return drawIntervals(panel, frame);
  }
}

/** The first panel, and those after it that fit next to it. */
function besideEachOther(panels: readonly Panel[], width: number): readonly Panel[] {
  const isSmall = (panel: Panel) =>
    panel.kind === 'cells' &&
    panel.columns.length <= 6 &&
    panel.rows.length <= 6 &&
    // Sentences need the whole width.
    panel.says.length === 0;
  const small = panels.findIndex((panel) => !isSmall(panel));
  const count = Math.min(small === -1 ? panels.length : small, Math.floor(width / SMALL));
  return panels.slice(0, Math.max(1, count));
}

/** The patterns for values that are not complete: visible without colours, on light ground and on bars. */
function hatches(id: string): string {
  return ['hatch', 'hatch-lit']
    .map((name) =>
      tag(
        'pattern',
        {
          id: `${id}-${name}`,
          width: 6,
          height: 6,
          patternUnits: 'userSpaceOnUse',
          patternTransform: 'rotate(45)',
        },
        tag('line', { class: name, x1: 0, x2: 0, y1: 0, y2: 6 }),
      ),
    )
    .join('');
}
