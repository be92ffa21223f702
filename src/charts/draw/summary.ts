import type { Figure, FigureWords, Panel } from '../figure.ts';
import { tableOf } from '../figure-table.ts';

/** The most values of a summary; the table has all of them. */
const MOST_ROWS = 40;

/**
 * The picture in words, for people who do not see it: what is drawn, and the numbers that one can listen to.
 * It is in one language: an English text of the tool stays English in a picture of another language.
 */
export function summaryOf({ panels, notes, words }: Figure): string {
  return [...panels.map((panel) => panelInWords(panel, words)), ...notes].join(' ');
}

function panelInWords(panel: Panel, words: FigureWords): string {
  const { columns, rows } = tableOf(panel, words, MOST_ROWS + 1);
  const said = rows.slice(0, MOST_ROWS).map(([name = '', ...values]) => {
    const parts = values.map(({ text }, index) =>
      values.length > 1 ? `${columns[index + 1]} ${text}` : text,
    );
    return `${typeof name === 'string' ? name : name.text}: ${parts.join(', ')}`;
  });
  const more = rows.length > said.length ? ` ${words.say('picture.more-in-table')}` : '';
  return [
    `${panel.heading}.`,
    ...panel.says.filter((said) => typeof said === 'string'),
    `${said.join('; ')}.${more}`,
  ].join(' ');
}
