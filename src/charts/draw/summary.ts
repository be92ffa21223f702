import type { Figure, Panel } from '../figure.ts';
import { tableOf } from '../figure-table.ts';

/** A summary has at most so many values; whoever wants more reads the table. */
const MOST_ROWS = 40;

/** The picture in words, for people who do not see it: what is drawn, and as many of its numbers as one can listen to. */
export function summaryOf({ panels, notes }: Figure): string {
  return [...panels.map(panelInWords), ...notes].join(' ');
}

function panelInWords(panel: Panel): string {
  const { columns, rows } = tableOf(panel, MOST_ROWS + 1);
  const said = rows.slice(0, MOST_ROWS).map(([name = '', ...values]) => {
    const parts = values.map(({ text }, index) =>
      values.length > 1 ? `${columns[index + 1]} ${text}` : text,
    );
    return `${typeof name === 'string' ? name : name.text}: ${parts.join(', ')}`;
  });
  const more = rows.length > said.length ? ' More in the table.' : '';
  return [`${panel.heading}.`, ...panel.says, `${said.join('; ')}.${more}`].join(' ');
}
