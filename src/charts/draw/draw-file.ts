import type { Figure } from '../figure.ts';
import { CHART_STYLES, PAPER_STYLES } from '../styles.ts';
import { drawFigure, type Picture } from './draw-figure.ts';

/** A picture in its own file, with its styles. */
export function drawFile(figure: Figure, width: number): Picture {
  return drawFigure(figure, { width, styles: PAPER_STYLES + CHART_STYLES });
}
