import { colourOf, type Drawn } from './drawn.ts';
import { cutText, round, tag, text, textWidth } from './svg.ts';

/** Draws which colour stands for what, on one or more lines. */
export function drawLegend(
  entries: readonly { readonly name: string; readonly colour?: string }[],
  width: number,
  shape: 'line' | 'bar' = 'line',
): Drawn {
  let [x, y] = [0, 12];
  const parts = entries.map(({ name, colour }, index) => {
    const shown = cutText(name, Math.min(width - 24, 340));
    const needed = textWidth(shown) + 34;
    if (x > 0 && x + needed > width) [x, y] = [0, y + 18];
    const shade = colour ?? colourOf(index);
    const part =
      (shape === 'bar'
        ? tag('rect', { class: `bar ${shade}`, x: round(x + 2), y: y - 10, width: 12, height: 12 })
        : tag('line', { class: `line ${shade}`, x1: round(x), x2: round(x + 16), y1: y - 4, y2: y - 4 })) +
      (shade.endsWith('second')
        ? tag('circle', { class: `dot ${shade}`, cx: round(x + 8), cy: y - 4, r: 3 })
        : '') +
      text(shown, { x: x + 21, y, class: 'label' });
    x += needed;
    return part;
  });
  return { svg: parts.join(''), height: y + 8, spots: [] };
}
