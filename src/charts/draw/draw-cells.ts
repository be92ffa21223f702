import { stateAfter } from '../field-words.ts';
import type { CellPanel, Value } from '../figure.ts';
import { type Drawn, type Frame, markOf, type Spot, timesAfter, timesText, titleOf } from './drawn.ts';
import { round, tag, text, textWidth } from './svg.ts';

const SHADES = 8;
const TEXT_SIZE = 10.5;
/** The most height for the names of columns, which are turned; longer ones are cut. */
const TURNED = 110;

/** Draws a heat map: the larger the value, the darker the cell. */
export function drawCells(panel: CellPanel, { width, words, id }: Frame): Drawn {
  const { rows, columns, cells, most, heading } = panel;
  const afters = rows.map((_, row) => timesAfter(panel.times[row], panel.isOfPeople));
  const widths = rows.map((label, row) => textWidth(label, 11) + (afters[row]?.width ?? 0));
  const gutter = Math.min(Math.max(...widths) + 8, width * 0.32);
  const longest = Math.max(...columns.map((label) => textWidth(label, 11)));
  const isTurned =
    longest > (width - gutter) / columns.length - 2 && columns.some((label) => label.length > 3);
  const cellBeside = (overhang: number) => Math.min(64, (width - gutter - overhang) / columns.length);
  const slanted = cellBeside(Math.min(longest, TURNED) * 0.65);
  // In small cells slanted names would overlap, so they are upright.
  const isUpright = isTurned && slanted < 16;
  const cell = isTurned && !isUpright ? slanted : cellBeside(0);
  const height = Math.max(20, Math.min(cell, 28));
  const top = 16 + (isTurned ? Math.min(longest, TURNED) * (isUpright ? 1 : 0.8) + 8 : 16);
  const every = isTurned
    ? 1
    : Math.ceil((Math.max(...columns.map((label) => textWidth(label, 11))) + 3) / cell);
  const fits = (told: (value: Value) => string) =>
    cells.every(({ value }) => value.value === null || textWidth(told(value), TEXT_SIZE) <= cell - 3);
  const told = [({ short }: Value) => short, ({ short, bare = short }: Value) => bare].find(fits);
  const isTold = told !== undefined;
  const spots: Spot[] = [];
  const drawn = [...cells]
    .sort((one, two) => one.row - two.row || one.column - two.column)
    .map(({ row, column, value, isIncomplete, isOfFew }) => {
      const box = {
        x: round(gutter + column * cell),
        y: round(top + row * height),
        width: round(cell - 1),
        height: height - 1,
      };
      const place = `${rows[row]}, ${panel.across.toLowerCase()} ${columns[column]}`;
      const shade = shadeOf(value.value, most);
      const look = shade === null ? 'none' : isOfFew ? 'hollow' : `q${shade}`;
      spots.push({
        ...box,
        lines: () => [
          `${place}${isIncomplete ? stateAfter('incomplete', words) : ''}`,
          `${heading}: ${value.text}`,
        ],
      });
      return (
        tag('rect', { class: `cell ${look}`, ...box, ...markOf(value) }, titleOf(`${place}: ${value.text}`)) +
        (isIncomplete ? tag('rect', { ...box, fill: `url(#${id}-hatch)` }) : '') +
        (isIncomplete ? '' : drawReason(value, box)) +
        (told !== undefined && value.value !== null && !(isIncomplete && value.value === 0)
          ? tag(
              'g',
              { 'data-label': value.at },
              text(told(value), {
                x: box.x + (cell - 1) / 2,
                y: box.y + height / 2 + 3,
                class: `told ${!isOfFew && (shade ?? 0) >= 5 ? 'on-dark' : 'on-light'}`,
                anchor: 'middle',
              }),
            )
          : '')
      );
    });
  const bottom = top + rows.length * height;
  const largest = cells.find(({ value }) => value.value === most)?.value;
  return {
    svg: tag(
      'g',
      { 'data-most': most },
      text(`${panel.down} ↓  ${panel.across} →`, { x: 0, y: 11, class: 'axis' }),
      ...rows.map((label, row) =>
        text(
          label,
          { x: gutter - 6, y: top + (row + 0.5) * height + 4, class: 'axis', anchor: 'end' },
          gutter - 6 - (afters[row]?.width ?? 0),
          afters[row]?.svg,
        ),
      ),
      ...columns.map((label, column) => {
        const place = { x: gutter + (column + 0.5) * cell, y: top - 5 };
        return column % every === 0 ? drawHead(label, place, isTurned, isUpright) : '';
      }),
      ...drawn,
      largest === undefined || isTold ? '' : shadesUpTo(largest, gutter, bottom),
    ),
    height: bottom + (isTold ? 6 : 24),
    spots,
  };
}

function drawHead(
  label: string,
  { x, y }: Readonly<Record<'x' | 'y', number>>,
  isTurned: boolean,
  isUpright: boolean,
): string {
  if (!isTurned) return text(label, { x, y, class: 'axis', anchor: 'middle' });
  const place = isUpright ? { x: x + 4, turned: -90 } : { x: x + 3, turned: -50 };
  return text(label, { ...place, y, class: 'axis' }, TURNED);
}

/**
 * Writes why a cell has no number, such as “hidden”, if there is room: a white cell alone looks like nothing.
 */
function drawReason({ value, short }: Value, { x, y, width, height }: Box): string {
  if (value !== null || textWidth(short, TEXT_SIZE) > width - 8) return '';
  return text(short, { x: x + width / 2, y: y + height / 2 + 4, class: 'why', anchor: 'middle' });
}

type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** Narrower pictures have no room for numbers in 24 columns. */
const NARROW = 400;

/**
 * Turns the grid so that hours go down and weekdays across: the other way round the cells would have no room
 * for their numbers.
 */
export function turnedOver(panel: CellPanel, width: number): CellPanel {
  const { rows, columns, times, cells, down, across } = panel;
  if (width >= NARROW || columns.length < 2 * rows.length) return panel;
  return {
    ...panel,
    down: across,
    across: down,
    rows: columns,
    columns: rows.map((name, row) => {
      const its = times[row];
      return its == null ? name : name + timesText(its, panel.isOfPeople);
    }),
    times: [],
    cells: cells.map((cell) => ({ ...cell, row: cell.column, column: cell.row })),
  };
}

/** Draws what the shades mean, below the cells: from 0 to the largest value. */
function shadesUpTo(largest: Value, x: number, bottom: number): string {
  const shades = Array.from({ length: SHADES }, (_, shade) =>
    tag('rect', { class: `q${shade}`, x: x + 12 * (shade + 1), y: bottom + 7, width: 12, height: 12 }),
  );
  return (
    text('0', { x, y: bottom + 17, class: 'axis' }) +
    shades.join('') +
    tag(
      'g',
      { 'data-label': largest.at },
      text(largest.short, { x: x + 12 * SHADES + 18, y: bottom + 17, class: 'axis' }),
    )
  );
}

/** Zero has the lightest shade; an unknown value has no shade. */
function shadeOf(value: number | null, most: number): number | null {
  if (value === null) return null;
  if (most <= 0 || value <= 0) return 0;
  return Math.min(SHADES - 1, 1 + Math.floor((value / most) * (SHADES - 2)));
}
