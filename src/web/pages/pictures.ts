import { html, raw } from 'hono/html';
import { drawFigure } from '../../charts/draw/draw-figure.ts';
import type { Figure } from '../../charts/figure.ts';
import type { Pieces } from '../../main-thread/pieces.ts';
import { atOnce } from '../../main-thread/turns.ts';
import type { Html } from './views.ts';

/**
 * Widths in pixels. The letters of a scaled picture would be too small, so each width has its own picture.
 */
const NARROW = { className: 'on-narrow', width: 280 };
const WIDTHS = {
  wide: [{ className: 'on-wide', width: 620 }, NARROW],
  widest: [
    { className: 'on-widest', width: 1060 },
    { className: 'on-wide on-wide-only', width: 620 },
    { className: 'on-medium', width: 440 },
    NARROW,
  ],
} as const;

/**
 * A figure for every screen, drawn on the server: the page has no script. It is made of escaped texts.
 *
 * @param name unique on the page
 * @param upTo how wide the page becomes
 */
export function* picturesInPieces(figure: Figure, name: string, upTo: keyof typeof WIDTHS): Pieces<Html> {
  const drawn: Html[] = [];
  for (const { className, width } of WIDTHS[upTo]) {
    const { svg } = drawFigure(figure, { width, id: `${name}-${width}`, hasHead: false });
    drawn.push(html`<div class="${className}">${raw(svg)}</div>`);
    yield;
  }
  return html`${drawn}`;
}

/** The same in one piece. */
export function pictures(...figure: Parameters<typeof picturesInPieces>): Html {
  return atOnce(picturesInPieces(...figure));
}
