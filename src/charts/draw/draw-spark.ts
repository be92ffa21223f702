import type { LinePanel } from '../figure.ts';
import { markOf, scaleOf } from './drawn.ts';
import { round, tag } from './svg.ts';

const [WIDTH, HEIGHT, EDGE] = [120, 32, 3];

/**
 * Draws the course of a number without axes: a line from zero up, broken where values are unknown. Incomplete
 * periods are left out, since their low ends would look like a fall. Screen readers skip it, and read the
 * picture that it leads to.
 *
 * @returns SVG; empty if fewer than two values are known
 */
export function drawSpark({ columns, series }: LinePanel): string {
  const own = series.find(({ isCompared }) => !isCompared);
  const values = (own?.values ?? []).map((value, index) =>
    columns[index]?.known === 'whole' && value?.value != null ? value : null,
  );
  const known = values.flatMap((value) => value?.value ?? []);
  if (known.length < 2) return '';
  const scale = scaleOf(known, HEIGHT - EDGE, EDGE);
  const step = (WIDTH - 2 * EDGE) / (values.length - 1);
  const path = values.map((value, index) => {
    if (value?.value == null) return '';
    const isAfter = values[index - 1] != null;
    // A value between two gaps is drawn as a dot.
    const end = isAfter || values[index + 1] != null ? '' : 'h0';
    return `${isAfter ? 'L' : 'M'}${round(EDGE + index * step)} ${round(scale.pixel(value.value))}${end}`;
  });
  const last = values.findLast((value) => value !== null);
  return tag(
    'svg',
    {
      class: 'chart spark',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
      focusable: 'false',
    },
    tag('path', {
      class: 'line c0',
      d: path.join(''),
      'data-points': known.length,
      ...(last ? markOf(last) : {}),
    }),
  );
}
