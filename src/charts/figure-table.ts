import { timesText } from './draw/drawn.ts';
import { escapeXml, tag } from './draw/svg.ts';

import { stateAfter } from './field-words.ts';
import { type Figure, type FigureWords, labelWithState, type Panel, type Value } from './figure.ts';

/** A cell: the text that it shows, and the number behind it. */
interface Cell {
  readonly text: string;
  readonly at?: string;
  readonly value?: number | null;
}

export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The first cell of each row names it. */
  readonly rows: readonly (readonly Cell[])[];
}

const NOTHING: Cell = { text: '–' };

/** The numbers of the picture as a table; of lines only the first columns, unless more are asked for. */
export function tableOf(panel: Panel, words: FigureWords, most?: number): Table {
  const caption = panel.heading;
  switch (panel.kind) {
    case 'line': {
      const hasBounds = panel.series.some(({ bounds }) => bounds.some((bound) => bound !== null));
      return {
        caption,
        columns: [
          panel.columns.some(({ moment }) => moment !== undefined) ? 'From' : words.say('picture.period'),
          ...panel.series.flatMap(({ name }) => [name || caption, ...(hasBounds ? ['Low', 'High'] : [])]),
        ],
        rows: panel.columns
          .slice(0, most)
          .map(({ label, known }, index) => [
            { text: `${label}${stateAfter(known, words)}` },
            ...panel.series.flatMap(({ values, bounds }) => [
              cellOf(values[index]),
              ...(hasBounds ? [cellOf(bounds[index]?.low), cellOf(bounds[index]?.high)] : []),
            ]),
          ]),
      };
    }
    case 'bars':
      return {
        caption,
        columns: ['', ...panel.series.map((name) => name || caption)],
        rows: panel.groups.map(({ isIncomplete, times, values, ...group }) => [
          {
            text: `${labelWithState(group)}${isIncomplete ? stateAfter('incomplete', words) : ''}${timesIn(times)}`,
          },
          ...values.map(cellOf),
        ]),
      };
    case 'cells':
      return {
        caption,
        columns: [`${panel.down} / ${panel.across}`, ...panel.columns],
        rows: panel.rows.map((label, row) => {
          const its = new Map(
            panel.cells.filter((cell) => cell.row === row).map((cell) => [cell.column, cell]),
          );
          return [
            { text: `${label}${timesIn(panel.times[row], panel.isOfPeople)}` },
            ...panel.columns.map((_, column) => {
              const cell = its.get(column);
              if (cell === undefined) return NOTHING;
              return { ...cellOf(cell.value), text: `${cell.value.text}${cell.isIncomplete ? '*' : ''}` };
            }),
          ];
        }),
      };
    case 'flow':
      return {
        caption,
        columns: [`${panel.from} → ${panel.to}`, caption],
        rows: panel.ribbons.map(({ source, target, value }) => [
          { text: `${panel.sources[source]} → ${panel.targets[target]}` },
          cellOf(value),
        ]),
      };
    case 'interval':
      return {
        caption,
        columns: ['', caption, 'Low', 'High'],
        rows: panel.groups.map(({ label, isIncomplete, value, low, high }) => [
          { text: `${label}${isIncomplete ? stateAfter('incomplete', words) : ''}` },
          ...[value, low, high].map(cellOf),
        ]),
      };
  }
}

function timesIn(times: Value | null | undefined, isOfPeople?: true): string {
  return times == null ? '' : timesText(times, isOfPeople);
}

function cellOf(value: Value | null | undefined): Cell {
  return value == null ? NOTHING : { text: value.text, at: value.at, value: value.value };
}

/** HTML tables of a figure, to go with the picture or to replace it. */
export function tablesHtml({ panels, words }: Figure): string {
  return panels
    .map((panel) => {
      const { caption, columns, rows } = tableOf(panel, words);
      const head = columns.map((name) =>
        tag('th', { scope: 'col' }, escapeXml(name || words.say('picture.name'))),
      );
      const body = rows.map(([name, ...cells]) =>
        tag(
          'tr',
          {},
          tag('th', { scope: 'row' }, escapeXml(name?.text ?? '')),
          ...cells.map(({ text, at, value }) =>
            tag('td', { 'data-at': at, 'data-value': value }, escapeXml(text)),
          ),
        ),
      );
      return tag(
        'table',
        {},
        tag('caption', {}, escapeXml(caption)),
        tag('thead', {}, tag('tr', {}, ...head)),
        tag('tbody', {}, ...body),
      );
    })
    .join('');
}

/**
 * The numbers as the answer has them, for programs; other values as texts that no program takes for formulas.
 */
export function csvOf({ title, subtitle, panels, words }: Figure): string {
  const lines = [[title, ...subtitle]];
  for (const panel of panels) {
    const { caption, columns, rows } = tableOf(panel, words);
    lines.push([], [caption], [...columns]);
    for (const row of rows)
      lines.push(row.map(({ text, value }) => (typeof value === 'number' ? String(value) : text)));
  }
  return lines.map((line) => line.map(csvCell).join(',')).join('\r\n');
}

/**
 * A spreadsheet would run a cell that begins like a formula, so such a text is quoted; a number never needs
 * it.
 */
function csvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
