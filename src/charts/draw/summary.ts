import type { Figure, Panel } from '../figure.ts';
import { tableOf } from '../table.ts';

/** More values than these are read from the table. */
const MOST_ROWS = 40;

/** The picture in words, for those who do not see it: what is drawn, and its numbers as far as one listens. */
export function summaryOf({ panels, notes }: Figure): string {
  return [...panels.map(panelInWords), ...notes].join(' ');
}

function panelInWords(panel: Panel): string {
  const { columns, rows } = tableOf(panel);
  const said = rows.slice(0, MOST_ROWS).map(([name = '', ...values]) => {
    const parts = values.map(({ text }, index) =>
      values.length > 1 ? `${columns[index + 1]} ${text}` : text,
    );
    return `${typeof name === 'string' ? name : name.text}: ${parts.join(', ')}`;
  });
  const more = rows.length > said.length ? ' More in the table.' : '';
  return `${panel.heading}. ${said.join('; ')}.${more}`;
}
